"""Densities of vectors and matrices: values, constants, derivatives, and what they refuse."""

import itertools
import zlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from density_checks import (
    FAST_COMPILE,
    arguments,
    check_derivatives,
    check_propto,
    check_values,
    density,
    symmetric,
)
from multivariate_cases import CASES, Case, K

from trustvi.stan._diagnostics import StanRuntimeError


def seeded(case: Case, extra: int = 0) -> np.random.Generator:
    return np.random.default_rng([zlib.crc32(str(case).encode()), extra])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_lanes_and_draws_are_one_by_one_what_scipy_says(case):
    check_values(case, seeded(case))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_propto_drops_only_what_does_not_depend_on_parameters(case):
    check_propto(case, seeded(case, 1))


DIFFERENTIATED = [case for case in CASES if not case.label or str(case) == "multi_normal_lpdf many"]


@pytest.mark.parametrize("case", DIFFERENTIATED, ids=str)
def test_derivatives_to_second_order(case):
    rng = seeded(case, 2)
    made = arguments(case, "draws", rng)
    known, free = made[: case.integers], made[case.integers :]
    weights = rng.normal(size=(1, free[0].shape[-1]))
    directions = [[symmetric(rng, each) for each in free] for _ in range(2)]
    check_derivatives(
        lambda *x: jnp.sum(weights * density(case.name, [*known, *x])), free, directions
    )


WITH_MATRICES = [
    (case, i)
    for case in CASES
    if not case.label and case.name.startswith(("multi", "lkj_c", "wishart", "inv", "gaussian"))
    for i, maker in enumerate(case.makers)
    if maker.__qualname__.startswith("covariance") or maker.__name__ == "correlation"
    if not case.name.startswith("gaussian") or i == 3
]


@pytest.mark.parametrize(("case", "i"), WITH_MATRICES, ids=lambda x: str(x))
def test_matrices_that_are_not_positive_definite(case, i):
    """Known ones are refused; traced ones have density zero and finite derivatives, and the other
    draws are as if alone."""
    rng = seeded(case, 3)
    made = [case.argument(j, rng, 1, 1) for j in range(len(case.makers))]
    size = made[i].shape[1]
    bad = [*made]
    size_of_bad = 100 if case.name.startswith("gaussian") else 1
    bad[i] = size_of_bad * (2 * np.ones((size, size)) - np.eye(size))[None, :, :, None]
    with pytest.raises(StanRuntimeError, match=r"not positive (semi-)?definite"):
        density(case.name, bad)

    def each(matrix):
        return density(case.name, [*made[:i], matrix, *made[i + 1 :]])

    def everything(matrix):
        def finite(matrix):
            return jnp.sum(jnp.where(jnp.isfinite(each(matrix)), each(matrix), 0))

        gradient = jax.grad(finite)
        return each(matrix), *jax.jvp(gradient, (matrix,), (matrix,))

    both = jnp.concatenate([jnp.asarray(bad[i]), jnp.asarray(made[i])], axis=-1)
    found, *derivatives = jax.jit(everything, compiler_options=FAST_COMPILE)(both)
    assert found[0, 0] == -np.inf
    np.testing.assert_allclose(found[0, 1], density(case.name, made)[0, 0], rtol=1e-10)
    for result in derivatives:
        assert np.all(np.isfinite(result))
        assert np.all(result[..., 0] == 0)
        assert np.any(result[..., 1] != 0)


def _one(value):
    return np.asarray(value, float)[None, ..., None]


EYE = np.eye(2)
REFUSED = {
    "size": ("multi_normal_lpdf", [[0, 0], [0, 0, 0], EYE], "must match in size"),
    "covariance size": ("multi_normal_lpdf", [[0, 0], [0, 0], np.eye(3)], "must match in size"),
    "symmetry": ("multi_normal_lpdf", [[0, 0], [0, 0], [[1, 0.5], [0.2, 1]]], "is not symmetric"),
    "nan": ("multi_normal_lpdf", [[0, np.nan], [0, 0], EYE], "must not be nan"),
    "infinite mean": ("multi_normal_lpdf", [[0, 0], [0, np.inf], EYE], "must be finite"),
    "degrees": ("multi_student_t_lpdf", [[0, 0], -1, [0, 0], EYE], "must be positive"),
    "simplex": ("dirichlet_lpdf", [[0.5, 0.6], [1, 1]], "not a valid simplex"),
    "prior": ("dirichlet_lpdf", [[0.5, 0.5], [1, 0]], "must be positive"),
    "correlation": ("lkj_corr_lpdf", [2 * EYE, 1], "not a valid correlation matrix"),
    "shape": ("lkj_corr_cholesky_lpdf", [EYE, 0], "must be positive"),
    "wishart degrees": ("wishart_lpdf", [EYE, 1, EYE], "must be greater than 1"),
    "square": ("wishart_lpdf", [[[1, 0]], 3, EYE], "square matrix"),
}


@pytest.mark.parametrize(("name", "args", "message"), REFUSED.values(), ids=REFUSED)
def test_known_arguments_outside_the_domain_are_refused(name, args, message):
    with pytest.raises(StanRuntimeError, match=message):
        density(name, [_one(each) for each in args])


def test_traced_degrees_of_freedom_below_their_bound_have_density_zero():
    nu = jnp.asarray([[0.5, 1.0, 1.5]])
    found = density("wishart_lpdf", [_one(EYE), nu, _one(EYE)])
    assert np.all(np.isneginf(found[0, :2]))
    assert np.isfinite(found[0, 2])


def test_infinite_degrees_of_freedom_are_normal():
    y, mu = _one([1.0, 2.0]), _one([0.0, 0.5])
    student = density("multi_student_t_lpdf", [y, np.full((1, 1), np.inf), mu, _one(EYE)])
    np.testing.assert_allclose(student, density("multi_normal_lpdf", [y, mu, _one(EYE)]))


def test_flat_dirichlet_is_constant_even_at_the_border():
    theta = jnp.asarray([[[0.0], [0.3], [0.7]]])
    alpha = np.ones((1, 3, 1))

    def flat(theta):
        return density("dirichlet_lpdf", [theta, alpha])[0, 0]

    np.testing.assert_allclose(flat(theta), np.log(2))
    assert np.all(jax.grad(flat)(theta) == 0)


def test_categories_never_seen_may_have_probability_zero():
    theta = jnp.asarray([[[0.0], [0.25], [0.75]]])
    n = np.array([[[0], [1], [2]]])
    found = jax.value_and_grad(lambda x: density("multinomial_lpmf", [n, x])[0, 0])(theta)
    np.testing.assert_allclose(found[0], np.log(3 * 0.25 * 0.75**2))
    np.testing.assert_allclose(found[1][0, :, 0], [0, 4, 2 / 0.75])


@pytest.mark.parametrize("name", ["multi_normal_lpdf", "multi_student_t_lpdf", "dirichlet_lpdf"])
@pytest.mark.parametrize("traced", [False, True])
def test_no_observations_add_nothing(name, traced):
    y = np.zeros((1, 0, K, 1))
    others = {
        "multi_normal_lpdf": [np.zeros((1, K, 1)), np.eye(K)[None, ..., None]],
        "multi_student_t_lpdf": [np.ones((1, 1)), np.zeros((1, K, 1)), np.eye(K)[None, ..., None]],
        "dirichlet_lpdf": [np.ones((1, K, 1))],
    }[name]
    if traced:
        others = [jnp.asarray(each) for each in others]
    assert density(name, [y, *others]) == 0


def test_univariate_reductions():
    """Vectors of one element are as their univariate distributions."""
    rng = np.random.default_rng(7)
    y, mu, sigma = rng.normal(), rng.normal(), 1.7
    pairs = (
        ("multi_normal_lpdf", ([y], [mu], [[sigma**2]]), "normal_lpdf", (y, mu, sigma)),
        ("multi_normal_prec_lpdf", ([y], [mu], [[sigma**-2]]), "normal_lpdf", (y, mu, sigma)),
        ("multi_student_t_lpdf", ([y], 3, [mu], [[sigma**2]]), "student_t_lpdf", (y, 3, mu, sigma)),
        ("wishart_lpdf", ([[2.0]], 3, [[sigma]]), "gamma_lpdf", (2.0, 1.5, 0.5 / sigma)),
        ("inv_wishart_lpdf", ([[2.0]], 3, [[sigma]]), "inv_gamma_lpdf", (2.0, 1.5, 0.5 * sigma)),
    )
    for (many, given, one, alone), traced in itertools.product(pairs, (False, True)):
        wrap = jnp.asarray if traced else np.asarray
        found, expected = (
            density(name, [wrap(_one(each)) for each in args])
            for name, args in ((many, given), (one, alone))
        )
        np.testing.assert_allclose(found, expected, rtol=1e-12)

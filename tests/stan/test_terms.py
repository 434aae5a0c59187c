"""Summands of log densities: multiplicity, what propto drops, what violations do."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._terms import Terms

RNG = np.random.default_rng(20)


def value(lanes: int, events: tuple[int, ...], draws: int, traced: bool):
    array = RNG.normal(size=(lanes, *events, draws))
    return jnp.asarray(array) if traced else array


def by_broadcasting(arrays, shape, lanes):
    """The oracle: every summand spread over the whole event, then summed."""
    total = 0.0
    for array in arrays:
        spread = np.broadcast_to(array, np.broadcast_shapes(array.shape, (1, *shape, 1)))
        total = total + spread.sum(axis=tuple(range(1, spread.ndim - 1)))
    if lanes is None:
        return total
    return np.broadcast_to(total, (lanes, total.shape[-1])).sum(axis=0, keepdims=True)


CASES = [
    [(1, (), 1, False)],
    [(1, (4,), 1, False), (1, (1,), 3, True)],
    [(5, (1,), 1, False), (1, (4,), 3, True), (1, (4,), 1, False)],
    [(5, (4, 2), 1, False), (5, (1, 2), 3, True), (1, (4, 1), 3, True), (1, (1, 1), 1, False)],
    [(1, (0,), 1, False), (1, (1,), 3, True)],
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("lanes", [None, 5])
def test_total_counts_each_summand_as_often_as_broadcasting_would(case, lanes):
    arrays = [value(*each) for each in case]
    terms = Terms.aligned("d_lpdf", *arrays, lanes=lanes)
    for array in arrays:
        terms.add(array, array)
    expected = by_broadcasting(arrays, terms.event, lanes)
    np.testing.assert_allclose(terms.total(), expected, rtol=1e-12, atol=1e-12)
    assert isinstance(terms.total(), jax.Array) == any(each[-1] for each in case)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("lanes", [None, 5])
def test_products_and_squares_equal_their_broadcast_forms(case, lanes):
    arrays = [value(*each) for each in case]
    for first, second in itertools.permutations(arrays, 2):
        terms = Terms.aligned("d_lpdf", *arrays, lanes=lanes)
        weights = (arrays[-1], 0.5)
        terms.add_product((first, second, *weights))
        product = first * second * arrays[-1] * 0.5
        expected = by_broadcasting([product], terms.event, lanes)
        np.testing.assert_allclose(terms.total(), expected, rtol=1e-11, atol=1e-11)
        terms.add_squares(first, second, weights)
        square = (first - second) ** 2 * arrays[-1] * 0.5
        expected = expected + by_broadcasting([square], terms.event, lanes)
        np.testing.assert_allclose(terms.total(), expected, rtol=1e-11, atol=1e-11)


def test_a_sum_over_known_rows_costs_nothing_per_draw():
    y = value(1, (1000,), 1, False)
    program = jax.make_jaxpr(lambda mu: squares_of(y, mu))(np.ones((1, 1, 8)))
    assert max(math.prod(v.aval.shape) for e in program.eqns for v in e.outvars) == 8


def squares_of(y, mu):
    terms = Terms.aligned("d_lpdf", y, mu)
    terms.add_squares(y, mu, (0.5,), y, mu)
    terms.add_product((y, mu), y, mu)
    return terms.total()


def test_propto_drops_what_depends_on_no_traced_value():
    known, traced = value(1, (3,), 1, False), value(1, (3,), 2, True)
    terms = Terms.aligned("d_lpdf", known, traced, propto=True)
    terms.add(-0.9)
    terms.add(known, known)
    terms.add(traced + known, known, traced)
    np.testing.assert_allclose(terms.total(), (traced + known).sum(axis=1), rtol=1e-14)


def test_a_cdf_is_the_product_over_its_event():
    known, traced = value(1, (3,), 1, False), value(1, (1,), 2, True)
    terms = Terms.aligned("d_cdf", known, traced)
    terms.multiply(known)
    terms.multiply(traced)
    np.testing.assert_allclose(terms.total(), known.prod(axis=1) * traced[:, 0] ** 3, rtol=1e-14)


def scalar(x):
    return np.asarray(x, float).reshape(1, 1)


def vector(*xs):
    return np.asarray(xs, float).reshape(1, -1, 1)


VIOLATIONS = [
    ("positive", scalar(-1), "Scale parameter is -1, but must be positive!"),
    ("positive", vector(2, 0), "Scale parameter[2] is 0, but must be positive!"),
    ("nonnegative", scalar(-0.25), "Scale parameter is -0.25, but must be nonnegative!"),
    ("finite", scalar(math.inf), "Scale parameter is inf, but must be finite!"),
    ("positive finite", vector(1, math.inf, 1), "Scale parameter[2] is inf, but must be positive"),
    ("not nan", scalar(math.nan), "Scale parameter is nan, but must not be nan!"),
]


@pytest.mark.parametrize(("must", "array", "words"), VIOLATIONS)
def test_known_violations_raise_in_the_words_of_stan(must, array, words):
    terms = Terms.aligned("normal_lpdf", array)
    with pytest.raises(StanRuntimeError) as caught:
        terms.check("Scale parameter", array, must)
    assert caught.value.message.startswith(f"normal_lpdf: {words}")


@pytest.mark.parametrize("must", ["positive", "nonnegative", "finite", "positive finite"])
def test_traced_violations_make_the_density_minus_infinity(must):
    bad = math.inf if must == "finite" else -1.0
    array = jnp.asarray([[[1.0, bad], [1.0, 1.0]]])
    terms = Terms.aligned("d_lpdf", array)
    terms.add(array, array)
    terms.check("Scale parameter", array, must)
    np.testing.assert_array_equal(terms.total(), [[2.0, -math.inf]])


def test_bounds_and_orders_name_the_limit():
    y = vector(0.5, 2.0)
    terms = Terms.aligned("beta_lpdf", y)
    terms.check_bounds("Random variable", y, 0, 2)
    with pytest.raises(StanRuntimeError, match=r"variable\[2\] is 2, but must be in .* \[0, 1\]"):
        terms.check_bounds("Random variable", y, 0, 1)
    with pytest.raises(StanRuntimeError, match=r"\[2\] is 2, but must be less than or equal to 1$"):
        terms.check_order("Random variable", y, "<=", vector(1.0))


def test_an_empty_event_requires_nothing_and_is_zero():
    terms = Terms.aligned("normal_lpdf", vector(), np.full((1, 1, 1), -1.0))
    terms.check("Scale parameter", np.full((1, 1, 1), -1.0), "positive")
    terms.add(-1.0)
    np.testing.assert_array_equal(terms.total(), [[0.0]])


def test_outside_the_support_the_density_is_minus_infinity():
    y, traced = vector(0.5, 2.0), jnp.ones((1, 1, 3))
    terms = Terms.aligned("uniform_lpdf", y, traced)
    terms.add(traced, traced)
    terms.support(y < 1, y, traced)
    np.testing.assert_array_equal(terms.total(), np.full((1, 3), -math.inf))

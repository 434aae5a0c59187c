"""Transforms: round trip, autodiff log-determinant, extreme values, real Stan, checks."""

import json
import math
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from trustvi.stan._ast import Transform as T
from trustvi.stan._transforms import (
    Layout,
    constrain,
    constrained_size,
    flatten,
    names,
    satisfied,
    unconstrain,
    unconstrained_names,
    unconstrained_size,
    unflatten,
    unusable,
    violation,
)

DRAWS = 3
REFERENCE = json.loads((Path(__file__).parent / "transforms/every.json").read_text())


def scalar(x):
    return np.full((1, 1), float(x))


def vector(*x):
    return np.array(x, float).reshape(1, -1, 1)


INF = math.inf
LOW, HIGH = vector(-1, -INF, 0.5, -INF), vector(2, 3, INF, INF)
CENTRE = np.array([[0, 1, 2], [-1, 0.5, 10.0]]).reshape(1, 2, 3, 1)
SCALE = np.array([[1, 0.5, 2], [3, 0.1, 10.0]]).reshape(1, 2, 3, 1)
LOWER, UPPER, BOTH = (scalar(-1.5),), (scalar(2),), (scalar(-1), scalar(3))

VECTORS = (T.ORDERED, T.POSITIVE_ORDERED, T.SIMPLEX, T.SUM_TO_ZERO_VECTOR)
SQUARES = (T.CHOLESKY_CORR, T.CHOLESKY_COV, T.CORRELATION, T.COVARIANCE)
TALL = (T.COLUMN_STOCHASTIC, T.ROW_STOCHASTIC, T.SUM_TO_ZERO_MATRIX)
PARTS = (Layout(T.LOWER), Layout(T.SIMPLEX, (2,), (3,)))

CASES = [
    (Layout(T.IDENTITY), ()),
    (Layout(T.IDENTITY, (2,), (2, 3)), ()),
    (Layout(T.LOWER), LOWER),
    (Layout(T.LOWER, (), (4,)), (LOW,)),
    (Layout(T.UPPER, (2, 2)), UPPER),
    (Layout(T.UPPER, (), (4,)), (HIGH,)),
    (Layout(T.LOWER_UPPER, (), (3, 2)), BOTH),
    (Layout(T.LOWER_UPPER, (), (4,)), (LOW, HIGH)),
    (Layout(T.OFFSET, (), (2,)), (scalar(1.5),)),
    (Layout(T.MULTIPLIER, (), (2,)), (scalar(2.5),)),
    (Layout(T.OFFSET_MULTIPLIER, (2,), (3,)), (CENTRE, SCALE)),
    *[(Layout(t, (2,), (size,)), ()) for t in VECTORS for size in (1, 2, 5)],
    *[(Layout(t, (), (0,)), ()) for t in (T.ORDERED, T.POSITIVE_ORDERED)],
    (Layout(T.UNIT_VECTOR, (2, 2), (3,)), ()),
    *[(Layout(t, (2,), (size, size)), ()) for t in SQUARES for size in (0, 1, 2, 4)],
    (Layout(T.CHOLESKY_COV, (), (5, 3)), ()),
    *[(Layout(t, (2,), (3, 4)), ()) for t in TALL],
    (Layout(T.IDENTITY, (2,), (2, 3), complex=True), ()),
    (Layout(T.TUPLE, (2, 3), elements=PARTS), (LOWER, ())),
]  # fmt: skip


def label(case):
    layout, _ = case
    return f"{layout.transform.value}{layout.array_dims}{layout.dims}"


def points(layout, seed=1, spread=1.0, draws=DRAWS):
    shape = (1, unconstrained_size(layout), draws)
    return spread * np.random.default_rng(seed).standard_normal(shape)


def coordinates(layout, value):
    """The entries of a value that a volume is measured in: as many as there are free reals."""
    if layout.is_tuple:
        inner = map(coordinates, layout.elements, value)
        return jnp.concatenate([part.reshape(-1) for part in inner])
    if layout.complex:
        return jnp.stack([value.real, value.imag]).reshape(-1)
    match layout.transform:
        case T.SIMPLEX | T.ROW_STOCHASTIC:
            return value[..., :-1, :].reshape(-1)
        case T.COLUMN_STOCHASTIC:
            return value[..., :-1, :, :].reshape(-1)
        case T.CHOLESKY_CORR | T.CORRELATION:
            return value[..., *np.tril_indices(layout.dims[0], -1), :].reshape(-1)
        case T.CHOLESKY_COV | T.COVARIANCE:
            return value[..., *np.tril_indices(layout.dims[0], 0, layout.dims[1]), :].reshape(-1)
        case _:
            return value.reshape(-1)


@pytest.mark.parametrize("case", CASES, ids=label)
def test_transform(case):
    """Shapes, NumPy and JAX alike, round trip, log-determinant, curvature."""
    layout, arguments = case
    free = points(layout)
    value, log_jacobian = constrain(layout, free, arguments)
    assert [v.shape for v in jax.tree.leaves(value)] == shapes_of(layout)
    assert violation(layout, value, arguments, "x") is None
    assert satisfied(layout, value, arguments).all()
    if layout.transform is not T.UNIT_VECTOR:
        np.testing.assert_allclose(unconstrain(layout, value, arguments), free, rtol=1e-9)
    flat = flatten(layout, value)
    assert flat.shape == (1, constrained_size(layout), DRAWS)
    jax.tree.map(np.testing.assert_array_equal, unflatten(layout, flat), value)
    assert len(set(names(layout, "x"))) == constrained_size(layout)
    assert len(set(unconstrained_names(layout, "x"))) == unconstrained_size(layout)
    check_derivatives(layout, arguments, free, value, log_jacobian)


def shapes_of(layout, outer=()):
    if layout.is_tuple:
        outer = outer + layout.array_dims
        return [shape for element in layout.elements for shape in shapes_of(element, outer)]
    return [(1, *outer, *layout.shape, DRAWS)]


def check_derivatives(layout, arguments, free, value, log_jacobian):
    def one(u):
        x, slope = constrain(layout, u[None, :, None], arguments)
        return coordinates(layout, x), jnp.asarray(slope)[0, 0], x

    def objective(u):
        entries, slope, _ = one(u)
        return jnp.sum(jnp.sin(entries)) + slope

    def everything(u, v):
        _, slope, x = one(u)
        jacobian = jax.jacfwd(lambda u: one(u)[0])(u)
        gradient, curvature = jax.jvp(jax.grad(objective), (u,), (v,))
        return x, slope, jacobian, gradient, curvature

    u, v = jnp.asarray(free[0, :, 0]), jnp.ones(free.shape[1])
    x, slope, jacobian, gradient, curvature = jax.jit(everything)(u, v)
    jax.tree.map(
        lambda traced, known: np.testing.assert_allclose(
            traced[..., 0], known[..., 0], rtol=1e-13, atol=1e-15
        ),
        x,
        value,
    )
    np.testing.assert_allclose(slope, log_jacobian[0, 0], rtol=1e-13, atol=1e-15)
    assert np.isfinite(gradient).all()
    assert np.isfinite(curvature).all()
    check_volume(layout, u, jacobian, slope)


def check_volume(layout, u, jacobian, slope):
    match layout.transform:
        case T.UNIT_VECTOR:
            np.testing.assert_allclose(slope, -0.5 * float(u @ u), rtol=1e-13)
        case T.SUM_TO_ZERO_VECTOR | T.SUM_TO_ZERO_MATRIX:
            np.testing.assert_allclose(jacobian.T @ jacobian, np.eye(len(u)), atol=1e-14)
            assert slope == 0
        case _:
            expected = np.linalg.slogdet(jacobian)[1] if len(u) else 0.0
            np.testing.assert_allclose(slope, expected, rtol=1e-11, atol=1e-13)


def curvature_at(layout, arguments, free):
    """Value, log Jacobian, gradient and a Hessian-vector product of the log Jacobian."""

    def slope(u):
        return jnp.asarray(constrain(layout, u, arguments)[1]).sum()

    def everything(u):
        value, log_jacobian = constrain(layout, u, arguments)
        gradient, product = jax.jvp(jax.grad(slope), (u,), (jnp.ones_like(u),))
        return value, log_jacobian, gradient, product

    return jax.jit(everything)(jnp.asarray(free))


BOUNDED = [
    (Layout(T.LOWER_UPPER), BOTH),
    (Layout(T.LOWER_UPPER, (), (4,)), (LOW, HIGH)),
    (Layout(T.SIMPLEX, (), (4,)), ()),
    (Layout(T.CHOLESKY_CORR, (), (4, 4)), ()),
    (Layout(T.CORRELATION, (), (4, 4)), ()),
]


@pytest.mark.parametrize("case", BOUNDED, ids=label)
def test_far_out(case):
    """At +-700 values keep to their bounds, and log Jacobians have finite curvature."""
    layout, arguments = case
    size = unconstrained_size(layout)
    signs = np.random.default_rng(3).choice([-700.0, 0.0, 700.0], size=(1, size, 20))
    value, log_jacobian, gradient, product = curvature_at(layout, arguments, signs)
    if layout.transform not in (T.CHOLESKY_CORR, T.CORRELATION):  # whose diagonals underflow
        assert satisfied(layout, value, arguments).all()
    for array in (value, log_jacobian, gradient, product):
        assert np.isfinite(array).all()


def test_far_out_agrees_with_asymptotes():
    """log Jacobians where one exponential is all that is left of a formula."""
    far = np.array([-800.0, 0.0, 800.0]).reshape(1, 1, 3)
    _, slope, gradient, product = curvature_at(Layout(T.LOWER_UPPER), BOTH, far)
    np.testing.assert_allclose(slope[0], math.log(4) + np.array([-800, -2 * math.log(2), -800]))
    np.testing.assert_allclose(gradient[0, 0], [1, 0, -1])
    np.testing.assert_allclose(product[0, 0], [0, -0.5, 0])
    _, slope, gradient, product = curvature_at(Layout(T.CHOLESKY_CORR, (), (2, 2)), (), far)
    np.testing.assert_allclose(slope[0], math.log(4) - np.array([1600, math.log(4), 1600]))
    np.testing.assert_allclose(gradient[0, 0], [2, 0, -2])
    np.testing.assert_allclose(product[0, 0], [0, -2, 0])
    far = np.array([[800.0, -800.0], [800.0, 800.0]]).reshape(1, 2, 2)
    value, slope, *_ = curvature_at(Layout(T.SIMPLEX, (), (3,)), (), far)
    np.testing.assert_allclose(value[0, :, 0], [1, 0, 0], atol=1e-300)
    np.testing.assert_allclose(slope[0], [2 * math.log(2) - 2400, -math.log(2) - 1600])


def test_infinite_bounds_are_none():
    """Where a bound is infinite the transform is that without it, for traced bounds too."""
    free = points(Layout(T.IDENTITY, (), (4,)))
    layout = Layout(T.LOWER_UPPER, (), (4,))
    known = constrain(layout, free, (LOW, HIGH))
    traced = jax.jit(lambda u, a, b: constrain(layout, u, (a, b)))(free, LOW, HIGH)
    jax.tree.map(lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-14), known, traced)
    u = free[0]
    expected = [
        -1 + 3 / (1 + np.exp(-u[0])),
        3 - np.exp(u[1]),
        0.5 + np.exp(u[2]),
        u[3],
    ]
    np.testing.assert_allclose(known[0][0], expected, rtol=1e-14)


# --------------------------------------------------------------------------- real Stan


def plain(transform, *dims, arrays=(), given=()):
    return Layout(transform, arrays, dims), given


def reference_parameters():
    """The parameters of transforms/every.stan in order: name, layout, arguments by name."""
    positive, below = Layout(T.LOWER), Layout(T.UPPER)
    unit = Layout(T.LOWER_UPPER, (), (2,))
    pair = Layout(
        T.TUPLE,
        elements=(positive, Layout(T.SIMPLEX, (2,), (3,)), Layout(T.COVARIANCE, (), (2, 2))),
    )
    inner = Layout(T.TUPLE, elements=(unit, Layout()))
    nested = Layout(T.TUPLE, (2, 3), elements=(below, inner))
    zero, one = scalar(0), scalar(1)
    return {
        "free_real": plain(T.IDENTITY),
        "free_matrix": plain(T.IDENTITY, 2, 3, arrays=(2,)),
        "lower_real": plain(T.LOWER, given=LOWER),
        "upper_array": plain(T.UPPER, arrays=(2, 2), given=UPPER),
        "bounded_matrix": plain(T.LOWER_UPPER, 3, 2, given=BOTH),
        "lower_vector": plain(T.LOWER, 4, given=(LOW,)),
        "upper_vector": plain(T.UPPER, 4, given=(HIGH,)),
        "bounded_vector": plain(T.LOWER_UPPER, 4, given=(LOW, HIGH)),
        "affine_array": plain(T.OFFSET_MULTIPLIER, 3, arrays=(2,), given=(CENTRE, SCALE)),
        "offset_vector": plain(T.OFFSET, 2, given=(scalar(1.5),)),
        "multiplier_vector": plain(T.MULTIPLIER, 2, given=(scalar(2.5),)),
        "ordered_array": plain(T.ORDERED, 4, arrays=(2,)),
        "positive_ordered_vector": plain(T.POSITIVE_ORDERED, 3),
        "ordered_single": plain(T.ORDERED, 1),
        "simplex_array": plain(T.SIMPLEX, 5, arrays=(2,)),
        "simplex_pair": plain(T.SIMPLEX, 2),
        "simplex_single": plain(T.SIMPLEX, 1),
        "unit_array": plain(T.UNIT_VECTOR, 3, arrays=(2, 2)),
        "cholesky_corr_2": plain(T.CHOLESKY_CORR, 2, 2),
        "cholesky_corr_array": plain(T.CHOLESKY_CORR, 4, 4, arrays=(2,)),
        "cholesky_cov_square": plain(T.CHOLESKY_COV, 3, 3),
        "cholesky_cov_tall": plain(T.CHOLESKY_COV, 5, 3),
        "cholesky_cov_array": plain(T.CHOLESKY_COV, 2, 2, arrays=(2,)),
        "corr_2": plain(T.CORRELATION, 2, 2),
        "corr_array": plain(T.CORRELATION, 4, 4, arrays=(2,)),
        "cov_1": plain(T.COVARIANCE, 1, 1),
        "cov_array": plain(T.COVARIANCE, 3, 3, arrays=(2,)),
        "complex_scalar": (Layout(complex=True), ()),
        "complex_array": (Layout(T.IDENTITY, (2,), (2, 3), complex=True), ()),
        "pair": (pair, ((zero,), (), ())),
        "nested": (nested, ((one,), ((zero, one), ()))),
        "above": plain(T.LOWER, given=("free_real",)),
        "between": plain(T.LOWER_UPPER, given=("free_real", "free_real_plus_2")),
        "shifted": plain(T.OFFSET_MULTIPLIER, 2, given=("free_real", "lower_real_plus_2")),
    }


def every(theta):
    """All parameters of the reference program as written out, and their total log Jacobian."""
    known, written, total, start = {}, [], 0.0, 0
    for name, (layout, given) in reference_parameters().items():
        end = start + unconstrained_size(layout)
        arguments = [known[g] if isinstance(g, str) else g for g in given]
        value, slope = constrain(layout, theta[:, start:end], arguments)
        if name in ("free_real", "lower_real"):
            known |= {name: value, f"{name}_plus_2": value + 2.0}
        written.append(flatten(layout, value))
        total, start = total + slope, end
    assert start == theta.shape[1]
    return jnp.concatenate(written, axis=1), total


def test_agrees_with_real_stan():
    theta = jnp.asarray(REFERENCE["theta"]).T[None]

    def both(theta):
        gradient = jax.grad(lambda u: every(u)[1].sum())(theta)
        return *every(theta), gradient

    written, total, gradient = jax.jit(both)(theta)
    np.testing.assert_allclose(written[0].T, REFERENCE["constrained"], rtol=1e-10, atol=1e-10)
    # Stan's 1 - tanh(u)^2 has lost half of its digits at the farthest point.
    np.testing.assert_allclose(total[0], REFERENCE["log_jacobian"], rtol=1e-10)
    np.testing.assert_allclose(gradient[0].T, REFERENCE["gradient"], rtol=1e-7, atol=1e-9)


def test_names_are_those_of_real_stan():
    listed = reference_parameters().items()
    ours = [n for name, (layout, _) in listed for n in names(layout, name)]
    free = [n for name, (layout, _) in listed for n in unconstrained_names(layout, name)]
    assert ours == REFERENCE["names"]
    assert free == REFERENCE["unconstrained_names"]


# --------------------------------------------------------------------------- checks


def check(transform, bad, *arguments, arrays=()):
    value = np.asarray(bad, float)
    layout = Layout(transform, arrays, value.shape[len(arrays) :])
    value = value[None, ..., None]
    assert not satisfied(layout, value, arguments).all()
    traced = jax.jit(lambda x: satisfied(layout, x, arguments))(value)
    assert not traced.all()
    return violation(layout, value, arguments, "x")


def test_bounds_are_checked_in_stans_words():
    zero, three = scalar(0), scalar(3)
    at_least, at_most = "but must be greater than or equal to", "but must be less than or equal to"
    assert check(T.LOWER, -1, zero) == f"x is -1, {at_least} 0"
    assert check(T.LOWER, math.nan, scalar(1.5)) == f"x is nan, {at_least} 1.5"
    assert check(T.UPPER, [1, 4], three) == f"x[2] is 4, {at_most} 3"
    assert check(T.LOWER, [[1, 2], [-3, 4]], zero) == f"x[2, 1] is -3, {at_least} 0"
    assert check(T.LOWER, [[1, 2], [3, -4]], zero, arrays=(2,)) == f"x[2][2] is -4, {at_least} 0"
    assert check(T.LOWER_UPPER, 4, zero, three) == f"x is 4, {at_most} 3"
    nested = [[[[0.0, 1]], [[0, 1]]], [[[0, 1]], [[0, 1.2]]]]
    said = check(T.UPPER, nested, scalar(1), arrays=(2, 2))
    assert said == f"x[2, 2][1, 2] is 1.2, {at_most} 1"
    assert check(T.LOWER, [1, 2], vector(0, 3)) == f"x[2] is 2, {at_least} 3"


NOT = {
    "order": (T.ORDERED, [1, 2, 2], "is not a valid ordered vector. The element at 3 is 2, but "
              "should be greater than the previous element, 2"),
    "sign": (T.POSITIVE_ORDERED, [-1, 2], "is not a valid positive_ordered vector. The element "
             "at 1 is -1, but should be positive."),
    "order of positive": (T.POSITIVE_ORDERED, [2, 1], "is not a valid ordered vector. The element "
                          "at 2 is 1, but should be greater than the previous element, 2"),
    "sum": (T.SIMPLEX, [0.5, 0.6], "is not a valid simplex. sum(x) = 1.1, but should be 1"),
    "share": (T.SIMPLEX, [1.5, -0.5], "is not a valid simplex. x[2] = -0.5, but should be greater "
              "than or equal to 0"),
    "length": (T.UNIT_VECTOR, [0.6, 0.9], "is not a valid unit vector. The sum of the squares of "
               "the elements should be 1, but is 1.17"),
    "zero sum": (T.SUM_TO_ZERO_VECTOR, [1, 2], "is not sum-to-zero. sum(x) = 3, but should be 0"),
    "zero row": (T.SUM_TO_ZERO_MATRIX, [[1, -1], [1, 2]], "is not sum-to-zero. The sum of row 2 "
                 "is 3, but should be 0"),
    "zero column": (T.SUM_TO_ZERO_MATRIX, [[1, -1], [1, -1]], "is not sum-to-zero. The sum of "
                    "column 1 is 2, but should be 0"),
    "triangle": (T.CHOLESKY_COV, [[1, 0.1], [0.6, 0.8]], "is not lower triangular; x[1,2]=0.1"),
    "diagonal": (T.CHOLESKY_COV, [[1, 0], [0.6, -0.8]], "is not a valid Cholesky factor: element "
                 "[2,2] is -0.8, but must be positive!"),
    "row": (T.CHOLESKY_CORR, [[1, 0], [0.6, 0.9]], "is not a valid unit vector. The sum of the "
            "squares of the elements should be 1, but is 1.17"),
    "corner": (T.CHOLESKY_CORR, [[1, 0.1], [0.6, 0.8]], "is not lower triangular; x[1,2]=0.1"),
    "symmetry": (T.COVARIANCE, [[1, 0.5], [0.4, 1]], "is not symmetric. x[1,2] = 0.5, but "
                 "x[2,1] = 0.4"),
    "nan": (T.COVARIANCE, [[1, math.nan], [math.nan, 1]], "is not symmetric. x[1,2] = nan, but "
            "x[2,1] = nan"),
    "definite": (T.COVARIANCE, [[1, 1.5], [1.5, 1]], "is not positive definite."),
    "ones": (T.CORRELATION, [[1, 0.5], [0.5, 2]], "is not a valid correlation matrix. x(2,2) is "
             "2, but should be near 1.0"),
    "definite correlation": (T.CORRELATION, [[1, 1.5], [1.5, 1]], "is not positive definite."),
    "row shares": (T.ROW_STOCHASTIC, [[0.5, 0.5], [0.5, 0.6]], "is not a valid row stochastic "
                   "matrix: row 2 is not a valid simplex. sum(x) = 1.1, but should be 1"),
    "column shares": (T.COLUMN_STOCHASTIC, [[0.5, 0.5], [0.5, 0.6]], "is not a valid column "
                      "stochastic matrix: column 2 is not a valid simplex. sum(x) = 1.1, but "
                      "should be 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", NOT)
def test_structures_are_checked_in_stans_words(case):
    transform, bad, said = NOT[case]
    assert check(transform, bad) == f"x {said}"


def test_checks_name_the_element():
    good, bad = np.eye(2), np.array([[1, 1.5], [1.5, 1]])
    said = check(T.COVARIANCE, [[good, good], [bad, good]], arrays=(2, 2))
    assert said == "x[2, 1] is not positive definite."
    layout = Layout(T.TUPLE, (2,), elements=(Layout(T.LOWER), Layout(T.SIMPLEX, (), (2,))))
    first = np.array([1.0, -1.0]).reshape(1, 2, 1)
    second = np.array([[0.5, 0.5], [0.5, 0.6]]).reshape(1, 2, 2, 1)
    given = ((scalar(0),), ())
    said = violation(layout, (first, second), given, "x")
    assert said == "x[2].1 is -1, but must be greater than or equal to 0"
    said = violation(layout, (abs(first), second), given, "x")
    assert said == "x[2].2 is not a valid simplex. sum(x[2].2) = 1.1, but should be 1"
    assert not satisfied(layout, (first, second), given).any()


@pytest.mark.parametrize(
    ("transform", "arguments", "said"),
    [
        (T.LOWER_UPPER, (2, 2), "lower of x is 2, but must be less than its upper bound"),
        (T.OFFSET, (INF,), "offset of x is inf, but must be finite"),
        (T.MULTIPLIER, (0,), "multiplier of x is 0, but must be positive finite"),
        (T.OFFSET_MULTIPLIER, (math.nan, 1), "offset of x is nan, but must be finite"),
        (T.OFFSET_MULTIPLIER, (0, -1), "multiplier of x is -1, but must be positive finite"),
    ],
)
def test_arguments_are_checked(transform, arguments, said):
    good = {T.LOWER_UPPER: (1, 2), T.MULTIPLIER: (2,)}.get(transform, (0, 1)[: len(arguments)])
    layout = Layout(transform)
    assert unusable(layout, tuple(map(scalar, arguments)), "x") == said
    assert unusable(layout, tuple(map(scalar, good)), "x") is None
    bounds = [vector(*[g] * 3, a) for g, a in zip(good, arguments, strict=True)]
    assert unusable(Layout(transform, (), (4,)), bounds, "x") == said
    inside = Layout(T.TUPLE, elements=(Layout(), layout))
    nested = unusable(inside, ((), tuple(map(scalar, arguments))), "x")
    assert nested == said.replace(" x ", " x.2 ")


@pytest.mark.parametrize("off", [0.9e-8, 1.1e-8])
def test_tolerance_is_stans(off):
    """Sums, lengths and symmetry may be off by 1e-8; bounds by nothing."""
    nearly = {
        T.SIMPLEX: [0.5, 0.5 + off],
        T.SUM_TO_ZERO_VECTOR: [1, off - 1],
        T.UNIT_VECTOR: [math.sqrt(1 + off), 0],
        T.COVARIANCE: [[1, 0.5], [0.5 + off, 1]],
        T.CORRELATION: [[1 + off, 0.5], [0.5, 1]],
    }
    for transform, value in nearly.items():
        array = np.asarray(value, float)
        layout = Layout(transform, (), array.shape)
        said = violation(layout, array[None, ..., None], (), "x")
        assert (said is None) == (off < 1e-8), transform
    tiny = np.full((1, 1), -1e-300)
    assert violation(Layout(T.LOWER), tiny, (scalar(0),), "x") is not None

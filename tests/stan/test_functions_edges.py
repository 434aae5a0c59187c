"""Edges of functions of containers: zeros, ties, infinities, empty containers, errors."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from library_cases import compiled

from trustvi.stan._diagnostics import StanRuntimeError, StanUnsupportedError
from trustvi.stan.library import _table as table
from trustvi.stan.library._signatures import parse_function

INF = math.inf


def implementation(name, signature):
    return table.overloads(name)[parse_function(signature)].implementation


def laid(value):
    array = np.asarray(value)
    return (array if array.dtype.kind in "ic" else array.astype(float))[None, ..., None]


def entry(name, signature, *place):
    """One entry of what a function returns for `(x, *constants)`."""
    f = implementation(name, signature)
    return lambda x, *more: f(x, *map(laid, more))[(0, *place, 0)]


def gp(name, point):
    return entry(name, f"(array[] real{', real' * point}) => matrix", 0, 1)


HALF = math.sqrt(0.5)
# Values and gradients as Stan 2.35 has them.
GRADIENTS = [
    (entry("norm1", "(vector) => real"), ([0, 1],), [0, 1]),
    (entry("distance", "(vector, vector) => real"), ([0, 0], [0.0, 0.0]), [0, 0]),
    (entry("squared_distance", "(vector, vector) => real"), ([0, 1], [0, 1]), [0, 0]),
    (entry("sd", "(vector) => real"), ([1, 1],), [HALF, HALF]),
    (entry("variance", "(vector) => real"), ([1, 1],), [0, 0]),
    (entry("prod", "(vector) => real"), ([0, 2, 0],), [0, 0, 0]),
    (entry("prod", "(vector) => real"), ([0, 2, 3],), [6, 0, 0]),
    (entry("dot_self", "(vector) => real"), ([0, 0],), [0, 0]),
    (gp("gp_matern32_cov", 2), ([1, 1], 1.0, 1.0), [0, 0]),
    (gp("gp_matern52_cov", 2), ([1, 1], 1.0, 1.0), [0, 0]),
    (gp("gp_exponential_cov", 2), ([1, 1], 1.0, 1.0), [0, 0]),
    (gp("gp_exp_quad_cov", 2), ([1, 1], 1.0, 1.0), [0, 0]),
    (gp("gp_periodic_cov", 3), ([1, 1], 1.0, 1.0, 1.0), [0, 0]),
    # Where Stan's gradients are NaN:
    (entry("norm2", "(vector) => real"), ([0, 0],), [0, 0]),
    (entry("log_sum_exp", "(vector) => real"), ([-INF, -INF],), [0, 0]),
    (entry("log_mix", "(vector, vector) => real"), ([0, 1], [1.0, 2.0]), [math.exp(-1), 1]),
]


def test_gradients_at_edges():
    functions = [(f, jnp.asarray(laid(x)).astype(float), more) for f, (x, *more), _ in GRADIENTS]

    def total(points):
        return sum(f(x, *more) for (f, _, more), x in zip(functions, points, strict=True))

    found = compiled(jax.grad(total), [x for _, x, _ in functions])
    for (_, arguments, expected), gradient in zip(GRADIENTS, found, strict=True):
        np.testing.assert_allclose(gradient[0, :, 0], expected, atol=1e-12, err_msg=str(arguments))


def test_curvature_of_products_with_zeros():
    f = implementation("prod", "(vector) => real")
    hessian = jax.hessian(lambda x: f(x[None, :, None])[0, 0])(jnp.array([0.0, 2.0, 0.0]))
    np.testing.assert_allclose(hessian, [[0, 0, 2], [0, 0, 0], [2, 0, 0]])


@pytest.mark.parametrize("at", [0.0, -3.5, 800.0, 1e5])
def test_curvature_of_sums_of_exponentials_at_ties(at):
    f = implementation("log_sum_exp", "(real, real) => real")
    hessian = jax.hessian(lambda x: f(*x[:, None, None])[0, 0])(jnp.array([at, at]))
    np.testing.assert_allclose(hessian, [[0.25, -0.25], [-0.25, 0.25]])


@pytest.mark.parametrize("convert", [np.asarray, jnp.asarray])
def test_sums_of_exponentials_far_out(convert):
    f = implementation("log_sum_exp", "(vector) => real")
    for x, expected in (
        ([1e4, 1e4], 1e4 + math.log(2)),
        ([-1e4, -INF], -1e4),
        ([-INF, -INF], -INF),
    ):
        assert f(convert(laid(x)))[0, 0] == pytest.approx(expected)
    softmax = implementation("softmax", "(vector) => vector")
    np.testing.assert_allclose(softmax(convert(laid([1e4, -1e4])))[0, :, 0], [1, 0])


EMPTY = [
    ("sum", "(vector) => real", 0.0),
    ("prod", "(vector) => real", 1.0),
    ("max", "(vector) => real", -INF),
    ("min", "(array[] real) => real", INF),
    ("log_sum_exp", "(vector) => real", -INF),
    ("norm2", "(vector) => real", 0.0),
    ("dot_self", "(vector) => real", 0.0),
    ("size", "(vector) => int", 0),
]


@pytest.mark.parametrize(("name", "signature", "expected"), EMPTY)
@pytest.mark.parametrize("convert", [np.asarray, jnp.asarray])
def test_of_nothing(name, signature, expected, convert):
    found = implementation(name, signature)(convert(np.zeros((1, 0, 1))))
    np.testing.assert_equal(np.asarray(found), np.full((1, 1), expected))


def test_empty_matrices():
    empty = np.zeros((1, 0, 0, 1))
    for name in ("inverse", "cholesky_decompose", "matrix_exp", "crossprod", "qr_Q"):
        found = implementation(name, "(matrix) => matrix")(empty)
        assert found.shape == (1, 0, 0, 1), name
    assert implementation("determinant", "(matrix) => real")(empty) == 1


SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
LOPSIDED = np.array([[1.0, 2.0], [0.0, 1.0]])
INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])
M = "(matrix) => matrix"
ERRORS = [
    ("cholesky_decompose", M, (INDEFINITE,), "Matrix m is not positive definite"),
    ("cholesky_decompose", M, (LOPSIDED,), r"m is not symmetric. m\[1,2\] = 2, but m\[2,1\] = 0"),
    ("inverse", M, (np.ones((2, 3)),), "Expecting a square matrix; rows of m \\(2\\)"),
    ("inverse_spd", M, (INDEFINITE,), "inverse_spd: matrix not positive definite"),
    ("mean", "(vector) => real", (np.zeros(0),), "mean: m has size 0, but must have a non-zero"),
    ("max", "(array[] int) => int", (np.zeros(0, int),), "max: int vector has size 0"),
    ("row", "(matrix, int) => row_vector", (INDEFINITE, 3), "index 3 out of range; expecting"),
    ("col", "(matrix, int) => vector", (INDEFINITE, 0), "col: accessing element out of range"),
    (
        "gp_exp_quad_cov",
        "(array[] real, real, real) => matrix",
        (np.ones(2), -1.0, 1.0),
        "gp_exp_quad_cov: magnitude is -1, but must be positive!",
    ),
    (
        "log_mix",
        "(vector, vector) => real",
        (np.array([2.0, 0.0]), np.ones(2)),
        r"log_mix: theta is 2, but must be in the interval \[0, 1\]",
    ),
    (
        "dot_product",
        "(vector, vector) => real",
        (np.ones(2), np.ones(3)),
        r"dot_product: size of v1 \(2\) and v2 \(3\) must match in size",
    ),
    (
        "mdivide_left",
        "(matrix, vector) => vector",
        (np.eye(2), np.ones(3)),
        r"Columns of A \(2\) and Rows of B \(3\) must match in size",
    ),
    (
        "multiply",
        "(matrix, vector) => vector",
        (np.ones((3, 2)), np.ones(3)),
        r"multiply: Columns of A \(2\) and Rows of B \(3\) must match in size",
    ),
    ("sort_asc", "(vector) => vector", (np.array([math.nan]),), "must not be nan!"),
    (
        "quantile",
        "(data vector, data real) => real",
        (np.ones(3), 1.5),
        r"quantile: p is 1.5, but must be in the interval \[0, 1\]",
    ),
    ("to_int", "(data real) => int", (3e10,), "to_int: x is 3e\\+10, but must be in the interval"),
]


@pytest.mark.parametrize(("name", "signature", "arguments", "message"), ERRORS)
def test_errors_of_known_arguments(name, signature, arguments, message):
    with pytest.raises(StanRuntimeError, match=message):
        implementation(name, signature)(*map(laid, arguments))


SIZE_ERRORS = [
    ("rep_vector", "(real, int) => vector", (1.0, -1), "rep_vector: n is -1, but must be nonneg"),
    ("head", "(vector, int) => vector", (np.ones(2), 3), "head: accessing element out of range"),
    ("identity_matrix", "(int) => matrix", (-2,), "identity_matrix: size is -2, but must be nonne"),
    ("one_hot_vector", "(int, int) => vector", (3, 4), r"k is 4, but must be in the interval"),
    ("uniform_simplex", "(int) => vector", (0,), "uniform_simplex: size is 0, but must be positi"),
    (
        "to_matrix",
        "(vector, int, int) => matrix",
        (np.ones(5), 2, 3),
        r"to_matrix: rows \* columns \(6\) and vector size \(5\) must match in size",
    ),
    (
        "linspaced_vector",
        "(data int, data real, data real) => vector",
        (3, 2.0, 1.0),
        "high is 1, but must be greater than or equal to 2",
    ),
]


@pytest.mark.parametrize(("name", "signature", "arguments", "message"), SIZE_ERRORS)
def test_errors_of_sizes(name, signature, arguments, message):
    row = table.overloads(name)[parse_function(signature)]
    known = [x if i in row.static else laid(x) for i, x in enumerate(arguments)]
    with pytest.raises(StanRuntimeError, match=message):
        row.implementation(*known)


def test_traced_matrices_out_of_the_domain_are_nan():
    for name in ("cholesky_decompose", "inverse_spd"):
        found = implementation(name, M)(jnp.asarray(laid(INDEFINITE)))
        assert np.isnan(np.diagonal(found[0, :, :, 0])).all(), name


def test_singular_systems_raise_nothing():
    assert not np.isfinite(implementation("inverse", M)(laid(SINGULAR))).any()
    divide = implementation("mdivide_left", "(matrix, vector) => vector")
    assert not np.isfinite(divide(laid(SINGULAR), laid([1.0, 1.0]))).all()
    assert not np.isfinite(divide(laid(SINGULAR), jnp.asarray(laid([1.0, 1.0])))).all()


# ------------------------------------------------------------------------- unknown integers


def test_places_that_depend_on_parameters():
    m = np.arange(12.0).reshape(1, 3, 4, 1)
    place = jnp.array([[1, 3]])
    row = implementation("row", "(matrix, int) => row_vector")(m, place)
    np.testing.assert_array_equal(row, m[0, [0, 2], :, 0].T[None])
    column = implementation("col", "(matrix, int) => vector")(jnp.asarray(m), place)
    np.testing.assert_array_equal(column, m[0, :, [0, 2], 0].T[None])


def test_counts_that_depend_on_parameters():
    """Integers that come of comparing parameters have no derivatives, but may be arguments."""
    two = "(int, int) => int"

    def total(x):
        count = (x > 0).astype(np.int64) * 2 + 1
        return jnp.stack(
            [
                implementation("choose", two)(count + 2, count) * x,
                implementation("rising_factorial", two)(count, count) * x,
                implementation("rising_factorial", "(real, int) => real")(x, count),
                implementation("falling_factorial", two)(count + 3, count) * x,
                implementation("ldexp", "(real, int) => real")(x, count),
                implementation("pow", "(real, int) => real")(x, count),
                implementation("abs", "(int) => int")(-count) * x,
                implementation("modulus", two)(-7 * count, count + 1) * x,
                implementation("%/%", two)(-7 * count, count + 1) * x,
            ]
        )[:, 0, 0]

    x = jnp.full((1, 1), 2.0)
    expected = [10, 60, 2 * 3 * 4 / 2, 120, 8, 4, 3, -1, -5]
    np.testing.assert_allclose(total(x), np.array(expected) * 2, rtol=1e-12)
    slopes = [10, 60, 3 * 4 + 2 * 4 + 2 * 3, 120, 8, 3 * 4, 3, -1, -5]
    np.testing.assert_allclose(jax.jacobian(total)(x)[:, 0, 0], slopes, rtol=1e-12)


def test_nonzero_elements():
    m = np.array([[1.0, 0, 2], [0, 0, 0], [0, 3, 0]])
    w, v, u = implementation("csr_extract", "(matrix) => tuple(vector, array[] int, array[] int)")(
        laid(m)
    )
    np.testing.assert_array_equal(np.ravel(w), [1, 2, 3])
    np.testing.assert_array_equal(np.ravel(v), [1, 3, 2])
    np.testing.assert_array_equal(np.ravel(u), [1, 3, 3, 4])
    dense, _, _ = implementation(
        "csr_extract", "(matrix) => tuple(vector, array[] int, array[] int)"
    )(jnp.asarray(laid(m)))
    assert dense.shape == (1, 9, 1)


def test_sparse_structure_must_be_data():
    f = implementation(
        "csr_to_dense_matrix", "(int, int, vector, array[] int, array[] int) => matrix"
    )
    with pytest.raises(StanUnsupportedError, match="must be data"):
        f(1, 1, laid([1.0]), jnp.asarray(laid([1])), laid([1, 2]))

"""Linear algebra, complex numbers and Gaussian processes against plain NumPy and SciPy."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
import scipy.linalg
from library_cases import Case, check_derivatives, check_known, check_traced, first_of_each

N = 3


def reals(*sizes):
    return lambda rng: [rng.normal(size=size) for size in sizes]


def complexes(*sizes):
    return lambda rng: [rng.normal(size=n) + 1j * rng.normal(size=n) for n in sizes]


def definite(rng):
    root = rng.normal(size=(N, N))
    return root @ root.T + 2 * np.eye(N)


def regular(rng):
    """A matrix that is far from singular, as is its lower triangle."""
    return rng.uniform(-1, 1, (N, N)) + 3 * np.eye(N)


def away_from_zero(*sizes):
    return lambda rng: [rng.uniform(1, 3, size=size) for size in sizes]


def definite_and(*sizes):
    return lambda rng: [definite(rng), *reals(*sizes)(rng)]


def symmetric(rng):
    matrix = rng.normal(size=(N, N))
    return [matrix + matrix.T]


def hermitian(rng):
    (matrix,) = complexes((N, N))(rng)
    return [matrix + matrix.conj().T]


# --------------------------------------------------------------------------------- operators

PRODUCTS = (
    ("row_vector", "vector", "real", (4,), (4,)),
    ("matrix", "vector", "vector", (3, 4), (4,)),
    ("row_vector", "matrix", "row_vector", (3,), (3, 4)),
    ("matrix", "matrix", "matrix", (3, 4), (4, 2)),
)


def operator_cases():
    for x, y, z, shape, other in PRODUCTS:
        yield Case("multiply", f"({x}, {y}) => {z}", np.matmul, reals(shape, other))
        x, y, z = (f"complex_{each}".replace("_real", "") for each in (x, y, z))
        yield Case("multiply", f"({x}, {y}) => {z}", np.matmul, complexes(shape, other))
    yield Case("multiply", "(vector, row_vector) => matrix", np.outer, reals(3, 4))
    yield Case("multiply", "(real, matrix) => matrix", np.multiply, reals((), (2, 3)))
    for name, oracle in (
        ("add", np.add),
        ("subtract", np.subtract),
        ("elt_multiply", np.multiply),
        ("elt_divide", np.divide),
    ):
        yield Case(name, "(matrix, matrix) => matrix", oracle, away_from_zero((2, 3), (2, 3)))
        yield Case(name, "(vector, real) => vector", oracle, away_from_zero(3, ()))
        complex_vectors = "(complex_vector, complex_vector) => complex_vector"
        yield Case(name, complex_vectors, oracle, lambda rng: [z + 4 for z in complexes(3, 3)(rng)])
    yield Case("divide", "(row_vector, real) => row_vector", np.divide, away_from_zero(3, ()))
    yield Case("minus", "(array[] matrix) => array[] matrix", np.negative, reals((2, 2, 3)))
    yield Case("plus", "(matrix) => matrix", np.positive, reals((2, 3)))
    yield Case("transpose", "(matrix) => matrix", np.transpose, reals((2, 3)))
    yield Case("transpose", "(complex_vector) => complex_row_vector", np.array, complexes(3))
    yield from (
        Case(name, "(real, real) => int", lambda x, y, f=f: int(f(x, y)), reals((), ()))
        for name, f in (
            ("logical_lt", np.less),
            ("logical_lte", np.less_equal),
            ("logical_gt", np.greater),
            ("logical_gte", np.greater_equal),
            ("logical_eq", np.equal),
            ("logical_neq", np.not_equal),
        )
    )
    yield Case(
        "pow",
        "(complex, complex_vector) => complex_vector",
        lambda x, y: np.exp(y * cmath.log(x)),
        complexes((), 3),
    )


INTS = lambda rng: list(rng.integers(-9, 10, 2) * 2 + 1)  # noqa: E731


def truth(rng):
    return [rng.integers(2)]


def integer_cases():
    pair = "(int, int) => int"
    cases = {
        "add": lambda x, y: x + y,
        "multiply": lambda x, y: x * y,
        "divide": lambda x, y: int(x / y),
        "elt_divide": lambda x, y: int(x / y),
        "%/%": lambda x, y: int(x / y),
        "modulus": lambda x, y: int(math.fmod(x, y)),
        "logical_and": lambda x, y: int(bool(x) and bool(y)),
        "logical_or": lambda x, y: int(bool(x) or bool(y)),
        "logical_eq": lambda x, y: int(x == y),
    }
    for name, oracle in cases.items():
        yield Case(name, pair, oracle, INTS)
    yield Case("pow", "(int, int) => real", lambda x, y: float(x) ** int(y), INTS)
    small = lambda rng: [rng.integers(5, 20), rng.integers(0, 6)]  # noqa: E731
    yield Case("choose", pair, math.comb, small)
    yield Case("falling_factorial", pair, lambda n, k: math.perm(n, k), small)
    yield Case("rising_factorial", pair, lambda n, k: math.prod(range(n, n + k)), small)
    yield Case(
        "logical_negation", "(int) => int", lambda x: int(x == 0), lambda rng: [rng.integers(2)]
    )
    yield Case("abs", "(array[] int) => array[] int", abs, lambda rng: [rng.integers(-9, 9, 4)])
    yield Case("int_step", "(real) => int", lambda x: int(x > 0), reals(()))
    yield Case("step", "(real) => real", lambda x: float(x >= 0), reals(()))
    yield Case("is_nan", "(real) => int", lambda x: 0, reals(()))
    yield Case("is_inf", "(real) => int", lambda x: 1, lambda rng: [-math.inf])


# ----------------------------------------------------------------------------------- matrices


def quad(a, b):
    return b.T @ a @ b


def matrix_cases():
    square = reals((N, N))
    yield Case("diagonal", "(matrix) => vector", np.diagonal, reals((2, N)))
    yield Case("diagonal", "(matrix) => vector", np.diagonal, reals((N, 2)))
    yield Case("diag_matrix", "(vector) => matrix", np.diag, reals(N))
    yield Case("trace", "(complex_matrix) => complex", np.trace, complexes((N, N)))
    yield Case(
        "add_diag", "(matrix, real) => matrix", lambda m, x: m + x * np.eye(2, N), reals((2, N), ())
    )
    yield Case(
        "add_diag",
        "(matrix, row_vector) => matrix",
        lambda m, v: m + np.vstack([np.diag(v), np.zeros((1, 2))]),
        reals((N, 2), 2),
    )
    yield Case(
        "diag_pre_multiply",
        "(vector, matrix) => matrix",
        lambda v, m: np.diag(v) @ m,
        reals(2, (2, N)),
    )
    yield Case(
        "diag_post_multiply",
        "(matrix, vector) => matrix",
        lambda m, v: m @ np.diag(v),
        reals((2, N), N),
    )
    yield Case(
        "quad_form_diag",
        "(matrix, vector) => matrix",
        lambda m, v: np.diag(v) @ m @ np.diag(v),
        reals((N, N), N),
    )
    yield Case("crossprod", "(matrix) => matrix", lambda m: m.T @ m, reals((2, N)))
    yield Case("tcrossprod", "(matrix) => matrix", lambda m: m @ m.T, reals((2, N)))
    yield Case(
        "multiply_lower_tri_self_transpose",
        "(matrix) => matrix",
        lambda m: np.tril(m) @ np.tril(m).T,
        square,
    )
    yield Case(
        "symmetrize_from_lower_tri",
        "(matrix) => matrix",
        lambda m: np.tril(m) + np.tril(m, -1).T,
        square,
    )
    yield Case("quad_form", "(matrix, matrix) => matrix", quad, reals((N, N), (N, 2)))
    yield Case("quad_form", "(matrix, vector) => real", quad, reals((N, N), N))
    yield Case(
        "quad_form_sym", "(matrix, matrix) => matrix", quad, definite_and((N, 2)), symmetric=(0,)
    )
    yield Case("quad_form_sym", "(matrix, vector) => real", quad, definite_and(N), symmetric=(0,))
    yield Case(
        "trace_quad_form",
        "(matrix, matrix) => real",
        lambda a, b: np.trace(quad(a, b)),
        reals((N, N), (N, 2)),
    )
    yield Case("trace_quad_form", "(matrix, vector) => real", quad, reals((N, N), N))
    yield Case(
        "trace_gen_quad_form",
        "(matrix, matrix, matrix) => real",
        lambda d, a, b: np.trace(d @ quad(a, b)),
        reals((2, 2), (N, N), (N, 2)),
    )
    for exponent in (0, 1, 5):
        yield Case(
            "matrix_power",
            "(matrix, int) => matrix",
            np.linalg.matrix_power,
            lambda rng, e=exponent: [rng.normal(size=(N, N)), e],
        )
    for scale in (0.01, 30.0):
        yield Case(
            "matrix_exp",
            "(matrix) => matrix",
            eigen_exponential,
            lambda rng, s=scale: [s * symmetric(rng)[0] / 10],
            symmetric=(0,),
        )
    yield Case(
        "scale_matrix_exp_multiply",
        "(real, matrix, matrix) => matrix",
        lambda t, a, b: scipy.linalg.expm(t * a) @ b,
        reals((), (N, N), (N, 2)),
    )
    yield Case(
        "matrix_exp",
        "(matrix) => matrix",
        scipy.linalg.expm,
        lambda rng: [2.0 * rng.normal(size=(6, 6))],
    )
    yield Case(
        "matrix_exp_multiply",
        "(matrix, matrix) => matrix",
        lambda a, b: scipy.linalg.expm(a) @ b,
        reals((N, N), (N, 2)),
    )


def eigen_exponential(matrix):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(np.exp(values)) @ vectors.T


def system_cases():
    left, right = "(matrix, matrix) => matrix", "(matrix, matrix) => matrix"
    vector, row = "(matrix, vector) => vector", "(row_vector, matrix) => row_vector"
    inv, tril = np.linalg.inv, np.tril
    first = lambda pick: lambda *sizes: lambda rng: [pick(rng), *reals(*sizes)(rng)]  # noqa: E731
    last = lambda pick: lambda *sizes: lambda rng: [*reals(*sizes)(rng), pick(rng)]  # noqa: E731
    for name, general, sample in (
        ("mdivide_left", lambda a: a, first(regular)),
        ("mdivide_left_tri_low", tril, first(regular)),
        ("mdivide_left_spd", lambda a: a, first(definite)),
    ):
        solve = lambda a, b, f=general: inv(f(a)) @ b  # noqa: E731
        symmetric = (0,) if "spd" in name else ()
        yield Case(name, left, solve, sample((N, 2)), symmetric=symmetric)
        yield Case(name, vector, solve, sample(N), symmetric=symmetric)
    for name, general, sample in (
        ("mdivide_right", lambda a: a, last(regular)),
        ("mdivide_right_tri_low", tril, last(regular)),
        ("mdivide_right_spd", lambda a: a, last(definite)),
    ):
        solve = lambda b, a, f=general: b @ inv(f(a))  # noqa: E731
        symmetric = (1,) if "spd" in name else ()
        yield Case(name, right, solve, sample((2, N)), symmetric=symmetric)
        yield Case(name, row, solve, sample(N), symmetric=symmetric)
    yield Case(
        "mdivide_right",
        "(complex_matrix, complex_matrix) => complex_matrix",
        lambda b, a: b @ inv(a),
        complexes((2, N), (N, N)),
    )


def cofactor_determinant(m):
    return np.dot(m[0], np.cross(m[1], m[2]))


def inverse_cases():
    one, to_real = "(matrix) => matrix", "(matrix) => real"
    square, spd = (lambda rng: [regular(rng)]), (lambda rng: [definite(rng)])
    yield Case("chol2inv", one, lambda m: np.linalg.inv(np.tril(m) @ np.tril(m).T), square)
    yield Case("inverse", one, lambda m: np.linalg.solve(m, np.eye(N)), square)
    yield Case("generalized_inverse", one, lambda m: np.linalg.inv(m.T @ m) @ m.T, reals((4, 2)))
    yield Case("generalized_inverse", one, lambda m: m.T @ np.linalg.inv(m @ m.T), reals((2, 4)))
    yield Case("determinant", to_real, cofactor_determinant, square)
    yield Case("log_determinant", to_real, lambda m: math.log(cofactor_determinant(m)), square)
    for name, signature, oracle, sample in (
        ("cholesky_decompose", one, lambda m: scipy.linalg.cholesky(m, lower=True), spd),
        ("inverse_spd", one, np.linalg.inv, spd),
        ("log_determinant_spd", to_real, lambda m: math.log(cofactor_determinant(m)), spd),
        ("eigenvalues_sym", "(matrix) => vector", np.linalg.eigvalsh, symmetric),
        (
            "eigenvalues_sym",
            "(complex_matrix) => complex_vector",
            lambda m: np.linalg.eigvalsh(m) + 0j,
            hermitian,
        ),
    ):
        yield Case(name, signature, oracle, sample, symmetric=(0,))
    singular = lambda m: np.sqrt(np.linalg.eigvalsh(m @ m.conj().T)[::-1])  # noqa: E731
    yield Case("singular_values", "(matrix) => vector", singular, reals((2, 4)))
    yield Case("singular_values", "(complex_matrix) => vector", singular, complexes((2, 4)))


# ------------------------------------------------------------------------------------- sparse


def sparse_sample(rng):
    dense = rng.normal(size=(3, 4)) * np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 0, 1]])
    row, column = np.nonzero(dense)
    starts = np.array([1, 3, 3, 6])
    return dense, dense[row, column], column + 1, starts


def sparse_cases():
    ints = "array[] int"

    def stored(rng, *more):
        _, w, v, u = sparse_sample(rng)
        return [3, 4, w, v, u, *more]

    def dense(m, n, w, v, u):
        matrix = np.zeros((m, n))
        for i in range(m):
            for k in range(u[i] - 1, u[i + 1] - 1):
                matrix[i, v[k] - 1] = w[k]
        return matrix

    arguments = f"int, int, vector, {ints}, {ints}"
    yield Case("csr_to_dense_matrix", f"({arguments}) => matrix", dense, stored)
    yield Case(
        "csr_matrix_times_vector",
        f"({arguments}, vector) => vector",
        lambda *a: dense(*a[:-1]) @ a[-1],
        lambda rng: stored(rng, rng.normal(size=4)),
    )


# ----------------------------------------------------------------------------- complex numbers


def complex_cases():
    one = "(complex) => complex"
    functions = {
        "acos": cmath.acos,
        "acosh": cmath.acosh,
        "asin": cmath.asin,
        "asinh": cmath.asinh,
        "atan": cmath.atan,
        "atanh": cmath.atanh,
        "cos": cmath.cos,
        "cosh": cmath.cosh,
        "exp": cmath.exp,
        "log": cmath.log,
        "log10": cmath.log10,
        "sin": cmath.sin,
        "sinh": cmath.sinh,
        "sqrt": cmath.sqrt,
        "tan": cmath.tan,
        "tanh": cmath.tanh,
        "proj": lambda z: z,
    }
    for name, oracle in functions.items():
        yield Case(name, one, oracle, complexes(()))
    for name, oracle in (("arg", cmath.phase), ("norm", lambda z: abs(z) ** 2), ("abs", abs)):
        yield Case(name, "(complex) => real", oracle, complexes(()))
    yield Case("abs", "(complex_matrix) => matrix", abs, complexes((2, 3)))
    yield Case("polar", "(real, real) => complex", cmath.rect, reals((), ()))
    yield Case("to_complex", "(real) => complex", complex, reals(()))
    yield Case(
        "to_complex",
        "(vector, real) => complex_vector",
        lambda x, y: x + 1j * y,
        reals(3, ()),
    )
    vector, array = "complex_vector", "array[,] complex_matrix"
    for type, shape in ((vector, 3), (array, (2, 2, 2, 3))):
        real = type.replace("complex_", "")
        yield Case("get_real", f"({type}) => {real}", np.real, complexes(shape))
        yield Case("get_imag", f"({type}) => {real}", np.imag, complexes(shape))
        yield Case("conj", f"({type}) => {type}", np.conj, complexes(shape))
    fourier = np.exp(-2j * np.pi * np.outer(np.arange(N), np.arange(N)) / N)
    back = fourier.conj() / N
    same, square = "(complex_vector) => complex_vector", "(complex_matrix) => complex_matrix"
    yield Case("fft", same, lambda z: fourier @ z, complexes(N))
    yield Case("inv_fft", same, lambda z: back @ z, complexes(N))
    yield Case("fft2", square, lambda z: fourier @ z @ fourier, complexes((N, N)))
    yield Case("inv_fft2", square, lambda z: back @ z @ back, complexes((N, N)))


# ------------------------------------------------------------------------- Gaussian processes


def pairwise(kernel):
    """The matrix of a kernel of two points, from (points, [other points], parameters)."""

    def covariance(x, y, *parameters):
        return np.array(
            [[kernel(np.atleast_1d(a), np.atleast_1d(b), *parameters) for b in y] for a in x]
        )

    return covariance


def stationary(correlation):
    def kernel(a, b, magnitude, length):
        return magnitude**2 * correlation(math.sqrt((((a - b) / length) ** 2).sum()))

    return kernel


KERNELS = {
    "gp_exp_quad_cov": stationary(lambda r: math.exp(-(r**2) / 2)),
    "gp_exponential_cov": stationary(lambda r: math.exp(-r)),
    "gp_matern32_cov": stationary(lambda r: (1 + math.sqrt(3) * r) * math.exp(-math.sqrt(3) * r)),
    "gp_matern52_cov": stationary(
        lambda r: (1 + math.sqrt(5) * r + 5 * r**2 / 3) * math.exp(-math.sqrt(5) * r)
    ),
    "gp_periodic_cov": lambda a, b, s, scale, p: (
        s**2 * math.exp(-2 * math.sin(math.pi * np.linalg.norm(a - b) / p) ** 2 / scale**2)
    ),
    "gp_dot_prod_cov": lambda a, b, s: s**2 + a @ b,
}


def gp_cases():
    for name, kernel in KERNELS.items():
        count = {"gp_periodic_cov": 3, "gp_dot_prod_cov": 1}.get(name, 2)
        end = ", ".join(["real"] * count)
        positive = lambda rng, c=count: list(rng.uniform(0.5, 2, c))  # noqa: E731
        oracle = pairwise(kernel)
        for type, shapes in (("array[] real", ((4,), (2,))), ("array[] vector", ((4, 3), (2, 3)))):
            yield Case(
                name,
                f"({type}, {end}) => matrix",
                lambda x, *p, f=oracle: f(x, x, *p),
                lambda rng, s=shapes, p=positive: [rng.normal(size=s[0]), *p(rng)],
            )
            yield Case(
                name,
                f"({type}, {type}, {end}) => matrix",
                oracle,
                lambda rng, s=shapes, p=positive: [*reals(*s)(rng), *p(rng)],
            )
        if count == 2:
            points = "array[] vector"
            lengths = lambda rng: [rng.uniform(0.5, 2), rng.uniform(0.5, 2, 3)]  # noqa: E731
            yield Case(
                name,
                f"({points}, {points}, real, array[] real) => matrix",
                oracle,
                lambda rng, draw=lengths: [*reals((4, 3), (2, 3))(rng), *draw(rng)],
            )


CASES = [
    *operator_cases(),
    *integer_cases(),
    *matrix_cases(),
    *system_cases(),
    *inverse_cases(),
    *sparse_cases(),
    *complex_cases(),
    *gp_cases(),
]


@pytest.mark.parametrize("mode", ["known", "lanes"])
def test_known(mode):
    check_known(CASES, mode)


def test_traced():
    check_traced(CASES)


def test_derivatives():
    check_derivatives(first_of_each(CASES))

"""Functions of scalars against Python's math, SciPy, quadrature and root finding."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from library_cases import Case, check_derivatives, check_known, check_traced, compiled

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library import _table as table
from trustvi.stan.library._signatures import parse_function

SIZE = 3


def real(low, high):
    return lambda rng: rng.uniform(low, high, SIZE)


def integer(low, high):
    return lambda rng: rng.integers(low, high + 1, SIZE)


def by_element(function):
    """An oracle for arrays from one for numbers, which may be mpmath's."""

    def oracle(*arrays):
        values = [function(*each) for each in zip(*arrays, strict=True)]
        return np.array([float(value) for value in values])

    return oracle


def samples(*each):
    return lambda rng: [sample(rng) for sample in each]


def multivariate_lgamma(k, x):
    parts = [math.lgamma(x + (1 - j) / 2) for j in range(1, int(k) + 1)]
    return k * (k - 1) / 4 * math.log(math.pi) + sum(parts)


def round_away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


def product(x, number, step):
    return math.prod(x + step * k for k in range(int(number)))


UNARY = {
    "Phi": (lambda x: math.erfc(-x / math.sqrt(2)) / 2, -9, 9),
    "Phi_approx": (lambda x: 1 / (1 + math.exp(-(0.07056 * x**3 + 1.5976 * x))), -5, 5),
    "acos": (math.acos, -0.9, 0.9),
    "acosh": (math.acosh, 1.2, 40),
    "asin": (math.asin, -0.9, 0.9),
    "asinh": (math.asinh, -40, 40),
    "atan": (math.atan, -40, 40),
    "atanh": (math.atanh, -0.9, 0.9),
    "cbrt": (lambda x: math.copysign(abs(x) ** (1 / 3), x), -40, 40),
    "ceil": (math.ceil, -40, 40),
    "cos": (math.cos, -40, 40),
    "cosh": (math.cosh, -20, 20),
    "digamma": (sc.psi, 0.05, 40),
    "erf": (math.erf, -4, 4),
    "erfc": (math.erfc, -4, 10),
    "exp": (math.exp, -40, 40),
    "exp2": (lambda x: 2.0**x, -40, 40),
    "expm1": (math.expm1, -1, 4),
    "floor": (math.floor, -40, 40),
    "inv": (lambda x: 1 / x, 0.2, 4),
    "inv_Phi": (sc.ndtri, 1e-8, 1),
    "inv_cloglog": (lambda x: -math.expm1(-math.exp(x)), -30, 3),
    "inv_erfc": (sc.erfcinv, 1e-8, 2),
    "inv_logit": (lambda x: 1 / (1 + math.exp(-x)), -40, 40),
    "inv_sqrt": (lambda x: x**-0.5, 0.2, 40),
    "inv_square": (lambda x: x**-2, 0.3, 4),
    "lambert_w0": (lambda x: sc.lambertw(x).real, -0.36, 40),
    "lambert_wm1": (lambda x: sc.lambertw(x, -1).real, -0.36, -0.01),
    "lgamma": (math.lgamma, -5, 40),
    "log": (math.log, 0.2, 40),
    "log10": (math.log10, 0.2, 40),
    "log1m": (lambda x: math.log1p(-x), -40, 0.8),
    "log1m_exp": (lambda x: math.log(-math.expm1(x)), -30, 0),
    "log1m_inv_logit": (lambda x: -math.log1p(math.exp(x)), -40, 40),
    "log1p": (math.log1p, -0.8, 40),
    "log1p_exp": (lambda x: math.log1p(math.exp(x)), -40, 40),
    "log2": (math.log2, 0.2, 40),
    "log_inv_logit": (lambda x: -math.log1p(math.exp(-x)), -40, 40),
    "logit": (lambda x: math.log(x) - math.log1p(-x), 0, 1),
    "round": (round_away, -40, 40),
    "sin": (math.sin, -40, 40),
    "sinh": (math.sinh, -20, 20),
    "sqrt": (math.sqrt, 0.2, 40),
    "square": (lambda x: x**2, -40, 40),
    "std_normal_log_qf": (lambda x: sc.ndtri_exp(x), -20, -0.01),
    "std_normal_qf": (sc.ndtri, 1e-8, 1),
    "tan": (math.tan, -1.5, 1.5),
    "tanh": (math.tanh, -20, 20),
    "tgamma": (math.gamma, -4, 20),
    "trigamma": (lambda x: sc.polygamma(1, x), 0.05, 40),
    "trunc": (math.trunc, -40, 40),
}

BINARY = {
    "atan2": (math.atan2, (-4, 4), (-4, 4)),
    "beta": (sc.beta, (0.1, 20), (0.1, 20)),
    "fdim": (lambda x, y: max(x - y, 0), (-4, 4), (-4, 4)),
    "fmax": (max, (-4, 4), (-4, 4)),
    "fmin": (min, (-4, 4), (-4, 4)),
    "fmod": (math.fmod, (-40, 40), (1, 4)),
    "gamma_p": (sc.gammainc, (0.1, 20), (0.1, 20)),
    "gamma_q": (sc.gammaincc, (0.1, 20), (0.1, 20)),
    "hypot": (math.hypot, (-4, 4), (-4, 4)),
    "lbeta": (sc.betaln, (0.1, 20), (0.1, 20)),
    "lchoose": (lambda n, k: math.log(sc.binom(n, k)), (10, 40), (0, 9)),
    "lmultiply": (lambda x, y: x * math.log(y), (-4, 4), (0.1, 4)),
    "log_diff_exp": (lambda x, y: math.log(math.exp(x) - math.exp(y)), (3, 6), (-9, 2.9)),
    "log_falling_factorial": (
        lambda x, n: math.lgamma(x + 1) - math.lgamma(x - n + 1),
        (10, 40),
        (0, 9),
    ),
    "log_inv_logit_diff": (
        lambda x, y: math.log(sc.expit(x) - sc.expit(y)),
        (1, 30),
        (-30, 0.9),
    ),
    "log_modified_bessel_first_kind": (lambda v, z: math.log(sc.iv(v, z)), (0, 20), (0.5, 40)),
    "log_rising_factorial": (
        lambda x, n: math.lgamma(x + n) - math.lgamma(x),
        (0.1, 40),
        (0, 9),
    ),
    "log_sum_exp": (lambda x, y: math.log(math.exp(x) + math.exp(y)), (-20, 20), (-20, 20)),
    "owens_t": (sc.owens_t, (-4, 4), (-4, 4)),
    "pow": (math.pow, (0.1, 20), (-4, 4)),
}
WITH_INT = {
    "bessel_first_kind": (sc.jv, (-3, 5), (0.1, 20)),
    "bessel_second_kind": (sc.yv, (-3, 5), (0.1, 20)),
    "binary_log_loss": (lambda y, p: -math.log(p if y else 1 - p), (0, 1), (0, 1)),
    "lmgamma": (multivariate_lgamma, (1, 4), (3, 20)),
    "modified_bessel_first_kind": (sc.iv, (-3, 5), (0.1, 20)),
    "modified_bessel_second_kind": (sc.kv, (-3, 5), (0.1, 20)),
}
INT_LAST = {
    "falling_factorial": (lambda x, n: product(x, n, -1), (-5, 20), (0, 20)),
    "ldexp": (lambda x, n: x * 2.0**n, (-5, 5), (-20, 20)),
    "rising_factorial": (lambda x, n: product(x, n, 1), (-20, 5), (0, 20)),
}
TERNARY = {
    "fma": (lambda x, y, z: x * y + z, (-4, 4), (-4, 4), (-4, 4)),
    "inc_beta": (sc.betainc, (0.1, 9), (0.1, 9), (0, 1)),
    "inv_inc_beta": (sc.betaincinv, (0.5, 9), (0.5, 9), (0, 1)),
    "log_mix": (
        lambda p, x, y: math.log(p * math.exp(x) + (1 - p) * math.exp(y)),
        (0, 1),
        (-9, 9),
        (-9, 9),
    ),
    "squared_distance": (lambda x, y: (x - y) ** 2, (-4, 4), (-4, 4)),
}


def scalar_cases(name, function, *ranges):
    """A function of reals only, one number at a time."""
    arguments = ", ".join("real" for _ in ranges)
    pick = [lambda rng, r=r: rng.uniform(*r) for r in ranges]
    oracle = lambda *x: float(function(*x))  # noqa: E731
    return Case(name, f"({arguments}) => real", oracle, samples(*pick))


def scalar_and_array(name, function, x, y):
    def oracle(scalar, array):
        return by_element(function)([scalar] * SIZE, array)

    signature = "(real, array[] real) => array[] real"
    return Case(name, signature, oracle, samples(lambda rng: rng.uniform(*x), real(*y)), 1e-8)


CASES = [
    *(
        Case(name, "(vector) => vector", by_element(f), samples(real(low, high)), 1e-8)
        for name, (f, low, high) in UNARY.items()
    ),
    *(
        Case(name, "(vector, vector) => vector", by_element(f), samples(real(*x), real(*y)), 1e-8)
        for name, (f, x, y) in BINARY.items()
    ),
    *(scalar_and_array(name, *BINARY[name]) for name in ("hypot", "fmax", "pow", "log_sum_exp")),
    *(
        Case(name, "(array[] int, vector) => vector", by_element(f), samples(integer(*x), real(*y)))
        for name, (f, x, y) in WITH_INT.items()
    ),
    *(
        Case(
            name,
            "(row_vector, array[] int) => row_vector",
            by_element(f),
            samples(real(*x), integer(*y)),
        )
        for name, (f, x, y) in INT_LAST.items()
    ),
    *(scalar_cases(name, *each) for name, each in TERNARY.items()),
]

SMOOTH = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "atan2",
    "cbrt",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "falling_factorial",
    "fdim",
    "fma",
    "fmax",
    "fmin",
    "hypot",
    "inv",
    "inv_sqrt",
    "inv_square",
    "ldexp",
    "log",
    "log10",
    "log1m",
    "log1p",
    "log2",
    "pow",
    "rising_factorial",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "squared_distance",
    "tan",
    "tanh",
]
"""Those whose derivatives are tested here; special functions have tests of their own."""


@pytest.mark.parametrize("mode", ["known", "lanes"])
def test_known(mode):
    check_known(CASES, mode)


def test_traced():
    check_traced(CASES, "both")


def test_derivatives():
    check_derivatives([case for case in CASES if case.name in SMOOTH])


# -------------------------------------------------------------- edges, as real Stan has them

# Gradients that Stan 2.35 gives where functions have kinks, ties and poles.
EDGES = [
    ("sqrt", "(real) => real", (0.0,), (0.0,)),
    ("pow", "(real, real) => real", (0.0, 0.3), (0.0, 0.0)),
    ("pow", "(real, real) => real", (0.0, 2.0), (0.0, 0.0)),
    ("pow", "(real, real) => real", (0.0, 0.0), (0.0, 0.0)),
    ("fmax", "(real, real) => real", (1.0, 1.0), (0.0, 1.0)),
    ("fmin", "(real, real) => real", (1.0, 1.0), (0.0, 1.0)),
    ("fdim", "(real, real) => real", (1.0, 1.0), (0.0, 0.0)),
    ("abs", "(real) => real", (0.0,), (0.0,)),
    ("round", "(real) => real", (1.2,), (0.0,)),
    ("floor", "(real) => real", (2.0,), (0.0,)),
    ("trunc", "(real) => real", (1.5,), (0.0,)),
    ("fmod", "(real, real) => real", (7.5, 2.0), (1.0, -3.0)),
    ("cbrt", "(real) => real", (0.0,), (math.inf,)),
    ("asin", "(real) => real", (1.0,), (math.inf,)),
    ("acosh", "(real) => real", (1.0,), (math.inf,)),
    ("inv", "(real) => real", (0.0,), (-math.inf,)),
    ("inv_sqrt", "(real) => real", (0.0,), (-math.inf,)),
    ("log", "(real) => real", (0.0,), (math.inf,)),
    ("lmultiply", "(real, real) => real", (0.0, 1.0), (0.0, 0.0)),
    ("log1m_exp", "(real) => real", (0.0,), (math.inf,)),
    ("log_diff_exp", "(real, real) => real", (1.0, -math.inf), (1.0, 0.0)),
    ("log_sum_exp", "(real, real) => real", (math.inf, 1.0), (1.0, 0.0)),
    ("Phi", "(real) => real", (40.0,), (0.0,)),
]
# Where Stan's own gradient is NaN, ours is a number.
FINITE = [
    ("hypot", "(real, real) => real", (0.0, 0.0)),
    ("atan2", "(real, real) => real", (0.0, 0.0)),
    ("log_sum_exp", "(real, real) => real", (-math.inf, -math.inf)),
]


def gradients(table):
    """The gradients of scalar functions, all in one compiled function."""

    def total(points):
        return sum(
            implementation(name, signature)(*point).sum()
            for (name, signature, *_), point in zip(table, points, strict=True)
        )

    points = [[jnp.full((1, 1), x) for x in arguments] for _, _, arguments, *_ in table]
    return [[float(g[0, 0]) for g in each] for each in compiled(jax.grad(total), points)]


def implementation(name, signature):
    return table.overloads(name)[parse_function(signature)].implementation


def test_gradients_at_edges_are_those_of_stan():
    for (name, _, arguments, expected), found in zip(EDGES, gradients(EDGES), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-300, err_msg=f"{name}{arguments}")


def test_gradients_are_finite_where_stan_has_none():
    for edge, found in zip(FINITE, gradients(FINITE), strict=True):
        assert np.all(np.isfinite(found)), edge


# A known number loses to an unknown one of the same size.
def test_ties_with_known_numbers():
    signature = "(real, real) => real"
    for name in ("fmax", "fmin"):
        f = implementation(name, signature)
        one = np.ones((1, 1))
        left = jax.grad(lambda x, f=f, one=one: f(x, one).sum())(jnp.ones((1, 1)))
        right = jax.grad(lambda x, f=f, one=one: f(one, x).sum())(jnp.ones((1, 1)))
        assert left[0, 0] == right[0, 0] == 1.0


FAR = (-745.0, -700.0, -40.0, 40.0, 700.0)
SATURATING = ("inv_logit", "log_inv_logit", "log1m_inv_logit", "log1p_exp", "Phi", "tanh", "erf")


def test_second_derivatives_stay_finite_far_out():
    x = jnp.array(FAR).reshape(1, 1, -1)
    functions = [implementation(name, "(vector) => vector") for name in SATURATING]

    def slopes(x):
        return [jax.grad(lambda x, f=f: f(x).sum())(x) for f in functions]

    values, curvatures = compiled(lambda x: jax.jvp(slopes, (x,), (jnp.ones_like(x),)), x)
    for name, value, curvature in zip(SATURATING, values, curvatures, strict=True):
        assert np.all(np.isfinite(value)), name
        assert np.all(np.isfinite(curvature)), name


# ------------------------------------------------------------------------------------ powers


@pytest.mark.parametrize("exponent", [-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 70.0])
def test_known_exponents(exponent):
    x = jnp.array([0.3, 1.7, 2.0]).reshape(1, 3, 1)
    f = implementation("pow", "(vector, real) => vector")
    power = lambda x: f(x, np.full((1, 1, 1), exponent))  # noqa: E731
    np.testing.assert_allclose(power(x), x**exponent, rtol=1e-12)
    slope = jax.grad(lambda x: power(x).sum())
    np.testing.assert_allclose(slope(x), exponent * x ** (exponent - 1), rtol=1e-12)


def test_powers_of_zero_have_finite_derivatives():
    zero = jnp.zeros((1, 1, 1))
    exponents = np.array([1.0, 1.5, 2.0, 3.0]).reshape(1, 4, 1)
    f = implementation("pow", "(real, vector) => vector")
    slope = jax.grad(lambda x: f(x, exponents).sum())
    assert slope(zero)[0, 0, 0] == 1.0
    whole = exponents[:, [0, 2, 3]]
    curvature = jax.grad(lambda x: jax.grad(lambda y: f(y, whole).sum())(x).sum())
    assert curvature(zero)[0, 0, 0] == 2.0


# ------------------------------------------------------------------- constants, known errors


def test_constants():
    expected = {
        "e": math.e,
        "pi": math.pi,
        "sqrt2": math.sqrt(2),
        "log2": math.log(2),
        "log10": math.log(10),
        "machine_precision": np.finfo(float).eps,
        "positive_infinity": math.inf,
        "negative_infinity": -math.inf,
        "not_a_number": math.nan,
    }
    for name, value in expected.items():
        found = implementation(name, "() => real")()
        np.testing.assert_equal(found, np.full((1, 1), value))


def test_halves_round_away_from_zero():
    x = np.array([-2.5, -0.5, 0.49999999999999994, 0.5, 2.5, 1e300, math.inf]).reshape(1, -1, 1)
    f = implementation("round", "(vector) => vector")
    for values in (x, jnp.array(x)):
        np.testing.assert_equal(np.ravel(f(values)), [-3, -1, 0, 1, 3, 1e300, math.inf])


ERRORS = [
    ("log1m", "(real) => real", (2.0,), "log1m: x is 2, but must be less than or equal to 1"),
    ("acosh", "(real) => real", (0.5,), "acosh: x is 0.5, but must be greater than or equal to 1"),
    ("atanh", "(real) => real", (-3.0,), r"atanh: x is -3, but must be in the interval \[-1, 1\]"),
    ("divide", "(int, int) => int", (1, 0), "divide: denominator is 0"),
    ("modulus", "(int, int) => int", (1, 0), "modulus: divisor is 0"),
    ("%/%", "(int, int) => int", (1, 0), "divide: denominator is 0"),
    ("choose", "(int, int) => int", (-1, 2), "choose: n is -1, but must be nonnegative!"),
    ("gamma_p", "(real, real) => real", (-1.0, 2.0), r"first argument \(z\) is -1"),
]


@pytest.mark.parametrize(("name", "signature", "arguments", "message"), ERRORS)
def test_known_arguments_out_of_the_domain(name, signature, arguments, message):
    known = [np.full((1, 1), x) for x in arguments]
    with pytest.raises(StanRuntimeError, match=message):
        implementation(name, signature)(*known)

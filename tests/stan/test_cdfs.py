"""Distribution functions against SciPy, densities, differences, and in the tails."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from differences import assert_close, derivatives
from distribution_cases import CASES
from scipy import special, stats

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._table import lookup
from trustvi.stan.library._terms import Terms

OF_SCIPY = {"cdf": "cdf", "lcdf": "logcdf", "lccdf": "logsf"}
NAMES = [(name, kind) for name in CASES for kind in OF_SCIPY if lookup(f"{name}_{kind}")]
REAL = [(name, kind) for name, kind in NAMES if len(CASES[name].columns) > CASES[name].integers]
LOGS = [each for each in REAL if each[1] != "cdf"]


def value(name, *arrays):
    terms = Terms.aligned(name, *arrays)
    lookup(name)[0].implementation(terms, *arrays)
    return terms.total()


def typed_columns(name):
    case = CASES[name]
    return [
        column.astype(np.int64) if i < case.integers else column
        for i, column in enumerate(case.columns)
    ]


def expected_values(name, kind):
    case = CASES[name]
    with np.errstate(divide="ignore"):
        rows = [getattr(case.frozen(*row[1:]), OF_SCIPY[kind])(row[0]) for row in case.arguments]
    return np.array(rows)


def assert_scipys(found, name, kind):
    """Equal; where SciPy's probability underflows before its log is taken, as far out as that."""
    expected = expected_values(name, kind)
    lost = np.isneginf(expected)
    assert np.all(found[lost] < math.log(np.finfo(float).smallest_subnormal))
    np.testing.assert_allclose(found[~lost], expected[~lost], rtol=1e-9, atol=1e-300)


def of_reals(name, kind):
    integers = typed_columns(name)[: CASES[name].integers]

    def function(*reals):
        return value(f"{name}_{kind}", *(x[:, None] for x in (*integers, *reals)))[:, 0]

    return function


@pytest.fixture(scope="module")
def results():
    points = {f"{n}_{k}": typed_columns(n)[CASES[n].integers :] for n, k in REAL}
    with jax.enable_x64(True):
        functions = {f"{n}_{k}": of_reals(n, k) for n, k in REAL}
        return derivatives(functions, points, second=False)


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_known_values_are_those_of_scipy(name, kind):
    found = value(f"{name}_{kind}", *(x[:, None] for x in typed_columns(name)))
    assert isinstance(found, np.ndarray)
    assert_scipys(found[:, 0], name, kind)


@pytest.mark.parametrize(("name", "kind"), REAL)
def test_traced_values_are_those_of_scipy(name, kind, results):
    assert_scipys(results.values[f"{name}_{kind}"], name, kind)


@pytest.mark.parametrize(("name", "kind"), REAL)
def test_gradients_equal_differences(name, kind, results):
    full = f"{name}_{kind}"
    columns = typed_columns(name)[CASES[name].integers :]
    inside = np.isfinite(results.values[full])
    columns = [column[inside] for column in columns]
    assert_close(results.gradients[full][:, inside], results.slopes[full][:, inside], columns, 1e-6)


@pytest.mark.parametrize(("name", "kind"), [each for each in LOGS if not CASES[each[0]].integers])
def test_slopes_are_densities(name, kind, results):
    full = f"{name}_{kind}"
    log_density = value(f"{name}_lpdf", *(x[:, None] for x in typed_columns(name)))[:, 0]
    sign = 1.0 if kind == "lcdf" else -1.0
    expected = sign * np.exp(log_density - results.values[full])
    np.testing.assert_allclose(results.gradients[full][0], expected, rtol=1e-8, atol=1e-280)


@pytest.mark.parametrize("name", sorted({name for name, _ in NAMES}))
def test_the_two_logs_are_of_complements(name):
    if not all(lookup(f"{name}_{kind}") for kind in ("lcdf", "lccdf")):
        assert name == "loglogistic"
        return
    columns = [x[:, None] for x in typed_columns(name)]
    below, above = (np.exp(value(f"{name}_{kind}", *columns)) for kind in ("lcdf", "lccdf"))
    np.testing.assert_allclose(below + above, 1.0, rtol=1e-12)


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_containers_multiply_or_add(name, kind):
    columns = typed_columns(name)
    each = value(f"{name}_{kind}", *(x[:, None] for x in columns))
    total = value(f"{name}_{kind}", *(x[None, :, None] for x in columns))
    expected = each.prod() if kind == "cdf" else each.sum()
    np.testing.assert_allclose(total, [[expected]], rtol=1e-12)
    empty = value(f"{name}_{kind}", *(x[None, :0, None] for x in columns))
    np.testing.assert_array_equal(empty, [[1.0 if kind == "cdf" else 0.0]])


def log_tail(z):
    """log Phi(-z) for large z by its asymptotic series."""
    series = 1 - 1 / z**2 + 3 / z**4 - 15 / z**6
    return -0.5 * z * z - math.log(z * math.sqrt(2 * math.pi)) + math.log(series)


FAR = [
    ("normal_lcdf", (-700.0, 0.0, 1.0), log_tail(700.0)),
    ("normal_lccdf", (1e5, 0.0, 1.0), log_tail(1e5)),
    ("std_normal_lccdf", (700.0,), log_tail(700.0)),
    ("logistic_lcdf", (-1e4, 0.0, 1.0), -1e4),
    ("gumbel_lccdf", (800.0, 0.0, 1.0), -800.0),
    ("cauchy_lcdf", (-1e20, 0.0, 1.0), math.log(1e-20 / math.pi)),
    ("weibull_lcdf", (1e-300, 2.0, 1.0), -600 * math.log(10)),
    ("frechet_lccdf", (1e300, 2.0, 1.0), -600 * math.log(10)),
    ("exponential_lccdf", (1e4, 2.0), -2e4),
    ("student_t_lcdf", (-1e50, 2.0, 0.0, 1.0), -math.log(2e100)),
    ("gamma_lcdf", (1e-200, 2.0, 1.0), -400 * math.log(10) - math.log(2)),
    ("gamma_lccdf", (1e4, 1.0, 1.0), -1e4),
    ("inv_gamma_lcdf", (1e-4, 1.0, 1.0), -1e4),
    ("beta_lcdf", (1e-200, 2.0, 1.0), -400 * math.log(10)),
    ("skew_double_exponential_lcdf", (-1e4, 0.0, 1.0, 0.5), -1e4 + math.log(0.5)),
    ("skew_normal_lcdf", (-30.0, 0.0, 1.0, 0.0), log_tail(30.0)),
    ("skew_normal_lccdf", (40.0, 0.0, 1.0, 3.0), log_tail(40.0) + math.log(2)),
    ("exp_mod_normal_lccdf", (2e3, 0.0, 1.0, 1.0), 0.5 - 2e3),
    ("poisson_lcdf", (0, 1e3), -1e3),
    ("poisson_lccdf", (0, 1e-150), -150 * math.log(10)),  # its curvature is -1e300
    ("binomial_lcdf", (0, 1000, 0.999), 1000 * math.log(0.001)),
    ("neg_binomial_2_lcdf", (0, 1e6, 1e3), -1e3 * math.log1p(1e3)),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), FAR)
def test_far_out_logs_neither_underflow_nor_lose_their_derivatives(name, arguments, expected):
    known = [np.full((1, 1), x) for x in arguments]
    np.testing.assert_allclose(value(name, *known), [[expected]], rtol=1e-11)

    def traced(last):
        return value(name, *known[:-1], last.reshape(1, 1))[0, 0]

    last = jnp.asarray(float(arguments[-1]))
    np.testing.assert_allclose(traced(last), expected, rtol=1e-11)
    assert np.all(
        np.isfinite([jax.grad(traced)(last), jax.jvp(jax.grad(traced), (last,), (1.0,))[1]])
    )


BEYOND = [
    ("normal", (math.inf, 0.0, 1.0), 1.0),
    ("normal", (-math.inf, 0.0, 1.0), 0.0),
    ("student_t", (-math.inf, 3.0, 0.0, 1.0), 0.0),
    ("cauchy", (math.inf, 0.0, 1.0), 1.0),
    ("gamma", (0.0, 2.0, 1.0), 0.0),
    ("gamma", (math.inf, 2.0, 1.0), 1.0),
    ("inv_gamma", (0.0, 2.0, 1.0), 0.0),
    ("lognormal", (0.0, 0.0, 1.0), 0.0),
    ("weibull", (0.0, 2.0, 1.0), 0.0),
    ("pareto", (0.5, 1.0, 2.0), 0.0),
    ("beta", (0.0, 2.0, 1.0), 0.0),
    ("beta", (1.0, 2.0, 1.0), 1.0),
    ("poisson", (-1, 2.0), 0.0),
    ("binomial", (4, 4, 0.5), 1.0),
    ("binomial", (-1, 4, 0.5), 0.0),
    ("bernoulli", (1, 0.5), 1.0),
    ("beta_binomial", (5, 4, 1.0, 1.0), 1.0),
    ("neg_binomial", (-3, 2.0, 1.0), 0.0),
    ("discrete_range", (9, 1, 6), 1.0),
    ("discrete_range", (0, 1, 6), 0.0),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), BEYOND)
def test_ends_of_the_support(name, arguments, expected):
    known = [np.full((1, 1), x) for x in arguments]
    assert value(f"{name}_cdf", *known) == expected
    assert np.exp(value(f"{name}_lcdf", *known)) == expected
    assert np.exp(value(f"{name}_lccdf", *known)) == 1.0 - expected


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("normal_cdf", (0.0, 0.0, -1.0)),
        ("exponential_lcdf", (-1.0, 1.0)),
        ("gamma_lccdf", (-1.0, 1.0, 1.0)),
        ("beta_cdf", (1.5, 1.0, 1.0)),
        ("von_mises_cdf", (4.0, 0.0, 1.0)),
        ("pareto_type_2_lcdf", (1.0, 2.0, 1.0, 1.0)),
        ("binomial_cdf", (1, 2, 1.5)),
    ],
)
def test_known_arguments_out_of_range_are_refused(name, arguments):
    with pytest.raises(StanRuntimeError, match=f"{name}: .* but must be"):
        value(name, *(np.full((1, 1), x) for x in arguments))


def test_skew_normal_tails_against_owens_function():
    z, alpha = map(np.ravel, np.meshgrid(np.linspace(-3, 3, 13), [-4.0, -0.5, 0.0, 1.0, 6.0]))
    ones = np.ones((len(z), 1))
    found = np.exp(value("skew_normal_lcdf", z[:, None], 0 * ones, ones, alpha[:, None]))[:, 0]
    expected = special.ndtr(z) - 2 * special.owens_t(z, alpha)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-14)


def test_student_t_reaches_cauchy_and_normal():
    z = np.linspace(-6, 6, 9)[:, None]
    ones = np.ones_like(z)
    for nu, limit in ((1.0, stats.cauchy), (1e13, stats.norm)):
        found = value("student_t_lcdf", z, nu * ones, 0 * ones, ones)
        np.testing.assert_allclose(found, limit.logcdf(z), rtol=1e-10)

"""Univariate densities against SciPy, sums, differences, and what Stan requires of arguments."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from differences import FAST_COMPILE, assert_close, derivatives
from distribution_cases import CASES, CONTINUOUS

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._model import StanModel
from trustvi.stan.library._distributions import DISTRIBUTIONS
from trustvi.stan.library._table import lookup
from trustvi.stan.library._terms import Terms

BY_NAME = {each.name: each for each in DISTRIBUTIONS}
REAL = [name for name, case in CASES.items() if len(case.columns) > case.integers]


def full_name(name):
    return f"{name}_lpmf" if CASES[name].integers else f"{name}_lpdf"


def density(name, *arrays, propto=False, lanes=None):
    """The log density of aligned arrays."""
    terms = Terms.aligned(name, *arrays, propto=propto, lanes=lanes)
    lookup(name)[0].implementation(terms, *arrays)
    return terms.total()


def typed_columns(name):
    """The arguments of the cases, integers as such."""
    case = CASES[name]
    return [
        column.astype(np.int64) if i < case.integers else column
        for i, column in enumerate(case.columns)
    ]


def expected_values(name):
    case = CASES[name]
    kind = "logpmf" if case.integers else "logpdf"
    return np.array([getattr(case.frozen(*row[1:]), kind)(row[0]) for row in case.arguments])


def of_reals(name):
    """The densities of all cases, as a function of the columns of real arguments."""
    integers = typed_columns(name)[: CASES[name].integers]

    def function(*reals):
        return density(full_name(name), *(x[:, None] for x in (*integers, *reals)))[:, 0]

    return function


@pytest.fixture(scope="module")
def results():
    points = {name: typed_columns(name)[CASES[name].integers :] for name in REAL}
    with jax.enable_x64(True):
        return derivatives({name: of_reals(name) for name in REAL}, points)


@pytest.mark.parametrize("name", CASES)
def test_known_values_are_those_of_scipy(name):
    found = density(full_name(name), *(x[:, None] for x in typed_columns(name)))
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found[:, 0], expected_values(name), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", REAL)
def test_traced_values_are_those_of_scipy(name, results):
    np.testing.assert_allclose(results.values[name], expected_values(name), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", REAL)
def test_derivatives_equal_differences(name, results):
    columns = typed_columns(name)[CASES[name].integers :]
    assert_close(results.gradients[name], results.slopes[name], columns, 1e-6)
    assert_close(results.hessians[name], results.bends[name], columns, 1e-5)


def shapes_of_arguments(count):
    """Every argument a scalar or a vector, at least one a vector."""
    return [each for each in itertools.product((False, True), repeat=count) if any(each)]


@pytest.mark.parametrize("name", CASES)
def test_containers_sum_over_scalars(name):
    """Vectors of all cases, with any arguments held at their first value."""
    columns = typed_columns(name)
    for vectors in shapes_of_arguments(len(columns)):
        chosen = [
            c if v else np.broadcast_to(c[:1], c.shape)
            for c, v in zip(columns, vectors, strict=True)
        ]
        try:
            each = density(full_name(name), *(c[:, None] for c in chosen))
        except StanRuntimeError:
            continue  # such as more successes than trials
        arrays = [(c if v else c[:1])[None, :, None] for c, v in zip(columns, vectors, strict=True)]
        total = density(full_name(name), *arrays)
        np.testing.assert_allclose(total, [[each.sum()]], rtol=1e-10, atol=1e-12)


REDUCIBLE = [name for name in REAL if CASES[name].integers < 2 and name != "std_normal"]
DRAWS = 2


def reduced_in_three_ways(name, parameters):
    """Known variates with traced scalars: in full, under propto, and over lanes."""
    y = np.repeat(typed_columns(name)[0], 3)
    vector, scalars = y[None, :, None], [each[None, None, :] for each in parameters]
    return (
        density(full_name(name), vector, *scalars),
        density(full_name(name), vector, *scalars, propto=True),
        density(full_name(name), y[:, None], *(each[None] for each in parameters), lanes=len(y)),
    )


@pytest.fixture(scope="module")
def reduced():
    def everything(points):
        return {name: reduced_in_three_ways(name, each) for name, each in points.items()}

    points = {name: [each[:DRAWS] for each in typed_columns(name)[1:]] for name in REDUCIBLE}
    with jax.enable_x64(True):
        return jax.jit(everything, compiler_options=FAST_COMPILE)(points)


@pytest.mark.parametrize("name", REDUCIBLE)
def test_sums_over_known_variates_come_first_and_are_the_same(name, reduced):
    y, *parameters = typed_columns(name)
    scalars = [each[:DRAWS, None] for each in parameters]
    each = [density(full_name(name), np.full((1, 1), value), *scalars)[:, 0] for value in y]
    expected = 3 * np.sum(each, axis=0)
    full, kept, lanes = (np.asarray(total)[0] for total in reduced[name])
    np.testing.assert_allclose(full, expected, rtol=1e-9)
    np.testing.assert_allclose(lanes, expected, rtol=1e-9)
    np.testing.assert_array_equal(np.isfinite(kept), np.isfinite(expected))
    if np.all(np.isfinite(expected)):
        np.testing.assert_allclose(np.diff(kept), np.diff(expected), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_empty_containers_have_density_one(name):
    arrays = [column[None, :0, None] for column in typed_columns(name)]
    np.testing.assert_array_equal(density(full_name(name), *arrays), [[0.0]])


WRONG = {
    "positive": (-1.0, 0.0, math.nan),
    "positive finite": (-1.0, 0.0, math.nan),
    "nonnegative": (-1.0, math.nan),
    "nonnegative finite": (-1.0, math.nan),
    "finite": (math.inf, math.nan),
    "not nan": (math.nan,),
}
REQUIREMENTS = [
    (each.name, i, argument, value)
    for each in DISTRIBUTIONS
    for i, argument in enumerate((each.variate, *each.parameters))
    for value in WRONG.get(argument.must, ())
    if not (i < CASES[each.name].integers and math.isnan(value))
]


def with_wrong(name, i, value):
    columns = [column[:1, None] for column in typed_columns(name)]
    columns[i] = np.full((1, 1), value, columns[i].dtype)
    return columns


@pytest.mark.parametrize(("name", "i", "argument", "value"), REQUIREMENTS)
def test_known_arguments_out_of_range_are_refused(name, i, argument, value):
    with pytest.raises(StanRuntimeError) as caught:
        density(full_name(name), *with_wrong(name, i, value))
    assert caught.value.message.startswith(f"{full_name(name)}: {argument.what} is {value:g}, but ")


def test_traced_arguments_out_of_range_have_no_density():
    wrong = {
        (name, i): np.array(WRONG[argument.must])
        for name, i, argument, _ in REQUIREMENTS
        if i >= CASES[name].integers
    }

    def everything(wrong):
        found = {}
        for name, i in wrong:
            columns = with_wrong(name, i, 0.0)
            columns[i] = wrong[name, i][:, None]
            found[name, i] = density(full_name(name), *columns)[:, 0]
        return found

    found = jax.jit(everything, compiler_options=FAST_COMPILE)(wrong)
    assert [each for each, x in found.items() if np.any(np.isfinite(x) | (x == math.inf))] == []


IN_UNIT = "but must be in the interval [0, 1]"
RELATIONS = [
    ("uniform_lpdf", (0.5, 1.0, 0.0), "Upper bound parameter is 0, but must be greater than 1"),
    ("pareto_type_2_lpdf", (0.5, 1.0, 1.0, 2.0), "Random variable is 0.5, but must be greater"),
    ("beta_lpdf", (1.5, 1.0, 1.0), f"Random variable is 1.5, {IN_UNIT}"),
    ("beta_proportion_lpdf", (0.5, 1.0, 1.0), "Location parameter is 1, but must be less than 1"),
    ("bernoulli_lpmf", (2, 0.5), f"n is 2, {IN_UNIT}"),
    ("bernoulli_lpmf", (1, 1.5), f"Probability parameter is 1.5, {IN_UNIT}"),
    ("binomial_lpmf", (5, 4, 0.5), "Successes variable is 5, but must be in the interval [0, 4]"),
    ("hypergeometric_lpmf", (3, 4, 2, 9), "Successes variable is 3, but must be in the interval"),
    ("skew_double_exponential_lpdf", (0.0, 0.0, 1.0, 1.5), f"Skewness parameter is 1.5, {IN_UNIT}"),
    ("wiener_lpdf", (0.5, 1.0, 0.7, 0.5, 0.0), "Random variable is 0.5, but must be greater than"),
]


@pytest.mark.parametrize(("name", "arguments", "message"), RELATIONS)
def test_arguments_out_of_order_are_refused(name, arguments, message):
    with pytest.raises(StanRuntimeError) as caught:
        density(name, *(np.full((1, 1), x) for x in arguments))
    assert caught.value.message.startswith(f"{name}: {message}")


OUTSIDE = [
    ("lognormal_lpdf", (0.0, 0.0, 1.0)),
    ("inv_gamma_lpdf", (-1.0, 1.0, 1.0)),
    ("inv_chi_square_lpdf", (0.0, 1.0)),
    ("scaled_inv_chi_square_lpdf", (-1.0, 1.0, 1.0)),
    ("weibull_lpdf", (-1.0, 1.5, 1.0)),
    ("pareto_lpdf", (0.5, 1.0, 1.0)),
    ("uniform_lpdf", (1.5, 0.0, 1.0)),
    ("discrete_range_lpmf", (7, 1, 6)),
    ("beta_binomial_lpmf", (7, 6, 1.0, 1.0)),
]


@pytest.mark.parametrize(("name", "arguments"), OUTSIDE)
def test_outside_the_support_the_density_is_zero(name, arguments):
    known = [np.full((1, 1), x) for x in arguments]
    assert density(name, *known) == -math.inf
    if name.endswith("pdf"):
        assert density(name, *map(jnp.asarray, known)) == -math.inf


EXTREME = {
    "normal": ((1e3, -1e140, 0.0), (0.0, 0.0, 3.0), (1.0, 1e-3, 1e150)),
    "logistic": ((700.0, -700.0, 1e5), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
    "gumbel": ((700.0, -600.0), (0.0, 0.0), (1.0, 1.0)),
    "student_t": ((700.0, 1e100, 0.0), (1e8, 3.0, 0.1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
    "cauchy": ((700.0, 1e100), (0.0, 0.0), (1.0, 1.0)),
    "exp_mod_normal": ((-700.0, 700.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (1.0, 2.0, 1e6)),
    "skew_normal": ((-700.0, 700.0), (0.0, 0.0), (1.0, 1.0), (2.0, -2.0)),
    "gamma": ((1e-100, 700.0), (0.01, 1e5), (1.0, 100.0)),
    "von_mises": ((0.1, 3.0), (0.0, 0.0), (1e5, 700.0)),
    "weibull": ((1e-100, 700.0), (1.5, 0.5), (1.0, 1.0)),
}


def test_derivatives_are_finite_far_out():
    def everything(points):
        found = {}
        for name, columns in points.items():

            def total(*columns, name=name):
                return density(f"{name}_lpdf", *(x[:, None] for x in columns)).sum()

            gradient = jax.grad(total, range(len(columns)))
            ones = tuple(map(jnp.ones_like, columns))
            product = jax.jvp(lambda *x, g=gradient: g(*x), tuple(columns), ones)[1]
            found[name] = (total(*columns), gradient(*columns), product)
        return found

    points = {name: [np.array(x) for x in columns] for name, columns in EXTREME.items()}
    found = jax.jit(everything, compiler_options=FAST_COMPILE)(points)
    for name, parts in found.items():
        assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(parts)), name


LOGIT_TAILS = [
    ("bernoulli_logit_lpmf", (1, -700.0), -700.0, 1.0),
    ("bernoulli_logit_lpmf", (0, 1e5), -1e5, -1.0),
    ("binomial_logit_lpmf", (3, 3, -700.0), -2100.0, 3.0),
    ("poisson_log_lpmf", (0, -700.0), 0.0, 0.0),
    ("bernoulli_lpmf", (0, 0.0), 0.0, -1.0),
    ("bernoulli_lpmf", (1, 1.0), 0.0, 1.0),
    ("binomial_lpmf", (0, 4, 0.0), 0.0, -4.0),
    ("poisson_lpmf", (0, 0.0), 0.0, -1.0),
]


@pytest.mark.parametrize(("name", "arguments", "value", "slope"), LOGIT_TAILS)
def test_saturated_probabilities(name, arguments, value, slope):
    known = [np.full((1, 1), x) for x in arguments[:-1]]

    def of_last(x):
        return density(name, *known, x.reshape(1, 1))[0, 0]

    found = jax.value_and_grad(of_last)(jnp.asarray(arguments[-1]))
    np.testing.assert_allclose(found, (value, slope), atol=1e-12)


def test_counts_of_a_kind_are_computed_once():
    counts = np.tile(np.arange(5), 200)[None, :, None]
    phi = jnp.ones((1, 1, 8))
    program = jax.make_jaxpr(lambda phi: density("neg_binomial_2_lpmf", counts, phi, phi))(phi)
    assert max(math.prod(v.aval.shape) for e in program.eqns for v in e.outvars) <= 5 * 8


@pytest.mark.parametrize("name", [case.name for case in CONTINUOUS if case.name != "wiener"])
def test_one_implementation_serves_any_number_of_event_axes(name):
    columns = typed_columns(name)
    matrix = [column[None, None, :, None] for column in columns]
    vector = [column[None, :, None] for column in columns]
    np.testing.assert_allclose(
        density(full_name(name), *matrix), density(full_name(name), *vector), rtol=1e-12
    )


def test_a_probability_of_zero_of_another_category_leaves_the_gradient_finite() -> None:
    program = """
    data { int N; array[N] int y; }
    parameters { real a; }
    model {
      vector[3] theta = [1 - Phi(a), 0.4 * Phi(a), 0.6 * Phi(a)]';
      y ~ categorical(theta);
      for (n in 1:N) y[n] ~ categorical([n * (1 - Phi(a)) / N, 1 - n * (1 - Phi(a)) / N]');
    }"""
    model = StanModel(program, {"N": 5, "y": [2, 2, 2, 2, 2]})
    _, gradient = model.log_density_gradient(np.array([9.0]))
    np.testing.assert_allclose(gradient, 0, atol=1e-15)

"""Generalised linear models are their long forms: a linear predictor in SciPy's densities."""

import itertools
import zlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from density_checks import arguments, check_derivatives, check_propto, check_values, density
from multivariate_cases import Case, positive, vector
from scipy import special, stats

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._table import lookup

N, P, C = 7, 2, 3


# --------------------------------------------------------------------------- long forms


def _logit(n, trials, eta):
    return stats.binom.logpmf(n, trials, special.expit(eta)).sum()


def normal(y, x, alpha, beta, sigma):
    return np.sum(stats.norm.logpdf(y, x @ beta + alpha, sigma) + np.zeros(_rows(x, y, alpha)))


def _rows(x, *others):
    return np.broadcast_shapes(x.shape[:-1], *(np.shape(each) for each in others))


def bernoulli(y, x, alpha, beta):
    return _logit(y, 1, x @ beta + alpha + np.zeros(_rows(x, y)))


def binomial(n, trials, x, alpha, beta):
    return _logit(n, trials, x @ beta + alpha + np.zeros(_rows(x, n)))


def poisson(y, x, alpha, beta):
    return stats.poisson.logpmf(y, np.exp(x @ beta + alpha) + np.zeros(_rows(x, y))).sum()


def neg_binomial(y, x, alpha, beta, phi):
    mean = np.exp(x @ beta + alpha) + np.zeros(_rows(x, y))
    return stats.nbinom.logpmf(y, phi, phi / (phi + mean)).sum()


def _chosen(y, log_mass):
    y, log_mass = np.atleast_1d(y), np.atleast_2d(log_mass)
    return sum(log_mass[i if len(log_mass) > 1 else 0, y[i if len(y) > 1 else 0] - 1]
               for i in range(max(len(y), len(log_mass))))  # fmt: skip


def categorical(y, x, alpha, beta):
    return _chosen(y, special.log_softmax(np.atleast_2d(x) @ beta + alpha, axis=1))


def ordered(y, x, beta, cuts):
    location = np.atleast_2d(x) @ beta
    above = special.expit(location[:, None] - cuts)
    ends = [np.ones((len(location), 1)), above, np.zeros((len(location), 1))]
    return _chosen(y, np.log(-np.diff(np.concatenate(ends, axis=1), axis=1)))


# --------------------------------------------------------------------------- arguments


def matrix(rng):
    return rng.normal(size=(N, P))


def ints(low, high, size=N):
    return lambda rng: rng.integers(low, high + 1, size=size)


def cuts(rng):
    return np.sort(rng.normal(size=C - 1)) + np.arange(C - 1)


def coefficients(rng):
    return rng.normal(size=(P, C))


# Outcomes and x: one outcome for all rows, one row for all outcomes, or one for each.
def _shapes(outcome):
    return {
        " of one outcome": (outcome(()), matrix),
        " of one row": (outcome(N), vector(P)),
        "": (outcome(N), matrix),
    }


SCALAR, COLUMN, BETA = vector(()), vector(N), vector(P)
INTERCEPTS = {"": SCALAR, " with intercepts": COLUMN}
SCALES = {"": positive(), " and scales": positive(N)}


def _cases():
    for (label, (y, x)), (more, alpha) in itertools.product(
        _shapes(lambda size: ints(0, 1, size)).items(), INTERCEPTS.items()
    ):
        yield Case("bernoulli_logit_glm_lpmf", bernoulli, (y, x, alpha, BETA), 1, label + more)
    for (label, (y, x)), (more, alpha) in itertools.product(
        _shapes(lambda size: ints(0, 9, size)).items(), INTERCEPTS.items()
    ):
        yield Case("poisson_log_glm_lpmf", poisson, (y, x, alpha, BETA), 1, label + more)
        name, phi = "neg_binomial_2_log_glm_lpmf", positive()
        yield Case(name, neg_binomial, (y, x, alpha, BETA, phi), 1, label + more)
    for (label, (y, x)), (more, alpha), (most, sigma) in itertools.product(
        _shapes(vector).items(),
        INTERCEPTS.items(),
        {"": positive(), " and scales": positive(N)}.items(),
    ):
        yield Case("normal_id_glm_lpdf", normal, (y, x, alpha, BETA, sigma), 0, label + more + most)
    name = "binomial_logit_glm_lpmf"
    for n, trials, x, alpha, label in (
        (N, N, matrix, SCALAR, ""),
        (N, N, matrix, COLUMN, " with intercepts"),
        (N, N, vector(P), COLUMN, " of one row"),
        ((), (), matrix, SCALAR, " of one outcome"),
        ((), N, matrix, SCALAR, " of many trials"),
        (N, (), matrix, SCALAR, " of one trials"),
    ):
        makers = (ints(0, 4, n), ints(4, 9, trials), x, alpha, BETA)
        yield Case(name, binomial, makers, 2, label)
    for label, (y, x) in _shapes(lambda size: ints(1, C, size)).items():
        name = "categorical_logit_glm_lpmf"
        yield Case(name, categorical, (y, x, vector(C), coefficients), 1, label)
        yield Case("ordered_logistic_glm_lpmf", ordered, (y, x, BETA, cuts), 1, label)
    y, x = _shapes(lambda size: ints(1, C, size))[" of one row"]
    yield Case("ordered_logistic_glm_lpmf", ordered, (ints(1, C, ()), x, BETA, cuts), 1, " single")


CASES = tuple(_cases())


def seeded(case, extra=0):
    return np.random.default_rng([zlib.crc32(str(case).encode()), extra])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_long_form_in_lanes_and_draws(case):
    check_values(case, seeded(case))


UNLABELLED = [
    case for case in CASES if not case.label or str(case).endswith("lpdf with intercepts")
]


@pytest.mark.parametrize("case", UNLABELLED, ids=str)
def test_propto_drops_only_what_does_not_depend_on_parameters(case):
    check_propto(case, seeded(case, 1))


@pytest.mark.parametrize("case", UNLABELLED, ids=str)
@pytest.mark.parametrize("known_x", [True, False])
def test_derivatives_to_second_order(case, known_x):
    rng = seeded(case, 2)
    made = arguments(case, "draws", rng)
    known = case.integers
    if known_x:
        rest = [np.asarray(each[..., :1]) for each in made[known : known + (1 if known else 2)]]
        made[known : known + len(rest)] = rest
        known += len(rest)
    fixed, free = made[:known], made[known:]
    directions = [[0.1 * rng.normal(size=x.shape) for x in free] for _ in range(2)]
    check_derivatives(lambda *x: jnp.sum(density(case.name, [*fixed, *x])), free, directions)


def test_known_least_squares_need_few_numbers():
    """The traced computation for known outcomes doesn't grow with their number."""
    rng = np.random.default_rng(3)

    def size(rows):
        y, x = rng.normal(size=(1, rows, 1)), rng.normal(size=(1, rows, P, 1))

        def value(alpha, beta, sigma):
            return density("normal_id_glm_lpdf", [y, x, alpha, beta, sigma])

        traced = [jnp.ones((1, 4)), jnp.ones((1, P, 4)), jnp.ones((1, 4))]
        jaxpr = jax.make_jaxpr(value)(*traced)
        return max(np.prod(v.aval.shape) for eqn in jaxpr.eqns for v in eqn.outvars)

    assert size(2000) == size(20)


def test_extreme_predictors():
    """Where probabilities round to 0 or 1, densities and derivatives are still finite."""
    x = np.array([-1e3, -40.0, 0.0, 40.0, 1e3])[None, :, None, None]
    y = np.array([1, 0, 1, 1, 0])[None, :, None]

    def value(beta):
        alpha = np.zeros((1, 1))
        return density("bernoulli_logit_glm_lpmf", [y, x, alpha, beta[None, None, None]])[0, 0]

    gradient = jax.grad(value)
    one = jnp.ones(())
    found = value(one), gradient(one), jax.jvp(gradient, (one,), (one,))[1]
    np.testing.assert_allclose(found[0], -2000 - np.log(2), rtol=1e-12)
    assert np.all(np.isfinite(found))


def _one(value):
    return np.asarray(value)[None, ..., None]


X, ONES, THREE = np.ones((3, 2)), np.ones(2), np.ones(3)
TABLE = np.ones((2, 3))
REFUSED = {
    "outcome": ("bernoulli_logit_glm_lpmf", ([0, 2, 1], X, 0.0, ONES), "in the interval"),
    "count": ("poisson_log_glm_lpmf", ([0, -1, 1], X, 0.0, ONES), "must be nonnegative"),
    "category": ("categorical_logit_glm_lpmf", ([1, 4, 1], X, THREE, TABLE), "in the interval"),
    "outcomes": ("poisson_log_glm_lpmf", ([0, 1], X, 0.0, ONES), "expecting dimension = 3"),
    "weights": ("poisson_log_glm_lpmf", ([0, 1, 2], X, 0.0, THREE), "expecting dimension = 2"),
    "intercepts": ("normal_id_glm_lpdf", (THREE, X, ONES, ONES, 1.0), "expecting dimension"),
    "scale": ("normal_id_glm_lpdf", (THREE, X, 0.0, ONES, -1.0), "must be positive finite"),
    "infinite": ("normal_id_glm_lpdf", (THREE, X, np.inf, ONES, 1.0), "must be finite"),
    "precision": ("neg_binomial_2_log_glm_lpmf", ([0, 1, 2], X, 0.0, ONES, 0.0), "positive finite"),
    "cut-points": ("ordered_logistic_glm_lpmf", ([1, 2, 3], X, ONES, [1.0, 0.5]), "ordered"),
}


@pytest.mark.parametrize(("name", "args", "message"), REFUSED.values(), ids=REFUSED)
def test_known_arguments_outside_the_domain_are_refused(name, args, message):
    with pytest.raises(StanRuntimeError, match=message):
        density(name, [_one(each) for each in args])


def test_random_outcomes_have_the_logit_s_probabilities():
    (row,) = lookup("bernoulli_logit_glm_rng")
    x, alpha, beta = np.array([[0.5], [-2.0]]), np.array([0.3, 0.1]), np.array([1.2])
    keys = jax.random.split(jax.random.key(4), 20_000)
    drawn = jax.vmap(lambda key: row.implementation(key, x, alpha, beta))(keys)
    assert drawn.dtype == np.int64
    expected = special.expit(x @ beta + alpha)
    np.testing.assert_allclose(drawn.mean(axis=0), expected, atol=4 * 0.5 / np.sqrt(len(keys)))

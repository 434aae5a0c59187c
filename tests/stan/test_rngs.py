"""Random numbers against the distribution functions they should have, and reproducibility."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from distribution_cases import CASES

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._table import lookup

DRAWS = 20_000
BOUND = math.sqrt(math.log(2 / 1e-6) / (2 * DRAWS))
"""Dvoretzky, Kiefer and Wolfowitz: exceeded once in a million samples at most."""
NAMES = [name for name in CASES if lookup(f"{name}_rng")]


def parameters(name):
    """Columns of the parameters, one row of arguments a lane."""
    case = CASES[name]
    kinds = [np.int64 if i < case.integers else float for i in range(len(case.columns))]
    columns = [c.astype(kind)[:, None] for c, kind in zip(case.columns, kinds, strict=True)]
    return columns[1:]


def draw(name, key, draws=DRAWS):
    rows = len(CASES[name].arguments)
    implementation = lookup(f"{name}_rng")[0].implementation
    return implementation(key, (rows, draws), *parameters(name))


@pytest.fixture(scope="module")
def samples():
    """All samplers compiled in one go."""

    def all_of_them(key):
        return {name: draw(name, jax.random.fold_in(key, i)) for i, name in enumerate(NAMES)}

    with jax.enable_x64(True):
        return jax.tree.map(np.asarray, jax.jit(all_of_them)(jax.random.key(11)))


def largest_deviation(sample, cdf):
    """sup |F_n - F|, from both sides of the jumps of F_n and at the jumps of F alike."""
    values, counts = np.unique(sample, return_counts=True)
    steps = np.cumsum(counts) / len(sample)
    expected = np.array([cdf(value) for value in thinned(values)])
    upper = thinned(steps) - expected
    if sample.dtype.kind == "i":
        return np.abs(upper).max()
    lower = thinned(steps - counts / len(sample)) - expected
    return max(np.abs(upper).max(), np.abs(lower).max())


def thinned(values):
    """Some hundred of many values: the bound holds for any set of points."""
    return values[:: max(1, len(values) // 200)]


@pytest.mark.parametrize("name", NAMES)
def test_samples_have_the_distribution(name, samples):
    case, discrete = CASES[name], CASES[name].integers > 0
    assert samples[name].dtype == (np.int64 if discrete else np.float64)
    for sample, row in zip(samples[name], case.arguments, strict=True):
        frozen = case.frozen(*row[1:])
        if name == "von_mises":
            sample = np.mod(sample + math.pi, math.tau) - math.pi
        assert largest_deviation(sample, frozen.cdf) < BOUND, row


EDGES = [
    ("poisson", (np.array([[0.0], [1e9]]),), (0.0, 1e9)),
    ("bernoulli", (np.array([[0.0], [1.0]]),), (0.0, 1.0)),
    ("binomial", (np.array([[0], [1000], [7]]), np.array([[0.5], [0.0], [1.0]])), (0.0, 0.0, 7.0)),
    ("gamma", (np.array([[1e-3], [1e6]]), np.array([[1.0], [1.0]])), (1e-3, 1e6)),
    ("hypergeometric", (np.array([[5]]), np.array([[5]]), np.array([[0]])), (5.0,)),
]


@pytest.mark.parametrize(("name", "arguments", "means"), EDGES)
def test_extreme_parameters(name, arguments, means):
    rows = len(means)
    sample = lookup(f"{name}_rng")[0].implementation(jax.random.key(3), (rows, 4000), *arguments)
    sample = np.asarray(sample)
    spread = np.maximum(sample.std(axis=1), 1e-12) / math.sqrt(4000)
    assert np.all(np.abs(sample.mean(axis=1) - means) <= 6 * spread + 1e-9)
    if name == "poisson":
        assert abs(sample[1].var() / 1e9 - 1) < 0.15


EVENTS = {
    "categorical": ((np.array([0.2, 0.0, 0.5, 0.3]),), (0.2, 0.0, 0.5, 0.3)),
    "categorical_logit": ((np.log([0.2, 0.5, 0.3]) + 7,), (0.2, 0.5, 0.3)),
    "ordered_logistic": (
        (np.float64(0.4), np.array([-1.0, 0.5])),
        (1 / (1 + math.exp(1.4)), 1 / (1 + math.exp(-0.1)) - 1 / (1 + math.exp(1.4)), None),
    ),
    "ordered_probit": (
        (np.float64(0.4), np.array([-1.0, 0.5])),
        (0.08075665923377107, 0.4590707782837998, None),
    ),
}


@pytest.mark.parametrize("name", EVENTS)
def test_categories_have_their_probabilities(name):
    arguments, probabilities = EVENTS[name]
    implementation = lookup(f"{name}_rng")[0].implementation
    keys = jax.random.split(jax.random.key(5), DRAWS)
    drawn = np.asarray(jax.vmap(lambda key: implementation(key, *arguments))(keys))
    assert drawn.dtype == np.int64
    for category, probability in enumerate(probabilities):
        share = np.mean(drawn == category + 1)
        expected = 1 - sum(probabilities[:-1]) if probability is None else probability
        assert abs(share - expected) < BOUND


def test_the_same_key_gives_the_same_numbers_and_another_key_others():
    key = jax.random.key(1)
    first, again = (np.asarray(draw("gamma", key, 10)) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert not np.any(first == np.asarray(draw("gamma", jax.random.key(2), 10)))


WRONG = [
    ("normal", (0.0, -1.0), "normal_rng: Scale parameter is -1, but must be positive!"),
    ("uniform", (1.0, 0.0), "uniform_rng: Upper bound parameter is 0, but must be greater than 1"),
    (
        "bernoulli",
        (1.5,),
        "bernoulli_rng: Probability parameter is 1.5, but must be in the interval [0, 1]",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "message"), WRONG)
def test_known_parameters_out_of_range_are_refused(name, arguments, message):
    arrays = [np.full((1, 1), value) for value in arguments]
    implementation = functools.partial(lookup(f"{name}_rng")[0].implementation, jax.random.key(0))
    with pytest.raises(StanRuntimeError) as caught:
        implementation((1, 1), *arrays)
    assert caught.value.message == message
    assert jnp.shape(implementation((1, 1), *map(jnp.asarray, arrays))) == (1, 1)

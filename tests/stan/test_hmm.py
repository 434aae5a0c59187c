"""Hidden Markov models against the enumeration of all paths."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from density_checks import DRAWS, FAST_COMPILE, LANES, check_derivatives
from scipy import special, stats

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._table import lookup

STATES, TIMES = 2, 4


def function(name):
    (row,) = lookup(name)
    return row.implementation


def path_log_weights(log_omega, gamma, rho):
    """The log joint density of each path with the observations."""
    weights = {}
    times = log_omega.shape[1]
    for path in itertools.product(range(len(rho)), repeat=times):
        moves = sum(np.log(gamma[i, j]) for i, j in itertools.pairwise(path))
        seen = sum(log_omega[state, t] for t, state in enumerate(path))
        weights[path] = np.log(rho[path[0]]) + moves + seen
    return weights


def marginal(*model):
    return special.logsumexp(list(path_log_weights(*model).values()))


def state_probabilities(*model):
    weights = path_log_weights(*model)
    total = special.logsumexp(list(weights.values()))
    result = np.zeros(model[0].shape)
    for path, weight in weights.items():
        result[list(path), range(len(path))] += np.exp(weight - total)
    return result


def models(rng, lanes, draws, times=TIMES):
    """log_omega, gamma and rho with lanes and draws."""
    shape = (max(lanes), max(draws))

    def made(i, array):
        array = np.moveaxis(array, 1, -1)[: lanes[i], ..., : draws[i]]
        return jnp.asarray(array) if draws[i] > 1 else array

    return [
        made(0, rng.normal(scale=2, size=(*shape, STATES, times))),
        made(1, rng.dirichlet(np.ones(STATES), size=(*shape, STATES))),
        made(2, rng.dirichlet(np.ones(STATES), size=shape)),
    ]


def pick(array, lane, draw):
    return np.asarray(array)[min(lane, len(array) - 1), ..., min(draw, array.shape[-1] - 1)]


LAYOUTS = {
    "known": ((LANES, LANES, 1), (1, 1, 1)),
    "all": ((LANES, LANES, LANES), (DRAWS, DRAWS, DRAWS)),
    "densities": ((LANES, 1, 1), (DRAWS, 1, 1)),
    "moves": ((1, LANES, 1), (1, DRAWS, 1)),
}


@pytest.mark.parametrize("name", ["hmm_marginal", "hmm_hidden_state_prob"])
@pytest.mark.parametrize("times", [1, TIMES])
def test_all_paths(name, times):
    oracle = {"hmm_marginal": marginal, "hmm_hidden_state_prob": state_probabilities}[name]
    rng = np.random.default_rng([5, times])
    for lanes, draws in LAYOUTS.values():
        model = models(rng, lanes, draws, times)
        found = function(name)(*model)
        assert isinstance(found, jax.Array) == (max(draws) > 1)
        for lane, draw in np.ndindex(max(lanes), max(draws)):
            expected = oracle(*(pick(each, lane, draw) for each in model))
            np.testing.assert_allclose(pick(found, lane, draw), expected, rtol=1e-11)


def test_derivatives_to_second_order():
    rng = np.random.default_rng(6)
    model = models(rng, (1, 1, 1), (2, 2, 2))
    directions = [[0.1 * rng.normal(size=x.shape) for x in model] for _ in range(2)]
    check_derivatives(
        lambda *model: jnp.sum(jnp.array([1.0, -0.3]) * function("hmm_marginal")(*model)),
        model,
        directions,
    )


def test_densities_that_underflow():
    """Only differences of log densities matter to the states; their level is exact."""
    rng = np.random.default_rng(7)
    log_omega, gamma, rho = models(rng, (1, 1, 1), (2, 1, 1))
    marginal = function("hmm_marginal")
    shifted = marginal(log_omega - 5000.0, gamma, rho) + 5000.0 * TIMES
    np.testing.assert_allclose(shifted, marginal(log_omega, gamma, rho), rtol=1e-9)


def test_impossible_observations_have_density_zero_and_finite_derivatives():
    gamma, rho = np.eye(2)[None, ..., None], np.array([[[1.0], [0.0]]])
    impossible = np.array([[0.0, -np.inf], [0.0, 0.0]])
    possible = np.array([[0.0, 0.0], [0.0, -np.inf]])
    log_omega = jnp.asarray(np.stack([impossible, possible], axis=-1)[None])
    found = function("hmm_marginal")(log_omega, gamma, rho)
    np.testing.assert_array_equal(found, [[-np.inf, 0.0]])

    def finite(scale):
        values = function("hmm_marginal")(log_omega, scale * gamma, rho)
        return jnp.sum(jnp.where(jnp.isfinite(values), values, 0.0))

    np.testing.assert_allclose(jax.grad(finite)(1.0), 1.0)


def test_drawn_paths_have_their_probabilities():
    rng = np.random.default_rng(8)
    model = [np.asarray(each)[0, ..., 0] for each in models(rng, (1, 1, 1), (1, 1, 1), 3)]
    weights = path_log_weights(*model)
    probabilities = special.softmax(list(weights.values()))
    number = 20_000
    draw = jax.vmap(lambda key: function("hmm_latent_rng")(key, *model))
    compiled = jax.jit(draw, compiler_options=FAST_COMPILE)
    paths = np.asarray(compiled(jax.random.split(jax.random.key(9), number)))
    assert paths.dtype == np.int64
    counts = [np.sum(np.all(paths == np.array(path) + 1, axis=1)) for path in weights]
    assert stats.chisquare(counts, number * probabilities).pvalue > 1e-3


GOOD = (np.zeros((1, 2, 3, 1)), np.full((1, 2, 2, 1), 0.5), np.full((1, 2, 1), 0.5))


@pytest.mark.parametrize(
    ("position", "bad", "message"),
    [
        (1, np.full((1, 3, 3, 1), 1 / 3), "must match in size"),
        (1, np.full((1, 2, 2, 1), 0.6), "not a valid simplex"),
        (2, np.full((1, 2, 1), 0.6), "not a valid simplex"),
        (2, np.full((1, 3, 1), 1 / 3), "expecting dimension = 2"),
    ],
)
@pytest.mark.parametrize("name", ["hmm_marginal", "hmm_hidden_state_prob"])
def test_known_arguments_outside_the_domain_are_refused(name, position, bad, message):
    arguments = [*GOOD]
    arguments[position] = bad
    with pytest.raises(StanRuntimeError, match=message):
        function(name)(*arguments)

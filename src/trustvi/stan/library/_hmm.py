"""Hidden Markov models with known number of states: marginal likelihood and posterior of states.

log_omega[k, t] is the log density of observation t in state k, gamma[i, j] the probability to go
from state i to state j, rho the distribution of the first state. The recursions run over time on
probabilities scaled to add up to 1, all lanes and draws side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._contract import contract
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Convention, Row

Array = Any
TOLERANCE = 1e-8


def scan(step: Callable[[Any, Any], tuple[Any, Any]], start: Any, rows: Any) -> tuple[Any, Any]:
    """`jax.lax.scan`, or a loop in NumPy where all is known now."""
    if is_traced(*jax.tree.leaves((start, rows))):
        return jax.lax.scan(step, start, rows)
    length = jax.tree.leaves(rows)[0].shape[0]
    carry, results = start, []
    for t in range(length):
        carry, result = step(carry, jax.tree.map(lambda x, t=t: x[t], rows))
        results.append(result)
    return carry, jax.tree.map(lambda *each: np.stack(each), *results)


def _check(name: str, log_omega: Array, gamma: Array, rho: Array) -> None:
    """Sizes, and that known probabilities are such."""
    states = log_omega.shape[1]
    for what, size in (("columns of Gamma", gamma.shape[2]), ("rows of Gamma", gamma.shape[1])):
        if size != states:
            raise StanRuntimeError(
                f"{name}: {what} ({size}) and rows of log_omegas ({states}) must match in size"
            )
    if rho.shape[1] != states:
        raise StanRuntimeError(
            f"{name}: rho has dimension = {rho.shape[1]}, expecting dimension = {states}; a"
            " function was called with arguments of different scalar, array, vector, or matrix"
            " types, and they were not consistently sized;  all arguments must be scalars or"
            " multidimensional values of the same shape."
        )
    for what, simplex, axis in (("rho", rho, 1), ("Gamma[i, ]", gamma, 2)):
        if is_traced(simplex):
            continue
        total = simplex.sum(axis=axis)
        if np.any(simplex < 0) or not np.allclose(total, 1, rtol=0, atol=TOLERANCE):
            wrong = total.flat[np.abs(total - 1).argmax()]
            raise StanRuntimeError(
                f"{name}: {what} is not a valid simplex. sum({what}) = {wrong:g}, but should be 1"
            )


def _scaled_likelihoods(log_omega: Array) -> tuple[Array, Array]:
    """Time first: exp(log_omega) in units of the largest of each time, and the logs of these."""
    xp = namespace(log_omega)
    logs = xp.moveaxis(log_omega, 2, 0)  # (time, lanes, states, draws)
    largest = logs.max(axis=2, keepdims=True)
    largest = xp.where(xp.isfinite(largest), largest, 0.0)
    if is_traced(logs):
        largest = jax.lax.stop_gradient(largest)
    return xp.exp(logs - largest), largest[:, :, 0]


def _normalised(weights: Array) -> tuple[Array, Array]:
    """Weights (lanes, states, draws) scaled to add up to 1, and the log of their sum."""
    xp = namespace(weights)
    total = weights.sum(axis=1)
    positive = total > 0
    safe = xp.where(positive, total, 1.0)
    return weights / safe[:, None], xp.where(positive, xp.log(safe), -np.inf)


def _forward(log_omega: Array, gamma: Array, rho: Array) -> tuple[Array, Array]:
    """The distributions of the states given the observations until then, time first, and the log
    likelihood."""
    omega, shift = _scaled_likelihoods(log_omega)
    xp = namespace(omega, gamma, rho)
    batch = np.broadcast_shapes(
        *((each.shape[0], each.shape[-1]) for each in (log_omega, gamma, rho))
    )
    first, size = _normalised(xp.broadcast_to(omega[0] * rho, (batch[0], rho.shape[1], batch[1])))

    def step(carry: tuple[Array, Array], omega: Array) -> tuple[tuple[Array, Array], Array]:
        state, total = carry
        state, size = _normalised(omega * contract("ij,i->j", gamma, state))
        return (state, total + size), state

    if omega.shape[0] == 1:
        return first[None], size + shift.sum(axis=0)
    (_, total), later = scan(step, (first, size), omega[1:])
    return xp.concatenate([first[None], later]), total + shift.sum(axis=0)


def hmm_marginal(log_omega: Array, gamma: Array, rho: Array) -> Array:
    """The log density of all observations, the states summed out."""
    _check("hmm_marginal", log_omega, gamma, rho)
    return _forward(log_omega, gamma, rho)[1]


def hmm_hidden_state_prob(log_omega: Array, gamma: Array, rho: Array) -> Array:
    """The probabilities of the states at each time given all observations, (states, times)."""
    _check("hmm_hidden_state_prob", log_omega, gamma, rho)
    filtered, _ = _forward(log_omega, gamma, rho)
    omega, _ = _scaled_likelihoods(log_omega)
    xp = namespace(filtered)

    def step(after: Array, row: tuple[Array, Array]) -> tuple[Array, Array]:
        state, omega = row
        before, _ = _normalised(contract("ij,j->i", gamma, omega * after))
        return xp.broadcast_to(before, after.shape), _normalised(state * before)[0]

    if len(filtered) > 1:
        rows = (filtered[:-1][::-1], omega[1:][::-1])
        _, earlier = scan(step, xp.ones_like(filtered[0]), rows)
        filtered = xp.concatenate([earlier[::-1], filtered[-1:]])
    return xp.moveaxis(filtered, 0, 2)


def hmm_latent_rng(key: Array, log_omega: Array, gamma: Array, rho: Array) -> Array:
    """States drawn given all observations: the last one first, then backwards."""
    batched = [jnp.asarray(each)[None, ..., None] for each in (log_omega, gamma, rho)]
    _check("hmm_latent_rng", *(np.asarray(log_omega)[None, ..., None], *batched[1:]))
    filtered = _forward(*batched)[0][:, 0, :, 0]
    keys = jax.random.split(key, len(filtered))
    gamma = jnp.asarray(gamma)

    def step(after: Array, row: tuple[Array, Array]) -> tuple[Array, Array]:
        key, state = row
        drawn = jax.random.categorical(key, jnp.log(state * gamma[:, after]))
        return drawn, drawn

    last = jax.random.categorical(keys[-1], jnp.log(filtered[-1]))
    _, earlier = jax.lax.scan(step, last, (keys[:-1], filtered[:-1]), reverse=True)
    return jnp.append(earlier, last).astype(jnp.int64) + 1


ROWS = (
    Row(
        "hmm_marginal",
        spelled("(matrix, matrix, vector) => real"),
        Convention.BATCHED,
        hmm_marginal,
    ),
    Row(
        "hmm_hidden_state_prob",
        spelled("(data matrix, data matrix, data vector) => matrix"),
        Convention.BATCHED,
        hmm_hidden_state_prob,
    ),
    Row(
        "hmm_latent_rng",
        spelled("(matrix, matrix, vector) => array[] int"),
        Convention.RNG_EVENT,
        hmm_latent_rng,
    ),
)

"""Transforms of vectors: ordered, simplex, unit vector, zero sum.

Reference manual, chapter "Constraint transforms". Arrays have axes (..., event, draws); the free
vector's event axis becomes the constrained vector's. The second result is the logarithm of the
Jacobian determinant, with axes (..., draws).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan._transforms._smooth import logistic, softplus
from trustvi.stan.library._cumulative import cumulative_sum
from trustvi.stan.library._namespace import namespace

Array = Any
Pair = tuple[Array, Array]


def ordered(free: Array) -> Pair:
    """x_1 = u_1, x_k = x_{k-1} + exp(u_k); log Jacobian: the sum of u_2, u_3, ..."""
    xp = namespace(free)
    first, rest = free[..., :1, :], free[..., 1:, :]
    steps = xp.concatenate([first, xp.exp(rest)], axis=-2)
    return cumulative_sum(steps, axis=-2), rest.sum(axis=-2)


def positive_ordered(free: Array) -> Pair:
    """x_k = x_{k-1} + exp(u_k) from x_0 = 0; log Jacobian: the sum of u."""
    return cumulative_sum(namespace(free).exp(free), axis=-2), free.sum(axis=-2)


def simplex(free: Array) -> Pair:
    """Stick breaking: of what is left, the k-th of K takes z_k = logistic(u_k - log(K - k)).

    x_k = z_k prod_{j<k} (1 - z_j), so that u = 0 gives equal shares, and the log Jacobian is
    sum_k log z_k + (K - k) log(1 - z_k). What is left is kept as a logarithm, and doesn't vanish.
    """
    xp = namespace(free)
    breaks = free.shape[-2]
    after = np.arange(breaks, 0, -1.0)[:, None]
    share = free - np.log(after)
    log_rest = -softplus(share)
    log_left = xp.concatenate([_slot(free), cumulative_sum(log_rest, axis=-2)], axis=-2)
    left = xp.exp(log_left)
    value = xp.concatenate([left[..., :-1, :] * logistic(share), left[..., -1:, :]], axis=-2)
    return value, (share + (after + 1.0) * log_rest).sum(axis=-2)


def unit_vector(free: Array) -> Pair:
    """x = u/|u|, which is many to one: -u.u/2, a normal density of u, stands for a Jacobian."""
    squares = (free * free).sum(axis=-2, keepdims=True)
    return free / namespace(free).sqrt(squares), -0.5 * squares[..., 0, :]


def sum_to_zero(free: Array) -> Pair:
    """x_k = sum_{j>=k} w_j - (k - 1) w_{k-1} with w_j = u_j/sqrt(j(j + 1)): linear, an isometry."""
    xp = namespace(free)
    place = np.arange(1.0, free.shape[-2] + 1)[:, None]
    scaled = free / np.sqrt(place * (place + 1.0))
    zero = _slot(free)
    tails = cumulative_sum(scaled, axis=-2, reverse=True)
    value = xp.concatenate([tails, zero], axis=-2)
    return value - xp.concatenate([zero, place * scaled], axis=-2), _no_slope(free)


def sum_to_zero_matrix(free: Array) -> Pair:
    """Rows and columns both sum to zero: the vectors' transform along either axis."""
    xp = namespace(free)
    columns = sum_to_zero(free)[0]
    return xp.swapaxes(sum_to_zero(xp.swapaxes(columns, -2, -3))[0], -2, -3), _no_slope(free, 2)


def column_stochastic(free: Array) -> Pair:
    """Every column is a simplex; axes (..., rows, columns, draws)."""
    xp = namespace(free)
    value, slope = simplex(xp.swapaxes(free, -3, -2))
    return xp.swapaxes(value, -3, -2), slope.sum(axis=-2)


def row_stochastic(free: Array) -> Pair:
    """Every row is a simplex."""
    value, slope = simplex(free)
    return value, slope.sum(axis=-2)


def _slot(free: Array) -> Array:
    """One zero along the event axis, which may be empty itself."""
    shape = list(free.shape)
    shape[-2] = 1
    return namespace(free).zeros(tuple(shape))


def _no_slope(free: Array, rank: int = 1) -> Array:
    return np.zeros((1,) * (free.ndim - rank))


# --------------------------------------------------------------------------- inverses


def free_ordered(value: Array) -> Array:
    return np.concatenate([value[..., :1, :], _log(np.diff(value, axis=-2))], axis=-2)


def free_positive_ordered(value: Array) -> Array:
    return _log(np.diff(value, axis=-2, prepend=0.0))


def free_simplex(value: Array) -> Array:
    breaks = value.shape[-2] - 1
    tails = np.flip(np.cumsum(np.flip(value, axis=-2), axis=-2), axis=-2)[..., 1:, :]
    after = np.arange(breaks, 0, -1.0)[:, None]
    return _log(value[..., :-1, :]) - _log(tails) + np.log(after)


def free_sum_to_zero(value: Array) -> Array:
    """The transposed isometry: u_j = (x_1 + ... + x_j - j x_{j+1})/sqrt(j(j + 1))."""
    place = np.arange(1.0, value.shape[-2])[:, None]
    heads = np.cumsum(value, axis=-2)[..., :-1, :]
    return (heads - place * value[..., 1:, :]) / np.sqrt(place * (place + 1.0))


def free_sum_to_zero_matrix(value: Array) -> Array:
    rows = free_sum_to_zero(value)
    return np.swapaxes(free_sum_to_zero(np.swapaxes(rows, -2, -3)), -2, -3)


def free_column_stochastic(value: Array) -> Array:
    return np.swapaxes(free_simplex(np.swapaxes(value, -3, -2)), -3, -2)


def _log(x: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x)

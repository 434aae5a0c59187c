"""Transforms of matrices: Cholesky factors, correlation and covariance.

Reference manual, chapter "Constraint transforms". Free values have axes (..., packed, draws),
matrices (..., rows, columns, draws); log Jacobians (..., draws).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from trustvi.stan._transforms._smooth import log_sech_squared
from trustvi.stan.library._contract import contract
from trustvi.stan.library._cumulative import cumulative_sum
from trustvi.stan.library._namespace import namespace

Array = Any
Pair = tuple[Array, Array]
LOG_2 = 0.6931471805599453


@cache
def lower_places(rows: int, columns: int, by_row: bool = True) -> tuple[Array, Array]:
    """Row and column of each packed value below the diagonal of a rows x columns matrix.

    Row by row for Cholesky factors, column by column for correlation matrices.
    """
    below = np.arange(rows)[:, None] > np.arange(columns)
    first, second = np.nonzero(below if by_row else below.T)
    return (first, second) if by_row else (second, first)


def _unpack(packed: Array, shape: tuple[int, int], places: tuple[Array, Array]) -> Array:
    """The matrix with the packed values at their places and zeros elsewhere."""
    xp = namespace(packed)
    zero = xp.zeros((*packed.shape[:-2], 1, packed.shape[-1]), packed.dtype)
    source = np.full(shape, packed.shape[-2])
    source[places] = np.arange(len(places[0]))
    return xp.concatenate([packed, zero], axis=-2)[..., source, :]


def cholesky_corr(free: Array, size: int, by_row: bool = True) -> Pair:
    """The Cholesky factor of a correlation matrix from partial correlations z = tanh(u).

    x_ij = z_ij prod_{l<j} sqrt(1 - z_il^2) with z_ii = 1; the j-th of row i (from 0) contributes
    (1 + (i - 1 - j)/2) log(1 - z_ij^2) to the log Jacobian.
    """
    row, column = places = lower_places(size, size, by_row)
    weight = (1.0 + 0.5 * (row - 1 - column))[:, None]
    slope = (weight * log_sech_squared(free)).sum(axis=-2)
    if size == 0:
        return _unpack(free, (0, 0), places), slope
    return _corr_factor(_unpack(free, (size, size - 1), places), size), slope


def _corr_factor(free: Array, size: int) -> Array:
    """Cholesky factor from the strictly lower u: 0 above gives z = 0 and no loss of length."""
    xp = namespace(free)
    margin = xp.zeros((*free.shape[:-2], 1, free.shape[-1]))
    partial = xp.concatenate([xp.tanh(free), margin], axis=-2) + np.eye(size)[:, :, None]
    log_length = cumulative_sum(0.5 * log_sech_squared(free), axis=-2)
    return partial * xp.exp(xp.concatenate([margin, log_length], axis=-2))


def correlation(free: Array, size: int) -> Pair:
    """L L' for the Cholesky factor of canonical partial correlations, packed column by column.

    Lewandowski, Kurowicka, Joe (2009), eq. 11: the value in column k of K (from 1) contributes
    (1 + (K - k - 1)/2) log(1 - z^2) to the log Jacobian.
    """
    _, column = lower_places(size, size, by_row=False)
    weight = (1.0 + 0.5 * (size - 2 - column))[:, None]
    slope = (weight * log_sech_squared(free)).sum(axis=-2)
    return gram(cholesky_corr(free, size, by_row=False)[0]), slope


def cholesky_cov(free: Array, rows: int, columns: int) -> Pair:
    """A lower triangular factor, packed row by row, the diagonal through exp."""
    xp = namespace(free)
    row, column = np.nonzero(np.arange(rows)[:, None] >= np.arange(columns))
    diagonal = row == column
    log_diagonal = free[..., np.flatnonzero(diagonal), :]
    safe = xp.where(diagonal[:, None], free, 0.0)
    packed = xp.where(diagonal[:, None], xp.exp(safe), free)
    return _unpack(packed, (rows, columns), (row, column)), log_diagonal.sum(axis=-2)


def covariance(free: Array, size: int) -> Pair:
    """L L'; log Jacobian K log 2 + sum_k (K - k + 2) log L_kk, k from 1."""
    factor, _ = cholesky_cov(free, size, size)
    diagonal = np.arange(1, size + 1) * np.arange(2, size + 2) // 2 - 1
    weight = np.arange(size + 1.0, 1.0, -1.0)[:, None]
    slope = size * LOG_2 + (weight * free[..., diagonal, :]).sum(axis=-2)
    return gram(factor), slope


def gram(factor: Array) -> Array:
    """L L' with draws last."""
    rows, columns, draws = factor.shape[-3:]
    flat = factor.reshape(math.prod(factor.shape[:-3]), rows, columns, draws)
    return contract("ik,jk->ij", flat, flat).reshape(*factor.shape[:-2], rows, draws)


# --------------------------------------------------------------------------- inverses


def free_cholesky_corr(value: Array, by_row: bool = True) -> Array:
    """u = atanh(x_ij / sqrt(1 - sum_{l<j} x_il^2))."""
    size = value.shape[-2]
    squares = np.cumsum(value * value, axis=-2)
    length = np.sqrt(np.maximum(1.0 - (squares - value * value), 0.0))
    row, column = lower_places(size, size, by_row)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.arctanh(value[..., row, column, :] / length[..., row, column, :])


def free_correlation(value: Array) -> Array:
    return free_cholesky_corr(_cholesky(value), by_row=False)


def free_cholesky_cov(value: Array) -> Array:
    rows, columns = value.shape[-3:-1]
    row, column = np.nonzero(np.arange(rows)[:, None] >= np.arange(columns))
    packed = value[..., row, column, :]
    diagonal = (row == column)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(diagonal, np.log(np.where(diagonal, packed, 1.0)), packed)


def free_covariance(value: Array) -> Array:
    return free_cholesky_cov(_cholesky(value))


def _cholesky(value: Array) -> Array:
    return np.moveaxis(np.linalg.cholesky(np.moveaxis(value, -1, 0)), 0, -1)

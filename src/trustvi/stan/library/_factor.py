"""Cholesky factors of batched matrices, and what densities ask of them.

Matrices have axes (lanes, K, K, draws), rows of vectors (lanes, n, K, draws). What depends on data
only is computed by NumPy, so that a known factor becomes one matrix product with all rows and
draws as columns. Traced factors go to LAPACK with the batch leading; all rows that share a factor
are the right-hand sides of one triangular solve.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.linalg import get_lapack_funcs

from trustvi.stan.library._contract import contract
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._stack import stacked, unstacked

Array = Any

_potrf, _trtri = get_lapack_funcs(("potrf", "trtri"), dtype=np.float64)


def transposed(matrix: Array) -> Array:
    """Batched matrices transposed, (lanes, K, M, draws) to (lanes, M, K, draws)."""
    return matrix.swapaxes(1, 2)


def diagonal(matrix: Array) -> Array:
    """(lanes, K, K, draws) to (lanes, K, draws)."""
    return namespace(matrix).moveaxis(matrix.diagonal(axis1=1, axis2=2), -1, 1)


def sum_log_diagonal(matrix: Array) -> Array:
    """The log determinant of a triangular matrix, (lanes, draws); NaN if an entry is negative."""
    xp = namespace(matrix)
    with np.errstate(invalid="ignore", divide="ignore"):
        return xp.log(diagonal(matrix)).sum(axis=1)


def _lower_half(square: Array) -> Array:
    """The lower triangle with half the diagonal."""
    return jnp.tril(square) - 0.5 * square * np.eye(square.shape[-1])


def _solve(factor: Array, right: Array, transpose: bool = False) -> Array:
    """L^-1 B, or L'^-1 B, of stacks of matrices."""
    return jax.lax.linalg.triangular_solve(
        factor, right, left_side=True, lower=True, transpose_a=transpose
    )


@jax.custom_jvp
def safe_cholesky(matrix: Array) -> tuple[Array, Array]:
    """The factors of a stack (..., K, K), of which the lower triangles are read, and whether they
    exist.

    Where a matrix is not positive definite, its factor is the identity and has no derivatives, so
    that nothing computed with it is NaN.
    """
    factor = jax.lax.linalg.cholesky(matrix, symmetrize_input=False)
    exists = jnp.all(jnp.isfinite(factor), axis=(-2, -1))
    identity = jnp.eye(matrix.shape[-1])
    return jnp.where(exists[..., None, None], jnp.tril(factor), identity), exists


@safe_cholesky.defjvp
def _safe_cholesky_rule(primals: Any, tangents: Any) -> tuple[Any, Any]:
    """dL = L phi(L^-1 dA L'^-1), phi the lower triangle with half the diagonal.

    S. F. Walter, "Structured higher-order algorithmic differentiation", 2012, section 4.3.
    """
    (change,) = tangents
    factor, exists = safe_cholesky(*primals)
    symmetric = _lower_half(change) + jnp.matrix_transpose(_lower_half(change))
    half = _solve(factor, symmetric)
    both = jnp.matrix_transpose(_solve(factor, jnp.matrix_transpose(half)))
    change = jnp.where(exists[..., None, None], factor @ _lower_half(both), 0.0)
    return (factor, exists), (change, np.zeros(exists.shape, jax.dtypes.float0))


def _known_cholesky(matrix: Array) -> tuple[Array, Array]:
    """As `safe_cholesky`, for a stack known now."""
    flat = matrix.reshape(-1, *matrix.shape[-2:])
    factors, exists = np.empty_like(flat), np.zeros(len(flat), bool)
    for i, each in enumerate(flat):
        factors[i], information = _potrf(each, lower=1)
        exists[i] = information == 0 and bool(np.all(np.isfinite(factors[i])))
        if not exists[i]:
            factors[i] = np.eye(matrix.shape[-1])
    return factors.reshape(matrix.shape), exists.reshape(matrix.shape[:-2])


def cholesky(matrix: Array) -> tuple[Array, Array]:
    """The factor (lanes, K, K, draws), and whether it exists (lanes, draws)."""
    if matrix.shape[1] == 0:
        return matrix, np.ones((matrix.shape[0], matrix.shape[-1]), bool)
    factorise = safe_cholesky if is_traced(matrix) else _known_cholesky
    factor, exists = factorise(stacked(matrix))
    return unstacked(factor), exists


def _known_inverse(factor: Array) -> Array:
    """The inverses of lower triangular matrices known now; NaN where there is none."""
    inverses = np.empty_like(stacked(factor))
    for index in np.ndindex(inverses.shape[:2]):
        inverse, information = _trtri(factor[index[0], :, :, index[1]], lower=1)
        inverses[index] = np.tril(inverse) if information == 0 else np.nan
    return unstacked(inverses)


def whiten(factor: Array, rows: Array) -> Array:
    """L^-1 r of every row r: (lanes, K, K, draws) and (lanes, n, K, draws) to rows again."""
    if rows.shape[2] == 0:
        return rows
    if not is_traced(factor):
        return contract("ij,nj->ni", _known_inverse(factor), rows)
    rows = namespace(rows).moveaxis(rows, -1, 1)  # (lanes, draws, n, K)
    lanes = max(factor.shape[0], rows.shape[0])
    shared = factor.shape[0] == 1 and lanes > 1
    if shared:
        rows = rows.swapaxes(0, 1)  # (draws, lanes, n, K): lanes become right-hand sides
        rows = rows.reshape(1, rows.shape[0], -1, rows.shape[-1])
    stack = stacked(factor)
    batch = np.broadcast_shapes(stack.shape[:2], rows.shape[:2])
    solved = _solve(
        jnp.broadcast_to(stack, (*batch, *stack.shape[2:])),
        jnp.broadcast_to(jnp.matrix_transpose(rows), (*batch, rows.shape[3], rows.shape[2])),
    )
    solved = jnp.matrix_transpose(solved)  # (lanes or 1, draws, n, K)
    if shared:
        solved = solved.reshape(batch[1], lanes, -1, solved.shape[-1]).swapaxes(0, 1)
    return jnp.moveaxis(solved, 1, -1)

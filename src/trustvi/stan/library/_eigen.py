"""Eigenvalues and eigenvectors, Schur form, with derivatives to any order.

With A V = V diag(w) and M = V^-1 dA V, dw = diag(M) and dV = V C with C_ij = M_ij / (w_j - w_i)
off the diagonal; the diagonal of C keeps every vector's length 1. Magnus (1985).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg

from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._stack import hermitian, stacked, unstacked
from trustvi.stan.library._systems import require_square, require_symmetric

# ------------------------------------------------------------------------------- symmetric


def eigendecompose_sym(matrix: Any) -> tuple[Any, Any]:
    """Orthonormal eigenvectors and ascending eigenvalues, from the lower triangle."""
    require_symmetric("eigendecompose_sym", "m", matrix)
    linalg = namespace(matrix).linalg
    values, vectors = linalg.eigh(_from_lower(stacked(matrix)))
    return unstacked(vectors), unstacked(_like(values, matrix))


def eigenvalues_sym(matrix: Any) -> Any:
    """Ascending eigenvalues; where some are equal their derivatives still exist."""
    require_symmetric("eigenvalues_sym", "m", matrix)
    linalg = namespace(matrix).linalg
    return unstacked(_like(linalg.eigvalsh(_from_lower(stacked(matrix))), matrix))


def _from_lower(stack: Any) -> Any:
    lower = np.tri(stack.shape[-1], dtype=bool)
    return namespace(stack).where(lower, stack, hermitian(stack))


def _like(values: Any, matrix: Any) -> Any:
    """Stan gives the eigenvalues of complex matrices a complex type."""
    return values + 0j if np.iscomplexobj(matrix) else values


def eigenvectors_sym(matrix: Any) -> Any:
    return eigendecompose_sym(matrix)[0]


# --------------------------------------------------------------------------------- general


@jax.custom_jvp
def _eig(stack: Any) -> tuple[Any, Any]:
    values, vectors = jnp.linalg.eig(stack)
    return values, vectors


@_eig.defjvp
def _eig_jvp(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    values, vectors = _eig(*primals)
    moved = jnp.linalg.solve(vectors, tangents[0].astype(vectors.dtype) @ vectors)
    same = np.eye(values.shape[-1], dtype=bool)
    gaps = values[..., None, :] - values[..., :, None]
    turns = jnp.where(same, 0.0, moved / jnp.where(same, 1.0, gaps))
    changed = vectors @ turns
    growth = (vectors.conj() * changed).sum(axis=-2).real[..., None, :]
    dvalues = jnp.einsum("...ii->...i", moved)
    return (values, vectors), (dvalues, changed - vectors * growth)


def eigendecompose(matrix: Any) -> tuple[Any, Any]:
    """Eigenvectors of length 1 and eigenvalues, all complex."""
    require_square("eigendecompose", "m", matrix)
    stack = stacked(matrix) + 0j if is_traced(matrix) else stacked(matrix)
    values, vectors = _eig(stack) if is_traced(matrix) else np.linalg.eig(stack)
    return unstacked(vectors + 0j), unstacked(values + 0j)


def eigenvalues(matrix: Any) -> Any:
    return eigendecompose(matrix)[1]


def eigenvectors(matrix: Any) -> Any:
    return eigendecompose(matrix)[0]


# ------------------------------------------------------------------------------ Schur form


@jax.custom_jvp
def _schur(stack: Any) -> tuple[Any, Any]:
    """Unitary U and upper triangular T with A = U T U*."""
    t, u = jax.lax.linalg.schur(stack)
    return u, t


def _known_schur(stack: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    flat = stack.reshape((-1, *stack.shape[-2:]))
    pairs = [scipy.linalg.schur(each, output="complex") for each in flat]
    t, u = (np.stack(each).reshape(stack.shape) for each in zip(*pairs, strict=True))
    return u, t


@_schur.defjvp
def _schur_jvp(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """With M = U* dA U and K = U* dU (antihermitian): dT = M + T K - K T, upper triangular."""
    u, t = _schur(*primals)
    moved = hermitian(u) @ tangents[0].astype(u.dtype) @ u
    turn = _turn(t, moved)
    return (u, t), (u @ turn, jnp.triu(moved + t @ turn - turn @ t))


def _turn(t: Any, moved: Any) -> Any:
    """The antihermitian K, 0 on its diagonal, for which M + T K - K T is upper triangular.

    Its lower triangle solves a triangular system: column by column from the left, each from the
    bottom up, (t_jj - t_ii) K_ij = M_ij + sum_{k>i} t_ik K_kj - sum_{k<j} K_ik t_kj.
    """
    size = t.shape[-1]
    k = jnp.zeros_like(t)
    for j in range(size - 1):
        for i in range(size - 1, j, -1):
            above = (t[..., i, i + 1 :] * k[..., i + 1 :, j]).sum(axis=-1)
            before = (k[..., i, :j] * t[..., :j, j]).sum(axis=-1)
            value = (moved[..., i, j] + above - before) / (t[..., j, j] - t[..., i, i])
            k = k.at[..., i, j].set(value)
    return k - hermitian(k)


def complex_schur_decompose(matrix: Any) -> tuple[Any, Any]:
    """Unitary U and upper triangular T with matrix = U T U*."""
    require_square("complex_schur_decompose", "m", matrix)
    if 0 in matrix.shape:
        return matrix + 0j, matrix + 0j
    stack = stacked(matrix) + 0j
    u, t = _schur(stack) if is_traced(matrix) else _known_schur(stack)
    return unstacked(u), unstacked(t)


def complex_schur_decompose_u(matrix: Any) -> Any:
    return complex_schur_decompose(matrix)[0]


def complex_schur_decompose_t(matrix: Any) -> Any:
    return complex_schur_decompose(matrix)[1]

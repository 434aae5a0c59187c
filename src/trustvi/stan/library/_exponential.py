"""The matrix exponential, by scaling, a rational approximation, and squaring."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg

from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._stack import stacked, unstacked
from trustvi.stan.library._systems import require_square

# Higham (2005), "The scaling and squaring method for the matrix exponential revisited": the
# diagonal Pade approximant of degree 13 is exact to double precision up to this norm.
PADE = (
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
)
SMALL = 4
"""Up to this size, LAPACK takes longer to be called than to solve."""
TAYLOR_NORM = 0.8
"""0.8^17 / 17! is 6e-17."""
PADE_NORM = 5.371920351148152
MAX_SQUARINGS = 32
"""Enough for norms up to 2e10; the exponential of anything larger is mostly rounding error."""


def matrix_exp(matrix: Any) -> Any:
    """exp of each matrix."""
    require_square("matrix_exp", "input matrix", matrix)
    if 0 in matrix.shape:
        return matrix
    if is_traced(matrix):
        small = matrix.shape[1] <= SMALL
        return _small_expm(matrix) if small else unstacked(_expm(stacked(matrix)))
    return unstacked(scipy.linalg.expm(stacked(matrix)))


def _expm(stack: Any) -> Any:
    halvings = _halvings(abs(stack).sum(axis=-2).max(axis=-1), PADE_NORM)[..., None, None]
    return _squared(jnp.matmul, _pade(stack * jnp.exp2(-halvings)), halvings)


def _halvings(norm: Any, goal: float) -> Any:
    """How often matrices of this norm have to be halved."""
    halvings = jnp.ceil(jnp.log2(jnp.maximum(jax.lax.stop_gradient(norm) / goal, 1.0)))
    return jnp.clip(jnp.where(jnp.isfinite(halvings), halvings, 0.0), 0, MAX_SQUARINGS)


def _small_expm(matrix: Any) -> Any:
    """With axes (lanes, rows, columns, draws), where products and sums run over the draws and no
    system of equations has to be solved for each: by Taylor's series."""
    halvings = _halvings(abs(matrix).sum(axis=1).max(axis=1), TAYLOR_NORM)[:, None, None]
    return _squared(_product, _taylor(matrix * jnp.exp2(-halvings)), halvings)


def _product(left: Any, right: Any) -> Any:
    """The matrix product, as a sum over a few columns of the left and rows of the right."""
    return sum(left[:, :, k, None] * right[:, k, None] for k in range(left.shape[2]))


def _taylor(matrix: Any) -> Any:
    """The sum of A^k / k! up to k = 16, as a polynomial in A^4 (Paterson and Stockmeyer)."""
    powers = [np.eye(matrix.shape[1])[:, :, None], matrix, _product(matrix, matrix)]
    powers += [_product(matrix, powers[2]), _product(powers[2], powers[2])]

    def block(first: int, last: int) -> Any:
        return sum(powers[k - first] / math.factorial(k) for k in range(first, last + 1))

    total = block(12, 16)
    for first in (8, 4, 0):
        total = _product(total, powers[4]) + block(first, first + 3)
    return total


def _pade(stack: Any) -> Any:
    """(v - u)^-1 (v + u), u and v the odd and even parts of the numerator's polynomial."""
    identity = np.eye(stack.shape[-1])
    a2 = stack @ stack
    a4 = a2 @ a2
    a6 = a2 @ a4
    b = PADE
    u = stack @ (
        a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2)
        + b[7] * a6
        + b[5] * a4
        + b[3] * a2
        + b[1] * identity
    )
    v = (
        a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2)
        + b[6] * a6
        + b[4] * a4
        + b[2] * a2
        + b[0] * identity
    )
    return jnp.linalg.solve(v - u, v + u)


def _squared(product: Callable[[Any, Any], Any], stack: Any, times: Any) -> Any:
    """Each matrix squared as often as it was halved; steps that no matrix needs cost nothing."""
    most = times.max()

    def square(matrices: Any, step: Any) -> tuple[Any, None]:
        def squared(x: Any) -> Any:
            return jnp.where(step < times, product(x, x), x)

        return jax.lax.cond(step < most, squared, lambda x: x, matrices), None

    return jax.lax.scan(square, stack, jnp.arange(MAX_SQUARINGS, dtype=times.dtype))[0]

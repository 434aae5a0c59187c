"""The matrix exponential, by scaling, a rational approximation, and squaring."""

from __future__ import annotations

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
PADE_NORM = 5.371920351148152
MAX_SQUARINGS = 32
"""Enough for norms up to 2e10; the exponential of anything larger is mostly rounding error."""


def matrix_exp(matrix: Any) -> Any:
    """exp of each matrix."""
    require_square("matrix_exp", "input matrix", matrix)
    if 0 in matrix.shape:
        return matrix
    if is_traced(matrix):
        return unstacked(_expm(stacked(matrix)))
    return unstacked(scipy.linalg.expm(stacked(matrix)))


def _expm(stack: Any) -> Any:
    norm = jax.lax.stop_gradient(abs(stack).sum(axis=-2).max(axis=-1))
    halvings = jnp.ceil(jnp.log2(jnp.maximum(norm / PADE_NORM, 1.0)))
    halvings = jnp.clip(jnp.where(jnp.isfinite(halvings), halvings, 0.0), 0, MAX_SQUARINGS)
    approximation = _pade(stack * jnp.exp2(-halvings)[..., None, None])
    return _squared(approximation, halvings[..., None, None])


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


def _squared(stack: Any, times: Any) -> Any:
    """Each matrix squared as often as it was halved; steps that no matrix needs cost nothing."""
    most = times.max()

    def square(matrices: Any, step: Any) -> tuple[Any, None]:
        def squared(x: Any) -> Any:
            return jnp.where(step < times, x @ x, x)

        return jax.lax.cond(step < most, squared, lambda x: x, matrices), None

    return jax.lax.scan(square, stack, jnp.arange(MAX_SQUARINGS, dtype=times.dtype))[0]

"""Elementary functions of the transforms, with derivatives that are right everywhere.

Written with the absolute value for range, and given their derivatives by name: differentiating
through |x| would lose the curvature at 0, where optimizers start.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy import special

from trustvi.stan.library._namespace import is_traced

LOG_4 = 1.3862943611198906


@jax.custom_jvp
def _traced_log_logistic_density(x: Any) -> Any:
    return -jnp.abs(x) - 2.0 * jnp.log1p(jnp.exp(-jnp.abs(x)))


_traced_log_logistic_density.defjvps(lambda tangent, _, x: -jnp.tanh(0.5 * x) * tangent)


@jax.custom_jvp
def _traced_softplus(x: Any) -> Any:
    return jnp.maximum(x, 0.0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


_traced_softplus.defjvps(lambda tangent, _, x: jax.lax.logistic(x) * tangent)


def log_logistic_density(x: Any) -> Any:
    """log(z (1 - z)) for z = 1/(1 + exp(-x))."""
    if is_traced(x):
        return _traced_log_logistic_density(x)
    return -np.abs(x) - 2.0 * np.log1p(np.exp(-np.abs(x)))


def softplus(x: Any) -> Any:
    """log(1 + exp(x))."""
    return _traced_softplus(x) if is_traced(x) else np.logaddexp(x, 0.0)


def logistic(x: Any) -> Any:
    """1/(1 + exp(-x))."""
    return jax.lax.logistic(x) if is_traced(x) else special.expit(x)


def log_sech_squared(x: Any) -> Any:
    """log(1 - tanh(x)^2)."""
    return LOG_4 + log_logistic_density(2.0 * x)

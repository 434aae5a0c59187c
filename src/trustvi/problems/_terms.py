"""Log densities that the problems share, up to constants that no parameter enters."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

Data = Array | np.ndarray


def normal(x: Data, loc: Data | float = 0.0, scale: Data | float = 1.0) -> Array:
    """Sum of normal log densities, constants kept."""
    z = (x - loc) / scale
    return jnp.sum(-0.5 * z * z - jnp.log(scale) - 0.5 * jnp.log(2 * jnp.pi))


def half_cauchy_log(log_x: Array, scale: float = 1.0) -> Array:
    """Half-Cauchy density of x = exp(log_x), with the Jacobian of the logarithm."""
    ratio = jnp.exp(log_x) / scale
    return jnp.sum(jnp.log(2 / (jnp.pi * scale)) - jnp.log1p(ratio * ratio) + log_x)


def half_normal_log(log_x: Array, scale: float = 1.0) -> Array:
    """Half-normal density of x = exp(log_x), with the Jacobian of the logarithm."""
    return normal(jnp.exp(log_x), 0.0, scale) + jnp.sum(log_x) + jnp.size(log_x) * jnp.log(2.0)


def gamma_log(log_x: Array, shape: float, rate: float) -> Array:
    """Gamma density of x = exp(log_x), with the Jacobian of the logarithm."""
    constant = shape * jnp.log(rate) - jax.lax.lgamma(jnp.float64(shape))
    return jnp.sum(constant + shape * log_x - rate * jnp.exp(log_x))


def bernoulli_logit(y: Data, logit: Array) -> Array:
    """Sum over observations of y * logit - log(1 + exp(logit))."""
    return jnp.sum(y * logit - jax.nn.softplus(logit))


def poisson_log(y: Data, log_rate: Array) -> Array:
    return jnp.sum(y * log_rate - jnp.exp(log_rate) - jax.lax.lgamma(y + 1.0))

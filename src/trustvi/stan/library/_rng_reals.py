"""Random reals: samplers `f(key, shape, *parameters)`, exact in distribution."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from trustvi.stan.library._special_log import inv_logit

Array = Any
Shape = tuple[int, ...]


def normal(key: Array, shape: Shape, mu: Array, sigma: Array) -> Array:
    """mu + sigma z"""
    return mu + sigma * jax.random.normal(key, shape)


def std_normal(key: Array, shape: Shape) -> Array:
    """z"""
    return jax.random.normal(key, shape)


def exp_mod_normal(key: Array, shape: Shape, mu: Array, sigma: Array, rate: Array) -> Array:
    """A normal and an exponential variate added"""
    first, second = jax.random.split(key)
    return normal(first, shape, mu, sigma) + exponential(second, shape, rate)


def skew_normal(key: Array, shape: Shape, mu: Array, sigma: Array, alpha: Array) -> Array:
    """mu + sigma (alpha |u| + v) / sqrt(1 + alpha^2) for standard normal u, v"""
    u, v = (jax.random.normal(each, shape) for each in jax.random.split(key))
    return mu + sigma * (alpha * jnp.abs(u) + v) / jnp.hypot(1.0, alpha)


def skew_double_exponential(key: Array, shape: Shape, mu: Array, sigma: Array, tau: Array) -> Array:
    """Below mu with probability tau; exponential tails of rates 2 (1 - tau) and 2 tau"""
    first, second = jax.random.split(key)
    below = jax.random.uniform(first, shape) < tau
    size = 0.5 * sigma * jax.random.exponential(second, shape)
    return mu + jnp.where(below, -size / (1.0 - tau), size / tau)


def student_t(key: Array, shape: Shape, nu: Array, mu: Array, sigma: Array) -> Array:
    """A normal variate over the root of a chi-square variate per degree of freedom"""
    first, second = jax.random.split(key)
    spread = jax.random.gamma(second, 0.5 * jnp.asarray(nu), shape) / (0.5 * nu)
    return mu + sigma * jax.random.normal(first, shape) / jnp.sqrt(spread)


def cauchy(key: Array, shape: Shape, mu: Array, sigma: Array) -> Array:
    """By inversion"""
    return mu + sigma * jax.random.cauchy(key, shape)


def double_exponential(key: Array, shape: Shape, mu: Array, sigma: Array) -> Array:
    """By inversion"""
    return mu + sigma * jax.random.laplace(key, shape)


def logistic(key: Array, shape: Shape, mu: Array, sigma: Array) -> Array:
    """By inversion"""
    return mu + sigma * jax.random.logistic(key, shape)


def gumbel(key: Array, shape: Shape, mu: Array, beta: Array) -> Array:
    """By inversion"""
    return mu + beta * jax.random.gumbel(key, shape)


def lognormal(key: Array, shape: Shape, mu: Array, sigma: Array) -> Array:
    """exp of a normal variate"""
    return jnp.exp(normal(key, shape, mu, sigma))


def exponential(key: Array, shape: Shape, beta: Array) -> Array:
    """By inversion"""
    return jax.random.exponential(key, shape) / beta


def _log_gamma(key: Array, shape: Shape, alpha: Array) -> Array:
    """log of a gamma variate, which does not underflow for small shapes."""
    return jax.random.loggamma(key, jnp.asarray(alpha, float), shape)


def gamma(key: Array, shape: Shape, alpha: Array, beta: Array) -> Array:
    """Shape and rate"""
    return jnp.exp(_log_gamma(key, shape, alpha)) / beta


def inv_gamma(key: Array, shape: Shape, alpha: Array, beta: Array) -> Array:
    """beta over a standard gamma variate"""
    return beta * jnp.exp(-_log_gamma(key, shape, alpha))


def chi_square(key: Array, shape: Shape, nu: Array) -> Array:
    """gamma(nu / 2, 1 / 2)"""
    return gamma(key, shape, 0.5 * nu, 0.5)


def inv_chi_square(key: Array, shape: Shape, nu: Array) -> Array:
    """inv_gamma(nu / 2, 1 / 2)"""
    return inv_gamma(key, shape, 0.5 * nu, 0.5)


def scaled_inv_chi_square(key: Array, shape: Shape, nu: Array, s: Array) -> Array:
    """inv_gamma(nu / 2, nu s^2 / 2)"""
    return inv_gamma(key, shape, 0.5 * nu, 0.5 * nu * s * s)


def weibull(key: Array, shape: Shape, alpha: Array, sigma: Array) -> Array:
    """sigma e^(1 / alpha) for standard exponential e"""
    return sigma * jax.random.exponential(key, shape) ** (1.0 / alpha)


def frechet(key: Array, shape: Shape, alpha: Array, sigma: Array) -> Array:
    """sigma e^(-1 / alpha) for standard exponential e"""
    return sigma * jax.random.exponential(key, shape) ** (-1.0 / alpha)


def rayleigh(key: Array, shape: Shape, sigma: Array) -> Array:
    """sigma sqrt(2 e) for standard exponential e"""
    return sigma * jnp.sqrt(2.0 * jax.random.exponential(key, shape))


def loglogistic(key: Array, shape: Shape, alpha: Array, beta: Array) -> Array:
    """alpha exp(l / beta) for standard logistic l"""
    return alpha * jnp.exp(jax.random.logistic(key, shape) / beta)


def pareto(key: Array, shape: Shape, y_min: Array, alpha: Array) -> Array:
    """y_min exp(e / alpha) for standard exponential e"""
    return y_min * jnp.exp(jax.random.exponential(key, shape) / alpha)


def pareto_type_2(key: Array, shape: Shape, mu: Array, scale: Array, alpha: Array) -> Array:
    """mu + scale (exp(e / alpha) - 1) for standard exponential e"""
    return mu + scale * jnp.expm1(jax.random.exponential(key, shape) / alpha)


def beta(key: Array, shape: Shape, a: Array, b: Array) -> Array:
    """x / (x + y) for standard gamma x and y, through their logs"""
    first, second = jax.random.split(key)
    return inv_logit(_log_gamma(first, shape, a) - _log_gamma(second, shape, b))


def beta_proportion(key: Array, shape: Shape, mu: Array, kappa: Array) -> Array:
    """beta(mu kappa, (1 - mu) kappa)"""
    return beta(key, shape, mu * kappa, (1.0 - mu) * kappa)


def uniform(key: Array, shape: Shape, low: Array, high: Array) -> Array:
    """low + (high - low) u"""
    return low + (high - low) * jax.random.uniform(key, shape)


def _wrapped_cauchy_proposal(key: Array, r: Array, kappa: Array) -> tuple[Array, Array]:
    """The cosine of a proposed angle, and whether it is accepted (Best and Fisher, 1979)."""
    first, second = jax.random.split(key)
    z = jnp.cos(math.pi * jax.random.uniform(first, r.shape))
    cosine = (1.0 + r * z) / (r + z)
    c = kappa * (r - cosine)
    u = jax.random.uniform(second, r.shape, minval=1e-300)
    return cosine, (c * (2.0 - c) > u) | (jnp.log(c / u) + 1.0 >= c)


def von_mises(key: Array, shape: Shape, mu: Array, kappa: Array) -> Array:
    """The angle around mu, itself taken between 0 and 2 pi; uniform for kappa near 0"""
    kappa = jnp.broadcast_to(jnp.asarray(kappa, float), shape)
    flat = kappa < 1e-6
    sure = jnp.where(flat, 1.0, kappa)
    tau = 1.0 + jnp.hypot(1.0, 2.0 * sure)
    rho = (tau - jnp.sqrt(2.0 * tau)) / (2.0 * sure)
    r = (1.0 + rho * rho) / (2.0 * rho)
    keys = jax.random.split(key, 3)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        key, cosine, done = state
        key, now = jax.random.split(key)
        proposed, accepted = _wrapped_cauchy_proposal(now, r, sure)
        return key, jnp.where(done, cosine, proposed), done | accepted

    start = (keys[0], jnp.ones(shape), flat | ~jnp.isfinite(kappa))
    cosine = jax.lax.while_loop(lambda state: ~jnp.all(state[2]), step, start)[1]
    angle = jnp.arccos(jnp.clip(cosine, -1.0, 1.0))
    angle = jnp.where(flat, math.pi * jax.random.uniform(keys[1], shape), angle)
    side = jnp.where(jax.random.bernoulli(keys[2], 0.5, shape), 1.0, -1.0)
    return side * angle + jnp.mod(mu, 2.0 * math.pi)

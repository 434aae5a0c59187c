"""Random counts: samplers `f(key, shape, *parameters)`, exact in distribution."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan.library._special_incomplete_gamma import log_power
from trustvi.stan.library._special_log import inv_logit

Array = Any
Shape = tuple[int, ...]
_FEW = 10.0


def bernoulli(key: Array, shape: Shape, theta: Array) -> Array:
    """1 where a uniform variate is below theta"""
    return _counts(jax.random.uniform(key, shape) < theta)


def bernoulli_logit(key: Array, shape: Shape, alpha: Array) -> Array:
    """Bernoulli with inv_logit(alpha)"""
    return bernoulli(key, shape, inv_logit(jnp.asarray(alpha)))


def _counts(x: Array) -> Array:
    return jnp.asarray(x).astype(np.int64)


def binomial(key: Array, shape: Shape, size: Array, theta: Array) -> Array:
    """Successes of `size` trials"""
    return _counts(jax.random.binomial(key, jnp.asarray(size), jnp.asarray(theta), shape))


def beta_binomial(key: Array, shape: Shape, size: Array, a: Array, b: Array) -> Array:
    """Binomial with a beta probability"""
    first, second = jax.random.split(key)
    return binomial(second, shape, size, jax.random.beta(first, a, b, shape))


def _few(key: Array, shape: Shape, rate: Array) -> Array:
    """Poisson counts for small rates, by inversion: the first k whose cumulated mass exceeds u."""
    u = jax.random.uniform(key, shape)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        k, mass, total, count = state
        beyond = u >= total
        mass = mass * rate / (k + 1.0)
        return k + 1.0, mass, total + mass, jnp.where(beyond, k + 1.0, count)

    def running(state: tuple[Array, ...]) -> Array:
        return jnp.any(u >= state[2]) & (state[0] < 200.0)

    none = jnp.exp(-rate)
    return jax.lax.while_loop(running, step, (0.0, none, none, jnp.zeros(shape)))[3]


def _proposal(key: Array, rate: Array) -> tuple[Array, Array]:
    """One proposal of transformed rejection (Hoermann, 1993, PTRS), and whether it is accepted."""
    spread = 0.931 + 2.53 * jnp.sqrt(rate)
    slant = -0.059 + 0.02483 * spread
    first, second = jax.random.split(key)
    u = jax.random.uniform(first, rate.shape) - 0.5
    v = jax.random.uniform(second, rate.shape)
    edge = 0.5 - jnp.abs(u)
    k = jnp.floor((2.0 * slant / edge + spread) * u + rate + 0.43)
    quick = (edge >= 0.07) & (v <= 0.9277 - 3.6224 / (spread - 2.0))
    outside = (k < 0.0) | ((edge < 0.013) & (v > edge))
    weight = v * (1.1239 + 1.1328 / (spread - 3.4)) / (slant / jnp.square(edge) + spread)
    return k, quick | (~outside & (jnp.log(weight) <= log_power(jnp.maximum(k, 0.0), rate)))


def _many(key: Array, shape: Shape, rate: Array) -> Array:
    """Poisson counts for rates of 10 and more."""

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        key, count, done = state
        key, now = jax.random.split(key)
        k, accepted = _proposal(now, rate)
        return key, jnp.where(done, count, k), done | accepted

    start = (key, jnp.zeros(shape), ~jnp.isfinite(rate))
    return jax.lax.while_loop(lambda state: ~jnp.all(state[2]), step, start)[1]


def poisson(key: Array, shape: Shape, rate: Array) -> Array:
    """Counts of a Poisson process, in double precision at any rate"""
    rate = jnp.broadcast_to(rate, shape)
    few = rate < _FEW
    small = _few(key, shape, jnp.where(few, rate, 1.0))
    return _counts(jnp.where(few, small, _many(key, shape, jnp.where(few, _FEW, rate))))


def poisson_log(key: Array, shape: Shape, alpha: Array) -> Array:
    """Poisson with rate exp(alpha)"""
    return poisson(key, shape, jnp.exp(alpha))


def neg_binomial(key: Array, shape: Shape, alpha: Array, beta: Array) -> Array:
    """Poisson with a gamma rate"""
    first, second = jax.random.split(key)
    return poisson(second, shape, jax.random.gamma(first, alpha, shape) / beta)


def neg_binomial_2(key: Array, shape: Shape, mu: Array, phi: Array) -> Array:
    """Negative binomial by its mean and precision"""
    return neg_binomial(key, shape, phi, phi / jnp.asarray(mu))


def neg_binomial_2_log(key: Array, shape: Shape, eta: Array, phi: Array) -> Array:
    """Negative binomial by the log of its mean"""
    return neg_binomial_2(key, shape, jnp.exp(eta), phi)


def discrete_range(key: Array, shape: Shape, low: Array, high: Array) -> Array:
    """One of low, ..., high"""
    low, high = (jnp.asarray(each).astype(np.int64) for each in (low, high))
    return jax.random.randint(key, shape, low, high + 1)


def hypergeometric(key: Array, shape: Shape, size: Array, a: Array, b: Array) -> Array:
    """Successes among `size` balls drawn one by one from a good and b bad ones"""
    size, a, b = (jnp.broadcast_to(jnp.asarray(each, float), shape) for each in (size, a, b))

    def draw(k: Array, state: tuple[Array, Array]) -> tuple[Array, Array]:
        key, found = state
        key, now = jax.random.split(key)
        good = jax.random.uniform(now, shape) * (a + b - k) < a - found
        return key, jnp.where(good & (k < size), found + 1.0, found)

    last = jnp.max(size, initial=0.0).astype(np.int64)
    return _counts(jax.lax.fori_loop(0, last, draw, (key, jnp.zeros(shape)))[1])


def categorical(key: Array, theta: Array) -> Array:
    """A category with the probabilities theta"""
    return categorical_logit(key, jnp.log(theta))


def categorical_logit(key: Array, beta: Array) -> Array:
    """A category with probabilities proportional to exp(beta)"""
    return _counts(jax.random.categorical(key, beta, axis=-1) + 1)


def ordered_logistic(key: Array, location: Array, cuts: Array) -> Array:
    """The interval of the cut-points where location plus a logistic variate falls"""
    return _counts(1 + jnp.sum(location + jax.random.logistic(key, dtype=float) > cuts, axis=-1))


def ordered_probit(key: Array, location: Array, cuts: Array) -> Array:
    """The interval of the cut-points where location plus a normal variate falls"""
    return _counts(1 + jnp.sum(location + jax.random.normal(key, dtype=float) > cuts, axis=-1))

"""Special functions of known arrays: the same names as in `_special`, computed at once.

SciPy's where it has them with full precision, else those of `_special`, run eagerly.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import scipy.special as sp

from trustvi.stan.library import _special

Array = Any
_LOG_2 = math.log(2.0)


def quietly(function: Callable[..., Array]) -> Callable[..., Array]:
    """`function` without NumPy's warnings: log(0) is -inf, as under JAX."""

    @functools.wraps(function)
    def call(*args: Array) -> Array:
        with np.errstate(all="ignore"):
            return function(*args)

    return call


# What is known is computed once, on few numbers: time goes into compilation.
_FAST_COMPILE = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
_SMALLEST = 16


def by_jax(function: Callable[..., Array]) -> Callable[..., Array]:
    """An elementwise JAX function of known arrays, evaluated now even while JAX traces another.

    Arrays are flattened and filled up to a power of two, so that few shapes are compiled.
    """
    compiled = jax.jit(function, compiler_options=_FAST_COMPILE)

    @functools.wraps(function)
    def call(*args: Array) -> Array:
        arrays = np.broadcast_arrays(*(np.asarray(each, float) for each in args))
        size = arrays[0].size
        if not size:
            return np.zeros(arrays[0].shape)
        room = max(_SMALLEST, 1 << (size - 1).bit_length())
        filled = [np.pad(each.ravel(), (0, room - size), mode="edge") for each in arrays]
        with jax.enable_x64(True), jax.ensure_compile_time_eval():
            values = np.asarray(compiled(*filled))
        return values[:size].reshape(arrays[0].shape)

    return call


log_sum_exp = np.logaddexp
abs, cos, exp, expm1, floor = (quietly(f) for f in (np.abs, np.cos, np.exp, np.expm1, np.floor))
log, log1p, sin, sqrt = (quietly(f) for f in (np.log, np.log1p, np.sin, np.sqrt))
arctan2, maximum, minimum, where = np.arctan2, np.maximum, np.minimum, np.where

Phi = sp.ndtr
inv_Phi = sp.ndtri
std_normal_lcdf = sp.log_ndtr
std_normal_log_qf = quietly(sp.ndtri_exp)
erf, erfc, erfcx, inv_erfc = sp.erf, sp.erfc, sp.erfcx, sp.erfcinv
owens_t = sp.owens_t
digamma, lgamma, tgamma = sp.digamma, sp.gammaln, sp.gamma
gamma_p, gamma_q = sp.gammainc, sp.gammaincc
inc_beta, inv_inc_beta = sp.betainc, sp.betaincinv
inv_logit, log_inv_logit, logit = sp.expit, sp.log_expit, quietly(sp.logit)
bessel_first_kind, bessel_second_kind = quietly(sp.jv), quietly(sp.yn)
modified_bessel_first_kind, modified_bessel_second_kind = quietly(sp.iv), quietly(sp.kn)
beta = quietly(sp.beta)

# SciPy has none of these, or loses precision in the tails.
lbeta = by_jax(_special.lbeta)
log_rising_factorial = by_jax(_special.log_rising_factorial)
lgamma_positive, lgamma_rise = lgamma, log_rising_factorial
log_falling_factorial = by_jax(_special.log_falling_factorial)
log_gamma_p, log_gamma_q = by_jax(_special.log_gamma_p), by_jax(_special.log_gamma_q)
log_inc_beta = by_jax(_special.log_inc_beta)
inc_beta_of_pair = by_jax(_special.inc_beta_of_pair)
log_modified_bessel_first_kind = by_jax(_special.log_modified_bessel_first_kind)
lambert_w0, lambert_wm1 = by_jax(_special.lambert_w0), by_jax(_special.lambert_wm1)
skew_normal_lcdf = by_jax(_special.skew_normal_lcdf)
student_t_lcdf = by_jax(_special.student_t_lcdf)
von_mises_mass = by_jax(_special.von_mises_mass)
log1pmx = by_jax(_special.log1pmx)


def trigamma(x: Array) -> Array:
    """The derivative of digamma, by reflection left of 0"""
    left = x < 0
    reflected = np.square(math.pi / np.sin(math.pi * np.where(left, x, 0.5)))
    value = sp.polygamma(1, np.where(left, 1.0 - x, x))
    return np.where(left, reflected - value, value)


@quietly
def log1p_exp(x: Array) -> Array:
    """log(1 + exp(x))"""
    return np.logaddexp(0.0, x)


@quietly
def log1m_exp(x: Array) -> Array:
    """log(1 - exp(x)) for x <= 0"""
    return np.where(x > -_LOG_2, np.log(-np.expm1(x)), np.log1p(-np.exp(x)))


@quietly
def log_diff_exp(x: Array, y: Array) -> Array:
    """log(exp(x) - exp(y)) for x >= y"""
    below = np.where(x == y, 0.0, y - x)
    return x + np.where(y == -np.inf, 0.0, log1m_exp(below))


def log1m_inv_logit(x: Array) -> Array:
    """log(1 - inv_logit(x))"""
    return sp.log_expit(-x)


def log_inv_logit_diff(x: Array, y: Array) -> Array:
    """log(inv_logit(x) - inv_logit(y))"""
    return log1m_exp(y - x) + sp.log_expit(x) + sp.log_expit(-y)


@quietly
def log1m(x: Array) -> Array:
    """log(1 - x)"""
    return np.log1p(-x)


@quietly
def inv_cloglog(x: Array) -> Array:
    """1 - exp(-exp(x))"""
    return -np.expm1(-np.exp(x))


@quietly
def log_mix(theta: Array, x: Array, y: Array) -> Array:
    """log(theta exp(x) + (1 - theta) exp(y))"""
    return np.logaddexp(np.log(theta) + x, np.log1p(-theta) + y)


@quietly
def multiply_log(x: Array, y: Array) -> Array:
    """x log(y), and 0 where x is 0"""
    return sp.xlogy(x, y)


@quietly
def binary_log_loss(y: Array, probability: Array) -> Array:
    """-log(probability) where y is 1, else -log(1 - probability)"""
    return -np.log(np.where(y == 1, probability, 1.0 - probability))


@quietly
def lchoose(n: Array, k: Array) -> Array:
    """log of the binomial coefficient"""
    return -np.log1p(n) - lbeta(n - k + 1.0, k + 1.0)


@quietly
def log_i0(z: Array) -> Array:
    """log I_0(z)"""
    return np.abs(z) + np.log(sp.i0e(z))


@quietly
def log_scaled_i0(z: Array) -> Array:
    """log(exp(-|z|) I_0(z))"""
    return np.log(sp.i0e(z))


def log_erfc(x: Array) -> Array:
    """log(1 - erf(x))"""
    return _LOG_2 + sp.log_ndtr(-math.sqrt(2.0) * x)


def Phi_approx(x: Array) -> Array:
    """inv_logit(0.07056 x^3 + 1.5976 x), which is near Phi(x)"""
    return sp.expit(x * (0.07056 * x * x + 1.5976))


def std_normal_lcdf_diff(high: Array, low: Array) -> Array:
    """log(Phi(high) - Phi(low)) for high > low, taken in the tail where both are small"""
    flip = low > 0
    upper, lower = np.where(flip, -low, high), np.where(flip, -high, low)
    return log_diff_exp(sp.log_ndtr(upper), sp.log_ndtr(lower))


def lmgamma(k: Array, x: Array) -> Array:
    """The multivariate gamma function's log"""
    total = 0.25 * math.log(math.pi) * k * (k - 1.0) + np.zeros_like(x)
    for j in range(int(np.max(k))):
        total = total + np.where(j < k, sp.gammaln(np.where(j < k, x - 0.5 * j, 1.0)), 0.0)
    return total

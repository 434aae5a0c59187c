"""Distribution functions on the whole real line: log F, log(1 - F), F where it has its own form.

Elementwise functions of the variate and the parameters.
"""

from __future__ import annotations

import math
from typing import Any

from trustvi.stan.library._density_real import log_exp_mod_tail
from trustvi.stan.library._dispatch import (
    Phi,
    arctan2,
    erfcx,
    exp,
    inv_logit,
    log,
    log1m,
    log1m_exp,
    log1p,
    log_inv_logit,
    log_sum_exp,
    maximum,
    minimum,
    skew_normal_lcdf,
    std_normal_lcdf,
    student_t_lcdf,
    where,
)
from trustvi.stan.library._special_normal import SQRT_2

Array = Any
LOG_2 = math.log(2.0)
LOG_PI = math.log(math.pi)


def log1m_exp_of_minus_exp(s: Array) -> Array:
    """log(1 - exp(-exp(s))), which is s where exp(s) is tiny"""
    tiny = s < -36.0
    return where(tiny, s, log1m_exp(-exp(where(tiny, 0.0, s))))


def normal_lcdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log Phi((y - mu) / sigma)"""
    return std_normal_lcdf((y - mu) / sigma)


def normal_lccdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log Phi((mu - y) / sigma)"""
    return std_normal_lcdf((mu - y) / sigma)


def normal_cdf(y: Array, mu: Array, sigma: Array) -> Array:
    """Phi((y - mu) / sigma)"""
    return Phi((y - mu) / sigma)


def std_normal_lccdf(y: Array) -> Array:
    """log Phi(-y)"""
    return std_normal_lcdf(-y)


def _log_exp_mod_below(z: Array, excess: Array) -> Array:
    """For z < 0: Phi(z) - exp(excess (excess / 2 - z)) Phi(z - excess), by scaled tails.

    log((erfcx(-z / sqrt(2)) - erfcx((excess - z) / sqrt(2))) / 2) - z^2 / 2
    """
    difference = erfcx(-z / SQRT_2) - erfcx((excess - z) / SQRT_2)
    return log(0.5 * difference) - 0.5 * z * z


def _log_exp_mod_above(z: Array, excess: Array) -> Array:
    """log(1 - F): Phi(-z) + exp(excess (excess / 2 - z)) Phi(z - excess)"""
    return log_sum_exp(std_normal_lcdf(-z), log_exp_mod_tail(z, excess) - LOG_2)


def exp_mod_normal_lcdf(y: Array, mu: Array, sigma: Array, rate: Array) -> Array:
    """Below the mean of the normal part directly, above it by the complement"""
    z, excess = (y - mu) / sigma, rate * sigma
    low = z < 0.0
    above = log1m_exp(_log_exp_mod_above(maximum(z, 0.0), excess))
    return where(low, _log_exp_mod_below(minimum(z, 0.0), excess), above)


def exp_mod_normal_lccdf(y: Array, mu: Array, sigma: Array, rate: Array) -> Array:
    """The complement, a sum of two positive parts"""
    return _log_exp_mod_above((y - mu) / sigma, rate * sigma)


def skew_normal_lower(y: Array, mu: Array, sigma: Array, alpha: Array) -> Array:
    """log(Phi(z) - 2 T(z, alpha)) with z = (y - mu) / sigma"""
    return skew_normal_lcdf((y - mu) / sigma, alpha)


def skew_normal_upper(y: Array, mu: Array, sigma: Array, alpha: Array) -> Array:
    """The mirrored variate has shape -alpha"""
    return skew_normal_lcdf((mu - y) / sigma, -alpha)


def _two_exponentials(y: Array, mu: Array, sigma: Array, tau: Array) -> tuple[Array, Array, Array]:
    """Whether y < mu; log F below mu, and log(1 - F) above it."""
    z = (y - mu) / sigma
    below = log(tau) + 2.0 * (1.0 - tau) * minimum(z, 0.0)
    return y < mu, below, log1m(tau) - 2.0 * tau * maximum(z, 0.0)


def skew_double_exponential_lcdf(y: Array, mu: Array, sigma: Array, tau: Array) -> Array:
    """log(tau) - 2 (1 - tau) |z| below mu, with z = (y - mu) / sigma"""
    low, below, above = _two_exponentials(y, mu, sigma, tau)
    return where(low, below, log1m_exp(above))


def skew_double_exponential_lccdf(y: Array, mu: Array, sigma: Array, tau: Array) -> Array:
    """log(1 - tau) - 2 tau |z| above mu"""
    low, below, above = _two_exponentials(y, mu, sigma, tau)
    return where(low, log1m_exp(below), above)


def student_t_lower(y: Array, nu: Array, mu: Array, sigma: Array) -> Array:
    """log F((y - mu) / sigma) by the incomplete beta function"""
    return student_t_lcdf((y - mu) / sigma, nu)


def student_t_upper(y: Array, nu: Array, mu: Array, sigma: Array) -> Array:
    """By symmetry"""
    return student_t_lcdf((mu - y) / sigma, nu)


def cauchy_lcdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log(atan2(1, -z) / pi), which keeps its precision in the lower tail"""
    return log(arctan2(1.0, (mu - y) / sigma)) - LOG_PI


def cauchy_lccdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log(atan2(1, z) / pi)"""
    return log(arctan2(1.0, (y - mu) / sigma)) - LOG_PI


def _laplace(z: Array) -> Array:
    below = minimum(z, 0.0) - LOG_2
    return where(z < 0.0, below, log1p(-0.5 * exp(-maximum(z, 0.0))))


def double_exponential_lcdf(y: Array, mu: Array, sigma: Array) -> Array:
    """z - log(2) below 0, log(1 - exp(-z) / 2) above"""
    return _laplace((y - mu) / sigma)


def double_exponential_lccdf(y: Array, mu: Array, sigma: Array) -> Array:
    """By symmetry"""
    return _laplace((mu - y) / sigma)


def logistic_lcdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log_inv_logit(z)"""
    return log_inv_logit((y - mu) / sigma)


def logistic_lccdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log_inv_logit(-z)"""
    return log_inv_logit((mu - y) / sigma)


def logistic_cdf(y: Array, mu: Array, sigma: Array) -> Array:
    """inv_logit(z)"""
    return inv_logit((y - mu) / sigma)


def gumbel_lcdf(y: Array, mu: Array, beta: Array) -> Array:
    """-exp(-z)"""
    return -exp((mu - y) / beta)


def gumbel_lccdf(y: Array, mu: Array, beta: Array) -> Array:
    """log(1 - exp(-exp(-z)))"""
    return log1m_exp_of_minus_exp((mu - y) / beta)

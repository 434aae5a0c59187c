"""Distribution functions of positive and of bounded variates: log F, log(1 - F), sometimes F."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from trustvi.stan.library._cdf_real import log1m_exp_of_minus_exp
from trustvi.stan.library._dispatch import (
    Phi,
    gamma_p,
    gamma_q,
    inc_beta_of_pair,
    inv_logit,
    log,
    log1m_exp,
    log1p,
    log_gamma_p,
    log_gamma_q,
    log_inc_beta,
    std_normal_lcdf,
    von_mises_mass,
    where,
)

Array = Any
Function = Callable[..., Array]


def _from_zero(function: Function, at_zero: float) -> Function:
    """`function` of positive variates, and `at_zero` up to 0."""

    def extended(y: Array, *parameters: Array) -> Array:
        inside = y > 0.0
        return where(inside, function(where(inside, y, 1.0), *parameters), at_zero)

    extended.__doc__ = function.__doc__
    return extended


def lower(function: Function) -> Function:
    """log F of a positive variate."""
    return _from_zero(function, -math.inf)


def upper(function: Function) -> Function:
    """log(1 - F) of a positive variate; the same as F of one that starts at 0."""
    return _from_zero(function, 0.0)


@lower
def lognormal_lcdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log Phi((log(y) - mu) / sigma)"""
    return std_normal_lcdf((log(y) - mu) / sigma)


@upper
def lognormal_lccdf(y: Array, mu: Array, sigma: Array) -> Array:
    """log Phi((mu - log(y)) / sigma)"""
    return std_normal_lcdf((mu - log(y)) / sigma)


@upper
def lognormal_cdf(y: Array, mu: Array, sigma: Array) -> Array:
    """Phi((log(y) - mu) / sigma)"""
    return Phi((log(y) - mu) / sigma)


@lower
def gamma_lcdf(y: Array, alpha: Array, beta: Array) -> Array:
    """log P(alpha, beta y)"""
    return log_gamma_p(alpha, beta * y)


@upper
def gamma_lccdf(y: Array, alpha: Array, beta: Array) -> Array:
    """log Q(alpha, beta y)"""
    return log_gamma_q(alpha, beta * y)


@upper
def gamma_cdf(y: Array, alpha: Array, beta: Array) -> Array:
    """P(alpha, beta y)"""
    return gamma_p(alpha, beta * y)


@lower
def inv_gamma_lcdf(y: Array, alpha: Array, beta: Array) -> Array:
    """log Q(alpha, beta / y)"""
    return log_gamma_q(alpha, beta / y)


@upper
def inv_gamma_lccdf(y: Array, alpha: Array, beta: Array) -> Array:
    """log P(alpha, beta / y)"""
    return log_gamma_p(alpha, beta / y)


@upper
def inv_gamma_cdf(y: Array, alpha: Array, beta: Array) -> Array:
    """Q(alpha, beta / y)"""
    return gamma_q(alpha, beta / y)


def chi_square_as_gamma(function: Function) -> Function:
    """chi_square(nu) is gamma(nu / 2, 1 / 2), and their inverses likewise."""
    return lambda y, nu: function(y, 0.5 * nu, 0.5)


def scaled_as_inv_gamma(function: Function) -> Function:
    """scaled_inv_chi_square(nu, s) is inv_gamma(nu / 2, nu s^2 / 2)."""
    return lambda y, nu, s: function(y, 0.5 * nu, 0.5 * nu * s * s)


def exponential_lcdf(y: Array, beta: Array) -> Array:
    """log(1 - exp(-beta y))"""
    return log1m_exp(-beta * y)


def exponential_lccdf(y: Array, beta: Array) -> Array:
    """-beta y"""
    return -beta * y


@lower
def weibull_lcdf(y: Array, alpha: Array, sigma: Array) -> Array:
    """log(1 - exp(-(y / sigma)^alpha))"""
    return log1m_exp_of_minus_exp(alpha * (log(y) - log(sigma)))


@upper
def weibull_lccdf(y: Array, alpha: Array, sigma: Array) -> Array:
    """-(y / sigma)^alpha"""
    return -((y / sigma) ** alpha)


@lower
def frechet_lcdf(y: Array, alpha: Array, sigma: Array) -> Array:
    """-(sigma / y)^alpha"""
    return -((sigma / y) ** alpha)


@upper
def frechet_lccdf(y: Array, alpha: Array, sigma: Array) -> Array:
    """log(1 - exp(-(sigma / y)^alpha))"""
    return log1m_exp_of_minus_exp(alpha * (log(sigma) - log(y)))


@lower
def rayleigh_lcdf(y: Array, sigma: Array) -> Array:
    """log(1 - exp(-(y / sigma)^2 / 2))"""
    return log1m_exp(-0.5 * (y / sigma) ** 2)


def rayleigh_lccdf(y: Array, sigma: Array) -> Array:
    """-(y / sigma)^2 / 2"""
    return -0.5 * (y / sigma) ** 2


@upper
def loglogistic_cdf(y: Array, alpha: Array, beta: Array) -> Array:
    """1 / (1 + (y / alpha)^-beta)"""
    return inv_logit(beta * (log(y) - log(alpha)))


def pareto_lcdf(y: Array, y_min: Array, alpha: Array) -> Array:
    """log(1 - (y_min / y)^alpha) for y > y_min"""
    inside = y > y_min
    return where(inside, log1m_exp(alpha * log(y_min / where(inside, y, 2.0 * y_min))), -math.inf)


def pareto_lccdf(y: Array, y_min: Array, alpha: Array) -> Array:
    """alpha log(y_min / y) for y > y_min"""
    return alpha * log(y_min / where(y > y_min, y, y_min))


def pareto_type_2_lcdf(y: Array, mu: Array, scale: Array, alpha: Array) -> Array:
    """log(1 - (1 + (y - mu) / scale)^-alpha)"""
    return log1m_exp(pareto_type_2_lccdf(y, mu, scale, alpha))


def pareto_type_2_lccdf(y: Array, mu: Array, scale: Array, alpha: Array) -> Array:
    """-alpha log(1 + (y - mu) / scale)"""
    return -alpha * log1p((y - mu) / scale)


def beta_lcdf(y: Array, a: Array, b: Array) -> Array:
    """log I_y(a, b)"""
    return log_inc_beta(a, b, y, 1.0 - y)


def beta_lccdf(y: Array, a: Array, b: Array) -> Array:
    """log I_{1 - y}(b, a)"""
    return log_inc_beta(b, a, 1.0 - y, y)


def beta_cdf(y: Array, a: Array, b: Array) -> Array:
    """I_y(a, b)"""
    return inc_beta_of_pair(a, b, y, 1.0 - y)


def as_beta(function: Function) -> Function:
    """beta_proportion(mu, kappa) is beta(mu kappa, (1 - mu) kappa)."""
    return lambda y, mu, kappa: function(y, mu * kappa, (1.0 - mu) * kappa)


def von_mises_cdf(y: Array, mu: Array, kappa: Array) -> Array:
    """The mass between -pi and y"""
    return von_mises_mass(y - mu, kappa) - von_mises_mass(-math.pi - mu, kappa)


def von_mises_lcdf(y: Array, mu: Array, kappa: Array) -> Array:
    """log of the mass between -pi and y"""
    return log(von_mises_cdf(y, mu, kappa))


def von_mises_lccdf(y: Array, mu: Array, kappa: Array) -> Array:
    """log of the mass between y and pi"""
    return log(von_mises_mass(math.pi - mu, kappa) - von_mises_mass(y - mu, kappa))


def _within(function: Function, outside: float) -> Function:
    """`function` between the bounds. Beyond either of them Stan says `outside`."""

    def bounded(y: Array, low: Array, high: Array) -> Array:
        inside = (low <= y) & (y <= high)
        middle = where(inside, y, 0.5 * (low + high))
        return where(inside, function(middle, low, high), outside)

    bounded.__doc__ = function.__doc__
    return bounded


uniform_cdf = _within(lambda y, low, high: (y - low) / (high - low), 0.0)
uniform_lcdf = _within(lambda y, low, high: log((y - low) / (high - low)), -math.inf)
uniform_lccdf = _within(lambda y, low, high: log((high - y) / (high - low)), 0.0)

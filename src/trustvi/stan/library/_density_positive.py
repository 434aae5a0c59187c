"""Log densities of distributions of positive variates."""

from __future__ import annotations

from typing import Any

from trustvi.stan.library._density_real import HALF_LOG_2_PI, LOG_2
from trustvi.stan.library._dispatch import exp, lgamma_positive, log, log1p, log1p_exp, where
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._terms import Terms

Array = Any


def _supported(terms: Terms, y: Array, *parameters: Array) -> Array:
    """y where it is positive, else 1; there the density is -inf."""
    inside = y > 0.0
    terms.support(inside, y, *parameters)
    return where(inside, y, 1.0)


def lognormal(terms: Terms, y: Array, mu: Array, sigma: Array) -> None:
    """-((log(y) - mu) / sigma)^2 / 2 - log(sigma) - log(y) - log(2 pi) / 2"""
    log_y = log(_supported(terms, y, mu, sigma))
    inverse = 1.0 / sigma
    terms.add_squares(log_y, mu, (inverse, inverse, -0.5), y, mu, sigma)
    terms.add(-log(sigma), sigma)
    terms.add(-log_y, y)
    terms.add(-HALF_LOG_2_PI, y, mu, sigma)


def chi_square(terms: Terms, y: Array, nu: Array) -> None:
    """(nu / 2 - 1) log(y) - y / 2 - nu / 2 log(2) - lgamma(nu / 2)"""
    half = 0.5 * nu
    terms.add_product((half - 1.0, log(y)), y, nu)
    terms.add(-0.5 * y, y)
    terms.add(-half * LOG_2 - lgamma_positive(half), nu)


def inv_chi_square(terms: Terms, y: Array, nu: Array) -> None:
    """-(nu / 2 + 1) log(y) - 1 / (2 y) - nu / 2 log(2) - lgamma(nu / 2)"""
    half, y = 0.5 * nu, _supported(terms, y, nu)
    terms.add_product((-(half + 1.0), log(y)), y, nu)
    terms.add(-0.5 / y, y)
    terms.add(-half * LOG_2 - lgamma_positive(half), nu)


def scaled_inv_chi_square(terms: Terms, y: Array, nu: Array, s: Array) -> None:
    """nu/2 log(nu/2) - lgamma(nu/2) + nu log(s) - (nu/2 + 1) log(y) - nu s^2 / (2 y)"""
    half, y = 0.5 * nu, _supported(terms, y, nu, s)
    terms.add(half * log(half) - lgamma_positive(half), nu)
    terms.add_product((nu, log(s)), nu, s)
    terms.add_product((-(half + 1.0), log(y)), y, nu)
    terms.add_product((1.0 / y, -half * s * s), y, nu, s)


def exponential(terms: Terms, y: Array, beta: Array) -> None:
    """log(beta) - beta y"""
    terms.add(log(beta), beta)
    terms.add_product((-beta, y), y, beta)


def gamma(terms: Terms, y: Array, alpha: Array, beta: Array) -> None:
    """alpha log(beta) - lgamma(alpha) + (alpha - 1) log(y) - beta y"""
    terms.add(-lgamma_positive(alpha), alpha)
    terms.add_product((alpha, log(beta)), alpha, beta)
    terms.add_product((alpha - 1.0, log(y)), y, alpha)
    terms.add_product((-beta, y), y, beta)


def inv_gamma(terms: Terms, y: Array, alpha: Array, beta: Array) -> None:
    """alpha log(beta) - lgamma(alpha) - (alpha + 1) log(y) - beta / y"""
    y = _supported(terms, y, alpha, beta)
    terms.add(-lgamma_positive(alpha), alpha)
    terms.add_product((alpha, log(beta)), alpha, beta)
    terms.add_product((-(alpha + 1.0), log(y)), y, alpha)
    terms.add_product((-beta, 1.0 / y), y, beta)


def weibull(terms: Terms, y: Array, alpha: Array, sigma: Array) -> None:
    """log(alpha) + (alpha - 1) log(y) - alpha log(sigma) - (y / sigma)^alpha"""
    inside = y >= 0.0
    terms.support(inside, y, alpha, sigma)
    log_y, log_sigma = log(where(inside, y, 1.0)), log(sigma)
    terms.add(log(alpha), alpha)
    terms.add_product((alpha - 1.0, log_y), y, alpha)
    terms.add_product((-alpha, log_sigma), alpha, sigma)
    terms.add(-exp(alpha * (log_y - log_sigma)), y, alpha, sigma)


def frechet(terms: Terms, y: Array, alpha: Array, sigma: Array) -> None:
    """log(alpha) - (alpha + 1) log(y) + alpha log(sigma) - (sigma / y)^alpha"""
    log_y, log_sigma = log(y), log(sigma)
    terms.add(log(alpha), alpha)
    terms.add_product((-(alpha + 1.0), log_y), y, alpha)
    terms.add_product((alpha, log_sigma), alpha, sigma)
    terms.add(-exp(alpha * (log_sigma - log_y)), y, alpha, sigma)


def rayleigh(terms: Terms, y: Array, sigma: Array) -> None:
    """log(y) - 2 log(sigma) - y^2 / (2 sigma^2)"""
    inverse = 1.0 / sigma
    terms.add_product((y * y, inverse, -0.5 * inverse), y, sigma)
    terms.add(-2.0 * log(sigma), sigma)
    terms.add(log(y), y)


def loglogistic(terms: Terms, y: Array, alpha: Array, beta: Array) -> None:
    """log(beta / alpha) + (beta - 1) log(y / alpha) - 2 log(1 + (y / alpha)^beta)"""
    log_y, log_alpha = log(y), log(alpha)
    terms.add(log(beta) - beta * log_alpha, alpha, beta)
    terms.add_product((beta - 1.0, log_y), y, alpha, beta)
    terms.add(-2.0 * log1p_exp(beta * (log_y - log_alpha)), y, alpha, beta)


def pareto(terms: Terms, y: Array, y_min: Array, alpha: Array) -> None:
    """log(alpha) + alpha log(y_min) - (alpha + 1) log(y) for y >= y_min"""
    terms.support(y >= y_min, y, y_min, alpha)
    terms.add(log(alpha), alpha)
    terms.add_product((alpha, log(y_min)), y_min, alpha)
    positive = y if is_traced(y) else where(y > 0.0, y, 1.0)
    terms.add_product((-(alpha + 1.0), log(positive)), y, alpha)


def pareto_type_2(terms: Terms, y: Array, mu: Array, scale: Array, alpha: Array) -> None:
    """log(alpha / scale) - (alpha + 1) log(1 + (y - mu) / scale) for y >= mu"""
    terms.add(log(alpha), alpha)
    terms.add(-log(scale), scale)
    terms.add_product((-(alpha + 1.0), log1p((y - mu) / scale)), y, mu, scale, alpha)

"""Distributions of correlation and covariance matrices and of their Cholesky factors.

Matrices are (lanes, K, K, draws). Which constants stay under `propto` is as in Stan, where it is
not always what the formula would say.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from trustvi.stan.library._factor import cholesky, diagonal, sum_log_diagonal, transposed, whiten
from trustvi.stan.library._matrix_checks import (
    check_correlation,
    check_definite,
    check_match,
    check_square,
    check_symmetric,
)
from trustvi.stan.library._namespace import is_traced, namespace, special
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any
LOG_2, LOG_PI = math.log(2.0), math.log(math.pi)
HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)


# --------------------------------------------------------------------------- correlations


def _log_lkj_normaliser(eta: Array, size: int) -> Array:
    """sum_k lgamma(eta + (K - 1) / 2) - lgamma(eta + (K - 1 - k) / 2) - k log(pi) / 2, k < K

    D. Lewandowski, D. Kurowicka, H. Joe, "Generating random correlation matrices based on vines
    and extended onion method", 2009, equation 16.
    """
    total = -0.25 * size * (size - 1) * LOG_PI
    for k in range(1, size):
        base = eta + 0.5 * (size - 1 - k)
        total = total + special(eta).lgamma_rise(base, np.full((1, 1), 0.5 * k))
    return total + np.zeros((1, 1))


def lkj_corr(terms: Terms, matrix: Array, eta: Array) -> None:
    """(eta - 1) log det Omega, normalised"""
    terms.check("Shape parameter", eta, "positive")
    check_correlation(terms, "Correlation matrix", matrix)
    factor, exists = cholesky(matrix)
    check_definite(terms, "Correlation matrix", exists)
    terms.add(_log_lkj_normaliser(eta, matrix.shape[1]), eta)
    if is_traced(eta) or np.any(eta != 1):
        terms.add(2.0 * (eta - 1.0) * sum_log_diagonal(factor), matrix, eta)


def lkj_corr_cholesky(terms: Terms, factor: Array, eta: Array) -> None:
    """sum_k (K - k + 2 eta - 2) log(L_kk), normalised"""
    terms.check("Shape parameter", eta, "positive")
    check_square(terms, "Random variable", factor)
    size = factor.shape[1]
    terms.add(_log_lkj_normaliser(eta, size), eta)
    powers = np.arange(size - 1, -1, -1.0)[None, :, None] + 2.0 * (eta[:, None] - 1.0)
    logs = namespace(factor).log(diagonal(factor))
    # The first entry is 1, whatever its power.
    terms.add((powers * logs)[:, 1:].sum(axis=1), factor, eta)


def lkj_cov(terms: Terms, matrix: Array, mu: Array, sigma: Array, eta: Array) -> None:
    """Lognormal(mu_k, sigma_k) standard deviations, and an LKJ correlation matrix."""
    check_match(
        terms,
        "Rows of location parameter",
        mu.shape[1],
        "columns of scale parameter",
        sigma.shape[1],
    )
    check_match(
        terms, "Rows of random variable", matrix.shape[1], "rows of location parameter", mu.shape[1]
    )
    check_symmetric(terms, "Covariance matrix", matrix)
    terms.check("Location parameter", mu, "finite", natural=True)
    terms.check("Scale parameter", sigma, "positive finite")
    terms.check("Shape parameter", eta, "positive")
    logs = 0.5 * namespace(matrix).log(diagonal(matrix))
    residual = (logs - mu) / sigma
    terms.add(np.full((1, 1), -HALF_LOG_2_PI * matrix.shape[1]), matrix, mu, sigma)
    terms.add(-namespace(sigma).log(sigma).sum(axis=1), sigma)
    terms.add(-logs.sum(axis=1), matrix)
    terms.add(-0.5 * (residual**2).sum(axis=1), matrix, mu, sigma)
    factor, exists = cholesky(matrix)
    check_definite(terms, "Covariance matrix", exists)
    terms.add(_log_lkj_normaliser(eta, matrix.shape[1]), eta)
    log_det = sum_log_diagonal(factor) - logs.sum(axis=1)
    terms.add(2.0 * (eta - 1.0) * log_det, matrix, eta)


# --------------------------------------------------------------------------- covariances


def _check_degrees(terms: Terms, nu: Array, size: int) -> None:
    terms.check_order("Degrees of freedom parameter", nu, ">", np.full((1, 1), size - 1.0))


def _factors(terms: Terms, matrix: Array, scale: Array) -> tuple[Array, Array]:
    """The Cholesky factors of the random variable and of the scale matrix."""
    check_symmetric(terms, "Random variable", matrix)
    check_symmetric(terms, "Scale parameter", scale)
    check_match(
        terms,
        "Rows of random variable",
        matrix.shape[1],
        "columns of scale parameter",
        scale.shape[1],
    )
    pairs = []
    for what, each in (("Random variable", matrix), ("Scale parameter", scale)):
        factor, exists = cholesky(each)
        check_definite(terms, f"LDLT_Factor of {what.lower()}", exists)
        pairs.append(factor)
    return pairs[0], pairs[1]


def _check_factors(terms: Terms, factor: Array, scale: Array) -> None:
    """Two lower triangular matrices with positive diagonals, of one size."""
    for what, each in (("Random variable", factor), ("Scale parameter", scale)):
        check_square(terms, f"Cholesky {what}", each)
        terms.check(f"Cholesky {what}", diagonal(each), "positive")
    check_match(
        terms,
        "Rows of random variable",
        factor.shape[1],
        "columns of scale parameter",
        scale.shape[1],
    )


def _norm(factor: Array, columns: Array) -> Array:
    """The sum of squares of L^-1 M, (lanes, draws)."""
    return (whiten(factor, transposed(columns)) ** 2).sum(axis=(1, 2))


def _log_gamma(nu: Array, size: int) -> Array:
    """The log of the multivariate gamma function at nu / 2."""
    return special(nu).lmgamma(np.full((1, 1), size), 0.5 * nu)


def _add_normaliser(terms: Terms, nu: Array, size: int) -> None:
    """-nu K log(2) / 2 - log of the multivariate gamma function at nu / 2"""
    terms.add(-0.5 * LOG_2 * size * nu - _log_gamma(nu, size), nu)


def _log_jacobian(factor: Array, extra: Array) -> Array:
    """sum_k (extra + K - k + 1) log(L_kk), k = 1, ..., K"""
    size = factor.shape[1]
    powers = extra[:, None] + np.arange(size, 0, -1.0)[None, :, None]
    return (powers * namespace(factor).log(diagonal(factor))).sum(axis=1)


def wishart(terms: Terms, matrix: Array, nu: Array, scale: Array) -> None:
    """(nu - K - 1) log det W / 2 - tr(S^-1 W) / 2 - nu log det S / 2, normalised"""
    size = matrix.shape[1]
    _check_degrees(terms, nu, size)
    factor, scale_factor = _factors(terms, matrix, scale)
    _add_normaliser(terms, nu, size)
    terms.add(-nu * sum_log_diagonal(scale_factor), nu, scale)
    terms.add(-0.5 * _norm(scale_factor, factor), matrix, scale)
    terms.add((nu - size - 1.0) * sum_log_diagonal(factor), matrix, nu)


def wishart_cholesky(terms: Terms, factor: Array, nu: Array, scale: Array) -> None:
    """The density of L L' ~ Wishart(nu, S), times 2^K prod L_kk^(K - k + 1)"""
    size = factor.shape[1]
    _check_degrees(terms, nu, size)
    _check_factors(terms, factor, scale)
    _add_normaliser(terms, nu, size)
    terms.add(np.full((1, 1), LOG_2 * size), nu)
    terms.add(-nu * sum_log_diagonal(scale), factor, nu, scale)
    terms.add(-0.5 * _norm(scale, factor), factor, nu, scale)
    terms.add(_log_jacobian(factor, nu - size - 1.0), factor, nu, scale)


def inv_wishart(terms: Terms, matrix: Array, nu: Array, scale: Array) -> None:
    """-(nu + K + 1) log det W / 2 - tr(S W^-1) / 2 + nu log det S / 2, normalised"""
    size = matrix.shape[1]
    _check_degrees(terms, nu, size)
    factor, scale_factor = _factors(terms, matrix, scale)
    terms.add(-0.5 * LOG_2 * size * nu, nu, scale)
    terms.add(-_log_gamma(nu, size), nu)
    terms.add(nu * sum_log_diagonal(scale_factor), nu, scale)
    terms.add(-0.5 * _norm(factor, scale_factor), matrix, scale)
    terms.add(-(nu + size + 1.0) * sum_log_diagonal(factor), matrix, nu, scale)


def inv_wishart_cholesky(terms: Terms, factor: Array, nu: Array, scale: Array) -> None:
    """The density of L L' ~ InvWishart(nu, S), times 2^K prod L_kk^(K - k + 1)"""
    size = factor.shape[1]
    _check_degrees(terms, nu, size)
    _check_factors(terms, factor, scale)
    _add_normaliser(terms, nu, size)
    terms.add(np.full((1, 1), LOG_2 * size), nu)
    terms.add(nu * sum_log_diagonal(scale), factor, nu, scale)
    terms.add(-0.5 * _norm(factor, scale), factor, nu, scale)
    terms.add(_log_jacobian(factor, -(nu + size + 1.0)), factor, nu, scale)


_LKJ = spelled("(matrix, real) => real")
_WISHART = spelled("(matrix, real, matrix) => real")
_LKJ_COV = spelled("(matrix, vector, vector, real) => real")

ROWS = tuple(
    Row(name, signatures, Convention.MULTIVARIATE, implementation)
    for name, signatures, implementation in (
        ("lkj_corr_lpdf", _LKJ, lkj_corr),
        ("lkj_corr_cholesky_lpdf", _LKJ, lkj_corr_cholesky),
        ("lkj_cov_lpdf", _LKJ_COV, lkj_cov),
        ("wishart_lpdf", _WISHART, wishart),
        ("wishart_cholesky_lpdf", _WISHART, wishart_cholesky),
        ("inv_wishart_lpdf", _WISHART, inv_wishart),
        ("inv_wishart_cholesky_lpdf", _WISHART, inv_wishart_cholesky),
    )
)

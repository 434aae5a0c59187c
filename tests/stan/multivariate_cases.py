"""Multivariate densities: random arguments for them, and independent formulas by SciPy.

An oracle takes one lane and one draw: event arrays.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy import special, stats

K = 3
Array = np.ndarray
Maker = Callable[[np.random.Generator], Any]


# --------------------------------------------------------------------------- arguments


def vector(size: int = K) -> Maker:
    return lambda rng: rng.normal(size=size)


def rows(number: int, size: int = K) -> Maker:
    return lambda rng: rng.normal(size=(number, size))


def positive(*shape: int, low: float = 0.5) -> Maker:
    return lambda rng: low + rng.gamma(2.0, size=shape)


def factor(size: int = K) -> Maker:
    def make(rng: np.random.Generator) -> Array:
        return np.tril(rng.normal(size=(size, size)), -1) + np.diag(0.5 + rng.gamma(2, size=size))

    return make


def covariance(size: int = K) -> Maker:
    def make(rng: np.random.Generator) -> Array:
        root = factor(size)(rng)
        return root @ root.T

    return make


def correlation_factor(rng: np.random.Generator) -> Array:
    root = factor()(rng)
    return root / np.linalg.norm(root, axis=1, keepdims=True)


def correlation(rng: np.random.Generator) -> Array:
    root = correlation_factor(rng)
    return root @ root.T


def simplex(*shape: int) -> Maker:
    return lambda rng: rng.dirichlet(np.full(K, 2.0), size=shape)


def counts(rng: np.random.Generator) -> Array:
    return rng.integers(0, 6, size=K)


# --------------------------------------------------------------------------- oracles


def _each(y: Array, mu: Array) -> list[tuple[Array, Array]]:
    return list(zip(*np.broadcast_arrays(np.atleast_2d(y), np.atleast_2d(mu)), strict=True))


def multi_normal(y: Array, mu: Array, sigma: Array) -> float:
    return sum(stats.multivariate_normal.logpdf(a, b, sigma) for a, b in _each(y, mu))


def multi_student_t(y: Array, nu: float, mu: Array, sigma: Array) -> float:
    return sum(stats.multivariate_t.logpdf(a, b, sigma, df=nu) for a, b in _each(y, mu))


def of_factor(oracle: Callable[..., float]) -> Callable[..., float]:
    """The oracle of a covariance, given its factor as the last argument."""
    return lambda *args: oracle(*args[:-1], args[-1] @ args[-1].T)


def multi_gp(y: Array, sigma: Array, w: Array) -> float:
    zero = np.zeros(len(sigma))
    return sum(
        stats.multivariate_normal.logpdf(row, zero, sigma / scale)
        for row, scale in zip(y, w, strict=True)
    )


def dirichlet(theta: Array, alpha: Array) -> float:
    pairs = _each(theta, alpha)
    return sum(stats.dirichlet.logpdf(one / one.sum(), other) for one, other in pairs)


def multinomial(n: Array, theta: Array) -> float:
    return stats.multinomial.logpmf(n, n.sum(), theta)


def multinomial_logit(n: Array, gamma: Array) -> float:
    return multinomial(n, special.softmax(gamma))


def dirichlet_multinomial(n: Array, alpha: Array) -> float:
    return stats.dirichlet_multinomial.logpmf(n, alpha, n.sum())


def lkj_corr(matrix: Array, eta: float) -> float:
    """Normalised by beta functions: Lewandowski et al. (2009), equation 17."""
    size = len(matrix)
    log_constant = 0.0
    for k in range(1, size):
        shape = eta + 0.5 * (size - k - 1)
        log_constant += (2 * eta - 2 + size - k) * (size - k) * math.log(2)
        log_constant += (size - k) * special.betaln(shape, shape)
    return (eta - 1) * np.linalg.slogdet(matrix)[1] - log_constant


def _log_jacobian(of: Callable[[Any], Any], at: Array, below: int) -> float:
    """log |d of(L) / dL|, both as their entries at and below the diagonal `below`."""
    return float(np.linalg.slogdet(_jacobian(of, below)(jnp.asarray(at)))[1])


@functools.cache
def _jacobian(of: Callable[[Any], Any], below: int) -> Callable[[Any], Any]:
    def matrix(at: Any) -> Any:
        inside = np.tril_indices(len(at), below)
        return jax.jacfwd(lambda x: of(at.at[inside].set(x))[inside])(at[inside])

    return jax.jit(matrix)


def _unit_rows(lower: Any) -> Any:
    """L with the diagonal that gives rows of length 1, times its transpose."""
    strict = jnp.tril(lower, -1)
    full = strict + jnp.diag(jnp.sqrt(1 - jnp.sum(strict**2, axis=1)))
    return full @ full.T


def lkj_corr_cholesky(lower: Array, eta: float) -> float:
    return lkj_corr(lower @ lower.T, eta) + _log_jacobian(_unit_rows, lower, -1)


def lkj_cov(matrix: Array, mu: Array, sigma: Array, eta: float) -> float:
    scales = np.sqrt(np.diag(matrix))
    marginal = stats.lognorm.logpdf(scales, sigma, scale=np.exp(mu)).sum()
    return marginal + lkj_corr(matrix / np.outer(scales, scales), eta)


def wishart(matrix: Array, nu: float, scale: Array) -> float:
    return stats.wishart.logpdf(matrix, float(nu), scale)


def inv_wishart(matrix: Array, nu: float, scale: Array) -> float:
    return stats.invwishart.logpdf(matrix, float(nu), scale)


def _squared(lower: Any) -> Any:
    return jnp.tril(lower) @ jnp.tril(lower).T


def of_factors(oracle: Callable[..., float]) -> Callable[..., float]:
    """The density of L, from that of L L'; the scale is given by its factor, too."""

    def density(lower: Array, nu: float, scale: Array) -> float:
        value = oracle(lower @ lower.T, nu, scale @ scale.T)
        return value + _log_jacobian(_squared, lower, 0)

    return density


def gaussian_dlm(
    y: Array, design: Array, evolution: Array, v: Array, w: Array, m0: Array, c0: Array
) -> float:
    """The joint normal density of all observations, from the covariances of all states."""
    times = y.shape[1]
    noise = np.diag(v) if v.ndim == 1 else v
    mean, spread = m0, c0
    means, covariances = [], [[None] * times for _ in range(times)]
    for t in range(times):
        mean, spread = evolution @ mean, evolution @ spread @ evolution.T + w
        means.append(design.T @ mean)
        ahead = spread
        for s in range(t, times):
            covariances[s][t] = design.T @ ahead @ design + (noise if s == t else 0.0)
            covariances[t][s] = covariances[s][t].T
            ahead = evolution @ ahead
    joint = stats.multivariate_normal(np.concatenate(means), np.block(covariances))
    return joint.logpdf(y.T.reshape(-1))


# --------------------------------------------------------------------------- the table


@dataclass(frozen=True)
class Case:
    name: str
    oracle: Callable[..., float]
    makers: tuple[Maker, ...]
    integers: int = 0
    """How many arguments, from the first, are integers."""
    label: str = ""

    def __str__(self) -> str:
        return self.name + self.label

    def argument(self, i: int, rng: np.random.Generator, lanes: int, draws: int) -> Array:
        """Random values (lanes, *event, draws) of the i-th argument."""
        values = [[np.asarray(self.makers[i](rng)) for _ in range(draws)] for _ in range(lanes)]
        return np.moveaxis(np.array(values), 1, -1)


_Y, _NU, _ETA = vector(), positive(low=K), positive()
_NORMAL = (
    ("", vector(), vector()),
    (" rows", rows(2), rows(2)),
    (" many", rows(7), vector()),
    (" means", vector(), rows(7)),
)
_DLM = (*(rows(2, 4), rows(K, 2), rows(K), covariance(2), covariance(), vector(), covariance()),)

CASES = (
    *(
        Case(name, oracle, (y, mu, scale), label=label)
        for name, oracle, scale in (
            ("multi_normal_lpdf", multi_normal, covariance()),
            ("multi_normal_cholesky_lpdf", of_factor(multi_normal), factor()),
            (
                "multi_normal_prec_lpdf",
                lambda y, mu, p: multi_normal(y, mu, np.linalg.inv(p)),
                covariance(),
            ),
        )
        for label, y, mu in _NORMAL
    ),
    *(
        Case(name, oracle, (y, _NU, mu, scale), label=label)
        for name, oracle, scale in (
            ("multi_student_t_lpdf", multi_student_t, covariance()),
            ("multi_student_t_cholesky_lpdf", of_factor(multi_student_t), factor()),
        )
        for label, y, mu in _NORMAL[:3]
    ),
    Case("multi_gp_lpdf", multi_gp, (rows(2), covariance(), positive(2))),
    Case(
        "multi_gp_cholesky_lpdf",
        lambda y, lower, w: multi_gp(y, lower @ lower.T, w),
        (rows(2), factor(), positive(2)),
    ),
    Case("dirichlet_lpdf", dirichlet, (simplex(), positive(K))),
    Case("dirichlet_lpdf", dirichlet, (simplex(4), positive(K)), label=" many"),
    Case("dirichlet_lpdf", dirichlet, (simplex(), positive(4, K)), label=" priors"),
    Case("dirichlet_lpdf", dirichlet, (simplex(4), positive(4, K)), label=" rows"),
    Case("dirichlet_multinomial_lpmf", dirichlet_multinomial, (counts, positive(K)), 1),
    Case("multinomial_lpmf", multinomial, (counts, simplex()), 1),
    Case("multinomial_logit_lpmf", multinomial_logit, (counts, vector()), 1),
    Case("lkj_corr_lpdf", lkj_corr, (correlation, _ETA)),
    Case("lkj_corr_cholesky_lpdf", lkj_corr_cholesky, (correlation_factor, _ETA)),
    Case("lkj_cov_lpdf", lkj_cov, (covariance(), vector(), positive(K), _ETA)),
    Case("wishart_lpdf", wishart, (covariance(), _NU, covariance())),
    Case("inv_wishart_lpdf", inv_wishart, (covariance(), _NU, covariance())),
    Case("wishart_cholesky_lpdf", of_factors(wishart), (factor(), _NU, factor())),
    Case("inv_wishart_cholesky_lpdf", of_factors(inv_wishart), (factor(), _NU, factor())),
    Case("gaussian_dlm_obs_lpdf", gaussian_dlm, _DLM),
    Case(
        "gaussian_dlm_obs_lpdf",
        gaussian_dlm,
        (*_DLM[:3], positive(2), *_DLM[4:]),
        label=" diagonal",
    ),
)

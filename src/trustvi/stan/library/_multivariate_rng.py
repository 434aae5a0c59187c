"""Random vectors, matrices and counts: functions of a key and of arguments without lanes or draws.

The checks are those of arguments known now.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._cumulative import cumulative_sum
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._requirements import require_simplex
from trustvi.stan.library._signatures import expanded, spelled
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any


def _require(name: str, holds: Any, message: str) -> None:
    if not is_traced(holds) and not np.all(holds):
        raise StanRuntimeError(f"{name}: {message}")


def _factor(name: str, what: str, matrix: Array) -> Array:
    """The Cholesky factor of a symmetric positive definite matrix."""
    _require(name, matrix.shape[0] == matrix.shape[1], f"{what} must be a square matrix")
    if not is_traced(matrix):
        _require(name, np.abs(matrix - matrix.T) <= 1e-8, f"{what} is not symmetric.")
        try:
            return np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            raise StanRuntimeError(f"{name}: {what} is not positive definite.") from None
    return jnp.linalg.cholesky(matrix)


def _match(name: str, one: str, size: int, other: str, other_size: int) -> None:
    _require(
        name, size == other_size, f"{one} ({size}) and {other} ({other_size}) must match in size"
    )


# --------------------------------------------------------------------------- vectors


def _noise(key: Array, name: str, mu: Array, factor: Array) -> Array:
    """Vectors with mean zero and covariance L L', as many as mu has."""
    _match(
        name, "Size of location parameter", mu.shape[-1], "rows of scale matrix", factor.shape[0]
    )
    return jax.random.normal(key, mu.shape) @ jnp.tril(factor).T


def multi_normal_rng(key: Array, mu: Array, covariance: Array) -> Array:
    name = "multi_normal_rng"
    return mu + _noise(key, name, mu, _factor(name, "Covariance matrix", covariance))


def multi_normal_cholesky_rng(key: Array, mu: Array, factor: Array) -> Array:
    return mu + _noise(key, "multi_normal_cholesky_rng", mu, factor)


def _student_t(key: Array, name: str, nu: Array, mu: Array, factor: Array) -> Array:
    """Normal vectors, each divided by the root of a gamma(nu / 2, nu / 2) variable."""
    _require(name, nu > 0, "Degrees of freedom parameter must be positive!")
    one, other = jax.random.split(key)
    gamma = jax.random.gamma(one, 0.5 * nu, mu.shape[:-1]) / (0.5 * nu)
    gamma = jnp.where(jnp.isinf(nu), 1.0, gamma)
    return mu + _noise(other, name, mu, factor) / jnp.sqrt(gamma)[..., None]


def multi_student_t_rng(key: Array, nu: Array, mu: Array, scale: Array) -> Array:
    name = "multi_student_t_rng"
    return _student_t(key, name, nu, mu, _factor(name, "Scale matrix", scale))


def multi_student_t_cholesky_rng(key: Array, nu: Array, mu: Array, factor: Array) -> Array:
    return _student_t(key, "multi_student_t_cholesky_rng", nu, mu, factor)


# --------------------------------------------------------------------------- compositions


def dirichlet_rng(key: Array, alpha: Array) -> Array:
    """Gamma variables divided by their sum; their logs, so that small alpha do no harm."""
    _require("dirichlet_rng", alpha > 0, "prior sample sizes must be positive!")
    return jax.nn.softmax(jax.random.loggamma(key, jnp.asarray(alpha, float)))


def _multinomial(key: Array, theta: Array, total: Array) -> Array:
    """Counts one after the other: each is binomial, given those before."""
    later = cumulative_sum(jnp.asarray(theta), axis=0, reverse=True)
    shares = jnp.clip(jnp.where(later > 0, theta / jnp.where(later > 0, later, 1.0), 0.0), 0.0, 1.0)
    shares = shares.at[-1].set(1.0)

    def step(left: Array, row: tuple[Array, Array]) -> tuple[Array, Array]:
        key, share = row
        drawn = jnp.where(share >= 1.0, left, jax.random.binomial(key, left, share))
        return left - drawn, drawn

    keys = jax.random.split(key, shares.size)
    _, counts = jax.lax.scan(step, jnp.asarray(total, float), (keys, shares))
    return counts.astype(jnp.int64)


def multinomial_rng(key: Array, theta: Array, total: Array) -> Array:
    terms = Terms("multinomial_rng")
    require_simplex(terms, "Probabilities parameter", theta[None, :, None])
    _require("multinomial_rng", total >= 0, "number of trials variable must be nonnegative!")
    return _multinomial(key, theta, total)


def multinomial_logit_rng(key: Array, gamma: Array, total: Array) -> Array:
    _require("multinomial_logit_rng", total >= 0, "number of trials must be nonnegative!")
    return _multinomial(key, jax.nn.softmax(jnp.asarray(gamma)), total)


def dirichlet_multinomial_rng(key: Array, alpha: Array, total: Array) -> Array:
    name = "dirichlet_multinomial_rng"
    _require(name, alpha > 0, "prior size parameter must be positive!")
    _require(name, total >= 0, "number of trials variable must be nonnegative!")
    one, other = jax.random.split(key)
    theta = jax.nn.softmax(jax.random.loggamma(one, jnp.asarray(alpha, float)))
    return _multinomial(other, theta, total)


# --------------------------------------------------------------------------- matrices


def lkj_corr_cholesky_rng(key: Array, size: int, eta: Array) -> Array:
    """From independent partial correlations z_ij in (-1, 1), where (1 + z) / 2 is beta(b_j, b_j)

    with b_j = eta + (K - 1 - j) / 2: row i of L is z_ij times the root of what is left of 1.
    """
    _require("lkj_corr_cholesky_rng", eta > 0, "Shape parameter must be positive!")
    if size == 0:
        return jnp.zeros((0, 0))
    shapes = jnp.asarray(eta + 0.5 * (size - 2.0 - np.arange(size)))
    shapes = jnp.maximum(jnp.broadcast_to(shapes, (size, size)), 1e-3)
    inside = np.tri(size, k=-1, dtype=bool)
    partial = 2.0 * jax.random.beta(key, shapes, shapes) - 1.0
    partial = jnp.where(inside, partial, np.eye(size))
    left = jnp.cumprod(jnp.sqrt(jnp.where(inside, 1.0 - partial**2, 1.0)), axis=1)
    before = jnp.concatenate([jnp.ones((size, 1)), left[:, :-1]], axis=1)
    return jnp.tril(partial * before)


def lkj_corr_rng(key: Array, size: int, eta: Array) -> Array:
    factor = lkj_corr_cholesky_rng(key, size, eta)
    return factor @ factor.T


def _bartlett(key: Array, nu: Array, size: int) -> Array:
    """The lower triangular factor of a Wishart matrix with scale 1: standard normal below the
    diagonal, whose squares are chi-square with nu, nu - 1, ... degrees of freedom."""
    one, other = jax.random.split(key)
    degrees = jnp.maximum(nu - np.arange(size), 1e-3)
    roots = jnp.sqrt(2.0 * jax.random.gamma(one, 0.5 * degrees))
    return jnp.tril(jax.random.normal(other, (size, size)), -1) + jnp.diag(roots)


def _check_degrees(name: str, nu: Array, size: int) -> None:
    _require(name, nu > size - 1, f"degrees of freedom parameter must be greater than {size - 1}!")


def _inverse_factor(key: Array, nu: Array, factor: Array) -> Array:
    """M with M M' ~ InvWishart(nu, L L'): with B from Bartlett's decomposition, M = L B'^-1."""
    bartlett = _bartlett(key, nu, factor.shape[0])
    return jax.scipy.linalg.solve_triangular(bartlett, jnp.asarray(factor).T, lower=True).T


def wishart_rng(key: Array, nu: Array, scale: Array) -> Array:
    name = "wishart_rng"
    _check_degrees(name, nu, scale.shape[0])
    factor = _factor(name, "scale parameter", scale)
    root = factor @ _bartlett(key, nu, scale.shape[0])
    return root @ root.T


def wishart_cholesky_rng(key: Array, nu: Array, factor: Array) -> Array:
    _check_degrees("wishart_cholesky_rng", nu, factor.shape[0])
    return jnp.tril(factor) @ _bartlett(key, nu, factor.shape[0])


def inv_wishart_rng(key: Array, nu: Array, scale: Array) -> Array:
    name = "inv_wishart_rng"
    _check_degrees(name, nu, scale.shape[0])
    root = _inverse_factor(key, nu, _factor(name, "scale parameter", scale))
    return root @ root.T


def inv_wishart_cholesky_rng(key: Array, nu: Array, factor: Array) -> Array:
    """The factor of the drawn matrix, its diagonal positive."""
    _check_degrees("inv_wishart_cholesky_rng", nu, factor.shape[0])
    root = _inverse_factor(key, nu, jnp.tril(factor))
    return jnp.linalg.cholesky(root @ root.T)


# --------------------------------------------------------------------------- rows

_LOCATIONS = ("vector", "row_vector", "array[] vector", "array[] row_vector")
_RESULTS = tuple((each, each.replace("row_vector", "vector")) for each in _LOCATIONS)
_NORMAL = expanded("({mu[0]}, matrix) => {mu[1]}", mu=_RESULTS)
_STUDENT_T = expanded("(real, {mu[0]}, matrix) => {mu[1]}", mu=_RESULTS)
_COUNTS = spelled("(vector, int) => array[] int")
_LKJ = spelled("(int, real) => matrix")
_WISHART = spelled("(real, matrix) => matrix")

ROWS = (
    *(
        Row(function.__name__, signatures, Convention.RNG_EVENT, function)
        for function, signatures in (
            (multi_normal_rng, _NORMAL),
            (multi_normal_cholesky_rng, _NORMAL),
            (multi_student_t_rng, _STUDENT_T),
            (multi_student_t_cholesky_rng, _STUDENT_T),
            (dirichlet_rng, spelled("(vector) => vector")),
            (multinomial_rng, _COUNTS),
            (multinomial_logit_rng, _COUNTS),
            (dirichlet_multinomial_rng, _COUNTS),
            (wishart_rng, _WISHART),
            (wishart_cholesky_rng, _WISHART),
            (inv_wishart_rng, _WISHART),
            (inv_wishart_cholesky_rng, _WISHART),
        )
    ),
    Row("lkj_corr_rng", _LKJ, Convention.RNG_EVENT, lkj_corr_rng, static=(0,)),
    Row("lkj_corr_cholesky_rng", _LKJ, Convention.RNG_EVENT, lkj_corr_cholesky_rng, static=(0,)),
)

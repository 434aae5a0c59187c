"""Gaussian dynamic linear models, their states integrated out by the Kalman filter.

y_t ~ normal(F' theta_t, V), theta_t ~ normal(G theta_(t-1), W), theta_0 ~ normal(m0, C0), y (r, T).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan.library._factor import safe_cholesky
from trustvi.stan.library._matrix_checks import check_match, check_semidefinite, check_square
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._stack import stacked
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any
HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)


def _check(terms: Terms, y: Array, *model: Array) -> None:
    design, evolution, noise, innovation, m0, c0 = model
    series, states = y.shape[1], evolution.shape[1]
    check_square(terms, "G", evolution)
    check_match(terms, "columns of F", design.shape[2], "rows of y", series)
    check_match(terms, "rows of F", design.shape[1], "rows of G", states)
    check_match(terms, "rows of V", noise.shape[1], "rows of y", series)
    check_match(terms, "rows of W", innovation.shape[1], "rows of G", states)
    check_match(terms, "size of m0", m0.shape[1], "rows of G", states)
    check_match(terms, "rows of C0", c0.shape[1], "rows of G", states)
    if noise.ndim == 4:
        check_semidefinite(terms, "V", noise)
    else:
        terms.check("V", noise, "nonnegative", natural=True)
    for what, matrix in (("W", innovation), ("C0", c0)):
        check_semidefinite(terms, what, matrix)
    for what, value in (("y", y), ("F", design), ("G", evolution), ("m0", m0)):
        terms.check(what, value, "finite", natural=True)


def _turned(matrix: Array) -> Array:
    return matrix.swapaxes(-1, -2)


def _solve(factor: Array, right: Array) -> Array:
    """L^-1 B for stacks that broadcast."""
    batch = np.broadcast_shapes(factor.shape[:-2], right.shape[:-2])
    factor, right = (jnp.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (factor, right))
    return jax.lax.linalg.triangular_solve(factor, right, left_side=True, lower=True)


@jax.jit
def _filter(y: Array, model: tuple[Array, ...]) -> tuple[Array, Array]:
    """The sum over time of half the squared standardised errors and of the log determinant of
    their covariance's factor, and whether all these exist; each (lanes, draws).

    `y` has time first, (time, lanes, draws, series, 1), the matrices (lanes, draws) first.
    """
    design, evolution, noise, innovation, m0, c0 = model
    batch = np.broadcast_shapes(y.shape[1:3], *(each.shape[:2] for each in model))

    def step(carry: tuple[Array, ...], y: Array) -> tuple[tuple[Array, ...], None]:
        mean, spread, total, exists = carry
        mean = evolution @ mean
        spread = evolution @ spread @ _turned(evolution) + innovation
        seen = _turned(design) @ spread  # covariance of observations and states
        factor, positive = safe_cholesky(seen @ design + noise)
        errors = _solve(factor, y - _turned(design) @ mean)
        gain = _solve(factor, seen)
        total = total + 0.5 * (errors**2).sum(axis=(-2, -1))
        total = total + jnp.log(jnp.diagonal(factor, axis1=-2, axis2=-1)).sum(axis=-1)
        mean = mean + _turned(gain) @ errors
        spread = spread - _turned(gain) @ gain
        return (mean, 0.5 * (spread + _turned(spread)), total, exists & positive), None

    start = (
        jnp.broadcast_to(m0, (*batch, *m0.shape[2:])),
        jnp.broadcast_to(c0, (*batch, *c0.shape[2:])),
        jnp.zeros(batch),
        jnp.ones(batch, bool),
    )
    (_, _, total, exists), _ = jax.lax.scan(step, start, y)
    return total, exists


def gaussian_dlm_obs(
    terms: Terms,
    y: Array,
    design: Array,
    evolution: Array,
    noise: Array,
    innovation: Array,
    m0: Array,
    c0: Array,
) -> None:
    """-r T log(2 pi) / 2 - sum_t (e_t' Q_t^-1 e_t + log det Q_t) / 2, e_t the one-step errors"""
    _check(terms, y, design, evolution, noise, innovation, m0, c0)
    if noise.ndim == 3:
        noise = noise[:, :, None] * np.eye(noise.shape[1])[None, :, :, None]
    terms.add(np.full((1, 1), -HALF_LOG_2_PI * y.shape[1] * y.shape[2]))
    arguments = (y, design, evolution, noise, innovation, m0, c0)
    if 0 in y.shape[1:3] or (terms.propto and not is_traced(*arguments)):
        return
    model = tuple(stacked(each) for each in arguments[1:5])
    rows = jnp.moveaxis(stacked(y), -1, 0)[..., None]
    total, exists = _filter(rows, (*model, stacked(m0)[..., None], stacked(c0)))
    if not is_traced(*arguments):
        total, exists = np.asarray(total), np.asarray(exists)
    terms.require(exists, "Covariance of an observation is not positive definite.")
    terms.add(-total, *arguments)


_SIGNATURE = "(matrix, matrix, matrix, {V}, matrix, vector, matrix) => real"

ROWS = (
    Row(
        "gaussian_dlm_obs_lpdf",
        spelled(*(_SIGNATURE.format(V=V) for V in ("vector", "matrix"))),
        Convention.MULTIVARIATE,
        gaussian_dlm_obs,
    ),
)

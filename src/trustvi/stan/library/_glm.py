"""Generalised linear models: densities of outcomes given x beta + alpha.

x is a matrix (lanes, N, P, draws), or a row vector (lanes, P, draws) that all outcomes share. The
linear predictor is one matrix product, draws as columns; the densities are those of its link.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.scipy.special
import numpy as np
import scipy.special

from trustvi.stan.library import _density_categories as categories
from trustvi.stan.library import _density_counts as counts
from trustvi.stan.library import _density_real as real
from trustvi.stan.library._contract import contract
from trustvi.stan.library._dispatch import lgamma_positive, lgamma_rise, log, log1p_exp
from trustvi.stan.library._multi_normal import HALF_LOG_2_PI
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._signatures import expanded, joined
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any

OUTCOMES = "Vector of dependent variables"


def _rows(array: Array) -> Array:
    """With one axis of rows between lanes and draws, of size 1 for a scalar."""
    return array if array.ndim == 3 else array[:, None]


def _matrix(x: Array) -> Array:
    """A row vector as a matrix of one row."""
    return x if x.ndim == 4 else x[:, None]


def _check_sizes(terms: Terms, rows: int, columns: int, *sizes: tuple[str, Array, int]) -> None:
    """Every argument must have one entry, or one for each row (or column) of x."""
    for what, array, axis in sizes:
        expected = columns if axis else rows
        single = 0 if axis else 1
        terms.require(
            np.full((1, 1), array.shape[1] in (expected, single)),
            f"{what} has dimension = {array.shape[1]}, expecting dimension = {expected}; a function"
            " was called with arguments of different scalar, array, vector, or matrix types, and"
            " they were not consistently sized;  all arguments must be scalars or multidimensional"
            " values of the same shape.",
        )


class Linear(NamedTuple):
    """Outcomes (lanes, N or 1, 1), the linear predictor (lanes, N or 1, draws), and N."""

    outcomes: Array
    predictor: Array
    number: int


def _linear(terms: Terms, y: Array, x: Array, alpha: Array, beta: Array) -> Linear:
    y, alpha, shared = _rows(y), _rows(alpha), x.ndim == 3
    x = _matrix(x)
    number = max(y.shape[1], alpha.shape[1]) if shared else x.shape[1]
    number = 0 if 0 in (y.shape[1], alpha.shape[1]) else number
    _check_sizes(
        terms,
        number,
        x.shape[2],
        (OUTCOMES, y, 0),
        ("Vector of intercepts", alpha, 0),
        ("Weight vector", beta, 1),
    )
    for what, value in (
        ("Matrix of independent variables", x),
        ("Weight vector", beta),
        ("Intercept", alpha),
    ):
        terms.check(what, value, "finite", natural=True)
    terms.event = (number,)
    return Linear(y, contract("np,p->n", x, beta) + alpha, number)


# --------------------------------------------------------------------------- one predictor


def bernoulli_logit_glm(terms: Terms, y: Array, x: Array, alpha: Array, beta: Array) -> None:
    """bernoulli_logit(y | x beta + alpha)"""
    outcomes, predictor, _ = _linear(terms, y, x, alpha, beta)
    terms.check_bounds(OUTCOMES, outcomes, 0.0, 1.0)
    counts.bernoulli_logit(terms, outcomes.astype(float), predictor)


def binomial_logit_glm(
    terms: Terms, y: Array, trials: Array, x: Array, alpha: Array, beta: Array
) -> None:
    """binomial_logit(y | trials, x beta + alpha)"""
    outcomes, predictor, number = _linear(terms, y, x, alpha, beta)
    trials = _rows(trials)
    _check_sizes(terms, number, 0, ("Population size parameter", trials, 0))
    terms.check_bounds("Successes variable", outcomes, 0.0, trials)
    counts.binomial_logit(terms, outcomes.astype(float), trials.astype(float), predictor)


def poisson_log_glm(terms: Terms, y: Array, x: Array, alpha: Array, beta: Array) -> None:
    """poisson_log(y | x beta + alpha)"""
    outcomes, predictor, _ = _linear(terms, y, x, alpha, beta)
    terms.check(OUTCOMES, outcomes, "nonnegative")
    counts.poisson_log(terms, outcomes.astype(float), predictor)


def neg_binomial_2_log_glm(
    terms: Terms, y: Array, x: Array, alpha: Array, beta: Array, phi: Array
) -> None:
    """lchoose(y + phi - 1, y) + y eta - phi s - y (log(phi) + s), s = log1p_exp(eta - log(phi))

    with eta = x beta + alpha. Under `propto`, Stan drops phi log(phi) too if phi is known.
    """
    outcomes, predictor, _ = _linear(terms, y, x, alpha, beta)
    terms.check(OUTCOMES, outcomes, "nonnegative")
    terms.check("Precision parameter", phi, "positive finite")
    outcomes, phi = outcomes.astype(float), _rows(phi)
    log_phi = log(phi)
    softplus = log1p_exp(predictor - log_phi)
    terms.add(-lgamma_positive(outcomes + 1.0))
    terms.add_counted(lambda n, phi: lgamma_rise(phi, n), outcomes, (phi,), phi)
    terms.add_product((outcomes, predictor), predictor)
    terms.add_product((-phi, softplus), predictor, phi)
    terms.add_product((-outcomes, log_phi + softplus), predictor, phi)
    if terms.propto and not is_traced(phi):
        terms.add(-phi * log_phi, predictor)


# --------------------------------------------------------------------------- normal


def normal_id_glm(
    terms: Terms, y: Array, x: Array, alpha: Array, beta: Array, sigma: Array
) -> None:
    """normal(y | x beta + alpha, sigma)"""
    terms.check("Scale vector", sigma, "positive finite")
    if _is_least_squares(y, x, alpha, sigma):
        _least_squares(terms, y, x, alpha, beta, sigma)
        return
    outcomes, predictor, number = _linear(terms, y, x, alpha, beta)
    scale = _rows(sigma)
    _check_sizes(terms, number, 0, ("Scale vector", scale, 0))
    terms.check(OUTCOMES, outcomes, "finite", natural=True)
    real.normal(terms, outcomes, predictor, scale)


def _is_least_squares(y: Array, x: Array, alpha: Array, sigma: Array) -> bool:
    """Whether known outcomes meet a known matrix with more rows than unknown coefficients."""
    if is_traced(y, x) or x.ndim == 3 or x.shape[1] <= x.shape[2] + 2:
        return False
    fits = all(each.ndim == 2 or each.shape[1] == x.shape[1] for each in (y, alpha, sigma))
    return fits and all(each.ndim == 2 or not is_traced(each) for each in (alpha, sigma))


def _least_squares(
    terms: Terms, y: Array, x: Array, alpha: Array, beta: Array, sigma: Array
) -> None:
    """With R the triangle in the QR decomposition of (1, x, y), the sum of squares of y - alpha -
    x beta is that of R (alpha, beta, -1): of P + 2 numbers instead of N.
    """
    number, traced_alpha = x.shape[1], is_traced(alpha)
    _check_sizes(terms, number, x.shape[2], ("Weight vector", beta, 1))
    known = _rows(y) if traced_alpha else _rows(y) - _rows(alpha)
    weights = np.ones((1, 1, 1)) if sigma.ndim == 2 else 1.0 / sigma
    columns = [x, known[:, :, None]]
    coefficients = [beta, np.full((1, 1, 1), -1.0)]
    if traced_alpha:
        columns.insert(0, np.ones((1, number, 1, 1)))
        coefficients.insert(0, alpha[:, None])
    residuals = contract(
        "ij,j->i", _triangle(columns, weights, number), _stretched(coefficients, axis=1)
    )
    terms.event = ()
    terms.add(np.full((1, 1), -HALF_LOG_2_PI * number))
    logs = namespace(sigma).log(sigma)
    terms.add(-(number * logs if sigma.ndim == 2 else logs.sum(axis=1)), sigma)
    scale = sigma if sigma.ndim == 2 else np.ones((1, 1))
    squares = (residuals**2).sum(axis=1)
    terms.add(-0.5 * squares / scale**2, y, x, alpha, beta, sigma)


def _triangle(columns: list[Array], weights: Array, number: int) -> Array:
    """R of the QR decomposition of weighted columns, (lanes, Q, Q, 1)."""
    spread = [np.broadcast_to(each, (each.shape[0], number, *each.shape[2:])) for each in columns]
    table = _stretched([each * weights[:, :, None] for each in spread], axis=2)
    return np.asarray(np.linalg.qr(table[..., 0], mode="r"))[..., None]


def _stretched(arrays: list[Array], axis: int) -> Array:
    """Arrays put together along an event axis, with common lanes and draws."""
    xp = namespace(*arrays)
    lanes, draws = (max(each.shape[end] for each in arrays) for end in (0, -1))
    spread = [xp.broadcast_to(each, (lanes, *each.shape[1:-1], draws)) for each in arrays]
    return xp.concatenate(spread, axis=axis)


# --------------------------------------------------------------------------- categories


def _repeated(y: Array, rows: int, draws: int = 1) -> Array:
    """Outcomes (lanes, N, 1), those of a single int repeated for all rows."""
    y = _rows(y)
    return np.broadcast_to(y, (y.shape[0], rows, draws)) if y.shape[1] == 1 else y


def categorical_logit_glm(terms: Terms, y: Array, x: Array, alpha: Array, beta: Array) -> None:
    """categorical_logit(y | (x beta)' + alpha), beta (P, C)

    The sum of the predictors of the outcomes is one of products of beta with sums over rows of x.
    """
    x = _matrix(x)
    number = _rows(y).shape[1] if x.shape[1] == 1 else x.shape[1]
    size = beta.shape[2]
    _check_sizes(terms, number, 0, (OUTCOMES, _rows(y), 0))
    _check_sizes(terms, 0, size, ("Intercept vector", alpha, 1))
    _check_sizes(terms, 0, x.shape[2], ("x.cols()", beta, 1))
    outcomes = _repeated(y, number)
    terms.check_bounds("categorical outcome out of support", outcomes, 1, size)
    for what, value in (
        ("Matrix of independent variables", x),
        ("Weight vector", beta),
        ("Intercept vector", alpha),
    ):
        terms.check(what, value, "finite", natural=True)
    predictor = contract("np,pc->nc", x, beta) + alpha[:, None]
    sums: Any = jax.scipy.special if is_traced(predictor) else scipy.special
    total = sums.logsumexp(predictor, axis=2).sum(axis=1) * (number / x.shape[1])
    chosen = (outcomes == np.arange(1, size + 1)[None, None]).astype(float)[..., None]
    by_outcome = contract("np,nc->pc", _every_row(x, number), chosen)
    terms.add(contract("pc,pc->", by_outcome, beta), x, alpha, beta)
    terms.add(contract("c,c->", chosen.sum(axis=1), alpha), x, alpha, beta)
    terms.add(-total, x, alpha, beta)


def _every_row(x: Array, number: int) -> Array:
    return namespace(x).broadcast_to(x, (x.shape[0], number, *x.shape[2:]))


def ordered_logistic_glm(terms: Terms, y: Array, x: Array, beta: Array, cuts: Array) -> None:
    """ordered_logistic(y | x beta, cuts)"""
    x = _matrix(x)
    number = _rows(y).shape[1] if x.shape[1] == 1 else x.shape[1]
    _check_sizes(terms, number, 0, (OUTCOMES, _rows(y), 0))
    _check_sizes(terms, 0, x.shape[2], ("Weight vector", beta, 1))
    terms.check("Matrix of independent variables", x, "finite", natural=True)
    terms.check("Weight vector", beta, "finite", natural=True)
    location = contract("np,p->n", x, beta)
    categories.ordered_logistic(terms, _repeated(y, number), location, cuts)


# --------------------------------------------------------------------------- random outcomes


def bernoulli_logit_glm_rng(key: Array, x: Array, alpha: Array, beta: Array) -> Array:
    """1 with probability inv_logit(x beta + alpha), else 0, for each entry of alpha"""
    logits = x @ beta + alpha
    return jax.random.bernoulli(key, jax.nn.sigmoid(logits)).astype(int)


# --------------------------------------------------------------------------- rows

_INTERCEPT = ("real", "vector")
_INTS = ("int", "array[] int")
_PAIRS = (("int", "matrix"), ("array[] int", "row_vector"), ("array[] int", "matrix"))
_COUNT = expanded("({p[0]}, {p[1]}, {a}, vector) => real", p=_PAIRS, a=_INTERCEPT)
_NEGATIVE_BINOMIAL = expanded("({p[0]}, {p[1]}, {a}, vector, real) => real", p=_PAIRS, a=_INTERCEPT)
_BINOMIAL = joined(
    expanded("(int, int, matrix, {a}, vector) => real", a=_INTERCEPT),
    expanded("({p}, matrix, real, vector) => real", p=("int, array[] int", "array[] int, int")),
    expanded(
        "(array[] int, array[] int, {x}, {a}, vector) => real",
        x=("row_vector", "matrix"),
        a=_INTERCEPT,
    ),
)
_REAL_PAIRS = (("real", "matrix"), ("vector", "row_vector"), ("vector", "matrix"))
_NORMAL = expanded(
    "({p[0]}, {p[1]}, {a}, vector, {s}) => real", p=_REAL_PAIRS, a=_INTERCEPT, s=_INTERCEPT
)
_X = ("row_vector", "matrix")
_CATEGORICAL = expanded("({y}, {x}, vector, matrix) => real", y=_INTS, x=_X)
_ORDERED = expanded("({y}, {x}, vector, vector) => real", y=_INTS, x=_X)
_RNG = expanded("({x}, vector, vector) => array[] int", x=_X)

_DENSITIES: tuple[tuple[str, Any, Callable[..., None]], ...] = (
    ("bernoulli_logit_glm_lpmf", _COUNT, bernoulli_logit_glm),
    ("binomial_logit_glm_lpmf", _BINOMIAL, binomial_logit_glm),
    ("poisson_log_glm_lpmf", _COUNT, poisson_log_glm),
    ("neg_binomial_2_log_glm_lpmf", _NEGATIVE_BINOMIAL, neg_binomial_2_log_glm),
    ("normal_id_glm_lpdf", _NORMAL, normal_id_glm),
    ("categorical_logit_glm_lpmf", _CATEGORICAL, categorical_logit_glm),
    ("ordered_logistic_glm_lpmf", _ORDERED, ordered_logistic_glm),
)

ROWS = (
    *(Row(name, found, Convention.MULTIVARIATE, density) for name, found, density in _DENSITIES),
    Row("bernoulli_logit_glm_rng", _RNG, Convention.RNG_EVENT, bernoulli_logit_glm_rng),
)

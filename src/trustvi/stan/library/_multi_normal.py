"""Normal and Student-t distributions of vectors, Gaussian processes with shared covariance.

y and mu are vectors (lanes, K, draws) or arrays of vectors (lanes, n, K, draws). All observations
share one scale matrix, hence one factorisation and one triangular solve.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from trustvi.stan.library._contract import contract
from trustvi.stan.library._factor import cholesky, sum_log_diagonal, whiten
from trustvi.stan.library._matrix_checks import (
    check_definite,
    check_match,
    check_square,
    check_symmetric,
)
from trustvi.stan.library._namespace import is_traced, namespace, special
from trustvi.stan.library._signatures import expanded, spelled
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any
HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)
LOG_PI = math.log(math.pi)


class Scale(NamedTuple):
    """A covariance S, however it was given: the matrix itself, half of log det S, and from rows r
    (lanes, n, K, draws) the quadratic forms r' S^-1 r (lanes, n, draws)."""

    given: Array
    half_log_det: Array
    forms: Callable[[Array], Array]


def _squares(rows: Array) -> Array:
    return (rows * rows).sum(axis=2)


def from_covariance(terms: Terms, what: str, matrix: Array) -> Scale:
    """S itself."""
    check_symmetric(terms, what, matrix)
    factor, exists = cholesky(matrix)
    check_definite(terms, what, exists)
    return Scale(matrix, sum_log_diagonal(factor), lambda rows: _squares(whiten(factor, rows)))


def from_cholesky(terms: Terms, what: str, factor: Array) -> Scale:
    """The lower triangular L with S = L L'."""
    check_square(terms, what, factor)
    return Scale(factor, sum_log_diagonal(factor), lambda rows: _squares(whiten(factor, rows)))


def from_precision(terms: Terms, what: str, matrix: Array) -> Scale:
    """P = S^-1."""
    check_symmetric(terms, what, matrix)
    factor, exists = cholesky(matrix)
    check_definite(terms, what, exists)

    def forms(rows: Array) -> Array:
        return (contract("ij,nj->ni", matrix, rows) * rows).sum(axis=2)

    return Scale(matrix, -sum_log_diagonal(factor), forms)


Given = Callable[[Terms, str, Array], Scale]


class Rows(NamedTuple):
    """Vectors aligned as (lanes, n or 1, K, draws), and how many densities there are."""

    y: Array
    mu: Array
    number: int


def aligned(terms: Terms, y: Array, mu: Array, *shared: Array) -> Rows:
    """y and mu as rows.

    Where the total is over lanes and the `shared` arguments are the same in all of them, the lanes
    are further observations.
    """
    y, mu = (each if each.ndim == 4 else each[:, None] for each in (y, mu))
    check_match(
        terms, "Size of random variable", y.shape[2], "size of location parameter", mu.shape[2]
    )
    sizes = {each.shape[1] for each in (y, mu)} - {1}
    terms.require(
        np.full((1, 1), len(sizes) <= 1),
        "Size of random variable and size of location parameter must match in size",
    )
    lanes = max(y.shape[0], mu.shape[0])
    if terms.lanes is not None and lanes > 1 and all(each.shape[0] == 1 for each in shared):
        number = max(y.shape[1], mu.shape[1])
        y, mu = (_lanes_as_rows(each, lanes, number) for each in (y, mu))
        terms.lanes = None
    return Rows(y, mu, 0 if 0 in (y.shape[1], mu.shape[1]) else max(y.shape[1], mu.shape[1]))


def _lanes_as_rows(rows: Array, lanes: int, number: int) -> Array:
    if rows.shape[0] == rows.shape[1] == 1:
        return rows
    size, draws = rows.shape[2:]
    spread = namespace(rows).broadcast_to(rows, (lanes, number, size, draws))
    return spread.reshape(1, lanes * number, size, draws)


def _residuals(rows: Rows) -> list[Array]:
    """Rows whose quadratic forms add up to those of all y - mu.

    Known y_1, ..., y_n with one mu, or the other way round: sqrt(n) (mean(y) - mu), and the K rows
    of R in the QR decomposition of the matrix of all y - mean(y).
    """
    for known, other in ((rows.y, rows.mu), (rows.mu, rows.y)):
        few = known.shape[2] + 1
        if not is_traced(known) and other.shape[1] == 1 and known.shape[1] > few:
            mean = known.mean(axis=1, keepdims=True)
            spread = np.asarray(np.linalg.qr((known - mean)[..., 0], mode="r"))[..., None]
            return [math.sqrt(known.shape[1]) * (mean - other), spread]
    return [rows.y - rows.mu]


def _joined(pieces: list[Array]) -> Array:
    """The pieces as rows of one array."""
    xp = namespace(*pieces)
    lanes, draws = (max(piece.shape[axis] for piece in pieces) for axis in (0, -1))
    spread = [xp.broadcast_to(each, (lanes, *each.shape[1:3], draws)) for each in pieces]
    return xp.concatenate(spread, axis=1)


def _gaussian(terms: Terms, rows: Rows, scale: Scale) -> None:
    """-n K log(2 pi) / 2 - n log det S / 2 - sum_i (y_i - mu)' S^-1 (y_i - mu) / 2"""
    y, mu, number = rows
    if number == 0:
        return
    terms.add(np.full((1, 1), -HALF_LOG_2_PI * y.shape[2] * number))
    terms.add(-float(number) * scale.half_log_det, scale.given)
    pieces = _residuals(rows)
    if is_traced(scale.given):
        pieces = [_joined(pieces)]
    for piece in pieces:
        terms.add(-0.5 * scale.forms(piece).sum(axis=1), y, mu, scale.given)


def _check_values(terms: Terms, y: Array, mu: Array, what: str, size: int) -> None:
    terms.check("Location parameter", mu, "finite", natural=True)
    terms.check("Random variable", y, "not nan", natural=True)
    check_match(terms, "Size of random variable", y.shape[2], f"rows of {what}", size)


def normal(given: Given, what: str) -> Callable[..., None]:
    """The density of `multi_normal*(y | mu, scale)`."""

    def density(terms: Terms, y: Array, mu: Array, matrix: Array) -> None:
        rows = aligned(terms, y, mu, matrix)
        _check_values(terms, rows.y, rows.mu, what, matrix.shape[1])
        _gaussian(terms, rows, given(terms, what, matrix))

    return density


def student_t(given: Given, what: str) -> Callable[..., None]:
    """lgamma((nu + K) / 2) - lgamma(nu / 2) - K log(nu pi) / 2 - log det S / 2

    - (nu + K) log(1 + (y - mu)' S^-1 (y - mu) / nu) / 2; normal for infinite nu.
    """

    def density(terms: Terms, y: Array, nu: Array, mu: Array, matrix: Array) -> None:
        terms.check("Degrees of freedom parameter", nu, "positive")
        rows = aligned(terms, y, mu, matrix, nu)
        _check_values(terms, rows.y, rows.mu, what, matrix.shape[1])
        scale = given(terms, what, matrix)
        if not is_traced(nu) and np.all(np.isinf(nu)):
            _gaussian(terms, rows, scale)
            return
        size, number = float(rows.y.shape[2]), float(rows.number)
        if number == 0:
            return
        xp = namespace(nu)
        of_nu = special(nu).lgamma_rise(0.5 * nu, 0.5 * size) - 0.5 * size * xp.log(nu)
        terms.add(number * of_nu, nu)
        terms.add(np.full((1, 1), -0.5 * LOG_PI * size * number))
        terms.add(-number * scale.half_log_det, matrix)
        forms = scale.forms(rows.y - rows.mu)
        logs = namespace(forms, nu).log1p(forms / nu[:, None]).sum(axis=1)
        terms.add(-0.5 * (nu + size) * logs, rows.y, nu, rows.mu, matrix)

    return density


def gaussian_process(given: Given, what: str) -> Callable[..., None]:
    """Row k of y is normal with mean 0 and covariance S / w_k."""

    def density(terms: Terms, y: Array, matrix: Array, w: Array) -> None:
        terms.check("Kernel scales", w, "positive finite", natural=True)
        terms.check("Random variable", y, "finite", natural=True)
        check_match(terms, "Size of random variable", y.shape[1], "rows of scales", w.shape[1])
        check_match(
            terms, "Size of random variable", y.shape[2], f"rows of {what}", matrix.shape[1]
        )
        scale = given(terms, what, matrix)
        number, size = y.shape[1:3]
        if number == 0 or size == 0:
            return
        terms.add(np.full((1, 1), -HALF_LOG_2_PI * number * size))
        terms.add(-float(number) * scale.half_log_det, matrix)
        terms.add(0.5 * size * namespace(w).log(w).sum(axis=1), w)
        terms.add(-0.5 * contract("n,n->", w, scale.forms(y)), y, w, matrix)

    return density


VECTORS = ("vector", "row_vector", "array[] vector", "array[] row_vector")
_NORMAL = expanded("({y}, {mu}, matrix) => real", y=VECTORS, mu=VECTORS)
_STUDENT_T = expanded("({y}, real, {mu}, matrix) => real", y=VECTORS, mu=VECTORS)
_PROCESS = spelled("(matrix, matrix, vector) => real")

COVARIANCE, FACTOR, PRECISION = "Covariance matrix", "Cholesky factor", "Precision matrix"

ROWS = tuple(
    Row(name, signatures, Convention.MULTIVARIATE, implementation)
    for name, signatures, implementation in (
        ("multi_normal_lpdf", _NORMAL, normal(from_covariance, COVARIANCE)),
        ("multi_normal_cholesky_lpdf", _NORMAL, normal(from_cholesky, FACTOR)),
        ("multi_normal_prec_lpdf", _NORMAL, normal(from_precision, PRECISION)),
        ("multi_student_t_lpdf", _STUDENT_T, student_t(from_covariance, "Scale parameter")),
        ("multi_student_t_cholesky_lpdf", _STUDENT_T, student_t(from_cholesky, "Scale parameter")),
        ("multi_gp_lpdf", _PROCESS, gaussian_process(from_covariance, "Kernel matrix")),
        ("multi_gp_cholesky_lpdf", _PROCESS, gaussian_process(from_cholesky, "Kernel matrix")),
    )
)

"""What multivariate densities demand of sizes and matrices known now, in Stan's words."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._stack import stacked
from trustvi.stan.library._terms import Terms

Array = Any
TOLERANCE = 1e-8
"""Stan's tolerance for symmetry, unit sums and unit diagonals."""


def check_match(terms: Terms, one: str, size: int, other: str, other_size: int) -> None:
    """Two sizes must be the same."""
    holds = np.full((1, 1), size == other_size)
    terms.require(holds, f"{one} ({size}) and {other} ({other_size}) must match in size")


def check_square(terms: Terms, what: str, matrix: Array) -> None:
    """A matrix must have as many rows as columns."""
    rows, columns = matrix.shape[1:3]
    holds = np.full((1, 1), rows == columns)
    terms.require(
        holds,
        f"Expecting a square matrix; rows of {what} ({rows}) and columns of {what} ({columns})"
        " must match in size",
    )


def check_symmetric(terms: Terms, what: str, matrix: Array) -> None:
    """A known matrix must be square and symmetric."""
    check_square(terms, what, matrix)
    if is_traced(matrix):
        return
    other = matrix.swapaxes(1, 2)

    def message(where: tuple[int, ...]) -> str:
        lane, i, j, draw = where
        here, there = matrix[lane, i, j, draw], matrix[lane, j, i, draw]
        return (
            f"{what} is not symmetric. {what}[{i + 1},{j + 1}] = {here:g}, but"
            f" {what}[{j + 1},{i + 1}] = {there:g}"
        )

    terms.require(~(np.abs(matrix - other) > TOLERANCE), message)


def check_definite(terms: Terms, what: str, exists: Array) -> None:
    """A matrix must have had a Cholesky factor."""
    terms.require(exists, f"{what} is not positive definite.")


def check_correlation(terms: Terms, what: str, matrix: Array) -> None:
    """A known matrix must be symmetric with ones on the diagonal."""
    check_symmetric(terms, what, matrix)
    if is_traced(matrix):
        return
    entries = np.diagonal(matrix, axis1=1, axis2=2)  # (lanes, draws, K)

    def message(where: tuple[int, ...]) -> str:
        i = where[2]
        return (
            f"{what} is not a valid correlation matrix. {what}({i + 1},{i + 1}) is"
            f" {entries[where]:g}, but should be near 1.0"
        )

    terms.require(np.abs(entries - 1) <= TOLERANCE, message)


def check_semidefinite(terms: Terms, what: str, matrix: Array) -> None:
    """A known matrix must be symmetric and have no negative eigenvalue."""
    check_symmetric(terms, what, matrix)
    if not is_traced(matrix) and matrix.shape[1]:
        lowest = np.linalg.eigvalsh(stacked(matrix))[..., 0]
        terms.require(lowest >= -TOLERANCE, f"{what} is not positive semi-definite.")

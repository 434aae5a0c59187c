"""The rows of linear systems, inverses, determinants and Cholesky factors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from trustvi.stan.library import _factor as factor
from trustvi.stan.library._rows import batched
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Row

Solver = Callable[[Any, Any], Any]
_ONE = spelled("(matrix) => matrix")
_TO_REAL = spelled("(matrix) => real")


def _left(name: str, solver: Solver) -> Solver:
    """A^-1 B, after the checks on the shapes."""

    def divide(matrix: Any, right: Any) -> Any:
        factor.require_square(name, "A", matrix)
        factor.require_multiplicable(name, matrix, right)
        return solver(matrix, right)

    return divide


def _left_rows(name: str, solver: Solver) -> tuple[Row, ...]:
    divide = _left(name, solver)
    return (
        batched(name, spelled("(matrix, matrix) => matrix"), divide),
        batched(name, spelled("(matrix, vector) => vector"), factor.with_vector(divide)),
    )


def _right_rows(
    name: str, solver: Callable[[Any, Any], Any], *, complexes: bool
) -> tuple[Row, ...]:
    divide = factor.flipped(_left(name, solver))
    matrices, rows = ["(matrix, matrix) => matrix"], ["(row_vector, matrix) => row_vector"]
    if complexes:
        matrices.append("(complex_matrix, complex_matrix) => complex_matrix")
        rows.append("(complex_row_vector, complex_matrix) => complex_row_vector")
    return (
        batched(name, spelled(*matrices), divide),
        batched(name, spelled(*rows), factor.from_vector(divide)),
    )


def _lower(matrix: Any, right: Any) -> Any:
    return factor.solve_lower(matrix, right)


def _lower_transposed(matrix: Any, right: Any) -> Any:
    """x of L' x = right, given L' (of which the upper triangle is L's)."""
    return factor.solve_lower(matrix.swapaxes(1, 2), right, transposed=True)


ROWS: tuple[Row, ...] = (
    *_left_rows("mdivide_left", factor.solve),
    *_left_rows("mdivide_left_spd", functools.partial(factor.solve_spd, "mdivide_left_spd")),
    *_left_rows("mdivide_left_tri_low", _lower),
    *_right_rows("mdivide_right", factor.solve, complexes=True),
    *_right_rows(
        "mdivide_right_spd",
        functools.partial(factor.solve_spd, "mdivide_right_spd"),
        complexes=False,
    ),
    *_right_rows("mdivide_right_tri_low", _lower_transposed, complexes=False),
    batched("cholesky_decompose", _ONE, factor.cholesky_decompose),
    batched("chol2inv", _ONE, factor.chol2inv),
    batched("inverse", _ONE, factor.inverse),
    batched("inverse_spd", _ONE, factor.inverse_spd),
    batched("generalized_inverse", _ONE, factor.generalized_inverse),
    batched("determinant", _TO_REAL, factor.determinant),
    batched("log_determinant", _TO_REAL, factor.log_determinant),
    batched("log_determinant_spd", _TO_REAL, factor.log_determinant_spd),
)

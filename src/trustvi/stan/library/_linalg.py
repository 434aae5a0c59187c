"""The rows of linear systems, inverses, determinants and Cholesky factors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from trustvi.stan.library import _systems as systems
from trustvi.stan.library._rows import batched
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Row

Solver = Callable[[Any, Any], Any]
_ONE = spelled("(matrix) => matrix")
_TO_REAL = spelled("(matrix) => real")


def _left(name: str, solver: Solver) -> Solver:
    """A^-1 B, after the checks on the shapes."""

    def divide(matrix: Any, right: Any) -> Any:
        systems.require_square(name, "A", matrix)
        systems.require_multiplicable(name, matrix, right)
        return solver(matrix, right)

    return divide


def _left_rows(name: str, solver: Solver) -> tuple[Row, ...]:
    divide = _left(name, solver)
    return (
        batched(name, spelled("(matrix, matrix) => matrix"), divide),
        batched(name, spelled("(matrix, vector) => vector"), systems.with_vector(divide)),
    )


def _right_rows(
    name: str, solver: Callable[[Any, Any], Any], *, complexes: bool
) -> tuple[Row, ...]:
    divide = systems.flipped(_left(name, solver))
    matrices, rows = ["(matrix, matrix) => matrix"], ["(row_vector, matrix) => row_vector"]
    if complexes:
        matrices.append("(complex_matrix, complex_matrix) => complex_matrix")
        rows.append("(complex_row_vector, complex_matrix) => complex_row_vector")
    return (
        batched(name, spelled(*matrices), divide),
        batched(name, spelled(*rows), systems.from_vector(divide)),
    )


def _lower(matrix: Any, right: Any) -> Any:
    return systems.solve_lower(matrix, right)


def _lower_transposed(matrix: Any, right: Any) -> Any:
    """x of L' x = right, given L' (of which the upper triangle is L's)."""
    return systems.solve_lower(matrix.swapaxes(1, 2), right, transposed=True)


ROWS: tuple[Row, ...] = (
    *_left_rows("mdivide_left", systems.solve),
    *_left_rows("mdivide_left_spd", functools.partial(systems.solve_spd, "mdivide_left_spd")),
    *_left_rows("mdivide_left_tri_low", _lower),
    *_right_rows("mdivide_right", systems.solve, complexes=True),
    *_right_rows(
        "mdivide_right_spd",
        functools.partial(systems.solve_spd, "mdivide_right_spd"),
        complexes=False,
    ),
    *_right_rows("mdivide_right_tri_low", _lower_transposed, complexes=False),
    batched("cholesky_decompose", _ONE, systems.cholesky_decompose),
    batched("chol2inv", _ONE, systems.chol2inv),
    batched("inverse", _ONE, systems.inverse),
    batched("inverse_spd", _ONE, systems.inverse_spd),
    batched("generalized_inverse", _ONE, systems.generalized_inverse),
    batched("determinant", _TO_REAL, systems.determinant),
    batched("log_determinant", _TO_REAL, systems.log_determinant),
    batched("log_determinant_spd", _TO_REAL, systems.log_determinant_spd),
)

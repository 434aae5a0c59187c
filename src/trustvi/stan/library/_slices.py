"""Parts of containers, and containers put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trustvi.stan.library._checks import require_index, require_match, require_size
from trustvi.stan.library._gather import common, pick, window
from trustvi.stan.library._namespace import namespace
from trustvi.stan.library._rows import Signatures, batched, to_real
from trustvi.stan.library._signatures import (
    ELEMENTS,
    MAX_DIMS,
    depths,
    expanded,
    joined,
    spelled,
)
from trustvi.stan.library._table import Row

_LISTS = ("vector", "row_vector", "complex_vector", "complex_row_vector")


def _of_lists(template: str, dims: int) -> Signatures:
    """`template` for vectors, and for arrays of anything up to `dims` deep."""
    return joined(
        expanded(template, x=_LISTS),
        expanded(template, x=[y for each in ELEMENTS for y in depths(each, 1, dims)]),
    )


# ----------------------------------------------------------------- parts along the first axis


def _head(array: Any, size: int) -> Any:
    if size != 0:
        require_index("head", size, array.shape[1])
    return array[:, :size]


def _tail(array: Any, size: int) -> Any:
    if size != 0:
        require_index("tail", size, array.shape[1])
    return array[:, array.shape[1] - size :]


def windows(function: str, array: Any, axis: int, start: Any, size: int) -> Any:
    """`size` entries along `axis` from `start` (from 1), which may differ between lanes."""
    require_size(function, "n", size)
    if size == 0:
        return array[(slice(None),) * axis + (slice(0, 0),)]
    require_index(function, start, array.shape[axis])
    require_index(function, start + size - 1, array.shape[axis])
    return window(array, axis, start - 1, size)


def _segment(array: Any, start: Any, size: int) -> Any:
    return windows("segment", array, 1, start, size)


def _reverse(array: Any) -> Any:
    return array[:, ::-1]


# -------------------------------------------------------------------------- parts of matrices


def _row(matrix: Any, place: Any) -> Any:
    require_index("row", place, matrix.shape[1], " for rows of m")
    return pick(matrix, 1, place - 1)


def _col(matrix: Any, place: Any) -> Any:
    require_index("col", place, matrix.shape[2], " for columns of m")
    return pick(matrix, 2, place - 1)


def _sub_row(matrix: Any, row: Any, column: Any, size: int) -> Any:
    require_index("sub_row", row, matrix.shape[1], " for rows of i")
    return windows("sub_row", pick(matrix, 1, row - 1), 1, column, size)


def _sub_col(matrix: Any, row: Any, column: Any, size: int) -> Any:
    require_index("sub_col", column, matrix.shape[2], " for columns of j")
    return windows("sub_col", pick(matrix, 2, column - 1), 1, row, size)


def _block(matrix: Any, row: Any, column: Any, rows: int, columns: int) -> Any:
    return windows("block", windows("block", matrix, 1, row, rows), 2, column, columns)


# ------------------------------------------------------------------------------ put together


def _appended(axis: int, left: Any, right: Any) -> Any:
    left, right = common(left, right)
    return namespace(left, right).concatenate([left, right], axis)


def _append_array(left: Any, right: Any) -> Any:
    if left.shape[1] == 0:
        return common(left, right)[1]
    if right.shape[1] == 0:
        return common(left, right)[0]
    if left.shape[2:-1] != right.shape[2:-1]:
        sizes = zip(left.shape[2:-1], right.shape[2:-1], strict=True)
        for size, other in sizes:
            require_match("append_array", "size of element of x", size, "y", other)
    return _appended(1, left, right)


def _aligned(function: str, what: str, axis: int, across: int | None = None) -> Callable[..., Any]:
    """Concatenation along `axis` of arrays that must have equal sizes on the axis `across`."""

    def append(left: Any, right: Any) -> Any:
        if across is not None:
            size, other = left.shape[across], right.shape[across]
            require_match(function, f"{what} of A", size, f"{what} of B", other)
        return _appended(axis, left, right)

    return append


def _lifted(axis: int, append: Callable[..., Any], *which: bool) -> Callable[..., Any]:
    """`append` after the arguments that `which` tells got a new event axis of size 1."""

    def lifted(left: Any, right: Any) -> Any:
        pairs = zip((left, right), which, strict=True)
        return append(
            *(each[(slice(None),) * axis + (None,)] if new else each for each, new in pairs)
        )

    return lifted


def _append_rows(name: str, what: str, scalars: str, lines: str, axis: int) -> tuple[Row, ...]:
    """`append_row` and `append_col`: `scalars` make a vector, `lines` are rows (columns)."""
    across = 3 - axis
    plain, matched = _aligned(name, what, 1), _aligned(name, what, axis, across)
    cases = (
        ("({e}, {s}) => {s}", _lifted(1, plain, True, False)),
        ("({s}, {e}) => {s}", _lifted(1, plain, False, True)),
        ("({s}, {s}) => {s}", plain),
        ("({l}, {l}) => {m}", _lifted(axis, matched, True, True)),
        ("({l}, {m}) => {m}", _lifted(axis, matched, True, False)),
        ("({m}, {l}) => {m}", _lifted(axis, matched, False, True)),
        ("({m}, {m}) => {m}", matched),
    )
    kinds = [
        {"e": e, "s": p + scalars, "l": p + lines, "m": p + "matrix"}
        for e, p in (("real", ""), ("complex", "complex_"))
    ]
    return tuple(
        batched(name, spelled(*(case.format(**kind) for kind in kinds)), _on_reals(function))
        for case, function in cases
    )


def _on_reals(append: Callable[..., Any]) -> Callable[..., Any]:
    return lambda left, right: append(to_real(left), to_real(right))


ROWS: tuple[Row, ...] = (
    batched("head", _of_lists("({x}, int) => {x}", 3), _head, static=(1,)),
    batched("tail", _of_lists("({x}, int) => {x}", 3), _tail, static=(1,)),
    batched("segment", _of_lists("({x}, int, int) => {x}", 3), _segment, static=(2,)),
    batched("reverse", _of_lists("({x}) => {x}", MAX_DIMS), _reverse),
    batched(
        "row",
        spelled("(matrix, int) => row_vector", "(complex_matrix, int) => complex_row_vector"),
        _row,
    ),
    batched(
        "col", spelled("(matrix, int) => vector", "(complex_matrix, int) => complex_vector"), _col
    ),
    batched(
        "sub_row",
        spelled(
            "(matrix, int, int, int) => row_vector",
            "(complex_matrix, int, int, int) => complex_row_vector",
        ),
        _sub_row,
        static=(3,),
    ),
    batched(
        "sub_col",
        spelled(
            "(matrix, int, int, int) => vector",
            "(complex_matrix, int, int, int) => complex_vector",
        ),
        _sub_col,
        static=(3,),
    ),
    batched(
        "block",
        expanded("({x}, int, int, int, int) => {x}", x=("matrix", "complex_matrix")),
        _block,
        static=(3, 4),
    ),
    batched(
        "append_array",
        expanded("({x}, {x}) => {x}", x=[y for each in ELEMENTS for y in depths(each, 1)]),
        _append_array,
    ),
    *_append_rows("append_row", "columns", "vector", "row_vector", 1),
    *_append_rows("append_col", "rows", "row_vector", "vector", 2),
)

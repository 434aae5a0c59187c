"""Dot products, distances and running sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan.library._checks import require_match
from trustvi.stan.library._contract import contract
from trustvi.stan.library._cumulative import cumulative_sum
from trustvi.stan.library._reductions import norm2
from trustvi.stan.library._rows import Signatures, batched, elementwise
from trustvi.stan.library._signatures import expanded, joined, spelled
from trustvi.stan.library._table import Row

_LISTS = ("vector", "row_vector")
_COMPLEX_LISTS = ("complex_vector", "complex_row_vector")


def _require_equal(function: str, left: Any, right: Any) -> None:
    for size, other in zip(left.shape[1:-1], right.shape[1:-1], strict=True):
        require_match(function, "size of v1", size, "v2", other)


def _dot_product(left: Any, right: Any) -> Any:
    """The sum of products; of complex numbers, those on the left conjugated."""
    _require_equal("dot_product", left, right)
    return contract("i,i->", left.conj() if np.iscomplexobj(left) else left, right)


def _squares(array: Any) -> Any:
    """Squared absolute values."""
    if np.iscomplexobj(array):
        return array.real**2 + array.imag**2 + 0j
    return array * array


def _dot_self(array: Any) -> Any:
    return _squares(array).sum(axis=1)


def _by_line(function: str, spec: str) -> Any:
    """The dot products of corresponding rows or columns."""

    def dot(left: Any, right: Any) -> Any:
        _require_equal(function, left, right)
        return contract(spec, left, right)

    return dot


def _square(array: Any) -> Any:
    return array * array


def _difference(function: str, left: Any, right: Any) -> Any:
    _require_equal(function, left, right)
    return left - right


def _distance(left: Any, right: Any) -> Any:
    return norm2(_difference("distance", left, right))


def _squared_distance(left: Any, right: Any) -> Any:
    return _square(_difference("squared_distance", left, right)).sum(axis=1)


def _cumulative_sum(array: Any) -> Any:
    return cumulative_sum(array, axis=1)


def _both(template: str) -> Signatures:
    """`template` for real and, with {c}, complex types."""
    return joined(expanded(template, c=("", "complex_")))


def _pair(name: str, template: str, complex_template: str, function: Any) -> Row:
    """A function of two lists, each a column or a row."""
    reals = expanded(template, x=_LISTS, y=_LISTS)
    complexes = expanded(complex_template, x=_COMPLEX_LISTS, y=_COMPLEX_LISTS)
    return batched(name, joined(reals, complexes) if complex_template else reals, function)


def _line_rows(which: str, result: str, across: str, along: str) -> tuple[Row, ...]:
    """`rows_dot_...` or `columns_dot_...`: a vector of type `result`, one number per line.

    A vector of type `across` is a single line; one of type `along` has an element in each.
    """
    product, square = f"{which}_dot_product", f"{which}_dot_self"
    spec = "ij,ij->i" if which == "rows" else "ij,ij->j"
    axis = 2 if which == "rows" else 1
    pairs = _both(f"({{c}}{across}, {{c}}{across}) => {{c}}{result}")
    return (
        batched(product, pairs, _single(_by_line(product, "i,i->"))),
        batched(
            product,
            _both(f"({{c}}{along}, {{c}}{along}) => {{c}}{result}"),
            _by_line(product, "i,i->i"),
        ),
        batched(
            product, _both(f"({{c}}matrix, {{c}}matrix) => {{c}}{result}"), _by_line(product, spec)
        ),
        batched(square, _both(f"({{c}}{across}) => {{c}}{result}"), _single(_dot_self)),
        batched(square, _both(f"({{c}}{along}) => {{c}}{result}"), _squares),
        batched(
            square,
            _both(f"({{c}}matrix) => {{c}}{result}"),
            lambda matrix: _squares(matrix).sum(axis=axis),
        ),
    )


def _single(function: Any) -> Any:
    """A vector of one element from a function that returns a scalar."""
    return lambda *arrays: function(*arrays)[:, None]


ROWS: tuple[Row, ...] = (
    _pair("dot_product", "({x}, {y}) => real", "({x}, {y}) => complex", _dot_product),
    batched(
        "dot_product",
        spelled(
            "(array[] real, array[] real) => real",
            "(array[] complex, array[] complex) => complex",
        ),
        _dot_product,
    ),
    batched(
        "dot_self",
        joined(expanded("({x}) => real", x=_LISTS), expanded("({x}) => complex", x=_COMPLEX_LISTS)),
        _dot_self,
    ),
    *_line_rows("rows", "vector", "row_vector", "vector"),
    *_line_rows("columns", "row_vector", "vector", "row_vector"),
    _pair("distance", "({x}, {y}) => real", "", _distance),
    _pair("squared_distance", "({x}, {y}) => real", "", _squared_distance),
    elementwise("squared_distance", spelled("(real, real) => real"), lambda x, y: _square(x - y)),
    batched(
        "cumulative_sum",
        expanded(
            "({x}) => {x}",
            x=(*_LISTS, *_COMPLEX_LISTS, "array[] int", "array[] real", "array[] complex"),
        ),
        _cumulative_sum,
    ),
)

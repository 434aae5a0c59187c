"""The operators, each under the name of the function that Stan has for it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._contract import contract
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._power import power
from trustvi.stan.library._rows import Signatures, batched, elementwise, on_reals
from trustvi.stan.library._signatures import (
    COMPLEX_CONTAINERS,
    CONTAINERS,
    ELEMENTS,
    MAX_DIMS,
    binary_real,
    depths,
    expanded,
    joined,
    spelled,
)
from trustvi.stan.library._table import Row

_SCALARS = spelled("(int, int) => int", "(real, real) => real", "(complex, complex) => complex")
_WITH_SCALAR = joined(
    expanded("(real, {x}) => {x}", x=CONTAINERS),
    expanded("({x}, real) => {x}", x=CONTAINERS),
    expanded("(complex, {x}) => {x}", x=COMPLEX_CONTAINERS),
    expanded("({x}, complex) => {x}", x=COMPLEX_CONTAINERS),
)
_SAME = expanded("({x}, {x}) => {x}", x=CONTAINERS + COMPLEX_CONTAINERS)
_COMPARED = spelled(
    "(int, int) => int", "(int, real) => int", "(real, int) => int", "(real, real) => int"
)
_EQUATED = joined(_COMPARED, spelled("(complex, real) => int", "(complex, complex) => int"))
_NEGATED = expanded("({x}) => {x}", x=[y for each in ELEMENTS for y in depths(each)])
_UNCHANGED = expanded("({x}) => {x}", x=("int", "real", "complex", *CONTAINERS))


def _complex_powers() -> Iterator[str]:
    for element in ("complex", *COMPLEX_CONTAINERS):
        least = element == "complex"
        for x in depths(element, least, MAX_DIMS + least):
            yield from (f"(complex, {x}) => {x}", f"({x}, complex) => {x}", f"({x}, {x}) => {x}")


_POWERS = joined(binary_real, spelled("(complex, complex) => complex"), spelled(*_complex_powers()))


def _truth(values: Any) -> Any:
    """Truth values as Stan has them: the integers 0 and 1."""
    return values.astype(np.int64)


def _comparison(name: str, ufunc: str, signatures: Signatures = _COMPARED) -> Row:
    """A row for the comparison that both NumPy and JAX call `ufunc`."""

    def compare(left: Any, right: Any) -> Any:
        return _truth(getattr(namespace(left, right), ufunc)(left, right))

    return elementwise(name, signatures, compare)


def _require_divisor(divisor: Any, message: str) -> None:
    if not is_traced(divisor) and not np.all(divisor):
        raise StanRuntimeError(message)


def _int_divide(left: Any, right: Any) -> Any:
    """Division of integers, rounded towards zero as in C++."""
    _require_divisor(right, "divide: denominator is 0")
    xp = namespace(left, right)
    return xp.sign(left) * xp.sign(right) * (xp.abs(left) // xp.abs(right))


def _modulus(left: Any, right: Any) -> Any:
    """The remainder of division rounded towards zero: it has the sign of the dividend."""
    _require_divisor(right, "modulus: divisor is 0")
    return namespace(left, right).fmod(left, right)


def _transpose(matrix: Any) -> Any:
    return matrix.swapaxes(1, 2)


def _unchanged(array: Any) -> Any:
    return array


def _multiply(spec: str, left: Any, right: Any) -> Any:
    """The sum of products, when there are as many columns on the left as rows on the right."""
    if "j," in spec and left.shape[-2] != right.shape[1]:
        raise StanRuntimeError(
            f"multiply: Columns of A ({left.shape[-2]}) and Rows of B ({right.shape[1]}) must "
            "match in size"
        )
    return contract(spec, left, right)


def _product(spec: str, *types: str) -> Row:
    """The row of `multiply` for a sum of products over these types, and over the complex ones."""
    left, right, result = types
    complex_result = "complex" if result == "real" else f"complex_{result}"
    signatures = spelled(
        f"({left}, {right}) => {result}", f"(complex_{left}, complex_{right}) => {complex_result}"
    )
    return batched("multiply", signatures, functools.partial(_multiply, spec))


def _arithmetic(name: str, function: Callable[..., Any], *signatures: Signatures) -> Row:
    return elementwise(name, joined(*signatures), function)


_INTS = spelled("(int, int) => int")
_REALS = spelled("(real, real) => real", "(complex, complex) => complex")

ROWS: tuple[Row, ...] = (
    _arithmetic("add", operator.add, _SCALARS, _WITH_SCALAR, _SAME),
    _arithmetic("subtract", operator.sub, _SCALARS, _WITH_SCALAR, _SAME),
    _arithmetic("elt_multiply", operator.mul, _SCALARS, _WITH_SCALAR, _SAME),
    _arithmetic("elt_divide", operator.truediv, _REALS, _WITH_SCALAR, _SAME),
    _arithmetic("elt_divide", _int_divide, _INTS),
    _arithmetic("divide", operator.truediv, _REALS, _WITH_SCALAR),
    _arithmetic("divide", _int_divide, _INTS),
    _arithmetic("%/%", _int_divide, _INTS),
    _arithmetic("modulus", _modulus, _INTS),
    _arithmetic("multiply", operator.mul, _SCALARS, _WITH_SCALAR),
    _product("j,j->", "row_vector", "vector", "real"),
    _product("ij,j->i", "matrix", "vector", "vector"),
    _product("j,jk->k", "row_vector", "matrix", "row_vector"),
    _product("i,j->ij", "vector", "row_vector", "matrix"),
    _product("ij,jk->ik", "matrix", "matrix", "matrix"),
    elementwise("pow", _POWERS, on_reals(power)),
    elementwise("minus", _NEGATED, operator.neg),
    elementwise("plus", _UNCHANGED, _unchanged),
    _comparison("logical_eq", "equal", _EQUATED),
    _comparison("logical_neq", "not_equal", _EQUATED),
    _comparison("logical_lt", "less"),
    _comparison("logical_lte", "less_equal"),
    _comparison("logical_gt", "greater"),
    _comparison("logical_gte", "greater_equal"),
    elementwise("logical_and", _INTS, lambda x, y: _truth((x != 0) & (y != 0))),
    elementwise("logical_or", _INTS, lambda x, y: _truth((x != 0) | (y != 0))),
    elementwise("logical_negation", spelled("(int) => int"), lambda x: _truth(x == 0)),
    batched(
        "transpose",
        spelled(
            "(row_vector) => vector",
            "(vector) => row_vector",
            "(complex_row_vector) => complex_vector",
            "(complex_vector) => complex_row_vector",
        ),
        _unchanged,
    ),
    batched(
        "transpose",
        spelled("(matrix) => matrix", "(complex_matrix) => complex_matrix"),
        _transpose,
    ),
)

"""From a declaration to its layout: evaluate the sizes, and see that they make sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trustvi.stan._ast import Declared, Expr, SizedType, Transform
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._transforms._layout import Layout

_SQUARE = frozenset({"cov_matrix", "corr_matrix", "cholesky_factor_corr", "cholesky_factor_cov"})
_NOT_EMPTY = frozenset(
    {"simplex", "sum_to_zero_vector", "sum_to_zero_matrix", "column_stochastic_matrix",
     "row_stochastic_matrix"}
)  # fmt: skip

Evaluate = Callable[[Expr], int]


def layout_of(declared: Declared, name: str, evaluate: Evaluate) -> Layout:
    """The layout of a declared variable; `evaluate` gives the value of a size."""
    sized = declared.sized
    array_dims = tuple(_size(expr, name, evaluate) for expr in sized.array_sizes)
    if sized.name == "tuple":
        elements = tuple(
            layout_of(element, f"{name}.{position}", evaluate)
            for position, element in enumerate(sized.elements, start=1)
        )
        return Layout(Transform.TUPLE, array_dims, elements=elements)
    dims = tuple(_size(expr, name, evaluate) for expr in sized.sizes)
    if sized.name in _SQUARE and len(dims) == 1:
        dims = dims * 2
    _verify(sized, name, dims)
    return Layout(
        declared.transform,
        array_dims,
        dims,
        integer=sized.name == "int",
        complex=sized.name.startswith("complex"),
    )


def _size(expr: Expr, name: str, evaluate: Evaluate) -> int:
    size = evaluate(expr)
    if size < 0:
        message = f"Found negative dimension size in variable declaration; variable={name}"
        raise StanRuntimeError(f"{message}; expression value={size}", expr.span)
    return size


def _verify(sized: SizedType, name: str, dims: tuple[int, ...]) -> None:
    """The sizes that a type can't have."""
    if sized.name in _NOT_EMPTY and min(dims) < 1:
        message = (
            f"Found dimension size less than one in {sized.name} declaration; variable={name}; "
            f"expression value={min(dims)}"
        )
    elif sized.name == "unit_vector" and dims[0] < 2:
        message = (
            f"Found dimension size less than two in unit_vector declaration; variable={name}; "
            f"expression value={dims[0]}; a unit vector of one element is discrete"
        )
    elif sized.name == "cholesky_factor_cov" and dims[0] < dims[1]:
        message = (
            f"cholesky_factor_cov {name}: num rows (must be greater or equal to num cols) is "
            f"{dims[0]}, but must be greater than or equal to {dims[1]}"
        )
    else:
        return
    raise StanRuntimeError(message, sized.span)


def arguments_of(declared: Declared, evaluate: Callable[[Expr], Any]) -> tuple[Any, ...]:
    """The values of a transform's arguments; for a tuple, a tuple of those of its elements."""
    if declared.transform is Transform.TUPLE:
        return tuple(arguments_of(element, evaluate) for element in declared.sized.elements)
    return tuple(evaluate(argument) for argument in declared.arguments)

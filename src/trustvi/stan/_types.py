"""The types of Stan expressions: what the checker computes and the evaluator lays out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Int:
    def __str__(self) -> str:
        return "int"


@dataclass(frozen=True, slots=True)
class Real:
    def __str__(self) -> str:
        return "real"


@dataclass(frozen=True, slots=True)
class Complex:
    def __str__(self) -> str:
        return "complex"


@dataclass(frozen=True, slots=True)
class Vector:
    """A column vector; `complex` tells `complex_vector` from `vector`."""

    complex: bool = False

    def __str__(self) -> str:
        return "complex_vector" if self.complex else "vector"


@dataclass(frozen=True, slots=True)
class RowVector:
    complex: bool = False

    def __str__(self) -> str:
        return "complex_row_vector" if self.complex else "row_vector"


@dataclass(frozen=True, slots=True)
class Matrix:
    complex: bool = False

    def __str__(self) -> str:
        return "complex_matrix" if self.complex else "matrix"


@dataclass(frozen=True, slots=True)
class Array:
    """One array dimension around `element`, which may be an Array again."""

    element: Type

    def __str__(self) -> str:
        inner, dims = unwind(self)
        return f"array[{',' * (dims - 1)}] {inner}"


@dataclass(frozen=True, slots=True)
class Tuple:
    elements: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple({', '.join(map(str, self.elements))})"


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a function: its type, and whether only data may be passed."""

    type: Type
    data_only: bool = False

    def __str__(self) -> str:
        return f"data {self.type}" if self.data_only else str(self.type)


@dataclass(frozen=True, slots=True)
class Function:
    """The type of a function; `suffix` is "", "lpdf", "lpmf", "rng" or "lp"."""

    arguments: tuple[Argument, ...]
    result: Type
    suffix: str = ""

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.arguments))}) => {self.result}"


Type = Int | Real | Complex | Vector | RowVector | Matrix | Array | Tuple | Void | Function

INT, REAL, COMPLEX, VOID = Int(), Real(), Complex(), Void()
VECTOR, ROW_VECTOR, MATRIX = Vector(), RowVector(), Matrix()
COMPLEX_VECTOR, COMPLEX_ROW_VECTOR, COMPLEX_MATRIX = Vector(True), RowVector(True), Matrix(True)


def array_of(element: Type, dims: int = 1) -> Type:
    """`element` inside `dims` array dimensions."""
    for _ in range(dims):
        element = Array(element)
    return element


def unwind(type: Type) -> tuple[Type, int]:
    """The innermost element type, and how many array dimensions stand around it."""
    dims = 0
    while isinstance(type, Array):
        type, dims = type.element, dims + 1
    return type, dims


def event_rank(type: Type) -> int:
    """The number of axes of a value of this type: array dimensions, then those of the element."""
    inner, dims = unwind(type)
    match inner:
        case Vector() | RowVector():
            return dims + 1
        case Matrix():
            return dims + 2
        case _:
            return dims

"""Signatures written as Stan writes them, and the families that vectorisation makes of them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from trustvi.stan import _types as t

MAX_DIMS = 7
"""Functions "of arrays of any depth" go this deep in Stan's own listing."""

CONTAINERS = ("vector", "row_vector", "matrix")
COMPLEX_CONTAINERS = ("complex_vector", "complex_row_vector", "complex_matrix")
ELEMENTS = ("int", "real", *CONTAINERS, "complex", *COMPLEX_CONTAINERS)

_SIMPLE: dict[str, t.Type] = {
    str(type): type
    for type in (
        t.INT,
        t.REAL,
        t.COMPLEX,
        t.VOID,
        t.VECTOR,
        t.ROW_VECTOR,
        t.MATRIX,
        t.COMPLEX_VECTOR,
        t.COMPLEX_ROW_VECTOR,
        t.COMPLEX_MATRIX,
    )
}


def _split(text: str) -> Iterator[str]:
    """The parts of `text` between commas that stand outside all brackets."""
    depth, start = 0, 0
    for position, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            yield text[start:position].strip()
            start = position + 1
    if last := text[start:].strip():
        yield last


def _closing(text: str) -> int:
    """The position of the bracket that closes the one `text` begins with."""
    depth = 0
    for position, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return position
    raise ValueError(f"unbalanced signature: {text}")


@functools.cache
def parse_type(text: str) -> t.Type:
    """The type that `text` spells: `array[,] vector`, `tuple(int, real)`, `(real) => real`, ..."""
    if simple := _SIMPLE.get(text):
        return simple
    if text.startswith("array["):
        brackets, _, element = text.partition("]")
        return t.array_of(parse_type(element.strip()), brackets.count(",") + 1)
    if text.startswith("tuple("):
        return t.Tuple(tuple(map(parse_type, _split(text[len("tuple(") : -1]))))
    if text.startswith("("):
        return parse_function(text)
    raise ValueError(f"no type of Stan's: {text!r}")


def _parse_argument(text: str) -> t.Argument:
    data_only = text.startswith("data ")
    return t.Argument(parse_type(text.removeprefix("data ")), data_only)


@functools.cache
def parse_function(text: str, suffix: str = "") -> t.Function:
    """The function type that `text`, such as `(vector, int) => real`, spells."""
    end = _closing(text)
    result = text[end + 1 :].strip().removeprefix("=>").strip()
    arguments = tuple(map(_parse_argument, _split(text[1:end])))
    return t.Function(arguments, parse_type(result), suffix)


def spelled(*texts: str) -> Callable[[], tuple[t.Function, ...]]:
    """These signatures, parsed when asked for."""
    return lambda: tuple(map(parse_function, texts))


def expanded(
    template: str, **choices: Iterable[str] | Iterable[Sequence[str]]
) -> Callable[[], tuple[t.Function, ...]]:
    """`template`, a format string, filled with every combination of `choices`."""

    def expand() -> tuple[t.Function, ...]:
        combinations = itertools.product(*choices.values())
        return tuple(
            parse_function(template.format(**dict(zip(choices, each, strict=True))))
            for each in combinations
        )

    return expand


def joined(
    *families: Callable[[], Iterable[t.Function]],
) -> Callable[[], tuple[t.Function, ...]]:
    """All signatures of `families`, in their order."""
    return lambda: tuple(itertools.chain.from_iterable(family() for family in families))


def arrays(element: str, dims: int) -> str:
    """How Stan spells `element` within `dims` array dimensions."""
    return f"array[{',' * (dims - 1)}] {element}" if dims else element


def depths(element: str, least: int = 0, most: int = MAX_DIMS) -> tuple[str, ...]:
    """The spellings of `element` within `least` to `most` array dimensions."""
    return tuple(arrays(element, dims) for dims in range(least, most + 1))


def _all_depths(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for dims in range(MAX_DIMS + 1):
        for argument, result in pairs:
            yield arrays(argument, dims), arrays(result, dims)


def unary(
    *pairs: tuple[str, str],
) -> Callable[[], tuple[t.Function, ...]]:
    """One argument, elementwise at every array depth; `pairs` are element types (from, to)."""
    return expanded("({x[0]}) => {x[1]}", x=tuple(_all_depths(pairs)))


REAL_PAIRS = (("int", "real"), ("real", "real"), *((each, each) for each in CONTAINERS))
"""What a real function of one real makes of each element type."""

unary_real = unary(*REAL_PAIRS)


def _with_scalars(scalars: Sequence[str], container: str) -> Iterator[str]:
    """Both arguments `container`, or one of them a scalar."""
    for scalar in scalars:
        yield f"({scalar}, {container}) => {container}"
        yield f"({container}, {scalar}) => {container}"
    yield f"({container}, {container}) => {container}"


def binary(scalars: Sequence[str]) -> Callable[[], tuple[t.Function, ...]]:
    """Two reals, elementwise: containers of equal shape, or one container and one scalar.

    `scalars` are the scalar types accepted as such: `("int", "real")` or `("real",)`.
    """

    def expand() -> tuple[t.Function, ...]:
        found = [f"({x}, {y}) => real" for x in scalars for y in scalars]
        for dims in range(MAX_DIMS + 1):
            for container in CONTAINERS:
                found += _with_scalars(scalars, arrays(container, dims))
        for dims in range(1, MAX_DIMS + 2):
            found += _scalar_arrays(scalars, dims)
        return tuple(map(parse_function, found))

    return expand


def _scalar_arrays(scalars: Sequence[str], dims: int) -> Iterator[str]:
    """One argument a scalar and the other an array of scalars, or arrays of one element type."""
    result = arrays("real", dims)
    for element in scalars:
        array = arrays(element, dims)
        for scalar in scalars:
            yield f"({scalar}, {array}) => {result}"
            yield f"({array}, {scalar}) => {result}"
        yield f"({array}, {array}) => {result}"


binary_real = binary(("int", "real"))


def _with_integer(real: str, integer: str, result: str, int_first: bool) -> str:
    first, second = (integer, real) if int_first else (real, integer)
    return f"({first}, {second}) => {result}"


def binary_int(*, int_first: bool) -> Callable[[], tuple[t.Function, ...]]:
    """A real and an integer argument, elementwise: either may be a scalar, or shapes are equal.

    The integers that go with a vector are an array, with a matrix an array of arrays.
    """

    def expand() -> tuple[t.Function, ...]:
        found = []
        for dims in range(MAX_DIMS + 1):
            for element, rank in (("vector", 1), ("row_vector", 1), ("matrix", 2)):
                real = arrays(element, dims)
                found.append(_with_integer(real, "int", real, int_first))
                integer = arrays("int", dims + rank)
                found.append(_with_integer(real, integer, real, int_first))
        for dims in range(MAX_DIMS + 2):
            found += _integer_scalar_arrays(dims, int_first)
        return tuple(map(parse_function, dict.fromkeys(found)))

    return expand


def _integer_scalar_arrays(dims: int, int_first: bool) -> Iterator[str]:
    real, integer = arrays("real", dims), arrays("int", dims)
    yield _with_integer(real, "int", real, int_first)
    yield _with_integer(real, integer, real, int_first)
    if dims <= MAX_DIMS:
        yield _with_integer("real", integer, real, int_first)

"""Promotion of types, and the choice among signatures: the cheapest promotion wins.

Stan promotes int to real to complex, alone and as elements of arrays, vectors, matrices and
tuples. A call takes the signature whose promotions cost least in sum; two equally cheap ones are
an ambiguity, which is an error (Stan Reference Manual, "Function application").
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from trustvi.stan import _types as t
from trustvi.stan._ast import Op
from trustvi.stan.library import _table as table

_SCALAR_RANK: Mapping[t.Type, int] = MappingProxyType({t.INT: 0, t.REAL: 1, t.COMPLEX: 2})


def promotion_cost(given: t.Type, wanted: t.Type) -> int | None:
    """The number of steps up the ladder int, real, complex from one type to the other, or None."""
    if given == wanted:
        return 0
    if given in _SCALAR_RANK and wanted in _SCALAR_RANK:
        steps = _SCALAR_RANK[wanted] - _SCALAR_RANK[given]
        return steps if steps > 0 else None
    match given, wanted:
        case t.Array(), t.Array():
            return promotion_cost(given.element, wanted.element)
        case t.Tuple(), t.Tuple() if len(given.elements) == len(wanted.elements):
            return _total(map(promotion_cost, given.elements, wanted.elements))
        case _, t.Vector(complex=True) | t.RowVector(complex=True) | t.Matrix(complex=True):
            return 1 if type(given) is type(wanted) else None
    return None


def _total(costs: Iterable[int | None]) -> int | None:
    """The sum, or None if one of the summands is None."""
    total = 0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total


def common_type(left: t.Type, right: t.Type) -> t.Type | None:
    """The least type that both can be promoted to, elementwise in tuples."""
    if promotion_cost(left, right) is not None:
        return right
    if promotion_cost(right, left) is not None:
        return left
    match left, right:
        case t.Array(), t.Array():
            element = common_type(left.element, right.element)
            return element and t.Array(element)
        case t.Tuple(), t.Tuple() if len(left.elements) == len(right.elements):
            elements = tuple(map(common_type, left.elements, right.elements))
            known = tuple(element for element in elements if element is not None)
            return t.Tuple(known) if len(known) == len(elements) else None
    return None


# --------------------------------------------------------------------------- what a call finds


@dataclass(frozen=True, slots=True)
class Given:
    """What a call supplies at one position: a type, and whether the value is data alone."""

    type: t.Type
    data_only: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """The one signature that fits best."""

    signature: t.Function


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Several signatures fit equally well."""

    signatures: tuple[t.Function, ...]


@dataclass(frozen=True, slots=True)
class Miss:
    """A signature that doesn't fit. `position` (from 0) is the first argument at fault, or None
    when their number is; `needs_data` tells that the type would do."""

    signature: t.Function
    position: int | None
    needs_data: bool = False


@dataclass(frozen=True, slots=True)
class Mismatch:
    """No signature fits; the nearest misses come first."""

    misses: tuple[Miss, ...]


Resolution = Match | Ambiguity | Mismatch


# --------------------------------------------------------------------------- resolution


@dataclass(frozen=True, slots=True)
class Overloads:
    """The signatures of one function, ready to be searched."""

    signatures: tuple[t.Function, ...]
    by_types: Mapping[tuple[t.Type, ...], t.Function]
    by_count: Mapping[int, tuple[t.Function, ...]]


def overloads_of(signatures: Iterable[t.Function]) -> Overloads:
    """Index `signatures`, all different, by their argument types and by their number."""
    found = tuple(signatures)
    by_count: dict[int, list[t.Function]] = {}
    for each in found:
        by_count.setdefault(len(each.arguments), []).append(each)
    return Overloads(
        found,
        MappingProxyType({tuple(a.type for a in each.arguments): each for each in found}),
        MappingProxyType({count: tuple(each) for count, each in by_count.items()}),
    )


def resolve(overloads: Overloads, given: tuple[Given, ...]) -> Resolution:
    """The signature with the cheapest promotion of `given`."""
    exact = overloads.by_types.get(tuple(each.type for each in given))
    if exact is not None and _call_cost(exact, given) is not None:
        return Match(exact)
    best: list[t.Function] = []
    least: int | None = None
    for signature in overloads.by_count.get(len(given), ()):
        cost = _call_cost(signature, given)
        if cost is None or (least is not None and cost > least):
            continue
        best = [*best, signature] if cost == least else [signature]
        least = cost
    if not best:
        return Mismatch(_nearest_misses(overloads.signatures, given))
    return Match(best[0]) if len(best) == 1 else Ambiguity(tuple(best))


def _call_cost(signature: t.Function, given: tuple[Given, ...]) -> int | None:
    return _total(map(_argument_cost, given, signature.arguments))


def _argument_cost(given: Given, wanted: t.Argument) -> int | None:
    if wanted.data_only and not given.data_only:
        return None
    return promotion_cost(given.type, wanted.type)


def _nearest_misses(
    signatures: tuple[t.Function, ...], given: tuple[Given, ...]
) -> tuple[Miss, ...]:
    """Right number of arguments first, then those that fit furthest."""
    misses = [_miss(signature, given) for signature in signatures]
    return tuple(sorted(misses, key=lambda miss: _distance(miss, given)))


def _miss(signature: t.Function, given: tuple[Given, ...]) -> Miss:
    if len(signature.arguments) != len(given):
        return Miss(signature, None)
    pairs = enumerate(zip(given, signature.arguments, strict=True))
    position = next(i for i, pair in pairs if _argument_cost(*pair) is None)
    wanted = signature.arguments[position].type
    needs_data = promotion_cost(given[position].type, wanted) is not None
    return Miss(signature, position, needs_data)


def _distance(miss: Miss, given: tuple[Given, ...]) -> tuple[int, int, int]:
    if miss.position is None:
        return 1, abs(len(miss.signature.arguments) - len(given)), 0
    fitting = sum(
        _argument_cost(*pair) is not None
        for pair in zip(given, miss.signature.arguments, strict=True)
    )
    return 0, -fitting, -miss.position


# --------------------------------------------------------------------------- the library


@functools.cache
def library_overloads(name: str) -> Overloads | None:
    """The signatures of the library's function `name`, or None where there is none.

    Functions of any number of arguments list no signatures, and have rules of their own.
    """
    found = overloads_of(each for row in table.lookup(name) for each in row.signatures())
    return found if found.signatures else None


@functools.cache
def operator_overloads(op: Op) -> Overloads:
    """The signatures of an operator."""
    return overloads_of(table.operator_overloads(op))


@functools.lru_cache(maxsize=4096)
def resolve_library(name: str, given: tuple[Given, ...]) -> Resolution | None:
    """`resolve` among the library's functions called `name`; None for an unknown name."""
    overloads = library_overloads(name)
    return None if overloads is None else resolve(overloads, given)


@functools.lru_cache(maxsize=4096)
def resolve_operator(op: Op, given: tuple[Given, ...]) -> Resolution:
    """`resolve` among the signatures of an operator."""
    return resolve(operator_overloads(op), given)

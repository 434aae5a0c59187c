"""Univariate distributions: one declaration each, and the rows of the library it gives.

`normal` gives normal_lpdf, normal_cdf, normal_lcdf, normal_lccdf and normal_rng, with all the
combinations of scalars and one-dimensional containers that Stan accepts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustvi.stan import _types as t
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any
Kinds = tuple[t.Type, ...]

INTS: Kinds = (t.INT, t.array_of(t.INT))
REALS: Kinds = (t.REAL, t.VECTOR, t.ROW_VECTOR, t.array_of(t.REAL))
NUMBERS: Kinds = (t.INT, t.REAL, t.VECTOR, t.ROW_VECTOR, t.array_of(t.INT), t.array_of(t.REAL))


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument: its name in messages and what it must be (see `Terms.check`).

    `natural` says that a traced violation makes the log density NaN or -inf by itself.
    `sampled` are the types accepted by the generator of random numbers.
    """

    what: str
    must: str
    natural: bool = False
    kinds: Kinds = REALS
    sampled: Kinds = NUMBERS


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Elementwise functions of (y, *parameters): log F, log(1 - F), and F where there is better

    than exp(log F). `variate` is what the variate must be here, if not what the density says.
    """

    lcdf: Callable[..., Array]
    lccdf: Callable[..., Array] | None
    cdf: Callable[..., Array] | None = None
    variate: Argument | None = None


@dataclass(frozen=True, slots=True)
class Distribution:
    """A univariate distribution. `related` checks what arguments must be to each other."""

    name: str
    arguments: tuple[Argument, ...]
    density: Callable[..., None]
    cumulative: Cumulative | None = None
    sample: Callable[..., Array] | None = None
    related: Callable[..., None] | None = None

    @property
    def discrete(self) -> bool:
        return self.arguments[0].kinds[0] == t.INT


def vectorised(result: t.Type, *kinds: Kinds) -> Callable[[], Iterable[t.Function]]:
    """All signatures that take one of `kinds` for each argument."""

    def expand() -> Iterator[t.Function]:
        choices = [[t.Argument(kind) for kind in each] for each in kinds]
        return (t.Function(arguments, result) for arguments in itertools.product(*choices))

    return expand


def vectorised_rng(result: t.Type, *kinds: Kinds) -> Callable[[], Iterable[t.Function]]:
    """As `vectorised`; the result is an array unless all arguments are scalars."""

    def expand() -> Iterator[t.Function]:
        for signature in vectorised(result, *kinds)():
            scalar = all(each.type in (t.INT, t.REAL) for each in signature.arguments)
            yield signature if scalar else t.Function(signature.arguments, t.array_of(result))

    return expand


def as_reals(arrays: Iterable[Array]) -> list[Array]:
    """Integers as reals, for formulas."""
    return [each.astype(float) if each.dtype.kind in "iub" else each for each in arrays]


def check(terms: Terms, arguments: Iterable[Argument], arrays: Iterable[Array]) -> None:
    """Demand of each array what its argument must be."""
    for argument, array in zip(arguments, arrays, strict=True):
        if argument.must:
            terms.check(argument.what, array, argument.must, argument.natural)


def density(distribution: Distribution) -> Callable[..., None]:
    """The implementation of the row `..._lpdf` or `..._lpmf`."""

    def implementation(terms: Terms, *arrays: Array) -> None:
        with np.errstate(all="ignore"):
            arrays = tuple(as_reals(arrays))
            check(terms, distribution.arguments, arrays)
            if distribution.related:
                distribution.related(terms, *arrays)
            distribution.density(terms, *arrays)

    return implementation


def rows_of(distribution: Distribution) -> Iterator[Row]:
    """All rows of one distribution."""
    name, kinds = distribution.name, [each.kinds for each in distribution.arguments]
    suffix = "lpmf" if distribution.discrete else "lpdf"
    signatures = vectorised(t.REAL, *kinds)
    yield Row(f"{name}_{suffix}", signatures, Convention.DENSITY, density(distribution))

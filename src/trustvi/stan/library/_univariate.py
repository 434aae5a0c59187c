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
from trustvi.stan.library._dispatch import exp
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any
Function = Callable[..., Array]
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
    """Elementwise functions of (y, *parameters): log F, log(1 - F) and F.

    `variate` is what the variate must be here, and `related` what arguments must be to each
    other, where that is not as for the density.
    """

    lcdf: Function | None
    lccdf: Function | None
    cdf: Function | None
    variate: Argument | None = None
    related: Callable[..., None] | None = None


def cumulative(
    lcdf: Function,
    lccdf: Function,
    cdf: Function | None = None,
    variate: Argument | None = None,
    related: Callable[..., None] | None = None,
) -> Cumulative:
    """With F = exp(log F) unless there is a better one."""
    return Cumulative(lcdf, lccdf, cdf or (lambda *args: exp(lcdf(*args))), variate, related)


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


def _checked(distribution: Distribution, terms: Terms, arrays: Iterable[Array]) -> list[Array]:
    """The arguments of a distribution function as reals, after their checks."""
    cumulative = distribution.cumulative
    variate = (cumulative and cumulative.variate) or distribution.arguments[0]
    arrays = as_reals(arrays)
    check(terms, (variate, *distribution.arguments[1:]), arrays)
    related = (cumulative and cumulative.related) or distribution.related
    if related:
        related(terms, *arrays)
    return arrays


def _log_cumulative(distribution: Distribution, function: Function) -> Callable[..., None]:
    """The implementation of `..._lcdf` or `..._lccdf`: a sum over the variates."""

    def implementation(terms: Terms, *arrays: Array) -> None:
        with np.errstate(all="ignore"):
            arrays = tuple(_checked(distribution, terms, arrays))
            terms.add(function(*arrays), *arrays)

    return implementation


def _cumulative(distribution: Distribution, function: Function) -> Callable[..., None]:
    """The implementation of `..._cdf`: a product over the variates."""

    def implementation(terms: Terms, *arrays: Array) -> None:
        with np.errstate(all="ignore"):
            terms.multiply(function(*_checked(distribution, terms, arrays)))

    return implementation


def _cumulative_rows(distribution: Distribution) -> Iterator[tuple[str, Callable[..., None]]]:
    cumulative = distribution.cumulative
    if cumulative is None:
        return
    if cumulative.lcdf:
        yield "lcdf", _log_cumulative(distribution, cumulative.lcdf)
    if cumulative.lccdf:
        yield "lccdf", _log_cumulative(distribution, cumulative.lccdf)
    if cumulative.cdf:
        yield "cdf", _cumulative(distribution, cumulative.cdf)


def rows_of(distribution: Distribution) -> Iterator[Row]:
    """All rows of one distribution."""
    name, kinds = distribution.name, [each.kinds for each in distribution.arguments]
    suffix = "lpmf" if distribution.discrete else "lpdf"
    signatures = vectorised(t.REAL, *kinds)
    yield Row(f"{name}_{suffix}", signatures, Convention.DENSITY, density(distribution))
    for suffix, implementation in _cumulative_rows(distribution):
        yield Row(f"{name}_{suffix}", signatures, Convention.DENSITY, implementation)

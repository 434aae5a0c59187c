"""Univariate distributions: one declaration each, and the rows of the library it gives.

`normal` gives normal_lpdf, normal_cdf, normal_lcdf, normal_lccdf and normal_rng, with all the
combinations of scalars and one-dimensional containers that Stan accepts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from trustvi.stan import _types as t
from trustvi.stan.library._dispatch import exp
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any
Function = Callable[..., Array]
Check = Callable[..., None]
Kinds = tuple[t.Type, ...]

INTS: Kinds = (t.INT, t.array_of(t.INT))
REALS: Kinds = (t.REAL, t.VECTOR, t.ROW_VECTOR, t.array_of(t.REAL))
NUMBERS: Kinds = (t.INT, t.REAL, t.VECTOR, t.ROW_VECTOR, t.array_of(t.INT), t.array_of(t.REAL))


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument: its name in messages and what it must be (see `Terms.check`).

    `natural` says that a traced violation makes the log density NaN or -inf by itself.
    `sampled` are the types that the generator of random numbers accepts.
    """

    what: str
    must: str
    natural: bool = False
    kinds: Kinds = REALS
    sampled: Kinds = NUMBERS


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Elementwise functions of (y, *parameters): log F, log(1 - F) and F.

    `variate` is what the variate must be, if not what it must be for the density, and `placed`
    what it must be relative to other things.
    """

    lcdf: Function | None
    lccdf: Function | None
    cdf: Function | None
    variate: Argument | None = None
    placed: Check | None = None


def cumulative(
    lcdf: Function,
    lccdf: Function,
    cdf: Function | None = None,
    variate: Argument | None = None,
    placed: Check | None = None,
) -> Cumulative:
    """With F = exp(log F) unless there is a better one."""
    return Cumulative(lcdf, lccdf, cdf or (lambda *args: exp(lcdf(*args))), variate, placed)


@dataclass(frozen=True, slots=True)
class Distribution:
    """A univariate distribution.

    `related(terms, *parameters)` checks what parameters must be to each other, and
    `placed(terms, y, *parameters)` what the variate of the density must be to them.
    """

    name: str
    variate: Argument
    parameters: tuple[Argument, ...]
    density: Callable[..., None]
    cumulative: Cumulative | None = None
    sample: Function | None = None
    related: Check | None = None
    placed: Check | None = None


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


def _as_reals(arrays: Iterable[Array]) -> list[Array]:
    """Integers as reals, for formulas."""
    return [each.astype(float) if each.dtype.kind in "iub" else each for each in arrays]


def _check(terms: Terms, argument: Argument, array: Array) -> None:
    if argument.must:
        terms.check(argument.what, array, argument.must, argument.natural)


def _check_parameters(
    terms: Terms, distribution: Distribution, parameters: Iterable[Array]
) -> None:
    for argument, array in zip(distribution.parameters, parameters, strict=True):
        _check(terms, argument, array)
    if distribution.related:
        distribution.related(terms, *parameters)


def _density(distribution: Distribution) -> Callable[..., None]:
    """The implementation of `..._lpdf` or `..._lpmf`."""

    def implementation(terms: Terms, *arrays: Array) -> None:
        with np.errstate(all="ignore"):
            y, *parameters = _as_reals(arrays)
            _check(terms, distribution.variate, y)
            _check_parameters(terms, distribution, parameters)
            if distribution.placed:
                distribution.placed(terms, y, *parameters)
            distribution.density(terms, y, *parameters)

    return implementation


def _checked(distribution: Distribution, terms: Terms, arrays: Iterable[Array]) -> list[Array]:
    """The arguments of a distribution function as reals, after their checks."""
    y, *parameters = _as_reals(arrays)
    cumulative = distribution.cumulative
    assert cumulative is not None
    _check(terms, cumulative.variate or distribution.variate, y)
    _check_parameters(terms, distribution, parameters)
    if cumulative.placed:
        cumulative.placed(terms, y, *parameters)
    return [y, *parameters]


def _log_cumulative(distribution: Distribution, function: Function) -> Callable[..., None]:
    """The implementation of `..._lcdf` or `..._lccdf`: a sum over the variates."""

    def implementation(terms: Terms, *arrays: Array) -> None:
        with np.errstate(all="ignore"):
            reals = _checked(distribution, terms, arrays)
            terms.add(function(*reals), *reals)

    return implementation


def _cumulative(distribution: Distribution, function: Function) -> Callable[..., None]:
    """The implementation of `..._cdf`: a product over the variates."""

    def implementation(terms: Terms, *arrays: Array) -> None:
        with np.errstate(all="ignore"):
            terms.multiply(function(*_checked(distribution, terms, arrays)))

    return implementation


def _sampler(distribution: Distribution, sample: Function) -> Function:
    """The implementation of `..._rng`, which checks known parameters.

    Compiled, because the loops in it would be compiled anew whenever they are run by themselves.
    """
    compiled = jax.jit(sample, static_argnums=1)

    def implementation(key: Array, shape: tuple[int, ...], *arrays: Array) -> Array:
        terms = Terms.aligned(f"{distribution.name}_rng", *arrays)
        parameters = _as_reals(arrays)
        _check_parameters(terms, distribution, parameters)
        return compiled(key, shape, *parameters)

    return implementation


def rows_of(distribution: Distribution) -> Iterator[Row]:
    """All rows of one distribution."""
    name, cumulative = distribution.name, distribution.cumulative
    discrete = distribution.variate.kinds[0] == t.INT
    kinds = [distribution.variate.kinds, *(each.kinds for each in distribution.parameters)]

    def row(suffix: str, implementation: Callable[..., None]) -> Row:
        return Row(
            f"{name}_{suffix}", vectorised(t.REAL, *kinds), Convention.DENSITY, implementation
        )

    yield row("lpmf" if discrete else "lpdf", _density(distribution))
    if cumulative and cumulative.cdf:
        yield row("cdf", _cumulative(distribution, cumulative.cdf))
    if cumulative and cumulative.lcdf:
        yield row("lcdf", _log_cumulative(distribution, cumulative.lcdf))
    if cumulative and cumulative.lccdf:
        yield row("lccdf", _log_cumulative(distribution, cumulative.lccdf))
    if distribution.sample:
        sampled = vectorised_rng(
            t.INT if discrete else t.REAL, *(each.sampled for each in distribution.parameters)
        )
        sampler = _sampler(distribution, distribution.sample)
        yield Row(f"{name}_rng", sampled, Convention.RNG, sampler)

"""What a library function is: one row with its name, signatures and implementation.

The type checker, the evaluator and the coverage page read the same rows. Implementations know
nothing of Stan values: they receive arrays whose axes are `(lanes, *event, draws)`, where the
lanes axis has size 1 when the value is the same in all lanes of a loop, and the draws axis has
size 1 when it doesn't depend on parameters. A NumPy array is known now (data); a JAX array is
traced. Integers are int64, reals float64, complex complex128; truth values are 0 and 1.
"""

from __future__ import annotations

import enum
import functools
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from trustvi.stan import _types as t
from trustvi.stan._ast import Op


class Convention(enum.Enum):
    """How the evaluator calls an implementation."""

    ELEMENTWISE = "f(*arrays): event axes aligned for broadcasting; returns an array"
    BATCHED = "f(*arrays): each with its own event axes between lanes and draws; returns an array"
    EVENT = "f(*events): one lane and one draw, event axes only; mapped over lanes and draws"
    DENSITY = "f(terms, *arrays): aligned as ELEMENTWISE; adds summands to terms"
    MULTIVARIATE = "f(terms, *arrays): as BATCHED; adds summands to terms"
    RNG = "f(key, shape, *arrays): aligned as ELEMENTWISE; returns an array of that shape"
    RNG_EVENT = "f(key, *events): as EVENT, with a key"
    SPECIAL = "the evaluator handles this name itself"


@dataclass(frozen=True, slots=True)
class Row:
    """One library function. `signatures` is a function so that expansion waits until asked for.

    `static` are the positions of integer arguments that decide the shape of the result (or the
    structure of the computation): they arrive as Python ints, so where they differ between lanes
    the evaluator must take the lanes apart. A result that is a tuple of Stan's is a Python tuple
    of arrays.
    """

    name: str
    signatures: Callable[[], Iterable[t.Function]]
    convention: Convention
    implementation: Callable[..., Any] | None = field(default=None, compare=False)
    static: tuple[int, ...] = ()

    @property
    def run(self) -> Callable[..., Any]:
        """The implementation, of a row that has one."""
        assert self.implementation is not None, self.name
        return self.implementation


MODULES = (
    "_operators",
    "_scalar",
    "_arrays",
    "_slices",
    "_reshape",
    "_reductions",
    "_products",
    "_sorting",
    "_matrix",
    "_linalg",
    "_decompositions",
    "_complex",
    "_gp",
    "_sparse",
    "_density_wiener",
    "_distributions",
    "_compositions",
    "_multi_normal",
    "_matrix_distributions",
    "_glm",
    "_hmm",
    "_dlm",
    "_multivariate_rng",
    "_ode",
    "_algebra",
    "_quadrature",
    "_higher_order",
)
"""The modules of the library that have functions to offer, each as `ROWS: tuple[Row, ...]`."""

OPERATORS: Mapping[Op, tuple[str, ...]] = MappingProxyType(
    {
        Op.OR: ("logical_or",),
        Op.AND: ("logical_and",),
        Op.EQ: ("logical_eq",),
        Op.NE: ("logical_neq",),
        Op.LT: ("logical_lt",),
        Op.LE: ("logical_lte",),
        Op.GT: ("logical_gt",),
        Op.GE: ("logical_gte",),
        Op.ADD: ("add",),
        Op.SUB: ("subtract",),
        Op.MUL: ("multiply",),
        Op.DIV: ("mdivide_right", "divide"),
        Op.MOD: ("modulus",),
        Op.LDIV: ("mdivide_left",),
        Op.INT_DIV: ("%/%",),
        Op.ELT_MUL: ("elt_multiply",),
        Op.ELT_DIV: ("elt_divide",),
        Op.POW: ("pow",),
        Op.ELT_POW: ("pow",),
        Op.NOT: ("logical_negation",),
        Op.NEG: ("minus",),
        Op.POS: ("plus",),
        Op.TRANSPOSE: ("transpose",),
    }
)
"""The functions an operator stands for: it has the signatures of all of them together."""


@functools.cache
def _rows_by_name() -> Mapping[str, tuple[Row, ...]]:
    found: dict[str, tuple[Row, ...]] = {}
    for module in MODULES:
        for row in importlib.import_module(f"{__package__}.{module}").ROWS:
            found[row.name] = (*found.get(row.name, ()), row)
    return MappingProxyType(found)


def lookup(name: str) -> tuple[Row, ...]:
    """The rows called `name`, none for a name the library doesn't have.

    Densities are found by their full names: `normal_lpdf`, `poisson_lcdf`.
    """
    return _rows_by_name().get(name, ())


def names() -> frozenset[str]:
    """The names of all functions that a program may call."""
    return frozenset(name for name in _rows_by_name() if name.isidentifier())


@functools.cache
def overloads(name: str) -> Mapping[t.Function, Row]:
    """Every signature of the function `name`, with the row that implements it."""
    return MappingProxyType({each: row for row in lookup(name) for each in row.signatures()})


@functools.cache
def operator_overloads(op: Op) -> Mapping[t.Function, Row]:
    """Every signature of an operator, prefix or infix, with the row that implements it."""
    return MappingProxyType(
        {each: row for name in OPERATORS[op] for each, row in overloads(name).items()}
    )

"""What a name means at a point of the program: an immutable environment."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t


class Section(enum.Enum):
    """The blocks of a program, in their order."""

    FUNCTIONS = "functions"
    DATA = "data"
    TRANSFORMED_DATA = "transformed data"
    PARAMETERS = "parameters"
    TRANSFORMED_PARAMETERS = "transformed parameters"
    MODEL = "model"
    GENERATED_QUANTITIES = "generated quantities"


DATA_SECTIONS = frozenset({Section.DATA, Section.TRANSFORMED_DATA})
UNDIFFERENTIATED = DATA_SECTIONS | {Section.GENERATED_QUANTITIES}
"""Where no derivatives are taken, so that all values count as data."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A variable: its type, the block it belongs to, and what may be done with it.

    `data` tells that its value is data alone; `fixed` variables (arguments of functions and loop
    variables) can't be assigned to.
    """

    type: t.Type
    section: Section
    data: bool = False
    fixed: bool = False


def holds_reals(type: t.Type) -> bool:
    """Whether values of this type can carry derivatives."""
    match type:
        case t.Int() | t.Void() | t.Function():
            return False
        case t.Array():
            return holds_reals(type.element)
        case t.Tuple():
            return any(map(holds_reals, type.elements))
        case _:
            return True


Functions = Mapping[str, tuple[t.Function, ...]]
"""The program's own functions by name, each with all of its signatures."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A point of the program: where it is, and the names known there."""

    section: Section
    functions: Functions
    variables: Mapping[str, Binding] = field(default_factory=dict)
    inside: ast.FunctionDef | None = None
    """The function whose body this is."""
    nested: bool = False
    """Below the top level of a block: in braces, a loop, a branch or a function."""
    in_loop: bool = False
    sizing: bool = False
    """In the sizes of a variable declared at the top level of a block."""

    def declare(self, name: str, binding: Binding) -> Scope:
        """This point, with one more variable."""
        return replace(self, variables={**self.variables, name: binding})

    def enter(self, section: Section) -> Scope:
        """The top level of a block, with the variables of the blocks before it."""
        return replace(self, section=section)

    @property
    def suffix(self) -> str:
        """What the name of the function being defined ends in: "lpdf", "rng", ..., or ""."""
        return suffix_of(self.inside.name) if self.inside else ""


SUFFIXES = ("lpdf", "lupdf", "lpmf", "lupmf", "lcdf", "lccdf", "cdf", "rng", "lp", "jacobian")
DENSITIES = frozenset({"lpdf", "lupdf", "lpmf", "lupmf"})
CONDITIONAL = DENSITIES | {"cdf", "lcdf", "lccdf"}
"""The suffixes of functions whose first argument stands before a bar."""


def suffix_of(name: str) -> str:
    """The part of a function's name that tells where it may be called, or ""."""
    _, underscore, last = name.rpartition("_")
    return last if underscore and last in SUFFIXES else ""


def normalized(name: str) -> str:
    """`normal_lupdf` as `normal_lpdf`: the function whose signatures and definition it shares."""
    if suffix_of(name) in ("lupdf", "lupmf"):
        return name[:-4] + name[-3:]
    return name

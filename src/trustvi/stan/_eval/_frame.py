"""Where the evaluator stands: the machine it runs on, the lanes, and the names in scope."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._eval._facts import TARGET, Facts
from trustvi.stan._eval._lanes import Kind, Node, root
from trustvi.stan._eval._memory import read
from trustvi.stan._eval._signals import NotScannableError, UnknownError
from trustvi.stan._eval._store import Store
from trustvi.stan._values import Data, Value, map_data

Array = Any
Functions = Mapping[str, tuple[ast.FunctionDef, ...]]


class Activation:
    """One run of a function's body, or of the program itself: what its variables belong to."""

    def __init__(self, depths: Mapping[str, int]) -> None:
        self.depths = depths


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the program. `stores` is a store, or a tuple of them for a tuple."""

    name: str
    type: t.Type
    stores: Any


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A function passed to a function."""

    name: str
    signature: t.Function


class Scope:
    """The names declared in a block and in those around it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Variable] = {}

    def find(self, name: str) -> Variable | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None


@dataclass
class Machine:
    """What is the same for a whole run of (a part of) a program."""

    program: ast.Program
    functions: Functions
    facts: Facts
    draws: int = 1
    traced: bool = False
    """Whether parameters are traced, so that results are JAX arrays."""
    lanes: bool = True
    """Whether loops are run as lanes; without, one iteration after another."""
    jacobian: bool = True
    slope: Array = 0.0
    """What the transforms of the parameters added to the target, axes (draws|1,)."""
    key: Array = None
    """The random key of the run, where there is one."""
    plans: dict[int, Any] = field(default_factory=dict)
    """What was found out about each loop, by the identity of its statement."""
    printed: list[str] = field(default_factory=list)
    keys_used: int = 0
    spans: list[ast.Span] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = root()
        whole = not self.facts.mentions(self.program, ast.TargetValue)
        zero = np.zeros((1, 1))
        self.target = Store(TARGET, self.root, (), zero.dtype, 0, zero, is_total=whole)

    def next_key(self, node: Node) -> Array:
        """A random key that no other call gets, nor another step of a scan."""
        if self.key is None:
            raise StanRuntimeError("random numbers are not available here")
        self.keys_used += 1
        key = jax.random.fold_in(self.key, self.keys_used)
        if node.scan is not None:
            for number in node.scan.step_numbers():
                key = jax.random.fold_in(key, number)
        return key


class Live(NamedTuple):
    """Who goes on with the next statement: lanes (None: all) and, among them, draws (None: all).

    `lanes` is known; `draws`, of shape (columns|1, draws|1), is not.
    """

    lanes: np.ndarray | None
    draws: Array

    @property
    def everyone(self) -> bool:
        return self.lanes is None and self.draws is None


ALL = Live(None, None)


@dataclass(eq=False)
class Left:
    """Who has left a loop, by `break` or with the whole function by `return`.

    `node` is the lane set whose lanes leave: that of the iterations where these are lanes
    (`parallel`), else that of the statement. Lanes are known, draws are those under conditions
    that are not, of shape (columns|1, draws|1). With `by_draws` iterations that are lanes may be
    left by some draws; loops around hear of a `return` only when the loop is done.
    """

    node: Node
    parallel: bool
    outer: Left | None
    lanes: np.ndarray
    draws: Array = None
    returned_lanes: np.ndarray | None = None
    returned_draws: Array = None
    by_draws: bool = False


@dataclass(eq=False)
class Result:
    """What a function returns: a variable of its own, made by the first `return`."""

    type: t.Type
    node: Node
    stores: Any = None
    by_lane: bool = False
    """Whether each iteration of a loop has a result of its own."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The place of evaluation. `propto` drops constants from `~` and `_lupdf`."""

    machine: Machine
    node: Node
    scope: Scope
    activation: Activation
    propto: bool = False
    loop: Left | None = None
    result: Result | None = None
    """In a function: what it returns."""

    def at(self, node: Node) -> Frame:
        return self if node is self.node else dataclasses.replace(self, node=node)

    def inner(self) -> Frame:
        """A block inside this one."""
        return dataclasses.replace(self, scope=Scope(self.scope))

    def variable(self, name: str) -> Variable:
        found = self.scope.find(name)
        if found is None:
            raise KeyError(name)
        return found

    # ------------------------------------------------------------------ variables

    def identity(self, name: str) -> Hashable:
        return (self.activation, name)

    def identities(self, names: frozenset[str]) -> frozenset[Hashable]:
        return frozenset(TARGET if name == TARGET else (self.activation, name) for name in names)

    @staticmethod
    def names_of(identities: Iterable[Hashable]) -> frozenset[str]:
        """The inverse of `identities`."""
        return frozenset(each[1] if isinstance(each, tuple) else TARGET for each in identities)

    def bind(self, name: str, value: Value) -> Variable:
        """Declare a variable that has this value in the lanes here."""
        depth = self.activation.depths.get(name, 0)

        def store(array: Array) -> Store:
            event = array.shape[1:-1]
            return Store(self.identity(name), self.node, event, array.dtype, depth, array)

        variable = Variable(name, value.type, map_data(store, value.data))
        self.scope.names[name] = variable
        return variable

    def is_conditional(self) -> bool:
        """Whether what happens here happens only for some draws."""
        node: Node | None = self.node
        while node is not None:
            if node.condition is not None:
                return True
            node = node.parent
        return False

    def unknown(self, what: str) -> Exception:
        """What to raise where something must be known now and isn't."""
        if self.in_scan:
            return NotScannableError()
        return UnknownError(what)

    @property
    def in_scan(self) -> bool:
        return self.node.scan is not None

    def loops_around(self) -> Iterator[Node]:
        node: Node | None = self.node
        while node is not None:
            if node.kind is Kind.LOOP:
                yield node
            node = node.parent


def value_of(variable: Variable, node: Node) -> Value:
    """The whole value of a variable in the lanes of `node`."""
    return Value(variable.type, data_of(variable.stores, node))


def data_of(stores: Any, node: Node) -> Data:
    if isinstance(stores, tuple):
        return tuple(data_of(each, node) for each in stores)
    return read(stores, node)

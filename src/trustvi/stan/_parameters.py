"""The parameters block: where each parameter lies among the unconstrained reals."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustvi.stan._ast import Declaration, Expr
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._transforms import (
    Layout,
    arguments_of,
    constrain,
    constrained_size,
    flatten,
    names,
    unconstrain,
    unconstrained_names,
    unconstrained_size,
    unflatten,
    unusable,
    violation,
)
from trustvi.stan._values import Data, Value

Array = Any
Evaluate = Callable[[Expr, Mapping[str, Value]], Data]
Values = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared variable whose sizes are known."""

    declaration: Declaration
    layout: Layout

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def names(self) -> list[str]:
        return names(self.layout, self.name)

    @property
    def size(self) -> int:
        return constrained_size(self.layout)

    def value(self, data: Data) -> Value:
        assert self.declaration.type is not None
        return Value(self.declaration.type, data)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters in the order of their declaration; `evaluate` gives their bounds."""

    variables: tuple[Variable, ...]
    evaluate: Evaluate

    @property
    def free_size(self) -> int:
        return sum(unconstrained_size(variable.layout) for variable in self.variables)

    @property
    def free_names(self) -> list[str]:
        return [
            name
            for variable in self.variables
            for name in unconstrained_names(variable.layout, variable.name)
        ]

    def constrain(self, theta: Array) -> tuple[Values, Array]:
        """The parameters at unconstrained reals (dim, draws), and the log Jacobian (draws|1,)."""
        values: Values = {}
        total: Array = np.zeros((1, 1))
        ends = itertools.accumulate(unconstrained_size(v.layout) for v in self.variables)
        start = 0
        for variable, end in zip(self.variables, ends, strict=True):
            arguments = self._arguments(variable, values)
            data, slope = constrain(variable.layout, theta[None, start:end], arguments)
            values[variable.name] = variable.value(data)
            total, start = total + slope, end
        return values, total[0]

    def unconstrain(self, given: Callable[[Variable], Data]) -> Array:
        """The unconstrained reals (dim, draws) of known values, or an error if they don't fit."""
        values: Values = {}
        pieces = [np.zeros((0, 1))]
        for variable in self.variables:
            data, arguments = given(variable), self._arguments(variable, values)
            said = violation(variable.layout, data, arguments, variable.name)
            if said is not None:
                raise StanRuntimeError(said, variable.declaration.name_span)
            pieces.append(unconstrain(variable.layout, data, arguments)[0])
            values[variable.name] = variable.value(data)
        return np.concatenate(pieces)

    def split(self, theta: Array) -> Callable[[Variable], Data]:
        """The values among constrained reals, written as BridgeStan does, axes (reals, draws)."""
        ends = list(itertools.accumulate(variable.size for variable in self.variables))
        at = {v.name: end for v, end in zip(self.variables, ends, strict=True)}

        def value_of(variable: Variable) -> Data:
            end = at[variable.name]
            return unflatten(variable.layout, theta[None, end - variable.size : end])

        return value_of

    def _arguments(self, variable: Variable, values: Values) -> tuple[Any, ...]:
        declared = variable.declaration.declared
        arguments = arguments_of(declared, lambda expr: self.evaluate(expr, values))
        said = unusable(variable.layout, arguments, variable.name)
        if said is not None:
            raise StanRuntimeError(said, variable.declaration.name_span)
        return arguments


def flat(variables: tuple[Variable, ...], values: Mapping[str, Value]) -> Array:
    """The reals of known values as BridgeStan writes them, one draw."""
    pieces = [flatten(v.layout, values[v.name].data)[0, :, 0] for v in variables]
    return np.concatenate([np.zeros(0), *pieces])

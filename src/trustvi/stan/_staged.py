"""What the evaluator and the model agree on: a program that has its data, ready for parameters.

The evaluator's `stage(checked, read, seed)` runs the data block, by asking `read` for each
declared variable, and transformed data; what it returns does the rest on demand. The model reads
the data, lays the parameters over the reals and adds the transforms' Jacobians.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from trustvi.stan._ast import Declaration, Expr
from trustvi.stan._values import Data, Value

Array = Any
Evaluate = Callable[[Expr], Data]
"""The value of a size, bound, offset or multiplier, with the variables declared so far."""
ReadData = Callable[[Declaration, Evaluate], Value]
"""The value of a variable of the data block, checked against its declaration."""


class Staged(Protocol):
    """A program with its data and transformed data."""

    def evaluate(self, expr: Expr, variables: Mapping[str, Value]) -> Data:
        """An expression of data, transformed data and `variables`, which may be traced."""
        ...

    def log_density(
        self,
        parameters: Mapping[str, Value],
        *,
        propto: bool,
        jacobian: bool,
        slope: Array = 0.0,
    ) -> Array:
        """What transformed parameters and model add to the target, axes (draws|1,).

        The transforms of the parameters are not in it, but `target()` counts their `slope`.
        `propto` drops constants where the program says `~` or `_lupdf`; `jacobian` says whether
        `jacobian +=` counts.
        """
        ...

    def quantities(
        self,
        parameters: Mapping[str, Value],
        *,
        transformed: bool,
        generated: bool,
        key: Array,
    ) -> Mapping[str, Value]:
        """The top-level variables of transformed parameters and generated quantities, by name.

        Axes (1, *event, draws|1). `key` is a JAX random key, with new numbers for every draw.
        Known parameters are run as data are, and violations of declarations are then raised.
        """
        ...

"""Whether variables of the program's blocks are what their declarations say."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._eval._assign import layout_here
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._frame import Frame, value_of
from trustvi.stan._eval._log import ADD
from trustvi.stan._eval._memory import accumulate
from trustvi.stan._transforms import arguments_of, violation
from trustvi.stan._values import Array, is_known
from trustvi.stan.library._namespace import namespace


def verify_declared(declaration: ast.Declaration, frame: Frame) -> None:
    """A known value that breaks its declaration is an error; a traced one rejects its draws."""
    declared = declaration.declared
    if declared.transform is ast.Transform.IDENTITY:
        return
    arguments = arguments_of(declared, lambda expr: evaluate(expr, frame).data)
    data = value_of(frame.variable(declaration.name), frame.node).data
    if is_known(data) and is_known(_tree(arguments)):
        said = violation(layout_here(declaration, frame), data, arguments, declaration.name)
        if said is not None:
            raise StanRuntimeError(said, declaration.name_span)
    elif declared.transform in _CHECKS:
        holds = _CHECKS[declared.transform](data, *arguments)
        _reject_unless(holds, frame)


def _tree(arguments: Any) -> Any:
    return tuple(map(_tree, arguments)) if isinstance(arguments, tuple | list) else arguments


def _reject_unless(holds: Array, frame: Frame) -> None:
    xp = namespace(holds)
    everywhere = holds.all(axis=tuple(range(1, holds.ndim - 1)))
    accumulate(frame.machine.target, frame.node, xp.where(everywhere, 0.0, -np.inf), ADD)


def _aligned(bound: Array, value: Array) -> Array:
    missing = value.ndim - bound.ndim
    return bound.reshape(bound.shape[0], *(1,) * missing, *bound.shape[1:])


def _above(value: Array, bound: Array) -> Array:
    return value >= _aligned(bound, value)


def _below(value: Array, bound: Array) -> Array:
    return value <= _aligned(bound, value)


def _between(value: Array, low: Array, high: Array) -> Array:
    return _above(value, low) & _below(value, high)


def _ordered(value: Array) -> Array:
    return value[..., 1:, :] > value[..., :-1, :]


def _positive_ordered(value: Array) -> Array:
    return namespace(value).concatenate([value[..., :1, :] >= 0, _ordered(value)], axis=-2)


_CHECKS = {
    ast.Transform.LOWER: _above,
    ast.Transform.UPPER: _below,
    ast.Transform.LOWER_UPPER: _between,
    ast.Transform.ORDERED: _ordered,
    ast.Transform.POSITIVE_ORDERED: _positive_ordered,
}
"""What is checked of traced values: what costs next to nothing."""

"""`variate ~ distribution(...)`, with truncation."""

from __future__ import annotations

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanUnsupportedError
from trustvi.stan._eval._calls import call_user, row_of
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._library import call_row, density, is_density, plain_name
from trustvi.stan._eval._log import ADD
from trustvi.stan._eval._memory import accumulate, accumulate_total
from trustvi.stan._eval._merging import chosen
from trustvi.stan._eval._ragged import sample_slices
from trustvi.stan._values import Array, Value, map_data
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._table import lookup


def sample(statement: ast.Sample, frame: Frame) -> None:
    """Add the log density of the variate to the target, constants dropped where asked for."""
    if sample_slices(statement, frame, sample):
        return
    call = statement.density
    assert call is not None
    assert call.callee is not None
    values = [_operand(each, frame) for each in (statement.variate, *statement.args)]
    machine, node = frame.machine, frame.node
    total = machine.target.is_total and node.is_plain and statement.truncation is None
    found = _density(call, values, frame, total)
    if statement.truncation is not None:
        found = _truncated(found, statement.truncation, values, call, frame)
    if total and not call.user_defined:
        accumulate_total(machine.target, node, found)
    else:
        accumulate(machine.target, node, found, ADD)


def _operand(expr: ast.Expr, frame: Frame) -> Value:
    """A variate or parameter; the model's own variables are no constants, even of known values.

    Real Stan declares them as differentiated numbers, and so keeps the terms they are in.
    """
    value = evaluate(expr, frame)
    if not frame.propto or expr.data_only or frame.result is not None:
        return value
    real = lambda array: jnp.asarray(array) if array.dtype.kind in "fc" else array  # noqa: E731
    return Value(value.type, map_data(real, value.data))


def _density(call: ast.Call, values: Sequence[Value], frame: Frame, total: bool) -> Array:
    name, _ = plain_name(call.name)
    assert call.callee is not None
    if call.user_defined:
        result = call_user(name, call.callee, values, frame, True)
        assert result is not None
        return result.array
    row = row_of(call, name)
    return density(row, call.callee, values, frame, propto=frame.propto, total=total)


# --------------------------------------------------------------------------- truncation


def _truncated(
    found: Array, truncation: ast.Truncation, values: Sequence[Value], call: ast.Call, frame: Frame
) -> Array:
    """The density over the probability of the interval, and -inf outside of it.

    With both bounds log(F(upper) - F(lower)), where an integer's lower bound belongs to the
    interval: log P(Y >= lower) = log(P(Y > lower) + P(Y = lower)).
    """
    variate, args = values[0], list(values[1:])
    lower, upper = (
        None if bound is None else evaluate(bound, frame)
        for bound in (truncation.lower, truncation.upper)
    )
    if lower is None and upper is None:
        return found
    normalizer = _interval(truncation, lower, upper, args, call, frame)
    found, normalizer = frame.node.joint([found, normalizer])
    value: Array = found - normalizer
    for bound, below in ((lower, True), (upper, False)):
        if bound is not None:
            value = _outside(value, variate.array, bound.array, below, frame)
    return value


def _outside(value: Array, variate: Array, bound: Array, below: bool, frame: Frame) -> Array:
    value, variate, bound = frame.node.joint([value, variate, bound])
    beyond = variate < bound if below else variate > bound
    if not is_traced(beyond) and not beyond.any():
        return value
    value, beyond = frame.node.joint([value, beyond])
    return chosen(beyond, np.full((1, 1), -np.inf), value)


def _interval(
    truncation: ast.Truncation,
    lower: Value | None,
    upper: Value | None,
    args: list[Value],
    call: ast.Call,
    frame: Frame,
) -> Array:
    """The log probability of the interval."""
    discrete = plain_name(call.name)[0].endswith("_lpmf")
    if upper is None:
        assert lower is not None
        assert truncation.lccdf is not None
        above = _log_probability(truncation.lccdf, [lower, *args], frame)
        if discrete:
            at = _mass(call, lower, args, frame)
            return _library("log_sum_exp", above, at, frame)
        return above
    assert truncation.lcdf is not None
    below = _log_probability(truncation.lcdf, [upper, *args], frame)
    if lower is None:
        return below
    under = _log_probability_below(truncation, lower, args, frame)
    between = _library("log_diff_exp", below, under, frame)
    if discrete:
        at = _mass(call, lower, args, frame)
        return _library("log_sum_exp", between, at, frame)
    return between


def _log_probability_below(
    truncation: ast.Truncation, lower: Value, args: list[Value], frame: Frame
) -> Array:
    assert truncation.lcdf is not None
    return _log_probability(truncation.lcdf, [lower, *args], frame)


def _log_probability(call: ast.Call, values: list[Value], frame: Frame) -> Array:
    assert call.callee is not None
    if call.user_defined:
        result = call_user(call.name, call.callee, values, frame, False)
        assert result is not None
        return result.array
    row = row_of(call, call.name)
    if is_density(row):
        return density(row, call.callee, values, frame, propto=False, total=False)
    return call_row(row, call.callee, values, frame).array


def _mass(call: ast.Call, at: Value, args: list[Value], frame: Frame) -> Array:
    """The log probability of one value, constants kept."""
    name, _ = plain_name(call.name)
    assert call.callee is not None
    values = [at, *args]
    if call.user_defined:
        result = call_user(name, call.callee, values, frame, False)
        assert result is not None
        return result.array
    return density(row_of(call, name), call.callee, values, frame, propto=False, total=False)


def _library(name: str, left: Array, right: Array, frame: Frame) -> Array:
    """A library function of two reals."""
    wanted = (t.REAL, t.REAL)
    for row in lookup(name):
        for signature in row.signatures():
            if tuple(argument.type for argument in signature.arguments) == wanted:
                values = [Value(t.REAL, left), Value(t.REAL, right)]
                return call_row(row, signature, values, frame).array
    raise StanUnsupportedError(f'the function "{name}" is not available')

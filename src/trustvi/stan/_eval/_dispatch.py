"""Evaluate an expression, run a statement: each kind of node by the rule registered for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from trustvi.stan import _ast as ast
from trustvi.stan._diagnostics import StanError
from trustvi.stan._eval._frame import Frame, Live
from trustvi.stan._eval._signals import UnknownError
from trustvi.stan._values import Value

EVALUATORS: dict[type, Callable[[Any, Frame], Value]] = {}
EXECUTORS: dict[type, Callable[[Any, Frame], Live]] = {}
Rule = TypeVar("Rule", bound=Callable[..., Any])


def evaluates(*kinds: type[ast.Expr]) -> Callable[[Rule], Rule]:
    """Register the rule for some kinds of expressions."""

    def register(rule: Rule) -> Rule:
        EVALUATORS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def executes(*kinds: type[ast.Stmt]) -> Callable[[Rule], Rule]:
    """Register the rule for some kinds of statements."""

    def register(rule: Rule) -> Rule:
        EXECUTORS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def evaluate(expr: ast.Expr, frame: Frame) -> Value:
    """The value of an expression in the lanes of `frame`."""
    try:
        return EVALUATORS[type(expr)](expr, frame)
    except StanError as error:
        raise error.locate(expr.span, frame.machine.program.source) from None


def execute(statement: ast.Stmt, frame: Frame) -> Live:
    """Run a statement; returns who goes on with the next."""
    try:
        return EXECUTORS[type(statement)](statement, frame)
    except UnknownError as signal:
        signal.span = signal.span or statement.span
        raise
    except StanError as error:
        raise error.locate(statement.span, frame.machine.program.source) from None

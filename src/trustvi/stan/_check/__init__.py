"""The checker: names, types, overloads and everything else that a program must obey.

`check` takes a parsed program and returns the same tree with its types, or raises. Environments
are immutable; `check_*` returns typed nodes, `verify_*` returns nothing; a private exception
becomes the public error here, at the door.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from trustvi.stan import _ast as ast
from trustvi.stan._check._errors import Rejection
from trustvi.stan._check._functions import (
    check_function,
    declare_functions,
    verify_braces,
    verify_defined,
    verify_not_stored,
)
from trustvi.stan._check._scope import Scope, Section
from trustvi.stan._check._statements import check_statements
from trustvi.stan._check._walk import deepest
from trustvi.stan._check._warnings import warnings_of
from trustvi.stan._diagnostics import StanSemanticError, StanWarning
from trustvi.stan._recursion import NESTING, room_for


@dataclass(frozen=True, slots=True)
class Checked:
    """A program that is right: typed, with warnings and its own functions by name."""

    program: ast.Program
    warnings: tuple[StanWarning, ...]
    functions: Mapping[str, tuple[ast.FunctionDef, ...]]
    """The definitions of the program's functions; several where a name is overloaded."""


def check(program: ast.Program) -> Checked:
    """Resolve and type-check a program, or raise `StanSemanticError`."""
    try:
        with room_for(NESTING):
            typed = _check_program(program)
            verify_not_stored(typed)
            found = warnings_of(typed)
    except Rejection as rejection:
        where, hints = rejection.span, rejection.hints
        raise StanSemanticError(rejection.message, where, program.source, hints) from None
    except RecursionError:
        message = "the program is nested too deeply"
        raise StanSemanticError(message, deepest(program), program.source) from None
    return Checked(typed, found, _by_name(typed.functions or ()))


def _by_name(
    functions: tuple[ast.FunctionDef, ...],
) -> Mapping[str, tuple[ast.FunctionDef, ...]]:
    found: dict[str, tuple[ast.FunctionDef, ...]] = {}
    for function in functions:
        if function.body is not None:
            found[function.name] = (*found.get(function.name, ()), function)
    return MappingProxyType(found)


def _check_program(program: ast.Program) -> ast.Program:
    """The blocks in their order; what the model block declares ends with it."""
    signatures = declare_functions(program.functions or ())
    functions = program.functions and tuple(
        check_function(signatures, each) for each in program.functions
    )
    verify_defined(program.functions or ())
    verify_braces(program.functions or ())
    scope = Scope(Section.FUNCTIONS, signatures)
    blocks: dict[str, tuple[ast.Stmt, ...] | None] = {}
    for section, statements in _blocks(program):
        typed, behind = check_statements(scope.enter(section), statements or ())
        if section is not Section.MODEL:
            scope = behind
        blocks[section.name.lower()] = None if statements is None else typed
    return replace(program, functions=functions, **blocks)


def _blocks(program: ast.Program) -> tuple[tuple[Section, tuple[ast.Stmt, ...] | None], ...]:
    return (
        (Section.DATA, program.data),
        (Section.TRANSFORMED_DATA, program.transformed_data),
        (Section.PARAMETERS, program.parameters),
        (Section.TRANSFORMED_PARAMETERS, program.transformed_parameters),
        (Section.MODEL, program.model),
        (Section.GENERATED_QUANTITIES, program.generated_quantities),
    )

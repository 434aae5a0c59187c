"""The functions block: signatures, names, bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check import _variadic as variadic
from trustvi.stan._check._declarations import verify_not_unnormalized
from trustvi.stan._check._errors import fail
from trustvi.stan._check._flow import always_returns
from trustvi.stan._check._names import verify_not_reserved
from trustvi.stan._check._scope import (
    CONDITIONAL,
    Binding,
    Functions,
    Scope,
    Section,
    holds_reals,
    suffix_of,
)
from trustvi.stan._check._statements import check_statements
from trustvi.stan._check._walk import nodes
from trustvi.stan._overloads import library_overloads

Definitions = tuple[ast.FunctionDef, ...]


def signature_of(function: ast.FunctionDef) -> t.Function:
    """The type of a function of the program."""
    arguments = tuple(t.Argument(each.type, each.data_only) for each in function.parameters)
    return t.Function(arguments, function.result, suffix_of(function.name))


# --------------------------------------------------------------------------- signatures


def declare_functions(functions: Definitions) -> Functions:
    """All signatures by name: a function may be called before it is defined."""
    found: dict[str, tuple[ast.FunctionDef, ...]] = {}
    for function in functions:
        _verify_free(function)
        earlier = found.get(function.name, ())
        _verify_first_or_definition(function, earlier)
        found[function.name] = (*earlier, function)
    return MappingProxyType(
        {name: tuple(dict.fromkeys(map(signature_of, each))) for name, each in found.items()}
    )


def _types(function: ast.FunctionDef) -> tuple[t.Type, ...]:
    return tuple(parameter.type for parameter in function.parameters)


def _verify_free(function: ast.FunctionDef) -> None:
    """The name may be given to a function, and the library has no such signature."""
    suffix = suffix_of(function.name)
    if suffix in ("lupdf", "lupmf"):
        normalized = function.name.removesuffix(suffix) + suffix.replace("u", "", 1)
        fail(
            f'densities are defined normalized: "{function.name}" can\'t be defined',
            function.name_span,
            f'define "{normalized}", and "{function.name}" comes with it',
        )
    if function.name in variadic.FORMS:
        message = f'"{function.name}" is a function of the library that can\'t be overloaded'
        fail(message, function.name_span)
    library = library_overloads(function.name)
    if library is not None and (there := library.by_types.get(_types(function))):
        fail(f'the library has the function "{function.name}" {there} already', function.span)


def _verify_first_or_definition(function: ast.FunctionDef, earlier: Definitions) -> None:
    """The signature is new, or is the definition of what was declared in advance."""
    same = [each for each in earlier if _types(each) == _types(function)]
    if not same:
        return
    before, name = same[0], f'"{function.name}"'
    if before.result != function.result:
        message = f"functions that differ only in their result can't both be called {name}"
        fail(message, function.span, f"the one before returns {before.result}")
    if len(same) > 1 or before.body is not None or signature_of(before) != signature_of(function):
        fail(f"{name} has been defined for {signature_of(function)}", function.span)
    if function.body is None:
        fail(f"{name} has been declared already; its definition is missing", function.span)


def verify_defined(functions: Definitions) -> None:
    """Whatever is declared in advance is defined; as in Stan, looked at by name."""
    defined = {(each.name, _types(each)) for each in functions if each.body is not None}
    for function in sorted(functions, key=lambda each: each.name):
        if (function.name, _types(function)) not in defined:
            message = f'"{function.name}" is declared, but not defined'
            fail(message, function.name_span)


def verify_braces(functions: Definitions) -> None:
    """Every body stands in braces: of a lone statement the parser makes a block of its extent."""
    for function in functions:
        block = function.body
        if block is not None and any(each.span == block.span for each in block.body):
            fail(f'the body of "{function.name}" must stand in braces', block.span)


# --------------------------------------------------------------------------- bodies


def check_function(functions: Functions, function: ast.FunctionDef) -> ast.FunctionDef:
    """A function with its body typed."""
    for parameter in function.parameters:
        verify_not_reserved(parameter.name, parameter.name_span or parameter.span)
    verify_not_reserved(function.name, function.name_span)
    _verify_density(function)
    for parameter in function.parameters:
        verify_not_unnormalized(parameter.name, parameter.name_span or parameter.span)
    _verify_distinct(function)
    if function.body is None:
        return function
    scope = Scope(Section.FUNCTIONS, functions, _arguments(function), function, nested=True)
    body, _ = check_statements(scope, function.body.body)
    if function.result != t.VOID and not always_returns(body):
        message = f'"{function.name}" must return a value of type {function.result} on every path'
        fail(message, function.span)
    return replace(function, body=replace(function.body, body=body))


def _arguments(function: ast.FunctionDef) -> Mapping[str, Binding]:
    return MappingProxyType(
        {
            each.name: Binding(
                each.type,
                Section.FUNCTIONS,
                data=each.data_only or not holds_reals(each.type),
                fixed=True,
            )
            for each in function.parameters
        }
    )


def _verify_distinct(function: ast.FunctionDef) -> None:
    names = [parameter.name for parameter in function.parameters]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        fail(f'two arguments of "{function.name}" are called "{twice}"', function.span)


def _verify_density(function: ast.FunctionDef) -> None:
    """Densities and distribution functions are real; a variate is real, or int for a mass."""
    suffix = suffix_of(function.name)
    if suffix not in CONDITIONAL:
        return
    if function.result != t.REAL:
        fail(f'"{function.name}" must return real, as its suffix _{suffix} says', function.span)
    if suffix in _VARIATES:
        wanted, reals = _VARIATES[suffix]
        first = function.parameters[0].type if function.parameters else None
        if first is None or holds_reals(first) != reals:
            instead = f", not {first}" if first else ""
            message = f'the first argument of "{function.name}" must be {wanted}{instead}'
            fail(message, function.span)


_VARIATES = {
    "lpdf": ("real, as that of a density is", True),
    "lpmf": ("int, as that of a probability mass is", False),
}


# --------------------------------------------------------------------------- whole programs


def verify_not_stored(program: ast.Program) -> None:
    """No array and no tuple holds a function, which is looked at only when all types are right."""
    for node in nodes(program):
        if isinstance(node, ast.ArrayLiteral | ast.TupleLiteral):
            for element in node.elements:
                if isinstance(element.type, t.Function):
                    message = "a value is expected here, but this is the name of a function"
                    fail(message, element.span)

"""The checker against what stanc was recorded to say: verdicts, places, types, dependence."""

import json
from functools import cache

import pytest
from check_snippets import VARIABLES, expressions, program_of, programs
from make_check_reference import REFERENCE

from trustvi.stan import StanError, check_program
from trustvi.stan._check._errors import Rejection
from trustvi.stan._check._expressions import check_expression
from trustvi.stan._check._functions import declare_functions
from trustvi.stan._check._scope import Binding, Scope, Section, holds_reals
from trustvi.stan._parser import parse

RECORDED = json.loads(REFERENCE.read_text(encoding="utf-8"))


def verdict(text):
    """None for a program that is right, else "line:column" of the error."""
    try:
        check_program(text)
    except StanError as error:
        return f"{error.line}:{error.column}"
    return None


def test_the_reference_covers_the_snippets():
    assert list(RECORDED["programs"]) == programs()
    assert list(RECORDED["expressions"]) == expressions()


@pytest.mark.parametrize("program", programs())
def test_verdicts_are_those_of_stanc(program):
    assert verdict(program) == RECORDED["programs"][program]


# --------------------------------------------------------------------------- expressions


@cache
def model_scope():
    """The scope in the model block of the programs that print expressions."""
    checked = check_program(program_of()).program
    scope = Scope(Section.MODEL, declare_functions(checked.functions))
    for section, block in ((Section.DATA, checked.data), (Section.MODEL, checked.model)):
        for each in block:
            data = section is Section.DATA or not holds_reals(each.type)
            scope = scope.declare(each.name, Binding(each.type, section, data))
    return scope


def outcomes(texts):
    """What the checker says of each expression, as it is recorded of stanc."""
    printed = parse(program_of(*texts)).model[len(VARIABLES) :]
    for stmt in printed:
        try:
            found = check_expression(model_scope(), stmt.args[0])
        except Rejection:
            yield None
        else:
            yield f"{'data ' if found.data_only else ''}{found.type}"


def test_types_of_expressions_are_those_of_stanc():
    texts = expressions()
    found = dict(zip(texts, outcomes(texts), strict=True))
    recorded = RECORDED["expressions"]
    assert {
        text: (found[text], recorded[text]) for text in texts if found[text] != recorded[text]
    } == {}


def test_the_recorded_expressions_are_of_every_kind():
    types = set(RECORDED["expressions"].values())
    assert {None, "int", "data int", "data real", "real", "complex", "array[,] vector"} <= types

"""The table of functions against real Stan's own listing, and against itself."""

from __future__ import annotations

import json
import pkgutil
import runpy
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from make_signatures import digest

from trustvi.stan import _types as t
from trustvi.stan._ast import Op
from trustvi.stan.library import _table as table
from trustvi.stan.library._signatures import parse_function, parse_type

STAN: dict[str, list[object]] = json.loads(
    Path(__file__).with_name("signatures.json").read_text(encoding="utf-8")
)
MISSING: frozenset[str] = frozenset()
"""Names of real Stan's that the table lacks."""
UNLISTED = frozenset(
    f"{name}{end}"
    for name, ends in {
        "dae": ("", "_tol"),
        "ode_adams": ("", "_tol"),
        "ode_adjoint_tol_ctl": ("",),
        "ode_bdf": ("", "_tol"),
        "ode_ckrk": ("", "_tol"),
        "ode_rk45": ("", "_tol"),
        "reduce_sum": ("", "_static"),
        "solve_newton": ("", "_tol"),
        "solve_powell": ("", "_tol"),
    }.items()
    for end in ends
)
"""Functions of any number of arguments, which Stan's listing leaves out."""


def as_listed(function: t.Function) -> str:
    """A signature as Stan lists it, without saying which arguments must be data."""
    arguments = ", ".join(str(argument.type) for argument in function.arguments)
    return f"({arguments}) => {function.result}"


def test_names_are_those_of_stan():
    assert frozenset(STAN) - table.names() == MISSING
    assert table.names() - frozenset(STAN) == UNLISTED


@pytest.mark.parametrize("name", sorted(frozenset(STAN) - MISSING))
def test_signatures_are_those_of_stan(name):
    assert digest(map(as_listed, table.overloads(name))) == STAN[name]


@pytest.mark.parametrize("name", sorted(table.names()))
def test_one_row_for_each_signature(name):
    signatures = Counter(each for row in table.lookup(name) for each in row.signatures())
    assert [str(each) for each, count in signatures.items() if count > 1] == []
    for row in table.lookup(name):
        assert (row.implementation is None) == (row.convention is table.Convention.SPECIAL)
        assert all(
            each.arguments[position].type == t.INT
            for each in row.signatures()
            for position in row.static
        )


def test_every_module_with_functions_is_in_the_table():
    package = "trustvi.stan.library"
    names = [each.name for each in pkgutil.iter_modules(import_module(package).__path__)]
    offering = {name for name in names if hasattr(import_module(f"{package}.{name}"), "ROWS")}
    assert offering == set(table.MODULES)


def test_coverage_page_is_up_to_date():
    path = Path(__file__).parents[2] / "docs" / "make_coverage.py"
    script = runpy.run_path(str(path))
    assert script["PAGE"].read_text(encoding="utf-8") == "\n".join(script["lines"]()) + "\n"


def test_every_operator_has_functions():
    assert set(table.OPERATORS) == set(Op)
    for op in Op:
        assert table.operator_overloads(op), op


OPERATORS = [
    (Op.MUL, "(matrix, vector) => vector"),
    (Op.MUL, "(row_vector, vector) => real"),
    (Op.DIV, "(int, int) => int"),
    (Op.DIV, "(matrix, matrix) => matrix"),
    (Op.DIV, "(vector, real) => vector"),
    (Op.LDIV, "(matrix, vector) => vector"),
    (Op.INT_DIV, "(int, int) => int"),
    (Op.POW, "(vector, real) => vector"),
    (Op.ELT_POW, "(real, matrix) => matrix"),
    (Op.TRANSPOSE, "(row_vector) => vector"),
    (Op.EQ, "(complex, real) => int"),
]


@pytest.mark.parametrize(("op", "signature"), OPERATORS)
def test_operators_have_the_signatures_of_their_functions(op, signature):
    assert parse_function(signature) in table.operator_overloads(op)


def test_only_functions_that_can_be_called_have_names():
    assert "%/%" not in table.names()
    assert table.lookup("%/%")
    assert table.lookup("no_such_function") == ()


# Real Stan takes only data here, though its listing doesn't say so.
DATA_ONLY = {
    "linspaced_vector": {0, 1, 2},
    "linspaced_row_vector": {0, 1, 2},
    "linspaced_array": {0, 1, 2},
    "linspaced_int_array": {0, 1, 2},
    "to_int": {0},
    "quantile": {0, 1},
    "hmm_hidden_state_prob": {0, 1, 2},
    "map_rect": {3, 4},
    "algebra_solver": {3, 4, 5, 6, 7},
    "algebra_solver_newton": {3, 4, 5, 6, 7},
    "integrate_1d": {4, 5, 6},
    "integrate_ode": {5, 6},
    "integrate_ode_rk45": {5, 6, 7, 8, 9},
    "integrate_ode_adams": {5, 6, 7, 8, 9},
    "integrate_ode_bdf": {5, 6, 7, 8, 9},
}


@pytest.mark.parametrize("name", sorted(DATA_ONLY))
def test_arguments_that_must_be_data(name):
    for signature in table.overloads(name):
        data = {i for i, argument in enumerate(signature.arguments) if argument.data_only}
        assert data == DATA_ONLY[name] & set(range(len(signature.arguments))), str(signature)


def test_spelling_of_types_goes_both_ways():
    for text in (
        "int",
        "array[,,] complex_row_vector",
        "tuple(matrix, array[] int)",
        "array[] tuple(int, tuple(real, vector))",
    ):
        assert str(parse_type(text)) == text
    with pytest.raises(ValueError, match="no type of Stan's"):
        parse_type("vektor")

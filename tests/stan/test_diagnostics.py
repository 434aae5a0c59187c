"""Diagnostics: how they are rendered, what they carry, and golden transcripts of bad programs."""

import pickle
import re

import pytest
from accept import folders, transcript, transcript_path
from hypothesis import given, settings
from hypothesis import strategies as st

from trustvi.stan._ast import Source, Span
from trustvi.stan._diagnostics import (
    StanDataError,
    StanError,
    StanRuntimeError,
    StanSemanticError,
    StanSyntaxError,
    StanUnsupportedError,
    StanWarning,
    closest,
    did_you_mean,
    edit_distance,
)

KINDS = [StanSyntaxError, StanSemanticError, StanDataError, StanRuntimeError, StanUnsupportedError]
LINES = ["data {", "\tint  N;", "  real\ty;", "}", "model {", "  y ~ normal(0, 1);", "}", ""]
SOURCE = Source(file="main.stan", lines={"main.stan": LINES})


def at(line, column, width=1, file="main.stan", included_from=None):
    return Span(file, line, column, line, column + width, included_from)


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_transcripts(folder):
    assert transcript(folder) == transcript_path(folder).read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_every_bad_program_has_its_place(folder):
    text = transcript(folder)
    assert "nothing wrong" not in text
    places = re.findall(r"^\w+ error in \S+, line \d+, column \d+$", text, re.MULTILINE)
    assert len(places) == len(list(folder.glob("*.stan"))) > 0


def test_an_error_shows_five_lines_and_a_caret():
    error = StanSyntaxError("no good", at(4, 1), SOURCE, ["do better", "or don't"])
    assert str(error).split("\n") == [
        "syntax error in main.stan, line 4, column 1",
        "2 | \tint  N;",
        "3 |   real\ty;",
        "4 | }",
        "  | ^",
        "5 | model {",
        "6 |   y ~ normal(0, 1);",
        "no good",
        "  hint: do better",
        "  hint: or don't",
    ]


@pytest.mark.parametrize(
    ("span", "line", "underline"),
    [
        (at(2, 7), 2, "\t     ^"),
        (at(3, 8), 3, "      \t^"),
        (at(6, 7, 6), 6, "      ^^^^^^"),
        (Span("main.stan", 5, 1, 7, 2), 5, "^^^^^^^"),
        (at(8, 1), 8, "^"),
        (at(1, 7, 0), 1, "      ^"),
    ],
)
def test_the_caret_stands_below_the_text_whatever_the_tabs(span, line, underline):
    shown = str(StanSyntaxError("no good", span, SOURCE)).split("\n")
    assert shown[shown.index(f"{line} | {LINES[line - 1]}".rstrip()) + 1] == f"  | {underline}"


def test_the_context_ends_where_the_file_does():
    for line in range(1, 9):
        shown = str(StanSyntaxError("no good", at(line, 1), SOURCE)).split("\n")[1:-1]
        numbers = [int(row.split(" |")[0]) for row in shown if row[0] != " "]
        last = max(line, min(7, line + 2))
        assert numbers == list(range(max(1, line - 2), last + 1))


def test_of_a_long_line_the_part_around_the_error_is_shown():
    source = Source(file="f", lines={"f": ["short", "x" * 500 + "y" + "z" * 500]})
    for column in [1, 50, 99, 100, 501, 1001]:
        _, _, line, caret, _ = str(StanSyntaxError("m", at(2, column, 1, "f"), source)).split("\n")
        assert len(line) <= 110
        shown = line.split(" | ")[1][caret.split(" | ")[1].index("^")]
        assert shown == source.lines["f"][1][column - 1]


def test_included_files_show_the_chain():
    lines = {**SOURCE.lines, "a": ["", "one"], "b": ["two", "three"]}
    inner = at(2, 1, 3, "b", at(2, 1, 3, "a", at(3, 1)))
    error = StanSemanticError("no good", inner, Source(file="main.stan", lines=lines))
    assert str(error).split("\n") == [
        "semantic error in b, line 2, column 1",
        "  included from a, line 2",
        "  included from main.stan, line 3",
        "1 | two",
        "2 | three",
        "  | ^^^",
        "no good",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_errors_carry_their_place(kind):
    error = kind("no good", at(3, 7), SOURCE)
    assert isinstance(error, StanError)
    assert (error.file, error.line, error.column, error.message) == ("main.stan", 3, 7, "no good")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("kind", KINDS)
def test_errors_without_a_place(kind):
    error = kind("no good")
    assert (error.file, error.line, error.column, error.message) == (None, None, None, "no good")
    assert str(error).startswith(f"{kind.kind}\nno good")


def test_errors_of_a_file_that_is_not_at_hand_have_no_context():
    assert str(StanDataError("no good", at(3, 7))).count("\n") == 1
    assert str(StanDataError("no good", at(3, 7, file="other"), SOURCE)).count("\n") == 1


def test_what_is_unsupported_names_the_way_out():
    error = StanUnsupportedError("no f()", at(3, 7), hints=["use g()"])
    assert "use g()" in str(error)
    assert "from_bridgestan" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_locate_fills_in_what_is_missing_and_keeps_what_is_known():
    error = StanRuntimeError("no good")
    assert error.locate(at(3, 7)) is error
    error.locate(at(5, 1), SOURCE).locate(source=Source(file="x", lines={}))
    assert (error.line, error.column) == (3, 7)
    assert "3 |   real\ty;" in str(error)


def test_warnings_are_shown_as_errors_are():
    warning = StanWarning("unused", at(2, 7), ("remove it",))
    assert warning.render(SOURCE) == (
        "warning in main.stan, line 2, column 7\n1 | data {\n2 | \tint  N;\n  | \t     ^\n"
        "3 |   real\ty;\n4 | }\nunused\n  hint: remove it"
    )


# --------------------------------------------------------------------------- did you mean


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("", "", 0),
        ("abc", "abc", 0),
        ("", "abc", 3),
        ("normal", "nrmal", 1),
        ("normal", "nromal", 1),
        ("normal", "norrmal", 1),
        ("normal", "norxal", 1),
        ("kitten", "sitting", 3),
        ("abcd", "badc", 2),
        ("ca", "abc", 3),
    ],
)
def test_edit_distance(left, right, distance):
    assert edit_distance(left, right) == edit_distance(right, left) == distance


@settings(derandomize=True, max_examples=100, deadline=None)
@given(*[st.text("abc", max_size=6)] * 2)
def test_edit_distance_is_zero_for_equals_and_bounded(left, right):
    distance = edit_distance(left, right)
    assert (distance == 0) == (left == right)
    assert abs(len(left) - len(right)) <= distance <= max(len(left), len(right))
    assert edit_distance(left + "c", right + "c") == distance


def test_the_closest_name_is_meant_if_it_is_near():
    names = ["normal", "lognormal", "std_normal", "gamma", "beta", "mu", "x"]
    assert closest("nrmal", names) == "normal"
    assert closest("Beta", names) == "beta"
    assert closest("sigma", names) is None
    assert closest("y", ["x"]) == "x"
    assert closest("normal", ["normal"]) is None
    assert did_you_mean("nrmal", names) == ('did you mean "normal"?',)
    assert did_you_mean("zzzzzz", names) == ()

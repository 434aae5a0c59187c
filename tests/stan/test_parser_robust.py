"""Whatever the text, we get a checked program or an error with its place, and nothing else."""

import inspect
import json
import random
import re
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_syntax_reference import REFERENCE
from syntax_snippets import BINARY, PREFIX

from trustvi.stan import check_program
from trustvi.stan._diagnostics import StanError, StanSyntaxError
from trustvi.stan._include import read_tokens
from trustvi.stan._lexer import KEYWORDS
from trustvi.stan._parser import parse


@pytest.mark.parametrize("opening", ["(", "-", "{", "[", "f(", "a[", "a ? ", "1 ^ ", "if (1) "])
@pytest.mark.parametrize("frame", ["model { x = @", "model { @", "data { real<lower=@", "@"])
def test_deep_nesting_is_an_error_of_the_program(frame, opening):
    with pytest.raises(StanSyntaxError):
        parse(frame.replace("@", opening * 3_000))


DEEP = {
    "blocks": lambda n: f"model {{ {'{' * n}{'}' * n} }}",
    "parentheses": lambda n: f"model {{ real x = {'(' * n}1{')' * n}; }}",
    "calls": lambda n: f"model {{ real x = {'exp(' * n}1{')' * n}; }}",
    "else if": lambda n: f"model {{ {'else if (1) ; '.join(['if (1) ; ', *[''] * n])} }}",
    "sum": lambda n: f"model {{ real x = {'1 + ' * n}1; }}",
}


@pytest.mark.parametrize("spare", [1_000, 20_000])
@pytest.mark.parametrize(
    ("form", "size"),
    [("blocks", 300), ("parentheses", 300), ("calls", 300), ("else if", 3_000), ("sum", 3_000)],
)
def test_what_is_nested_deeply_is_checked(form, size, spare):
    with limited_recursion(spare):
        assert check_program(DEEP[form](size))


@pytest.mark.parametrize("spare", [1_000, 20_000])
@pytest.mark.parametrize("form", ["blocks", "parentheses", "calls"])
def test_what_is_nested_too_deeply_is_an_error_with_its_place(form, spare):
    """The same error whatever recursion the caller's environment allows."""
    text = DEEP[form](9_000)
    with limited_recursion(spare), pytest.raises(StanError, match="nested too deeply") as caught:
        check_program(text)
    assert caught.value.line == 1
    assert 300 < caught.value.column < 4 * 9_000


@contextmanager
def limited_recursion(spare):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + spare)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


WORDS = [*sorted(KEYWORDS), *BINARY, *PREFIX, *"?:;,|~=(){}[]'\"#@._", "x", "1", ".1", "3i"]
VERDICTS = json.loads(REFERENCE.read_text())["verdicts"]
GOOD = [text for text, found in VERDICTS.items() if found is None]
BUNDLED = [path.read_text() for path in sorted(Path(__file__).parent.glob("programs/**/*.stan"))]


def only_stan_errors(text):
    """The program, or its error with a place: nothing else may come out."""
    try:
        return check_program(text)
    except StanError as error:
        return error.line >= 1 and error.column >= 1 and error.message in str(error)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_text(text):
    assert only_stan_errors(text)
    assert only_stan_errors(f"model {{ {text} }}")


@settings(derandomize=True, max_examples=300, deadline=None)
@given(
    st.sampled_from(["@", "model { @ }", "data { @ }", "functions { @ }", "model { x = @; }"]),
    st.lists(st.sampled_from(WORDS), max_size=12),
)
def test_any_words(frame, words):
    assert only_stan_errors(frame.replace("@", " ".join(words)))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.sampled_from(GOOD) | st.sampled_from(BUNDLED), st.randoms(use_true_random=False))
def test_mutated_programs(text, random: random.Random):
    words = [token.text for token in read_tokens(text, "program.stan")[0]]
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(words))
        words[at : at + random.randint(0, 2)] = random.sample(WORDS, random.randint(0, 2))
        words = words or [""]
    assert only_stan_errors(" ".join(words))


NAMES = re.compile(r"[A-Za-z][A-Za-z0-9_]*|[0-9.]+|[-+*/.<>=!&|%^]+")
SMALL = [text for text in BUNDLED if len(text) < 1200]


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.sampled_from(SMALL), st.sampled_from(SMALL), st.randoms(use_true_random=False))
def test_programs_with_names_and_operators_of_others(text, other, random: random.Random):
    """What mostly can be parsed, so that the checker has to judge it."""
    for _ in range(random.randint(1, 4)):
        place = random.choice(list(NAMES.finditer(text)))
        word = random.choice(NAMES.findall(random.choice((text, other))))
        text = text[: place.start()] + word + text[place.end() :]
    assert only_stan_errors(text)

"""Snippets of Stan, right and wrong, whose verdicts are recorded from stanc.

The tables are in the folder `syntax`, one snippet in a line, where `⏎` is a line break. Each goes
into frames, in which `@` stands for the snippet. What stanc says of each is in
`syntax/reference.json`, written by `make_syntax_reference.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

_TABLES = Path(__file__).with_name("syntax")
LOGICAL = ["||", "&&", "==", "!=", "<", "<=", ">", ">="]
ARITHMETIC = ["+", "-", "*", "/", "%", "%/%", "\\", ".*", "./", "^", ".^"]
BINARY = [*LOGICAL, *ARITHMETIC]
PREFIX = ["-", "+", "!"]


def expressions() -> Iterator[str]:
    """Every pair of operators, and what else precedence decides."""
    yield from (f"a {x} b {y} c" for x, y in product(BINARY, BINARY))
    yield from (f"{p}a {x} b" for p, x in product(PREFIX, BINARY))
    yield from (f"a {x} {p}b {y} c" for x, y, p in product(BINARY, BINARY, "-!"))
    yield from (f"a {x} b'" for x in BINARY)
    yield from (f"a {x} b[1]" for x in BINARY)
    yield from (f"a {x} b.1" for x in BINARY)
    yield from (f"a {x} b ? c : d" for x in BINARY)
    yield from (f"a ? b {x} c : d {x} e" for x in BINARY)
    yield from (f"{p}{q}a" for p, q in product(PREFIX, PREFIX))
    yield from (f"{p}a{tail}" for p, tail in product(PREFIX, ["'", "[1]", ".1", "^b'", " ? b : c"]))
    yield from ("a ? b : c ? d : e", "a ? b ? c : d : e", "a''", "a'^b", "a[1]'", "a[1][2].3[4]")


_FRAMES = {
    "model { x = @; }": ["expressions"],
    "model { @ }": ["statements"],
    "functions { @ }": ["functions"],
    "data { @ }": ["declarations"],
    "transformed data { @ }": ["declarations", "statements"],
    "parameters { @ }": ["declarations"],
    "generated quantities { @ }": ["declarations"],
    "functions { void f() { @ } }": ["statements"],
    "@": ["programs"],
}


def snippets() -> Iterator[str]:
    """Every line of every table in its frame, each program once."""
    framed = (
        frame.replace("@", line).replace("⏎", "\n")
        for frame, tables in _FRAMES.items()
        for table in tables
        for line in _lines(table)
    )
    yield from dict.fromkeys(framed)


def _lines(table: str) -> list[str]:
    return (_TABLES / f"{table}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")

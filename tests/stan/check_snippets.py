"""Programs and expressions, right and wrong, whose verdicts are recorded from stanc.

The programs stand in `check_snippets.txt`, one in each line. What stanc says of them, and the types
it gives to the expressions, is in `check_reference.json`, written by `make_check_reference.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

PROGRAMS = Path(__file__).with_name("check_snippets.txt")


def programs() -> list[str]:
    """One small program for each rule, and for each order in which two of them apply."""
    lines = PROGRAMS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


# --------------------------------------------------------------------------- expressions

VARIABLES = {
    "i": "int",
    "r": "real",
    "z": "complex",
    "v": "vector[2]",
    "w": "row_vector[2]",
    "m": "matrix[2, 2]",
    "zv": "complex_vector[2]",
    "zw": "complex_row_vector[2]",
    "zm": "complex_matrix[2, 2]",
    "ai": "array[2] int",
    "ar": "array[2] real",
    "av": "array[2] vector[2]",
    "aar": "array[2, 2] real",
    "am": "array[2] matrix[2, 2]",
    "t": "tuple(int, real)",
    "at": "array[2] tuple(int, vector[2])",
}
"""Local variables of the model block; `dr` and `dv` are data."""

DATA = "data { real dr; vector[2] dv; }\n"
FUNCTIONS = """functions {
  int whole(real x) { return 1; }
  real half(real x) { return x; }
  tuple(int, real) pair(real x) { return (1, x); }
}
"""
OPERATORS = ["||", "==", "<", "+", "*", "/", "%", "\\", "%/%", ".*", "./", "^", ".^"]
INDICES = [
    *("[i]", "[ai]", "[1:2]", "[]", "[i, i]", "[i, ]", "[, i]", "[ai, ai]", "[i:, i]", "[i, i, i]"),
    *("[, , i]", "[i, , i]", "[ai, i, i]", "[i][i]", "[1:2][i]", "[r]", "[ar]", "[i, r]"),
    *(".1", ".2", ".3", ".2[i]", "[i].1", "[i].2[i]"),
]


def operations() -> Iterator[str]:
    """Every operator between every two types, and the two that stand alone."""
    yield from (f"{x} {op} {y}" for op, x, y in product(OPERATORS, VARIABLES, VARIABLES))
    yield from (f"{op}{x}" for op, x in product("-+!", VARIABLES))
    yield from (f"{x}'" for x in VARIABLES)


def containers() -> Iterator[str]:
    """Whatever joins values of two types, and what indices leave of one."""
    pairs = list(product(VARIABLES, VARIABLES))
    yield from (f"{{{x}, {y}}}" for x, y in pairs)
    yield from (f"[{x}, {y}]" for x, y in pairs)
    yield from (f"i ? {x} : {y}" for x, y in pairs)
    yield from (f"{x}{index}" for x, index in product(VARIABLES, INDICES))


def dependences() -> Iterator[str]:
    """Expressions that depend on data alone, or may depend on parameters."""
    yield from ("1", "2.5", "1i", "dr", "dv", "i", "r", "t", "t.1", "t.2", "at[i].1", "(dr, r)")
    yield from ("(dr, r).1", "(dr, r).2", "((dr, r), 1).1.1", "(t, 1).1.1", "{t}[i].1", "-dr", "-r")
    yield from ("dr + i", "dr + r", "r > 1", "dr > 1", "{r > 1, 1}", "!(r > 1)", "dv[i]", "dv[1:i]")
    yield from ("dv[r > 1]", "dv[(r > 1):2]", "dv'", "v'", "[dr, 1]", "[r, 1]", "{dr}", "{dr, r}")
    yield from ("r > 1 ? 1.0 : 2.0", "i ? 1.0 : 2.0", "i ? dr : r", "sin(dr)", "sin(r)", "size(v)")
    yield from ("rank(v, 1)", "sort_indices_asc(v)", "dims(v)", "to_int(dr)", "int_step(r)", "(r)")
    yield from (
        "whole(r)",
        "half(r)",
        "half(dr)",
        "half(1)",
        "pair(r).1",
        "pair(r).2",
        "pair(dr).2",
    )
    yield from (
        "target()",
        "normal_lpdf(r | 0, 1)",
        "normal_lpdf(dr | 0, 1)",
        "(1, 2.5)",
        "{(r, 1)}",
    )


def expressions() -> list[str]:
    return list(dict.fromkeys([*operations(), *containers(), *dependences()]))


def program_of(*printed: str) -> str:
    """A program that prints the expressions."""
    declared = "".join(f"  {type} {name};\n" for name, type in VARIABLES.items())
    prints = "".join(f"  print({each});\n" for each in printed)
    return f"{FUNCTIONS}{DATA}model {{\n{declared}{prints}}}\n"

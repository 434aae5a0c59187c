"""Data in R's dump format: assignments of numbers, vectors and arrays, as R's `dump` writes them.

    N <- 3
    "y" <- c(1.5, NA, -2e-3)
    X <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(2L, 3L))
    i <- 1:3

Arrays are column-major. A value that isn't data, such as a vector of strings, is kept as what it
is and matters only if the program asks for it. The grammar is that of R expressions with calls,
ranges and signs; runs of plain numbers inside `c(...)` are converted in one step.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trustvi.stan._ast import Source, Span
from trustvi.stan._diagnostics import StanDataError

_SPACE = re.compile(r"(?:[ \t\r\f\v]+|#[^\n]*)*")
_LINES = re.compile(r"(?:[\s;]+|#[^\n]*)*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NAME = re.compile(r"[A-Za-z.][A-Za-z0-9._]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^'\\]|\\.)*'|`[^`]*`", re.DOTALL)
_ASSIGN = re.compile(r"<<?-|=")
_LONGEST = 10**9  # numbers that a short text may ask for
_WIDEST = 2**62  # integers that are kept as such
_SIGN = re.compile(r"[+-]")
_KEYWORD = re.compile(r"=(?!=)")
_INTEGER = frozenset("0123456789+-, \t\r\n")
_REAL = _INTEGER | frozenset(".eE")
_CHARACTERS = _REAL | frozenset("LNAaIinftyTRUEFS_gr")
_WORDS: dict[str, float] = {
    "NA": np.nan,
    "NA_integer_": np.nan,
    "NA_real_": np.nan,
    "NaN": np.nan,
    "Inf": np.inf,
    "Infinity": np.inf,
    "TRUE": 1,
    "T": 1,
    "FALSE": 0,
    "F": 0,
}


@dataclass(frozen=True, slots=True)
class Other:
    """A value that is no data: strings, NULL, lists, calls of other functions."""

    what: str
    length: int = 1


def parse_rdump(text: str, file: str = "data") -> dict[str, Any]:
    """The variables of a dump: NumPy arrays of integers or reals, or `Other`."""
    reader = _Reader(text, file)
    try:
        while reader.skip(_LINES) < len(text):
            reader.assignment()
    except RecursionError:
        raise StanDataError("the data are nested too deeply") from None
    return reader.variables


@dataclass
class _Reader:
    text: str
    file: str
    at: int = 0
    variables: dict[str, Any] = field(default_factory=dict)

    # ------------------------------------------------------------------ characters

    def skip(self, space: re.Pattern[str]) -> int:
        match = space.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def accept(self, pattern: re.Pattern[str] | str) -> str | None:
        """What `pattern` matches here, after white space, or None."""
        at = self.skip(self.space)
        if isinstance(pattern, str):
            found = pattern if self.text.startswith(pattern, at) else None
        else:
            match = pattern.match(self.text, at)
            found = match.group() if match else None
        self.at += len(found or "")
        return found

    def expect(self, pattern: re.Pattern[str] | str, what: str) -> str:
        found = self.accept(pattern)
        return found if found is not None else self.fail(what)

    def fail(self, expected: str) -> Any:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        lines = self.text.split("\n")
        source = Source(file=self.file, lines={self.file: lines})
        span = Span(self.file, line, column, line, column + 1)
        raise StanDataError(f"the R dump can't be read: expected {expected} here", span, source)

    @property
    def space(self) -> re.Pattern[str]:
        return _LINES if self.depth else _SPACE

    depth: int = 0
    """How many parentheses are open: inside, a value goes on over the ends of lines."""

    # ------------------------------------------------------------------ grammar

    def assignment(self) -> None:
        quoted = self.accept(_STRING)
        name = quoted[1:-1] if quoted else self.expect(_NAME, "a variable's name")
        self.expect(_ASSIGN, 'an assignment, "<-" or "=",')
        self.skip(_LINES)
        self.variables[name] = self.value()
        if self.skip(_SPACE) < len(self.text) and self.text[self.at] not in "\n;":
            self.fail("the end of the value")

    def value(self) -> Any:
        """A signed term, or a range of two."""
        first = self.term()
        if not self.accept(":"):
            return first
        last = self.term()
        if not all(_is_data(end) and not end.ndim for end in (first, last)):
            self.fail("a range of two numbers before")
        if not (np.isfinite([first, last]).all() and abs(last - first) < _LONGEST):
            self.fail("fewer numbers in the range before")
        low, high = int(first), int(last)
        step = 1 if high >= low else -1
        return np.arange(low, high + step, step)

    def term(self) -> Any:
        sign = self.accept(_SIGN)
        if sign:
            operand = self.term()
            negate = sign == "-" and _is_data(operand)
            return np.asarray(-operand) if negate else operand
        if self.accept("("):
            return self.inside(self.value)
        if number := self.accept(_NUMBER):
            return self.number(number)
        if self.accept(_STRING):
            return Other("a string")
        name = self.expect(_NAME, "a value")
        if self.accept("("):
            return self.inside(lambda: self.call(name))
        return self.word(name)

    def inside(self, read: Callable[[], Any]) -> Any:
        """Read something up to the closing parenthesis; the opening one has been read."""
        self.depth += 1
        value = read()
        self.expect(")", '")"')
        self.depth -= 1
        return value

    def number(self, digits: str) -> np.ndarray:
        number = _hexadecimal(digits) if digits[:2] in ("0x", "0X") else float(digits)
        long = self.text.startswith("L", self.at)
        self.at += long
        whole = (long or digits.isdecimal()) and abs(number) < _WIDEST
        return np.array(int(number) if whole else float(number))

    def word(self, name: str) -> Any:
        if name in _WORDS:
            return np.array(_WORDS[name])
        return self.variables.get(name, Other("NULL", 0) if name == "NULL" else Other(name))

    # ------------------------------------------------------------------ calls

    def call(self, name: str) -> Any:
        if name == "c":
            plain = self.plain_numbers()
            if plain is not None:
                return plain
        given = self.arguments()
        values = [value for key, value in given if key is None or name in ("c", "list")]
        options = {key: value for key, value in given if key is not None}
        match name:
            case "c":
                return _combine(values)
            case "structure" | "array":
                return _structure(values, options)
            case "integer" | "double" | "numeric":
                length = values[0] if values else np.array(0)
                if not _is_data(length) or length.ndim or not 0 <= length < _LONGEST:
                    self.fail("a length before")
                return np.zeros(int(length), np.int64 if name == "integer" else np.float64)
            case "as.integer" | "as.numeric" | "as.double" if values and _is_data(values[0]):
                return np.asarray(np.trunc(values[0])) if name == "as.integer" else values[0]
            case _:
                return Other(f"{name}(...)", len(values))

    def plain_numbers(self) -> np.ndarray | None:
        """All of `1, NA, -3` before the closing parenthesis at once, if that is all there is."""
        end = self.text.find(")", self.at)
        inside = self.text[self.at : end]
        if end < 0 or not _CHARACTERS.issuperset(inside):
            return None
        try:
            numbers = _convert(inside)
        except (ValueError, KeyError, OverflowError):
            return None
        self.at = end
        return numbers

    def arguments(self) -> list[tuple[str | None, Any]]:
        given: list[tuple[str | None, Any]] = []
        while not self.text.startswith(")", self.skip(_LINES)):
            given.append((self.keyword(), self.value()))
            if not self.accept(","):
                break
        return given

    def keyword(self) -> str | None:
        """The `name =` in front of an argument."""
        start = self.at
        name = self.accept(_STRING) or self.accept(_NAME)
        if name and self.accept(_KEYWORD):
            return name.strip("\"'`")
        self.at = start
        return None


def _convert(text: str) -> np.ndarray:
    """Numbers between commas; raises ValueError or KeyError where there is anything else."""
    if not text.strip():
        return np.zeros(0, np.int64)
    parts = text.split(",")
    if _REAL.issuperset(text):
        return np.array(parts, np.int64 if _INTEGER.issuperset(text) else np.float64)
    if _INTEGER.issuperset(text.replace("L", "")):
        return np.array(text.replace("L", "").split(","), np.int64)
    return np.array([_number_or_word(part.strip()) for part in parts])


def _hexadecimal(digits: str) -> float:
    try:
        return float(int(digits, 16))
    except OverflowError:
        return math.inf


def _number_or_word(text: str) -> float:
    if text[-1:].isdigit():
        return int(text) if text.isdecimal() else float(text)
    if text.startswith(("+", "-")):
        return -_number_or_word(text[1:]) if text[0] == "-" else _number_or_word(text[1:])
    return int(text[:-1]) if text.endswith("L") else _WORDS[text]


def _is_data(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _combine(values: list[Any]) -> Any:
    if not all(map(_is_data, values)):
        first = next(value for value in values if not _is_data(value))
        return Other(first.what, len(values))
    if not values:
        return np.zeros(0, np.int64)
    return np.concatenate([np.atleast_1d(value).ravel(order="F") for value in values])


def _structure(values: list[Any], options: dict[str, Any]) -> Any:
    values = values or [options[key] for key in (".Data", "data") if key in options]
    dims = options.get(".Dim", options.get("dim", values[1] if len(values) > 1 else None))
    if not values or not _is_data(values[0]) or dims is None or not _is_data(dims):
        return values[0] if values else Other("structure()", 0)
    shape = tuple(np.atleast_1d(dims).ravel().tolist())
    flat = np.atleast_1d(values[0])
    whole = all(0 <= size < _LONGEST and float(size).is_integer() for size in shape)
    if not whole or flat.size != math.prod(shape):
        return Other(f"structure() of {flat.size} values with dimensions {shape}", flat.size)
    return flat.reshape([int(size) for size in shape], order="F")

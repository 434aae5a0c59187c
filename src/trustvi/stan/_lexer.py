"""The words of the Stan language: text to tokens, by one regular expression.

Stan reads its tokens on demand, so an error of the parser in front of a bad character is the
first error of the program. Hence the scanner doesn't raise: a stretch that is no token becomes a
token of kind `INVALID` that carries the error, ends the scan, and is raised if the parser gets
there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from trustvi.stan._ast import Span
from trustvi.stan._diagnostics import StanSyntaxError

IDENTIFIER = "identifier"
INTEGER = "integer literal"
REAL = "real literal"
IMAGINARY = "imaginary literal"
DOT_INTEGER = "tuple index"
"""`.1`: the number 0.1, or, behind an expression, the first item of a tuple."""
STRING = "string literal"
INCLUDE = "include"
INVALID = "invalid"
END = "end of file"

BLOCKS: tuple[str, ...] = (
    "functions",
    "data",
    "transformed data",
    "parameters",
    "transformed parameters",
    "model",
    "generated quantities",
)
KEYWORDS = frozenset(
    {"functions", "data", "parameters", "model"}
    | {"return", "if", "else", "while", "for", "in", "break", "continue", "profile"}
    | {"print", "reject", "fatal_error", "target", "jacobian", "T"}
    | {"void", "int", "real", "complex", "array", "tuple"}
    | {"vector", "row_vector", "matrix"}
    | {"complex_vector", "complex_row_vector", "complex_matrix"}
    | {"ordered", "positive_ordered", "simplex", "unit_vector"}
    | {"cov_matrix", "corr_matrix", "cholesky_factor_cov", "cholesky_factor_corr"}
    | {"lower", "upper", "offset", "multiplier"}
)
USABLE_AS_NAMES = frozenset({"T", "jacobian"})
"""Keywords that may also name a variable or a function."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that a token stands in, and the place it was included from."""

    file: str
    included_from: Span | None = None


class Token(NamedTuple):
    """A word of the program. `line` and `column` count from 1; no token spans lines."""

    kind: str
    text: str
    line: int
    column: int
    origin: Origin
    error: StanSyntaxError | None = None

    def span(self) -> Span:
        end = self.column + len(self.text)
        origin = self.origin
        return Span(origin.file, self.line, self.column, self.line, end, origin.included_from)


_INT = r"[0-9]+(?:_[0-9]+)*"
_EXPONENT = rf"[eE][+-]?{_INT}"
_PATTERN = re.compile(
    rf"""
      (?P<blank>[ \t\f]+ | //[^\r\n]*)
    | (?P<newline>\r\n? | \n)
    | (?P<word>(?:transformed[ \t]+(?:data|parameters)) | (?:generated[ \t]+quantities)
        | [A-Za-z][A-Za-z0-9_]*)
    | (?P<number>(?:{_INT}\.(?:{_INT})?(?:{_EXPONENT})? | \.{_INT}(?:{_EXPONENT})?
        | {_INT}(?:{_EXPONENT})?)i?)
    | (?P<comment>/\*.*?\*/)
    | (?P<unclosed>/\*)
    | (?P<symbol>\.\*=|\./=|%/%|\.\*|\./|\.\^|[-+*/=!<>]=|&&|\|\||[-+*/%\\^!'<>=~?:;,|(){{}}\[\]])
    | (?P<string>"[^"\r\n]*")
    | (?P<include>\#include[ \t]+(?:"(?P<quoted>[^"\r\n]*)"|<(?P<angled>[^>\r\n]*)>
        |(?P<bare>[^ \t\r\n]+)))
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_NEWLINE = re.compile(r"\r\n?|\n")
_DOT_INTEGER = re.compile(rf"\.{_INT}\Z")
_BLANKS = re.compile(r"[ \t]+")


def split_lines(text: str) -> list[str]:
    """The lines of a text as Stan counts them: ended by \\n, \\r\\n or \\r."""
    return _NEWLINE.split(text)


def scan(text: str, origin: Origin) -> Iterator[Token]:
    """The tokens of one file; the last is `END`, or `INVALID` where no token can be read."""
    position, line, line_start = 0, 1, 0
    match_at = _PATTERN.match
    while match := match_at(text, position):
        position, group = match.end(), match.lastgroup
        if group == "blank":
            continue
        if group == "newline":
            line, line_start = line + 1, position
            continue
        if group == "comment":
            line, line_start = _after_comment(match, line, line_start)
            continue
        column = match.start() - line_start + 1
        if group == "unclosed":
            yield _unclosed_comment(text, line, column, origin)
            return
        kind, word = _KINDS[group or ""](match.group())
        if group == "include":
            word = match.group("include")
        yield Token(kind, word, line, column, origin)
    column = position - line_start + 1
    if position < len(text):
        yield _bad_character(text, position, line, column, origin)
    else:
        yield Token(END, "", line, column, origin)


def include_name(directive: str) -> str:
    """The file named by `#include name`, `#include "name"` or `#include <name>`."""
    match = _PATTERN.match(directive)
    named = match.group("quoted", "angled", "bare") if match else ()
    return next((name for name in named if name is not None), "")


def _word(text: str) -> tuple[str, str]:
    if text in KEYWORDS:
        return text, text
    if text.isidentifier():
        return IDENTIFIER, text
    return _BLANKS.sub(" ", text), text


def _number(text: str) -> tuple[str, str]:
    if text.endswith("i"):
        return IMAGINARY, text
    if _DOT_INTEGER.match(text):
        return DOT_INTEGER, text
    return (REAL if any(char in ".eE" for char in text) else INTEGER), text


_KINDS = {
    "word": _word,
    "number": _number,
    "symbol": lambda text: (text, text),
    "string": lambda text: (STRING, text),
    "include": lambda text: (INCLUDE, text),
}


def _after_comment(match: re.Match[str], line: int, line_start: int) -> tuple[int, int]:
    """The line, and where it starts, behind a comment that may span lines."""
    ends = [found.end() for found in _NEWLINE.finditer(match.group())]
    return (line + len(ends), match.start() + ends[-1]) if ends else (line, line_start)


# --------------------------------------------------------------------------- what is no token


def _invalid(message: str, text: str, at: Token, *hints: str) -> Token:
    token = at._replace(kind=INVALID, text=text)
    return token._replace(error=StanSyntaxError(message, token.span(), hints=hints))


def _unclosed_comment(text: str, line: int, column: int, origin: Origin) -> Token:
    """Stan finds out at the end of the file, so that is the place; the message tells the start."""
    lines = split_lines(text)
    end = Token(END, "", len(lines), len(lines[-1]) + 1, origin)
    opened = f"the comment opened in line {line}, column {column} is never closed"
    return _invalid(f'expected "*/" before the end of the file: {opened}', "", end)


_REPLACEMENTS = {
    "#": 'comments start with "//"; "#" is only for #include',
    "&": 'logical conjunction is "&&"',
    "'": 'strings stand in double quotes: "..."',
    ".": "decimal points belong to numbers, and tuple items are written x.1",
    "_": "names start with a letter",
}


def _bad_character(text: str, position: int, line: int, column: int, origin: Origin) -> Token:
    at = Token(INVALID, text[position], line, column, origin)
    char = text[position]
    if char == '"':
        rest = split_lines(text[position:])[0]
        return _invalid('expected a closing """ in the same line', rest, at)
    if text.startswith("#include", position):
        return _invalid("expected a file's name after #include", "#include", at)
    hints = [_REPLACEMENTS[char]] if char in _REPLACEMENTS else []
    if not char.isascii():
        hints.append("outside of comments and strings a program is plain ASCII text")
    return _invalid(f"no token starts with the character {char!r}", char, at, *hints)

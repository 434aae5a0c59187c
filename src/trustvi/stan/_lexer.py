"""The words of the Stan language: text to tokens, by one regular expression.

Stan reads its tokens on demand, so an error of the parser in front of a bad character is the
first error of the program. Hence the scanner doesn't raise: a stretch that is no token becomes a
token of kind `INVALID` that carries the error, ends the scan, and is raised if the parser gets
there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from trustvi.stan._ast import Span
from trustvi.stan._diagnostics import StanSyntaxError

IDENTIFIER = "identifier"
INTEGER = "integer literal"
REAL = "real literal"
IMAGINARY = "imaginary literal"
DOT_INTEGER = "tuple index"
"""`.1`: the number 0.1, or, after an expression, the first item of a tuple."""
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
    rf"""[ \t\f]*+(?:
      (?P<word>(?:transformed[ \t\f]+(?:data|parameters)) | (?:generated[ \t\f]+quantities)
        | [A-Za-z][A-Za-z0-9_]*)
    | (?P<comment>//[^\r\n]* | /\*.*?\*/)
    | (?P<unclosed>/\*)
    | (?P<number>(?:{_INT}\.(?:{_INT})?(?:{_EXPONENT})? | \.{_INT}(?:{_EXPONENT})?
        | {_INT}(?:{_EXPONENT})?)i?)
    | (?P<symbol>\.\*=|\./=|%/%|\.\*|\./|\.\^|[-+*/=!<>]=|&&|\|\||[-+*/%\\^!'<>=~?:;,|(){{}}\[\]])
    | (?P<newline>\r\n? | \n)
    | (?P<string>"[^"\r\n]*")
    | (?P<include>\#include[ \t]+(?:"(?P<quoted>[^"\r\n]*)"|<(?P<angled>[^>\r\n]*)>
        |(?P<bare>[^ \t\r\n]+)))
    | (?P<end>\Z)
    | (?P<bad>.))
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_NEWLINE = re.compile(r"\r\n?|\n")
_DOT_INTEGER = re.compile(rf"\.{_INT}\Z")
_BLANKS = re.compile(r"[ \t\f]+")


def split_lines(text: str) -> list[str]:
    """The lines of a text as Stan counts them: ended by \\n, \\r\\n or \\r."""
    return _NEWLINE.split(text)


def scan(text: str, origin: Origin) -> Iterator[Token]:
    """The tokens of one file; the last is `END`, or `INVALID` where no token can be read."""
    line, line_start = 1, 0
    for match in _PATTERN.finditer(text):
        group = match.lastgroup or ""
        if group == "newline":
            line, line_start = line + 1, match.end()
            continue
        word = match[group]
        column = match.start(group) - line_start + 1
        if group == "symbol":
            yield Token(word, word, line, column, origin)
        elif group == "word":
            yield Token(_word_kind(word), word, line, column, origin)
        elif group == "comment":
            line, line_start = _after_comment(match, line, line_start)
        elif group in _KINDS:
            yield Token(_KINDS[group](word), word, line, column, origin)
        elif group == "end":
            yield Token(END, word, line, column, origin)
            return
        else:
            yield _invalid_token(text, match.start(group), Token(group, word, line, column, origin))
            return


def include_name(directive: str) -> str:
    """The file named by `#include name`, `#include "name"` or `#include <name>`."""
    match = _PATTERN.match(directive)
    named = match.group("quoted", "angled", "bare") if match else ()
    return next((name for name in named if name is not None), "")


def _word_kind(word: str) -> str:
    if word in KEYWORDS:
        return word
    return IDENTIFIER if word.isidentifier() else _BLANKS.sub(" ", word)


def _number_kind(text: str) -> str:
    if text.endswith("i"):
        return IMAGINARY
    if _DOT_INTEGER.match(text):
        return DOT_INTEGER
    return REAL if any(char in ".eE" for char in text) else INTEGER


_KINDS: dict[str, Callable[[str], str]] = {
    "number": _number_kind,
    "string": lambda text: STRING,
    "include": lambda text: INCLUDE,
}


def _after_comment(match: re.Match[str], line: int, line_start: int) -> tuple[int, int]:
    """The line, and where it starts, after a comment that may span lines."""
    ends = [found.end() for found in _NEWLINE.finditer(match["comment"])]
    return (line + len(ends), match.start("comment") + ends[-1]) if ends else (line, line_start)


# --------------------------------------------------------------------------- what is no token

_REPLACEMENTS = {
    "#": 'comments start with "//"; "#" is only for #include',
    "&": 'logical conjunction is "&&"',
    ".": "a point belongs to a number, as in 0.5, or to the item of a tuple, as in x.1",
    "_": 'names start with a letter, and a "_" between digits stands alone',
}


def _invalid_token(text: str, position: int, at: Token) -> Token:
    """The token that carries the error about the character at `position`."""
    if at.kind == "unclosed":
        return _unclosed_comment(text, at)
    if at.text == '"':
        rest = split_lines(text[position:])[0]
        return _invalid("expected a closing quote in the same line", at._replace(text=rest))
    if text.startswith("#include", position):
        return _invalid("expected a file's name after #include", at._replace(text="#include"))
    hints = [_REPLACEMENTS[at.text]] if at.text in _REPLACEMENTS else []
    if not at.text.isascii():
        hints.append("outside of comments and strings a program is plain ASCII text")
    return _invalid(f"no token starts with the character {at.text!r}", at, *hints)


def _unclosed_comment(text: str, at: Token) -> Token:
    """Stan finds out at the end of the file, so that is the place; the message tells the start."""
    lines = split_lines(text)
    end = at._replace(text="", line=len(lines), column=len(lines[-1]) + 1)
    opened = f"the comment opened in line {at.line}, column {at.column} is never closed"
    return _invalid(f'expected "*/" before the end of the file: {opened}', end)


def _invalid(message: str, at: Token, *hints: str) -> Token:
    return at._replace(kind=INVALID, error=StanSyntaxError(message, at.span(), hints=hints))

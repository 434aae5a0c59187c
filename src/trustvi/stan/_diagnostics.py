"""Errors and warnings about Stan programs and their data: data first, rendered once.

A diagnostic is a message, the span it speaks of, the program's source and hints. `str(error)`
renders all of it, so that whoever catches a `StanError` can print it and be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from trustvi.stan._ast import Source, Span

_LINES_BEFORE, _LINES_AFTER = 2, 2
_UNSUPPORTED_HINT = (
    "real Stan can run this program: compile it with BridgeStan and pass it to "
    "trustvi.from_bridgestan"
)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What went wrong or looks wrong, where, and what could be done about it."""

    kind: str
    message: str
    span: Span | None = None
    source: Source | None = None
    hints: tuple[str, ...] = ()

    def render(self) -> str:
        """File, line and column; up to five lines of context with a caret; message; hints."""
        parts = [_headline(self), *_context(self), self.message, *map(_hint_line, self.hints)]
        return "\n".join(parts)


@dataclass(frozen=True, slots=True)
class StanWarning:
    """Something that Stan allows and that is probably not meant, or is deprecated."""

    message: str
    span: Span
    hints: tuple[str, ...] = ()

    def render(self, source: Source | None = None) -> str:
        """The warning in the same form as an error."""
        return Diagnostic("warning", self.message, self.span, source, self.hints).render()


class StanError(Exception):
    """An error in a Stan program or its data; `str` gives the whole message with its context."""

    kind = "error"

    def __init__(
        self,
        message: str,
        span: Span | None = None,
        source: Source | None = None,
        hints: Iterable[str] = (),
    ) -> None:
        self.diagnostic = Diagnostic(self.kind, message, span, source, tuple(hints))
        super().__init__(message, span, source, self.diagnostic.hints)

    @property
    def message(self) -> str:
        return self.diagnostic.message

    @property
    def span(self) -> Span | None:
        return self.diagnostic.span

    @property
    def file(self) -> str | None:
        return self.span and self.span.file

    @property
    def line(self) -> int | None:
        """Counts from 1; None for an error without a place."""
        return self.span and self.span.line

    @property
    def column(self) -> int | None:
        """Counts from 1; None for an error without a place."""
        return self.span and self.span.column

    def locate(self, span: Span | None = None, source: Source | None = None) -> StanError:
        """Fill in the place and the source where they are missing, and return the error itself.

        Whoever raises may know less than whoever catches: a density knows its rule, the evaluator
        the statement, and the entry point the text.
        """
        known = self.diagnostic
        self.diagnostic = replace(known, span=known.span or span, source=known.source or source)
        self.args = (known.message, self.diagnostic.span, self.diagnostic.source, known.hints)
        return self

    def __str__(self) -> str:
        return self.diagnostic.render()


class StanSyntaxError(StanError):
    """The text is not a Stan program."""

    kind = "syntax error"


class StanSemanticError(StanError):
    """The program parses, but names, types or blocks don't fit."""

    kind = "semantic error"


class StanDataError(StanError):
    """The data don't fit the program's declarations."""

    kind = "data error"


class StanRuntimeError(StanError):
    """An evaluation failed: a rejection, an argument outside a domain, an index out of range."""

    kind = "runtime error"


class StanUnsupportedError(StanError):
    """The program is right, but uses what this compiler doesn't have."""

    kind = "unsupported"

    def __init__(
        self,
        message: str,
        span: Span | None = None,
        source: Source | None = None,
        hints: Iterable[str] = (),
    ) -> None:
        given = tuple(hints)
        hinted = given if _UNSUPPORTED_HINT in given else (*given, _UNSUPPORTED_HINT)
        super().__init__(message, span, source, hinted)


# --------------------------------------------------------------------------- rendering


def _headline(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    if span is None:
        return diagnostic.kind
    place = f"{diagnostic.kind} in {span.file}, line {span.line}, column {span.column}"
    includes = [f"  included from {at.file}, line {at.line}" for at in _include_chain(span)]
    return "\n".join([place, *includes])


def _include_chain(span: Span) -> list[Span]:
    chain: list[Span] = []
    at = span.included_from
    while at is not None:
        chain.append(at)
        at = at.included_from
    return chain


def _hint_line(hint: str) -> str:
    return f"  hint: {hint}"


def _context(diagnostic: Diagnostic) -> list[str]:
    """The line of the error between its neighbours, with a caret underneath it."""
    span, source = diagnostic.span, diagnostic.source
    lines = source.lines.get(span.file) if span and source else None
    if span is None or not lines:
        return []
    first = max(1, span.line - _LINES_BEFORE)
    written = len(lines) if lines[-1] else len(lines) - 1
    last = max(span.line, min(written, span.line + _LINES_AFTER))
    width = len(str(last))
    skipped = 0 if span.column < _WIDEST else span.column - _WIDEST // 2
    shown = [
        f"{number:>{width}} | {lines[number - 1][skipped : skipped + _WIDEST]}".rstrip()
        for number in range(first, last + 1)
    ]
    caret = f"{'':{width}} | {_underline(span, lines)[skipped : skipped + _WIDEST]}"
    shown.insert(span.line - first + 1, caret)
    return shown


_WIDEST = 100
"""Of longer lines only the part around the error is shown."""


def _underline(span: Span, lines: Sequence[str]) -> str:
    """Carets below the span; tabs are kept, so that the caret stands where the text does."""
    line = lines[span.line - 1] if span.line <= len(lines) else ""
    lead = "".join("\t" if char == "\t" else " " for char in line[: span.column - 1])
    end = span.end_column if span.end_line == span.line else len(line.rstrip()) + 1
    return lead.ljust(span.column - 1) + "^" * max(1, end - span.column)


# --------------------------------------------------------------------------- did you mean


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to `name` by edit distance, if it is near enough to be meant."""
    limit = max(1, len(name) // 3)
    near = [c for c in candidates if abs(len(c) - len(name)) <= limit and c != name]
    ranked = sorted((edit_distance(name, c), c) for c in set(near))
    return ranked[0][1] if ranked and ranked[0][0] <= limit else None


def did_you_mean(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """A hint that names the nearest candidate, or none."""
    guess = closest(name, candidates)
    return (f'did you mean "{guess}"?',) if guess else ()


def edit_distance(left: str, right: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours that turn one into the other.

    The restricted Damerau-Levenshtein distance, by the usual recurrence over prefixes.
    """
    before_last: list[int] = []
    last = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and b == left[i - 2]:
                best = min(best, before_last[j - 2] + 1)
            row.append(best)
        before_last, last = last, row
    return last[-1]

"""What all of the parser uses: the cursor over the tokens, spans, lists and errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

from trustvi.stan._ast import Source, Span
from trustvi.stan._diagnostics import StanSyntaxError
from trustvi.stan._lexer import (
    BLOCKS,
    DOT_INTEGER,
    END,
    IDENTIFIER,
    IMAGINARY,
    INTEGER,
    INVALID,
    KEYWORDS,
    REAL,
    STRING,
    USABLE_AS_NAMES,
    Token,
)

Node = TypeVar("Node")
NAMES = frozenset({IDENTIFIER, *USABLE_AS_NAMES})
_LITERALS = frozenset({INTEGER, REAL, IMAGINARY, DOT_INTEGER, STRING})


class Cursor:
    """A place in the list of tokens. The last token is `END` or `INVALID`, which nothing takes."""

    __slots__ = ("at", "kinds", "source", "tokens")

    def __init__(self, tokens: Sequence[Token], source: Source) -> None:
        self.tokens = tokens
        self.kinds = [token.kind for token in tokens]
        self.source = source
        self.at = 0

    def kind(self) -> str:
        return self.kinds[self.at]

    def next_kind(self) -> str:
        """The kind of the token after the current one."""
        return self.kinds[min(self.at + 1, len(self.kinds) - 1)]

    def advance(self) -> Token:
        """Take the current token."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def accept(self, kind: str) -> bool:
        """Take the current token if it is of this kind."""
        if self.kinds[self.at] != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str, where: str, *hints: str) -> Token:
        """Take the current token, which must be of this kind; `where` completes the message."""
        if self.kinds[self.at] != kind:
            what = f"a {kind}" if kind == STRING else f'"{kind}"'
            self.fail(f"expected {what} {where}", *hints)
        return self.advance()

    def span_from(self, start: int) -> Span:
        """The text from the token with index `start` up to the one taken last."""
        first, last = self.tokens[start], self.tokens[max(start, self.at - 1)]
        origin = first.origin
        return Span(
            origin.file,
            first.line,
            first.column,
            last.line,
            last.column + len(last.text),
            origin.included_from,
        )

    def fail(self, message: str, *hints: str) -> NoReturn:
        """Raise at the current token, which is not what `message` expects."""
        token = self.tokens[self.at]
        if token.kind == INVALID and token.error is not None:
            raise token.error.locate(source=self.source)
        self.fail_at(f"{message}, but found {describe(token)}", token.span(), *hints)

    def fail_at(self, message: str, span: Span, *hints: str) -> NoReturn:
        raise StanSyntaxError(message, span, self.source, hints)


def quoted(word: str) -> str:
    return f'"{word}"'


def describe(token: Token) -> str:
    """A token as it is called in a message."""
    if token.kind == END:
        return "the end of the file"
    if token.kind in _LITERALS:
        return f"the {token.kind} {token.text}"
    if token.kind == IDENTIFIER:
        return f'the name "{token.text}"'
    word = "the keyword " if token.kind in KEYWORDS else ""
    return f'{word}"{token.text}"'


def open_block_hints(c: Cursor) -> tuple[str, ...]:
    """What may be meant where the name of a block stands inside another."""
    if c.kinds[c.at] in BLOCKS:
        return ('a "}" is missing: the block before is still open',)
    return ()


def name(c: Cursor, expected: str, *hints: str) -> Token:
    """The name of something new or of something used."""
    if c.kinds[c.at] not in NAMES:
        token = c.tokens[c.at]
        reserved = (f'"{token.text}" is a reserved word',) if token.kind in KEYWORDS else ()
        c.fail(f"expected {expected}", *(hints or reserved))
    return c.advance()


def comma_separated(c: Cursor, item: Callable[[Cursor], Node]) -> list[Node]:
    """One item or more."""
    items = [item(c)]
    while c.accept(","):
        items.append(item(c))
    return items

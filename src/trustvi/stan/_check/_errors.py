"""The checker's own exception, which becomes the public error at its door."""

from __future__ import annotations

from typing import NoReturn

from trustvi.stan._ast import Span


class Rejection(Exception):
    """What is wrong with the program and where, before the program's source is known."""

    def __init__(self, message: str, span: Span, hints: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.span, self.hints = message, span, hints


def fail(message: str, span: Span, *hints: str) -> NoReturn:
    """Reject the program."""
    raise Rejection(message, span, tuple(hint for hint in hints if hint))


def ordinal(position: int) -> str:
    """`position`, counted from 0, in words: first, second, ..., 11th."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    if position < len(words):
        return words[position]
    number = position + 1
    suffix = "th" if number % 100 in (11, 12, 13) else _SUFFIXES.get(number % 10, "th")
    return f"{number}{suffix}"


_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}

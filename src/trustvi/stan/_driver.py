"""From the text of a program to the checked program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trustvi.stan._check import Checked, check
from trustvi.stan._parser import parse
from trustvi.stan.library import _table as table

table.names()
# The library is read when the compiler is imported, so that no check has to wait for it.


def check_program(
    text: str, filename: str | None = None, include_paths: Sequence[str | Path] = ()
) -> Checked:
    """Parse, resolve and type-check a Stan program.

    `filename` is for messages, and its folder is where included files are looked for first.
    Raises a `StanError` that tells the place of what is wrong.
    """
    return check(parse(text, filename, include_paths))

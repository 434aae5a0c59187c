"""A sign of life while the heavy modules load: on a terminal only, and gone afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

ERASE = "\r\x1b[K"


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """`text` on standard error's line for as long as the block runs.

    Rich would take longer to import than people wait for the first sign.
    """
    shown = sys.stderr.isatty()
    if shown:
        print(f"{ERASE}{text}", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if shown:
            print(ERASE, end="", file=sys.stderr, flush=True)

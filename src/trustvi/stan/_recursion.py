"""Room for recursion, the same wherever we are called from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

NESTING = 4_000
"""Frames for the nesting of a program's text: hundreds of levels, far from the end of C's stack."""
CALLS = 20_000
"""Frames for the recursion of a program's own functions."""


@contextmanager
def room_for(frames: int) -> Iterator[None]:
    """So many frames from here on, whatever limit the caller's environment has set."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(_frames_in_use() + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _frames_in_use() -> int:
    frame, count = sys._getframe(), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count

"""How far a study is, on standard error: a live bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time

from trustvi.study._worker import Answer

LINE_SECONDS = 15.0


class Screen:
    """Cells done and lost, time gone and time left."""

    def __init__(self) -> None:
        self._status = None
        self._began = self._last = time.monotonic()
        self._total = self._before = 0

    def __enter__(self) -> Screen:
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("starting")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def begin(self, total: int, done: int) -> None:
        self._total, self._before = total, done
        self._began = time.monotonic()

    def tick(self, done: int, lost: int, reply: Answer | None) -> None:
        now = time.monotonic()
        text = describe(done, lost, self._total, self._before, now - self._began)
        if self._status is not None:
            self._status.update(text)
        elif now - self._last > LINE_SECONDS:
            self._last = now
            print(text, file=sys.stderr, flush=True)
        if reply is not None and reply.kind in ("crashed", "hung", "error"):
            print(f"a fit was lost ({reply.kind}): {reply.reason}", file=sys.stderr, flush=True)


def describe(done: int, lost: int, total: int, before: int, seconds: float) -> str:
    """The state in one line; the time left supposes that the rest goes as what was run so far."""
    run = done + lost - before
    left = (total - done - lost) * seconds / run if run > 0 else None
    said = f"{done + lost}/{total} fits" + (f", {lost} lost" if lost else "")
    return f"{said}, {clock(seconds)} gone, " + (f"{clock(left)} left" if left is not None else "")


def clock(seconds: float) -> str:
    """h:mm:ss, or m:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

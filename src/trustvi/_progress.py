"""One live line about a running fit, on a terminal only."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from trustvi.optimize import Info, Progress

REFRESH_SECONDS = 0.1


class ProgressLine:
    """A line on standard error: iteration, ELBO and error, radius, draws, oracle calls, seconds."""

    def __init__(self, enabled: bool | None, name: str) -> None:
        self._enabled = sys.stderr.isatty() if enabled is None else enabled
        self._name = name
        self._last = 0.0
        self._status = None

    def __enter__(self) -> ProgressLine:
        if self._enabled:
            from rich.console import Console

            self._status = Console(stderr=True).status(f"{self._name}: compiling")
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, progress: Progress, start: int | None = None) -> None:
        """Say where the fit, or one of its starts, stands, at most ten times a second."""
        now = time.perf_counter()
        if self._status is None or now - self._last < REFRESH_SECONDS:
            return
        self._last = now
        which = "" if start is None else f"start {start + 1}  "
        self._status.update(f"{self._name}: {which}{describe(progress.path[-1])}")


def describe(info: Info) -> str:
    """An iteration in one line."""
    elbo = f"ELBO {info.elbo:.2f} ± {info.elbo_se:.2f}" if info.elbo == info.elbo else info.note
    return (
        f"iteration {info.iteration}  {elbo}  radius {info.radius:.2g}  "
        f"draws {info.gradient_draws}  oracle calls {info.oracle_calls:.2f}  {info.seconds:.1f} s"
    )

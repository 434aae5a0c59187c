"""A process that runs cells, one after another, with one thread."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import NamedTuple

from trustvi.study._types import Cell, Limits, Result, Unusable

# One thread each, for XLA (NPROC), its BLAS and NumPy's: cells side by side fill the cores.
ONE_THREAD = {
    "NPROC": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}  # fmt: skip
ORPHAN_SECONDS = 1.0
START_SECONDS = 120.0


class Answer(NamedTuple):
    """What became of a cell: a result, or why there is none."""

    kind: str
    """"done", "unusable" (the model), or "error" (this cell)."""
    result: Result | None
    reason: str


def answer(cell: Cell, limits: Limits) -> Answer:
    """Run a cell; whatever it raises becomes a value."""
    from trustvi.study._cell import run_cell

    try:
        return Answer("done", run_cell(cell, limits), "")
    except Unusable as reason:
        return Answer("unusable", None, str(reason))
    except Exception as error:  # a cell must not end a study
        return Answer(
            "error", None, f"{type(error).__name__}: {' '.join(str(error).split())}"[:500]
        )


def sentence(error: BaseException) -> str:
    """An error in one line of bounded length."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:500]


Runner = Callable[[Cell, Limits], Answer]


def serve(line: Connection, limits: Limits, run: Runner) -> None:
    """Say that one is there, then answer cells that come down the line, until it closes."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    line.send(None)
    while True:
        try:
            cell = line.recv()
        except EOFError:
            return
        line.send(run(cell, limits))


def _end_with(parent: int) -> None:
    """Die when the study does, however it died."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os._exit(1)


class Worker:
    """The study's end of such a process."""

    def __init__(self, limits: Limits, run: Runner = answer) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other, limits, run), daemon=True)
        with _environment(ONE_THREAD):
            self._process.start()
        other.close()
        self.cell: Cell | None = None
        self._ready, self._since = False, 0.0

    def give(self, cell: Cell) -> None:
        self.cell, self._since = cell, time.monotonic()
        self.line.send(cell)

    def take(self) -> Answer | None:
        """The answer, or None if there is none yet: the process has just come up."""
        try:
            reply = self.line.recv()
        except (EOFError, OSError):
            return Answer("crashed", None, self.kill())
        if reply is None:
            self._ready, self._since = True, time.monotonic()
        return reply

    def late(self, allowed: float) -> bool:
        """Whether a cell has taken longer than that, the start of the process not counted."""
        extra = 0.0 if self._ready else START_SECONDS
        return self.cell is not None and time.monotonic() - self._since > allowed + extra

    def kill(self) -> str:
        """End the process, and say how it had ended if it had."""
        code = self._process.exitcode
        self._process.kill()
        self._process.join()
        self.line.close()
        code = self._process.exitcode if code is None else code
        return f"the worker died of signal {-code}" if code and code < 0 else f"exit status {code}"


class _environment:
    """Environment variables for the processes started within."""

    def __init__(self, values: dict[str, str]) -> None:
        self._values = values

    def __enter__(self) -> None:
        self._before = {name: os.environ.get(name) for name in self._values}
        os.environ.update(self._values)

    def __exit__(self, *_: object) -> None:
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

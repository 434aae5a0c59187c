"""What the study's tests share: cells that crash, hang or die when asked to, and small plans."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from trustvi.study import Cell, Entry, Limits, Plan, Result, Trace
from trustvi.study._worker import Answer

LIMITS = Limits(max_calls=100.0, max_seconds=2.0)


def result(elbo: float = -1.0, verdict: str = "CONVERGED", dim: int = 2) -> Result:
    trace = Trace((0, 1), (1.0, 2.0), (0.1, 0.2), (elbo - 5.0, elbo))
    return Result(verdict, dim, 2.0, 0.2, 0.0, elbo, 0.01, trace)


def obedient(cell: Cell, limits: Limits) -> Answer:
    """A cell that does what its model's name says; `once` ones do it the first time only."""
    del limits
    name = cell.entry.name
    flag = cell.entry.program.with_suffix(f".{cell.seed}.tried")
    first = not flag.exists()
    flag.touch()
    if first or not name.startswith("once"):
        if "crash" in name:
            os._exit(3)
        if "kill" in name:
            os.kill(os.getpid(), signal.SIGKILL)
        if "hang" in name:
            time.sleep(600)
        if "raise" in name:
            raise_error()
        if "unusable" in name:
            return Answer("unusable", None, "it is of no use")
    if "slow" in name:
        time.sleep(0.4)
    return Answer("done", result(float(-cell.seed)), "")


def raise_error() -> None:
    raise RuntimeError("out of hand")


def guarded(cell: Cell, limits: Limits) -> Answer:
    """The same, with errors caught as a worker catches those of a fit."""
    try:
        return obedient(cell, limits)
    except RuntimeError as error:
        return Answer("error", None, str(error))


def plan_of(folder: Path, names: list[str], seeds: int = 1, store: str = "r.sqlite") -> Plan:
    """A study of models that are there in name only."""
    entries = []
    for name in names:
        program = folder / f"{name}.stan"
        program.write_text(f"// {name}\n")
        entries.append(Entry(name, program))
    return Plan(str(folder), tuple(entries), (), ("a/default",), seeds, LIMITS, folder / store)

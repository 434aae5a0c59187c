"""What every optimizer shares: the shapes of State and Info, and the loop that drives steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

from trustvi.diagnostics import Verdict
from trustvi.families import Family
from trustvi.objective import Compilable, Ledger, Objective, PointDensity


class Info(NamedTuple):
    """What one iteration did. ELBO values are estimates from the iteration's own draws."""

    iteration: int
    oracle_calls: float
    seconds: float
    elbo: float
    elbo_se: float
    radius: float
    gradient_draws: int
    judge_draws: int
    predicted: float
    change: float
    change_se: float
    accepted: bool
    note: str


@runtime_checkable
class State(Protocol):
    """What the next step needs. Every leaf is a number or an array, so that it can be saved."""

    @property
    def q(self) -> Family: ...

    @property
    def ledger(self) -> Ledger: ...

    @property
    def iteration(self) -> int: ...


@runtime_checkable
class Method(Protocol):
    """An optimizer: `init` makes the first State, `step` the next; both are pure.

    A step returns a verdict when there is nothing more to do, else None.
    """

    @property
    def parts(self) -> tuple[Compilable, ...]: ...

    @property
    def objective(self) -> Objective: ...

    @property
    def point(self) -> PointDensity: ...

    def init(self, start: Any, seed: int) -> tuple[Any, Info, Verdict | None]: ...

    def step(self, state: Any) -> tuple[Any, Info, Verdict | None]: ...


class Progress(NamedTuple):
    """Where a run stands: its state, the path so far, and how it ended if it did."""

    state: Any
    path: tuple[Info, ...]
    verdict: Verdict | None


def drive(
    method: Method,
    progress: Progress,
    *,
    max_oracle_calls: float,
    observe: Callable[[Progress], None],
) -> Progress:
    """Step until a verdict, the budget's end or an interrupt; `observe` sees every iteration."""
    began = time.perf_counter() - (progress.path[-1].seconds if progress.path else 0.0)
    try:
        while progress.verdict is None:
            if progress.state.ledger.oracle_calls >= max_oracle_calls:
                return progress._replace(verdict=Verdict.BUDGET)
            state, info, verdict = method.step(progress.state)
            info = info._replace(seconds=time.perf_counter() - began)
            progress = Progress(state, (*progress.path, info), verdict)
            observe(progress)
    except KeyboardInterrupt:
        return progress._replace(verdict=Verdict.INTERRUPTED)
    return progress

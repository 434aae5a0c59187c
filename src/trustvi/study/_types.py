"""What a study is made of: limits, cells and their results. They import nothing heavy."""

from __future__ import annotations

from typing import NamedTuple

from trustvi.study._corpus import Entry


class Limits(NamedTuple):
    """What every fit of a study may spend, and how it is judged."""

    max_calls: float = 11_000.0
    max_seconds: float = 120.0
    tol: float = 0.05
    judge_draws: int = 1024
    max_dim: int = 100_000


class Cell(NamedTuple):
    """A model, a method and preset as `method/preset`, and a seed."""

    entry: Entry
    method: str
    seed: int


class Trace(NamedTuple):
    """Iterates kept: what they had cost, and their ELBO on the common draws."""

    iteration: tuple[int, ...]
    calls: tuple[float, ...]
    seconds: tuple[float, ...]
    elbo: tuple[float, ...]


class Result(NamedTuple):
    """What a cell came to."""

    verdict: str
    dim: int
    calls: float
    seconds: float
    compile_seconds: float
    """Paid by this cell; others of its method and model find it done."""
    elbo: float
    elbo_se: float
    path: Trace


class Unusable(Exception):
    """A model that no method can be run on, with the reason."""

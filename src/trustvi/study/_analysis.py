"""What the paper's section 5 asks of a study's results, as numbers.

For each method and model only the run with the median final ELBO counts ("Experiments"). A pair of
methods has a threshold on each model: the worse one's final ELBO less one nat. A method's cost is
what it had spent when its path came above the threshold to stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from trustvi.study._store import Run

NAT = 1.0
# Differences up to this count as none: what the paper's threshold lets pass.
SAME = 1.0
EASY_ITERATIONS = 5
FACTORS = (12.0, 36.0)
FAILURES = ("OVERFLOW", "NO_START", "OUTSIDE_SUPPORT", "NO_STEP_SIZE", "UNBOUNDED")
Table = dict[tuple[str, str], list[Run]]


class Costs(NamedTuple):
    """What a run had spent when its path came above a threshold to stay."""

    iterations: float
    calls: float
    seconds: float


NEVER = Costs(math.inf, math.inf, math.inf)


class Quality(NamedTuple):
    """How the median optima of two methods compare, model by model; `differences` are a - b."""

    a: str
    b: str
    models: tuple[str, ...]
    differences: tuple[float, ...]
    failed: tuple[str, ...]
    """Models that one of the two failed on, left out."""

    def count(self, sign: int, same: float = SAME) -> int:
        """Models on which a is better (1), no different (0), worse (-1)."""
        signs = [0 if abs(d) <= same else int(math.copysign(1, d)) for d in self.differences]
        return signs.count(sign)


class Runtime(NamedTuple):
    """Costs of two methods on the models that were not too easy; `easy` ones are left out."""

    a: str
    b: str
    models: tuple[str, ...]
    costs: tuple[tuple[Costs, Costs], ...]
    easy: tuple[str, ...]
    failed: tuple[str, ...]

    def ratios(self, of: Callable[[Costs], float]) -> np.ndarray:
        """How many times as much b costs as a."""
        return np.array([of(b) / of(a) for a, b in self.costs])


def by_model(runs: Iterable[Run]) -> Table:
    """Runs by (model, method), ordered by seed."""
    table: Table = {}
    for run in sorted(runs, key=lambda run: run.seed):
        table.setdefault((run.model, run.method), []).append(run)
    return table


def median_run(runs: Sequence[Run]) -> Run:
    """The run whose final ELBO is the (lower) median; failures count as the worst."""
    ordered = sorted(runs, key=lambda run: (final(run), -run.seed))
    return ordered[(len(ordered) - 1) // 2]


def final(run: Run) -> float:
    """The ELBO at the end, minus infinity where the run failed or it isn't a number."""
    elbo = run.result.elbo
    return elbo if math.isfinite(elbo) and not failed(run) else -math.inf


def failed(run: Run) -> bool:
    """Whether the run ended without a usable approximation."""
    return run.result.verdict in FAILURES


def best_known(runs: Iterable[Run]) -> dict[str, float]:
    """The greatest ELBO on any path, by model."""
    best: dict[str, float] = {}
    for run in runs:
        values = [v for v in run.result.path.elbo if math.isfinite(v)]
        best[run.model] = max([best.get(run.model, -math.inf), *values])
    return best


def costs_above(run: Run, threshold: float) -> Costs:
    """The first kept iterate from which on the path stays above `threshold`."""
    path = run.result.path
    below = [i for i, elbo in enumerate(path.elbo) if not elbo >= threshold]
    first = below[-1] + 1 if below else 0
    if first >= len(path.elbo):
        return NEVER
    return Costs(path.iteration[first], path.calls[first], path.seconds[first])


def methods_of(runs: Iterable[Run]) -> list[str]:
    return list(dict.fromkeys(run.method for run in runs))


def pairs(methods: Sequence[str]) -> list[tuple[str, str]]:
    return list(combinations(methods, 2))


def _medians(table: Table, model: str, a: str, b: str) -> tuple[Run, Run] | None:
    if (model, a) not in table or (model, b) not in table:
        return None
    return median_run(table[model, a]), median_run(table[model, b])


def _models(table: Table) -> list[str]:
    return sorted({model for model, _ in table})


def quality(table: Table, a: str, b: str) -> Quality:
    """Median optima of two methods on the models that both have run."""
    models, differences, lost = [], [], []
    for model in _models(table):
        found = _medians(table, model, a, b)
        if found is None:
            continue
        ends = [final(run) for run in found]
        if not all(map(math.isfinite, ends)):
            lost.append(model)
            continue
        models.append(model)
        differences.append(ends[0] - ends[1])
    return Quality(a, b, tuple(models), tuple(differences), tuple(lost))


def runtime(table: Table, a: str, b: str) -> Runtime:
    """Costs of two methods until their paths stay above their common threshold.

    A model that both solve in under five iterations is too easy and left out.
    """
    models, costs, easy, lost = [], [], [], []
    for model in _models(table):
        found = _medians(table, model, a, b)
        if found is None:
            continue
        threshold = min(map(final, found)) - NAT
        if not math.isfinite(threshold):
            lost.append(model)
            continue
        both = costs_above(found[0], threshold), costs_above(found[1], threshold)
        if max(cost.iterations for cost in both) < EASY_ITERATIONS:
            easy.append(model)
            continue
        models.append(model)
        costs.append(both)
    return Runtime(a, b, tuple(models), tuple(costs), tuple(easy), tuple(lost))


class Profile(NamedTuple):
    """Cost ratios to the cheapest method, over the models; infinite where not solved."""

    method: str
    ratios: np.ndarray

    def share(self, ratio: float) -> float:
        """Models solved at no more than `ratio` times the least cost."""
        return float(np.mean(self.ratios <= ratio))


def profiles(table: Table, methods: Sequence[str], best: dict[str, float]) -> list[Profile]:
    """Dolan and More 2002: a model is solved once the median run stays within a nat of the best."""
    costs: dict[str, list[float]] = {method: [] for method in methods}
    for model in _models(table):
        for method in methods:
            runs = table.get((model, method))
            cost = costs_above(median_run(runs), best[model] - NAT).calls if runs else math.inf
            failed_run = runs is None or not math.isfinite(final(median_run(runs)))
            costs[method].append(math.inf if failed_run else cost)
    least = np.min(np.array(list(costs.values())), axis=0)
    with np.errstate(all="ignore"):
        ratios = {method: np.array(cost) / least for method, cost in costs.items()}
    return [Profile(m, np.where(np.isnan(r), np.inf, r)) for m, r in ratios.items()]

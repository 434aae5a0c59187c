"""The study's numbers as tables, which the page, the Markdown and the CSV files share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from trustvi.study import _published
from trustvi.study._analysis import (
    EASY_ITERATIONS,
    FACTORS,
    NAT,
    SAME,
    Costs,
    Quality,
    Runtime,
    Table,
    best_known,
    costs_above,
    failed,
    final,
    median_run,
)
from trustvi.study._store import Run

Value = str | int | float | None
STRICT = 0.1


class Sheet(NamedTuple):
    """A table with a name for files, a title, and a note in plain words."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""


def quality_sheet(found: Sequence[Quality]) -> Sheet:
    """Same, better, worse by pair, beside the paper's counts."""
    rows: list[tuple[Value, ...]] = []
    for q in found:
        d = np.abs(q.differences) if q.differences else np.zeros(0)
        apart = [abs(x) for x in q.differences if abs(x) > SAME]
        rows.append((
            q.a, q.b, len(q.models), *(q.count(sign) for sign in (0, 1, -1)),
            *(q.count(sign, STRICT) for sign in (0, 1, -1)),
            float(np.median(apart)) if apart else None, float(d.max()) if d.size else None,
            len(q.failed),
        ))  # fmt: skip
        said = published(q.a, q.b)
        if said is not None:
            rows.append((f"paper: {q.a}", q.b, said.models, said.same, said.better, said.worse,
                         *[None] * 6))  # fmt: skip
    return Sheet(
        "quality", "Quality of optimal points",
        ("method", "against", "models", "same", "better", "worse", "same (0.1)", "better (0.1)",
         "worse (0.1)", "median nats apart", "most nats apart", "failed"),
        tuple(rows),
        f"Final ELBO of the median run of each method, on common draws. Same: within {SAME:g} nat, "
        f"or in the columns marked so within {STRICT:g}. Nats apart: of the models that differ. "
        "Failed: models on which the median run of either ended without a usable approximation; "
        "they are left out of the counts.",
    )  # fmt: skip


def published(a: str, b: str) -> _published.Published | None:
    """The paper's numbers for this pair of methods, if it has any."""
    if not a.startswith("trustvi/"):
        return None
    return _published.PAPER.get(b.partition("/")[0])


def failure_sheet(table: Table, methods: Sequence[str], lost: dict[tuple[str, str], int]) -> Sheet:
    """How runs ended, by method; models that failed consistently."""
    names = sorted({run.result.verdict for runs in table.values() for run in runs})
    rows: list[tuple[Value, ...]] = []
    for method in methods:
        runs = [run for (_, m), found in table.items() if m == method for run in found]
        verdicts = [run.result.verdict for run in runs]
        consistent = sum(
            failed(median_run(found)) for (_, m), found in table.items() if m == method
        )
        gone = sum(count for (_, m), count in lost.items() if m == method)
        rows.append((method, len(runs), *(verdicts.count(name) for name in names), gone,
                     consistent))  # fmt: skip
    shown = tuple(name.lower().replace("_", " ") for name in names)
    return Sheet(
        "failures", "How runs ended",
        ("method", "runs", *shown, "lost", "models failed"), tuple(rows),
        "Lost: fits whose process crashed, hung or raised an error twice. Models failed: the "
        "median run ended without a usable approximation. The paper excluded "
        f"{_published.OVERFLOWS} of its {_published.MODELS} models for HFSGVI's overflows.",
    )  # fmt: skip


def runtime_sheet(found: Sequence[Runtime], unit: str, of: Callable[[Costs], float]) -> Sheet:
    """Shares faster and quartiles of the ratio, by pair; `unit` is calls or seconds."""
    rows: list[tuple[Value, ...]] = []
    for r in found:
        ratios, n = r.ratios(of), len(r.models)
        shares = [float(np.mean(ratios > 1))] if n else [None]
        shares += [float(np.mean(ratios >= factor)) if n else None for factor in FACTORS]
        rows.append((r.a, r.b, n, len(r.easy), len(r.failed), *map(_percent, shares),
                     *quartiles(ratios)))  # fmt: skip
        said = published(r.a, r.b)
        if said is not None and unit == "calls":
            parts = (said.faster / said.compared, said.share_12, said.share_36)
            known = said.share_12 is not None
            rows.append((f"paper: {r.a}", r.b, said.compared, said.models - said.compared, None,
                         *map(_percent, parts), None, 12.0 if known else None,
                         36.0 if known else None))  # fmt: skip
    return Sheet(
        f"runtime_{unit}", f"Runtime in {'oracle calls' if unit == 'calls' else 'wall seconds'}",
        ("method", "against", "models", "too easy", "failed", "faster", "12 times", "36 times",
         "lower quartile", "median", "upper quartile"),
        tuple(rows),
        f"Cost until the median run's path stays above the worse optimum less {NAT:g} nat. "
        "Quartiles are of the ratio of costs: how many times as much the second method costs. "
        f"Too easy: solved by both in under {EASY_ITERATIONS} iterations, left out."
        + (" Seconds exclude compiling." if unit == "seconds" else ""),
    )  # fmt: skip


def quartiles(ratios: np.ndarray) -> tuple[float | None, ...]:
    """Of a sample that may hold infinities; by order, without interpolation."""
    if not ratios.size:
        return (None, None, None)
    return tuple(float(v) for v in np.quantile(ratios, [0.25, 0.5, 0.75], method="nearest"))


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share:.0%}"


def model_sheet(table: Table, methods: Sequence[str]) -> Sheet:
    """For each model and method: how far its median run ended from the best, at what cost."""
    best = best_known([run for runs in table.values() for run in runs])
    rows: list[tuple[Value, ...]] = []
    for model in sorted({model for model, _ in table}):
        dims = {run.result.dim for (m, _), runs in table.items() if m == model for run in runs}
        row: list[Value] = [model, 2 * max(dims), best[model]]
        for method in methods:
            row += _of_median(table.get((model, method)), best[model])
        rows.append(tuple(row))
    parts = ("gap", "calls", "seconds")
    return Sheet(
        "models", "Model by model",
        ("model", "dimensions", "best ELBO", *(f"{m} {p}" for m in methods for p in parts)),
        tuple(rows),
        "Dimensions: of the ELBO's domain, two for each parameter. Best: the greatest ELBO on any "
        "path. Gap: nats by which the median run ends below it. Calls and seconds: until the "
        "median run stays within a nat of the best; a dash where it doesn't get there.",
    )  # fmt: skip


def _of_median(runs: list[Run] | None, best: float) -> list[Value]:
    if not runs:
        return [None, None, None]
    run = median_run(runs)
    if not math.isfinite(final(run)):
        return [run.result.verdict.lower().replace("_", " "), None, None]
    cost = costs_above(run, best - NAT)
    near = [c if math.isfinite(c) else None for c in (cost.calls, cost.seconds)]
    return [best - final(run), *near]


def run_sheet(runs: Sequence[Run]) -> Sheet:
    """Every run, for one's own analysis."""
    rows = [
        (r.model, r.method, r.seed, r.result.verdict, r.result.dim, r.result.elbo, r.result.elbo_se,
         r.result.calls, r.result.seconds, r.result.compile_seconds)
        for r in runs
    ]  # fmt: skip
    return Sheet(
        "runs", "Every run",
        ("model", "method", "seed", "verdict", "parameters", "elbo", "elbo_se", "oracle_calls",
         "seconds", "compile_seconds"), tuple(rows),
    )  # fmt: skip


def path_sheet(runs: Sequence[Run]) -> Sheet:
    """Every kept iterate of every run."""
    rows = [
        (r.model, r.method, r.seed, *entry)
        for r in runs
        for entry in zip(*r.result.path, strict=True)
    ]
    columns = ("model", "method", "seed", "iteration", "oracle_calls", "seconds", "elbo")
    return Sheet("paths", "Every path", columns, tuple(rows))


def left_out_sheet(unusable: Sequence[tuple[str, str]], lost: Sequence[tuple[Value, ...]]) -> Sheet:
    """Models that could not be used and fits that were lost, with their reasons."""
    rows = [(name, "", "", reason) for name, reason in unusable] + [tuple(row) for row in lost]
    return Sheet("left_out", "Left out", ("model", "method", "seed", "reason"), tuple(rows))

"""Oracle calls until a fit stays near the best known ELBO, for methods side by side.

    python benchmarks/inference.py [--seeds 5] [--methods trustvi/default,trustvi/paper]
                                   [--problems 'rats,gp_*'] [--stan FOLDER] [--budget 1000]
                                   [--options climb_evaluations=0] [--out runs.jsonl]

The problems are those of `trustvi.problems`, or with --stan the Stan programs of a folder, each
with its data beside it in a .json file of the same name. Every iterate of every run is judged
afterwards on one common set of draws for each problem. The best known ELBO of a problem is the
greatest of any final iterate, in this run or recorded in `best_elbo.json`, which is kept up to
date. *near*: calls after which a run stays within one nat of it. *stop*: calls when it stopped by
itself. *gap*: nats short of it at the end.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np

import trustvi
from trustvi import problems
from trustvi.families import MeanField
from trustvi.models import Model
from trustvi.objective import Control, DrawKind, Objective, compile_all
from trustvi.optimize import Progress, choose_preset, drive

JUDGE_DRAWS, PATH_DRAWS, JUDGE_SEED = 2048, 256, 10_000
NEAR, WRONG = 1.0, 0.5
BEST = Path(__file__).with_name("best_elbo.json")
Makers = dict[str, Callable[[], Model]]


class Run(NamedTuple):
    """One fit: where its iterates stood after how many calls, and how it ended."""

    problem: str
    method: str
    seed: int
    verdict: str
    calls: list[float]
    elbos: list[float]
    notes: list[str]
    compiling: float
    """Seconds to trace and compile, which the seeds of a problem share."""
    seconds: float

    @property
    def final(self) -> float:
        return self.elbos[-1]

    def near(self, best: float) -> float:
        """Calls after which the path stays within a nat of `best`; infinite if it never does."""
        short = [i for i, elbo in enumerate(self.elbos) if not elbo >= best - NEAR]
        first = short[-1] + 1 if short else 0
        return self.calls[first] if first < len(self.calls) else np.inf


def judge(objective: Objective, q: MeanField, draws: int) -> float:
    """The ELBO on the common draws."""
    sample = objective.values(q, Control.none(q.frame), jax.random.key(JUDGE_SEED), draws)
    return float(sample.values.mean()) + q.entropy()


def judge_path(objective: Objective, path: Sequence[MeanField]) -> list[float]:
    """ELBOs of a path's iterates: the last on many draws, the others by their difference from it
    on the first few of these."""
    seen: dict[int, float] = {}
    for q in path:
        if id(q) not in seen:
            seen[id(q)] = judge(objective, q, PATH_DRAWS)
    final = judge(objective, path[-1], JUDGE_DRAWS)
    shift = final - seen[id(path[-1])] if np.isfinite(final) else 0.0
    return [*(seen[id(q)] + shift for q in path[:-1]), final]


def bundled() -> Makers:
    """The problems of the package."""
    return {name: (lambda name=name: problems.problem(name).model()) for name in problems.names()}


def stan_programs(folder: Path) -> Makers:
    """The programs of `folder`, each with the data beside it."""
    return {
        f"stan/{path.stem}": lambda path=path: trustvi.StanModel(
            path, data if (data := path.with_suffix(".json")).exists() else None
        )
        for path in sorted(folder.glob("*.stan"))
    }


def runs(name: str, model: Model, settings: argparse.Namespace) -> Iterator[Run]:
    """All fits of one problem; each method is compiled once."""
    common = Objective(model, kind=DrawKind.SOBOL, chunk=64, dense=False)
    compile_all([common])
    for method in settings.methods.split(","):
        chosen = choose_preset(*method.split("/"), settings.options)
        began = time.perf_counter()
        engine = chosen.make(model, chosen.config, tol=settings.tol)
        compile_all(engine.parts)
        compiling = time.perf_counter() - began
        for seed in range(settings.seeds):
            began = time.perf_counter()
            path: list[Any] = []
            state, info, verdict = engine.init(None, seed)
            progress = Progress(state, (info,), verdict)
            path.append(progress.state)
            observe = lambda progress, path=path: path.append(progress.state)  # noqa: E731
            progress = drive(engine, progress, max_oracle_calls=settings.budget, observe=observe)
            seconds = time.perf_counter() - began
            assert progress.verdict is not None
            calls = [state.ledger.oracle_calls for state in path]
            elbos = judge_path(common, [state.q for state in path])
            notes = [info.note for info in progress.path]
            end = progress.verdict.value
            yield Run(name, method, seed, end, calls, elbos, notes, compiling, seconds)


def updated_best(found: Sequence[Run]) -> dict[str, float]:
    """The recorded best ELBO of each problem, raised where a run ended higher."""
    best = json.loads(BEST.read_text()) if BEST.exists() else {}
    for run in found:
        if np.isfinite(run.final) and run.final > best.get(run.problem, -np.inf):
            best[run.problem] = round(run.final, 4)
    BEST.write_text(json.dumps(dict(sorted(best.items())), indent=1) + "\n")
    return best


def report(found: Sequence[Run], best: dict[str, float]) -> None:
    """A row for each problem and method, then quantiles over problems."""
    methods = list(dict.fromkeys(run.method for run in found))
    names = list(dict.fromkeys(run.problem for run in found))
    rows: dict[str, list[tuple[float, ...]]] = {method: [] for method in methods}
    heads = "near      stop       gap     worst   compile       run  verdicts"
    print(f"{'problem':36}{'method':18}     {heads}")
    for name in names:
        for method in methods:
            group = [run for run in found if (run.problem, run.method) == (name, method)]
            row = summary(group, best.get(name, np.inf))
            rows[method].append(row)
            count = {v: sum(run.verdict == v for run in group) for v in {r.verdict for r in group}}
            verdicts = ", ".join(f"{k} {n}" for k, n in sorted(count.items()))
            print(f"{name:36}{method:18}{shown(row)}  {verdicts}")
    print("\nover problems: 10%, 25%, 50%, 75%, 90%, worst")
    labels = ("near", "stop", "gap", "worst", "compile", "run")
    for method, values in rows.items():
        for label, column in zip(labels, zip(*values, strict=True), strict=True):
            levels = np.quantile(column, [0.1, 0.25, 0.5, 0.75, 0.9, 1], method="higher")
            print(f"{method:18}{label:8} {shown(levels)}")
    report_verdicts(found, best)


def summary(group: Sequence[Run], best: float) -> tuple[float, ...]:
    """Medians over seeds of near, stop, gap; the greatest gap; seconds to compile and to run."""
    ended = [run.calls[-1] if run.verdict == "converged" else np.inf for run in group]
    gaps = [best - run.final for run in group]
    near, stop, gap, compiling, seconds = (
        float(np.median(values))
        for values in (
            [run.near(best) for run in group], ended, gaps,
            [run.compiling for run in group], [run.seconds for run in group],
        )
    )  # fmt: skip
    return near, stop, gap, max(gaps), compiling, seconds


def shown(values: Sequence[float]) -> str:
    return " ".join(f"{value:9.2f}" for value in values)


def report_verdicts(found: Sequence[Run], best: dict[str, float]) -> None:
    """The fits that say converged and lie short of the best."""
    fits = [run for run in found if run.verdict == "converged"]
    wrong = [run for run in fits if not run.final >= best.get(run.problem, np.inf) - WRONG]
    print(f"\n{len(fits)} of {len(found)} converged, {len(wrong)} of them over 0.5 nat short:")
    for run in wrong:
        gap = best.get(run.problem, np.inf) - run.final
        print(f"  {run.problem} {run.method} seed {run.seed}: {gap:.2f}")


def log(run: Run, out: Path | None) -> None:
    """One line to standard error, and one of JSON to `out`."""
    line = shown((run.calls[-1], run.final, run.seconds))
    print(f"{run.problem:36}{run.seed:3}{line}  {run.verdict}", file=sys.stderr, flush=True)
    if out:
        with out.open("a") as file:
            file.write(json.dumps(run._asdict()) + "\n")


def option(text: str) -> tuple[str, Any]:
    name, value = text.split("=")
    return name, json.loads(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", default="trustvi/default,trustvi/paper")
    parser.add_argument("--problems", default="*", help="names or patterns, separated by commas")
    parser.add_argument("--stan", type=Path, help="a folder of Stan programs with their data")
    parser.add_argument("--budget", type=float, default=1000.0)
    parser.add_argument("--tol", type=float, default=0.05)
    parser.add_argument("--options", type=option, nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--out", type=Path, help="append every run as a line of JSON")
    settings = parser.parse_args()
    settings.options = dict(settings.options)
    makers = stan_programs(settings.stan) if settings.stan else bundled()
    wanted = settings.problems.split(",")
    found: list[Run] = []
    with jax.enable_x64(True), np.errstate(all="ignore"):
        for name, make in makers.items():
            if not any(fnmatch.fnmatch(name.removeprefix("stan/"), each) for each in wanted):
                continue
            for run in runs(name, make(), settings):
                found.append(run)
                log(run, settings.out)
    report(found, updated_best(found))


if __name__ == "__main__":
    main()

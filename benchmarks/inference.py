"""Oracle calls until a fit stays near the best known ELBO, for methods side by side.

    python benchmarks/inference.py [--seeds 5] [--methods trustvi/default,trustvi/paper]
                                   [--problems a,b] [--budget 1000] [--out runs.jsonl]

Every iterate of every run is judged afterwards on one common set of draws for each problem. The
best known ELBO of a problem is the greatest of any final iterate, in this run or recorded in
`best_elbo.json`, which is kept up to date. *near*: calls after which a run stays within one nat
of it. *stop*: calls when it stopped by itself. *gap*: nats short of it at the end.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np

from trustvi import problems
from trustvi._fit import choose_method
from trustvi.families import MeanField
from trustvi.objective import Control, DrawKind, Objective, compile_all
from trustvi.optimize import Progress, drive

JUDGE_DRAWS, JUDGE_SEED = 2048, 10_000
NEAR = 1.0
BEST = Path(__file__).with_name("best_elbo.json")


class Run(NamedTuple):
    """One fit: where its iterates stood after how many calls, and how it ended."""

    problem: str
    method: str
    seed: int
    verdict: str
    calls: list[float]
    elbos: list[float]
    seconds: float

    @property
    def final(self) -> float:
        return self.elbos[-1]

    def near(self, best: float) -> float:
        """Calls after which the path stays within a nat of `best`; infinite if it never does."""
        short = [i for i, elbo in enumerate(self.elbos) if not elbo >= best - NEAR]
        first = short[-1] + 1 if short else 0
        return self.calls[first] if first < len(self.calls) else np.inf


def judge(objective: Objective, q: MeanField) -> float:
    """The ELBO on the common draws."""
    zero = np.zeros(objective.dim)
    control = Control(zero, np.ones_like(zero), zero, zero, np.zeros((objective.dim, 0)))
    sample = objective.values(q, control, jax.random.key(JUDGE_SEED), JUDGE_DRAWS)
    return float(sample.values.mean()) + q.entropy()


def runs(
    name: str, methods: Sequence[str], seeds: Sequence[int], budget: float, tol: float
) -> Iterator[Run]:
    """All fits of one problem; each method is compiled once."""
    model = problems.problem(name).model()
    common = Objective(model, kind=DrawKind.SOBOL, chunk=64, dense=False)
    compile_all([common])
    for method in methods:
        kind, config = choose_method("meanfield", *method.split("/"), {})
        engine = kind(model, config, tol=tol)
        compile_all(engine.parts)
        for seed in seeds:
            began = time.perf_counter()
            path: list[Any] = []
            state, info, verdict = engine.init(None, seed)
            progress = Progress(state, (info,), verdict)
            path.append(progress.state)
            observe = lambda progress, path=path: path.append(progress.state)  # noqa: E731
            progress = drive(engine, progress, max_oracle_calls=budget, observe=observe)
            seconds = time.perf_counter() - began
            assert progress.verdict is not None
            calls = [state.ledger.oracle_calls for state in path]
            elbos = [judge(common, state.q) for state in path]
            yield Run(name, method, seed, progress.verdict.value, calls, elbos, seconds)


def updated_best(found: Sequence[Run]) -> dict[str, float]:
    """The recorded best ELBO of each problem, raised where a run ended higher."""
    best = json.loads(BEST.read_text()) if BEST.exists() else {}
    for run in found:
        if run.verdict == "converged" and run.final > best.get(run.problem, -np.inf):
            best[run.problem] = round(run.final, 4)
    BEST.write_text(json.dumps(dict(sorted(best.items())), indent=1) + "\n")
    return best


def shown(values: Sequence[float]) -> str:
    return " ".join(f"{value:9.2f}" for value in values)


def report(found: Sequence[Run], best: dict[str, float]) -> None:
    """A row for each problem and method, then quantiles over problems."""
    methods = list(dict.fromkeys(run.method for run in found))
    names = list(dict.fromkeys(run.problem for run in found))
    rows: dict[str, list[tuple[float, float, float]]] = {method: [] for method in methods}
    print(f"{'problem':24}{'method':18}     near      stop   gap    worst  seconds  verdicts")
    for name in names:
        for method in methods:
            group = [run for run in found if (run.problem, run.method) == (name, method)]
            near = float(np.median([run.near(best.get(name, np.inf)) for run in group]))
            ended = [run.calls[-1] if run.verdict == "converged" else np.inf for run in group]
            gaps = [best.get(name, np.inf) - run.final for run in group]
            rows[method].append((near, float(np.median(ended)), max(gaps)))
            count = {v: sum(run.verdict == v for run in group) for v in {r.verdict for r in group}}
            seconds = float(np.median([run.seconds for run in group]))
            print(
                f"{name:24}{method:18}{near:9.2f} {np.median(ended):9.2f} "
                f"{np.median(gaps):7.2f} {max(gaps):7.2f} {seconds:7.2f}  "
                + ", ".join(f"{k} {n}" for k, n in sorted(count.items())),
                flush=True,
            )
    print("\nover problems: 10%, 25%, 50%, 75%, 90%, worst")
    for method, values in rows.items():
        for label, column in zip(("near", "stop", "gap"), zip(*values, strict=True), strict=True):
            levels = np.quantile(column, [0.1, 0.25, 0.5, 0.75, 0.9, 1], method="higher")
            print(f"{method:18}{label:5} {shown(levels)}")
    fits = [run for run in found if run.verdict == "converged"]
    wrong = [run for run in fits if run.final < best.get(run.problem, np.inf) - 0.5]
    print(f"\n{len(fits)} of {len(found)} converged, {len(wrong)} of them over 0.5 nat short:")
    for run in wrong:
        gap = best.get(run.problem, np.inf) - run.final
        print(f"  {run.problem} {run.method} seed {run.seed}: {gap:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", default="trustvi/default,trustvi/paper")
    parser.add_argument("--problems", default=",".join(problems.names()))
    parser.add_argument("--budget", type=float, default=1000.0)
    parser.add_argument("--tol", type=float, default=0.05)
    parser.add_argument("--out", type=Path, help="append every run as a line of JSON")
    arguments = parser.parse_args()
    found: list[Run] = []
    with jax.enable_x64(True), np.errstate(all="ignore"):
        for name in arguments.problems.split(","):
            methods = arguments.methods.split(",")
            budget, tol = arguments.budget, arguments.tol
            found += runs(name, methods, range(arguments.seeds), budget, tol)
    if arguments.out:
        with arguments.out.open("a") as file:
            file.writelines(json.dumps(run._asdict()) + "\n" for run in found)
    report(found, updated_best(found))


if __name__ == "__main__":
    main()

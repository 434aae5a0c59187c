"""Fits of Gaussian targets against their exact optimum, many seeds of each.

    python benchmarks/gaussians.py [--dims 2,5,10,20,50,100,200] [--seeds 50]

Random rotations of eigenvalues over a condition number, axes scaled over decades. *good*: seeds
that converged with every mean within 0.02 sd and every scale within 1% of 1/sqrt(diag(precision)).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from helpers import engine, gaussian, retarget, run
from trustvi.diagnostics import Verdict

CONDITIONS, DECADES = (1.0, 1e4, 1e8), (0.0, 3.0, 6.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dims", default="2,5,10,20,50,100,200")
    parser.add_argument("--seeds", type=int, default=50)
    settings = parser.parse_args()
    total = missed = 0
    heads = "good   worst mean   worst scale   calls: median     most   seconds"
    print(f"{'dim':>4}{'condition':>11}{'decades':>9}   {heads}")
    for dim in map(int, settings.dims.split(",")):
        method = engine(gaussian(dim).model())
        for condition in CONDITIONS:
            for decades in DECADES:
                target = gaussian(dim, condition=condition, decades=decades)
                retarget(method, target)
                began, rows = time.process_time(), []
                for seed in range(settings.seeds):
                    end = run(method, seed)
                    mean, scale = target.errors(end.state.q)
                    good = end.verdict is Verdict.CONVERGED and mean < 0.02 and scale < 0.01
                    rows.append((good, mean, scale, end.state.ledger.oracle_calls))
                good, means, scales, calls = map(np.array, zip(*rows, strict=True))
                seconds = (time.process_time() - began) / settings.seeds
                total, missed = total + good.size, missed + int(np.sum(~good))
                print(
                    f"{dim:4}{condition:11.0e}{decades:9.0f}{good.sum():7} {means.max():12.1e}"
                    f"{scales.max():14.1e}{np.median(calls):16.2f}{calls.max():9.2f}{seconds:10.3f}",
                    flush=True,
                )
    print(f"{total - missed} of {total} fits are good")


if __name__ == "__main__":
    main()

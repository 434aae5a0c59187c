"""CPU seconds from a program's text to its compiled batched gradient: `stan_compile.py [PATTERN]`.

For every bundled program whose name matches PATTERN: parse, check, read the data and run what
depends on data only ("stage"), trace the density and its gradient at 256 draws and lower them
("trace"), compile by XLA ("XLA"), and the number of equations of the gradient, those of inner
jaxprs included. Processor time of all threads, which other programs don't disturb: on an idle
machine a user waits less, since XLA compiles with several. The last lines give percentiles of the
sums and the slowest programs.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.extend.core import jaxprs_in_params

import trustvi
from trustvi.stan._density import value_and_gradient

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "stan"))
from bundled import Bundled, bundled

DRAWS = 256
PERCENTILES = (50, 75, 90, 95, 100)
SLOWEST = 12


@dataclass(frozen=True)
class Stages:
    """Seconds for each stage of one program."""

    name: str
    stage: float
    trace: float
    xla: float
    equations: int

    @property
    def sum(self) -> float:
        return self.stage + self.trace + self.xla

    def __str__(self) -> str:
        seconds = (self.stage, self.trace, self.xla, self.sum)
        return " ".join([f"{self.name:45}", *(f"{s:7.2f}" for s in seconds), f"{self.equations:7}"])


def equations(jaxpr: Any) -> int:
    """The number of equations, those of inner jaxprs included."""
    return sum(1 + sum(map(equations, jaxprs_in_params(each.params))) for each in jaxpr.eqns)


def stages(item: Bundled) -> Stages:
    clock = [time.process_time()]
    model = trustvi.StanModel(item.program, item.data_file)
    clock.append(time.process_time())
    with jax.enable_x64(True):
        theta = jax.ShapeDtypeStruct((model.param_unc_num(), DRAWS), "float64")
        traced = jax.jit(value_and_gradient(model.log_density_batch)).trace(theta)
        lowered = traced.lower()
        clock.append(time.process_time())
        lowered.compile()
    clock.append(time.process_time())
    return Stages(item.name, *np.diff(clock), equations(traced.jaxpr.jaxpr))


def warm_up() -> None:
    """Import and start what the first compilation imports and starts."""
    model = trustvi.StanModel("parameters { real x; } model { x ~ normal(0, 1); }")
    model.log_density_gradient(np.zeros(1))


def report(found: list[Stages]) -> str:
    seconds = np.percentile([each.sum for each in found], PERCENTILES)
    named = ", ".join(f"{p}%: {s:.2f} s" for p, s in zip(PERCENTILES, seconds, strict=True))
    share = sum(each.xla for each in found) / sum(each.sum for each in found)
    slowest = sorted(found, key=lambda each: -each.sum)[:SLOWEST]
    return "\n".join(
        [
            f"{len(found)} programs; {named}; {share:.0%} of it XLA",
            "slowest:",
            *map(str, slowest),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern", nargs="?", default="*")
    pattern = parser.parse_args().pattern
    warm_up()
    found = []
    print(f"{'program':45} {'stage':>7} {'trace':>7} {'XLA':>7} {'sum':>7} {'eqns':>7}")
    for item in bundled():
        if not fnmatch.fnmatch(item.name, pattern):
            continue
        try:
            found.append(stages(item))
        except trustvi.StanError as error:
            print(f"{item.name:45} {error}", flush=True)
            continue
        print(found[-1], flush=True)
    print(report(found))


if __name__ == "__main__":
    main()

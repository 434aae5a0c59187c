"""Seconds from a program's text to its compiled batched gradient: `stan_compile.py [PATTERN]`.

For every bundled program whose name matches PATTERN: parse, check, read the data and run what
depends on data only ("stage"), trace the density and its gradient at 256 draws ("trace"), compile
by XLA ("XLA"). The last line gives percentiles of the sums.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys
import time
from pathlib import Path

import jax
import numpy as np

import trustvi
from trustvi.stan._density import value_and_gradient

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "stan"))
from bundled import Bundled, bundled

DRAWS = 256
PERCENTILES = (50, 75, 90, 95, 100)


def stages(item: Bundled) -> tuple[float, float, float]:
    """Seconds to stage, to trace and to compile."""
    started = time.perf_counter()
    model = trustvi.StanModel(item.program, item.data_file)
    staged = time.perf_counter()
    with jax.enable_x64(True):
        theta = jax.ShapeDtypeStruct((model.param_unc_num(), DRAWS), "float64")
        lowered = jax.jit(value_and_gradient(model.log_density_batch)).lower(theta)
        traced = time.perf_counter()
        lowered.compile()
    return staged - started, traced - staged, time.perf_counter() - traced


def warm_up() -> None:
    """Import and start what the first compilation imports and starts."""
    model = trustvi.StanModel("parameters { real x; } model { x ~ normal(0, 1); }")
    model.log_density_gradient(np.zeros(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pattern", nargs="?", default="*")
    pattern = parser.parse_args().pattern
    warm_up()
    totals = []
    print(f"{'program':45} {'stage':>7} {'trace':>7} {'XLA':>7} {'sum':>7}")
    for item in bundled():
        if not fnmatch.fnmatch(item.name, pattern):
            continue
        try:
            parts = stages(item)
        except trustvi.StanError as error:
            print(f"{item.name:45} {error}", flush=True)
            continue
        totals.append(sum(parts))
        print(f"{item.name:45}", *(f"{part:7.2f}" for part in (*parts, sum(parts))), flush=True)
    found = np.percentile(totals, PERCENTILES)
    named = ", ".join(
        f"{p}%: {seconds:.2f} s" for p, seconds in zip(PERCENTILES, found, strict=True)
    )
    print(f"{len(totals)} programs; {named}")


if __name__ == "__main__":
    main()

"""Generated programs: whatever the text, loops as lanes and scans agree with plain iteration."""

from __future__ import annotations

import generated_programs
import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from trustvi.stan._eval import stage
from trustvi.stan._model import StanModel


def densities(program: str, seed: int) -> tuple[float, float]:
    """The density of a known point by plain iteration, and as it is traced, without XLA."""
    model = StanModel(program, generated_programs.data(seed))
    theta = 0.5 * np.random.default_rng(seed).standard_normal((model.param_unc_num(), 1))
    with jax.enable_x64(True):
        slow = stage(model._checked, model._read, 0, lanes=False)
        values, slope = model._parameters.constrain(theta)
        plain = slow.log_density(values, propto=False, jacobian=True, slope=slope) + slope
        fast = model._target(jax.numpy.asarray(theta), False, True)
    return float(np.asarray(plain)[0]), float(np.asarray(fast)[0])


if __name__ == "__main__":
    import sys, time, traceback, random
    lo, hi = int(sys.argv[1]), int(sys.argv[2])
    bad = 0
    for seed in range(lo, hi):
        rng = random.Random(seed)
        program = generated_programs.Generator(rng.randrange).program()
        t = time.process_time()
        try:
            a, b = densities(program, seed)
        except Exception as e:
            print("SEED", seed, "".join(traceback.format_exception_only(e))[:600]); continue
        ok = a == b or abs(a - b) <= 1e-9 * max(1, abs(a)) or (np.isnan(a) and np.isnan(b))
        print(seed, ok, a, b, round(time.process_time() - t, 2), flush=True)

"""Gradients per second beside real Stan's: `stan_throughput.py VENV CACHE [PATTERN]`.

VENV is a virtual environment with httpstan in it, CACHE a folder for models compiled by it (each
takes about 8 seconds the first time). For every bundled program whose name matches PATTERN, in
one run on one machine: real Stan's gradient of the log density point by point on one thread with
the data kept between calls, and the batched gradient at 256 draws. Printed are microseconds of
processor time for a gradient of one draw, and how many times less the batch takes. Processor time
is that of all threads, so that other programs on the machine don't disturb it: where XLA uses
several threads, a user gets more gradients per second than these.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jax
import numpy as np

import trustvi
from trustvi.stan._density import value_and_gradient

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "stan"))
from bundled import Bundled, bundled
from real_stan import RealModel, Reals, RealStanError, Toolchain

DRAWS = 256
JITTER = 0.05
"""The draws lie around a reference point, where both give finite densities."""
SECONDS, TIMINGS = 0.08, 5
"""How long each timing lasts, and how many there are."""


@dataclass(frozen=True)
class Timing:
    name: str
    dim: int
    stan: float
    """Processor seconds for a gradient by real Stan."""
    ours: float
    """Processor seconds for a gradient of one draw among DRAWS."""

    @property
    def ratio(self) -> float:
        return self.stan / self.ours


def draws_of(item: Bundled) -> Reals:
    """Draws around the first reference point, axes (dim, DRAWS)."""
    theta = np.array(json.loads(item.reference.read_text())["theta"][0])
    noise = np.random.default_rng(0).standard_normal((len(theta), DRAWS))
    return theta[:, None] + JITTER * noise


def seconds_per_call(call: Callable[[], object], calls_in_one: int) -> float:
    """The least of several timings: what disturbs a timing only makes it longer.

    Each is of as many calls as take a while, since the system adds up the time of other threads in
    ticks of milliseconds only.
    """
    call()
    repeats = 1 + int(SECONDS / max(_seconds(call, 10) / 10, 1e-9))
    return min(_seconds(call, repeats) for _ in range(TIMINGS)) / repeats / calls_in_one


def _seconds(call: Callable[[], object], repeats: int) -> float:
    started = time.process_time()
    for _ in range(repeats):
        call()
    return time.process_time() - started


def time_stan(model: RealModel, draws: Reals) -> float:
    gradients = [model.gradient_call(point) for point in np.ascontiguousarray(draws.T)]
    if any(gradient() for gradient in gradients):
        raise RealStanError("no gradient at some of the draws")

    def call() -> None:
        for gradient in gradients:
            gradient()

    return seconds_per_call(call, DRAWS)


def time_ours(item: Bundled, draws: Reals) -> float:
    model = trustvi.StanModel(item.program, item.data_file)
    with jax.enable_x64(True):
        gradient = jax.jit(value_and_gradient(model.log_density_batch))
        theta = jax.numpy.asarray(draws)
        return seconds_per_call(lambda: jax.block_until_ready(gradient(theta)), DRAWS)


def timing(item: Bundled, toolchain: Toolchain) -> Timing:
    draws = draws_of(item)
    model = RealModel(toolchain.library(item.program), item.data)
    return Timing(item.name, len(draws), time_stan(model, draws), time_ours(item, draws))


def report(timings: list[Timing]) -> str:
    ratios = np.array([each.ratio for each in timings])
    slow = [each.name for each in timings if each.ratio < 1]
    return (
        f"{len(timings)} programs, {DRAWS} draws, {os.cpu_count()} cores: "
        f"median ratio {np.median(ratios):.1f}, least {ratios.min():.2f}, "
        f"at least 5 in {np.mean(ratios >= 5):.0%}; slower than real Stan: {slow or 'none'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("venv", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("pattern", nargs="?", default="*")
    arguments = parser.parse_args()
    toolchain = Toolchain.of_venv(arguments.venv, arguments.cache)
    timings = []
    print(f"{'program':45} {'dim':>5} {'Stan us':>9} {'ours us':>9} {'ratio':>7}")
    for item in bundled():
        if not fnmatch.fnmatch(item.name, arguments.pattern) or not item.reference.exists():
            continue
        try:
            each = timing(item, toolchain)
        except (RealStanError, trustvi.StanError) as error:
            print(f"{item.name:45} {error}", flush=True)
            continue
        timings.append(each)
        stan, ours = 1e6 * each.stan, 1e6 * each.ours
        print(f"{each.name:45} {each.dim:5} {stan:9.2f} {ours:9.2f} {each.ratio:7.1f}", flush=True)
    print(report(timings))


if __name__ == "__main__":
    main()

"""Record what real Stan says of each bundled program: `make_references.py VENV CACHE [PATTERN]`.

VENV is a virtual environment with httpstan in it, CACHE a folder for the compiled models. Each
program whose text, data or spread have changed since its reference was recorded is compiled (about
8 seconds of one core) and evaluated at three seeded points. Recorded are the log densities with and
without constants and Jacobian, the gradients with and without Jacobian, the constrained values of
parameters, transformed parameters and (where no random numbers are drawn) generated quantities,
and all of the names.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import time
import zlib
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
from bundled import Bundled, bundled
from real_stan import RealModel, Reals, RealStanError, Toolchain, program_hash

POINTS = 3
TRIES = 200


def fingerprint(item: Bundled) -> str:
    """What a reference depends on: the program, its data and the spread of its points."""
    files = [item.program] + ([item.data_file] if item.data_file else [])
    return f"{program_hash(*files)[:16]}-{item.spread:g}"


def is_current(item: Bundled) -> bool:
    if not item.reference.exists():
        return False
    return json.loads(item.reference.read_text())["fingerprint"] == fingerprint(item)


def points(model: RealModel, item: Bundled) -> Reals:
    """Three seeded points where the density and its gradient are finite."""
    rng = np.random.default_rng(zlib.crc32(item.name.encode()))
    found = []
    message = ""
    for _ in range(TRIES):
        theta = np.round(item.spread * rng.standard_normal(model.dim), 4)
        try:
            value, gradient = model.gradient(theta)
            model.constrain(theta, tp=True)
        except RealStanError as error:
            message = str(error)
            continue
        if np.isfinite(value) and np.isfinite(gradient).all():
            found.append(theta)
        if len(found) == POINTS:
            return np.array(found)
    raise RealStanError(f"density is not finite at any of {TRIES} points; last: {message}")


def record(model: RealModel, item: Bundled) -> dict[str, Any]:
    """The reference of one program."""
    theta = points(model, item)
    generated = "_rng" not in item.program.read_text()
    flags = {"propto": True, "full": False}
    jacobians = {"jacobian": True, "plain": False}
    result: dict[str, Any] = {"fingerprint": fingerprint(item)}
    result["unconstrained_names"] = model.names(False)
    result["names"] = model.names(True, tp=True, gq=generated)
    result["parameters"] = len(model.names(True))
    result["theta"] = theta.tolist()
    for key, propto in flags.items():
        for also, jacobian in jacobians.items():
            values = [model.gradient(point, propto, jacobian)[0] for point in theta]
            result[f"{key}_{also}"] = values
    for also, jacobian in jacobians.items():
        gradients = [model.gradient(point, False, jacobian)[1].tolist() for point in theta]
        result[f"gradient_{also}"] = gradients
    result["constrained"] = [model.constrain(point, True, generated).tolist() for point in theta]
    return result


def dumped(result: dict[str, Any]) -> str:
    """JSON with one line for each entry."""
    lines = [
        f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in result.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def make(item: Bundled, toolchain: Toolchain) -> str:
    """Compile and record one program; returns what to print."""
    started = time.perf_counter()
    try:
        result = record(RealModel(toolchain.library(item.program), item.data), item)
    except RealStanError as error:
        return f"FAILED {item.name}: {error}"
    item.reference.parent.mkdir(parents=True, exist_ok=True)
    item.reference.write_text(dumped(result))
    return f"{item.name}: {time.perf_counter() - started:.1f} s"


def apart(item: Bundled, toolchain: Toolchain) -> str:
    """`make` in a process of its own: real Stan sometimes crashes."""
    with ProcessPoolExecutor(max_workers=1) as pool:
        try:
            return pool.submit(make, item, toolchain).result()
        except BrokenProcessPool:
            return f"FAILED {item.name}: real Stan crashed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("venv", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("pattern", nargs="?", default="*")
    arguments = parser.parse_args()
    toolchain = Toolchain.of_venv(arguments.venv, arguments.cache)
    arguments.cache.mkdir(parents=True, exist_ok=True)
    for item in bundled():
        if fnmatch.fnmatch(item.name, arguments.pattern) and not is_current(item):
            print(apart(item, toolchain), flush=True)


if __name__ == "__main__":
    main()

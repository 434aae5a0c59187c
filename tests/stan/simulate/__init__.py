"""The data of the bundled models, simulated from seeds: `python -m simulate` in tests/stan.

Each function makes the data of the model of its name; its generator is seeded by that name.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Data = dict[str, Any]
Simulation = Callable[[np.random.Generator], Data]

PROGRAMS = Path(__file__).parent.parent / "programs"
SIMULATIONS: dict[str, Simulation] = {}


def simulation(name: str) -> Callable[[Simulation], Simulation]:
    """Register the simulation of the data of `models/name`."""

    def register(function: Simulation) -> Simulation:
        SIMULATIONS[name] = function
        return function

    return register


def plain(value: Any) -> Any:
    """NumPy's values as JSON's, reals to four decimals."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    array = np.asarray(value)
    return (array if array.dtype.kind in "iub" else array.round(4)).tolist()


def simulated(name: str) -> str:
    """The JSON text of one model's data."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    data = plain(SIMULATIONS[name](rng))
    lines = [f'"{key}": {json.dumps(value)}' for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))

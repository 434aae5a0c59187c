"""Simulate the data of the examples: python examples/make_data.py

The effects in eight schools (eight_schools.json) are not simulated: they are Rubin's (1981).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def write(name: str, **data: object) -> None:
    rounded = {
        key: np.round(value, 3).tolist() if isinstance(value, np.ndarray) else value
        for key, value in data.items()
    }
    (HERE / f"{name}.json").write_text(json.dumps(rounded) + "\n", "utf-8")


def logistic() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3))
    chance = 1 / (1 + np.exp(0.5 - x @ [1.2, -0.7, 0.0]))
    write("logistic", N=200, K=3, x=x, y=(rng.uniform(size=200) < chance).astype(int))


def hierarchical() -> None:
    rng = np.random.default_rng(2)
    subject = np.repeat(np.arange(18), 10)
    day = np.tile(np.arange(10.0), 18)
    a, b = rng.normal(2.5, 0.3, 18), rng.normal(0.1, 0.06, 18)
    time = a[subject] + b[subject] * day + rng.normal(0, 0.25, 180)
    write("hierarchical", N=180, J=18, subject=subject + 1, day=day, time=time)


def mixture() -> None:
    rng = np.random.default_rng(3)
    short = rng.uniform(size=150) < 0.35
    y = np.where(short, rng.normal(2.0, 0.3, 150), rng.normal(4.3, 0.4, 150))
    write("mixture", N=150, y=y)


if __name__ == "__main__":
    logistic()
    hierarchical()
    mixture()

"""Data of the tutorials' models: the eight schools, and four made from a seed."""

from __future__ import annotations

import numpy as np

_RNG = np.random.default_rng(20)

SCHOOLS = ["Choate", "Deerfield", "Phillips Andover", "Phillips Exeter", "Hotchkiss",
           "Lawrenceville", "St. Paul's", "Mt. Hermon"]  # fmt: skip
EFFECT = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
EFFECT_SE = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])

COUNTIES = ["AITKIN", "ANOKA", "BECKER", "CLAY", "COOK", "DAKOTA"]
COUNTY = np.repeat(np.arange(6), [4, 20, 6, 12, 3, 25])
FLOOR = (_RNG.random(COUNTY.size) < 0.25).astype(float)
LOG_RADON = (
    (1.4 + 0.4 * _RNG.normal(size=6))[COUNTY] - 0.7 * FLOOR + 0.7 * _RNG.normal(size=COUNTY.size)
)

AGE = _RNG.normal(size=80)
DOSE = _RNG.normal(size=80)
ADMITTED = (_RNG.random(80) < 1 / (1 + np.exp(0.5 - 1.2 * AGE + 0.6 * DOSE))).astype(int)

TIME = np.linspace(-1, 1, 16)
SIGNAL = np.sin(3 * TIME) + 0.2 * _RNG.normal(size=16)

HEIGHTS = np.concatenate([_RNG.normal(-2, 0.7, 30), _RNG.normal(1.5, 1.0, 50)])

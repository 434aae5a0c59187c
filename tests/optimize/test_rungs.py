"""The draws of the next judgement, whatever the last one came to."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from trustvi.families import MeanField
from trustvi.objective import MAX_DRAWS, Ledger
from trustvi.optimize._config import LadderConfig
from trustvi.optimize._curvature import unlearned
from trustvi.optimize._judge import Change
from trustvi.optimize._rungs import LEAST_JUDGES, LadderState, Rungs, kept

RUNGS = Rungs(LadderConfig(), tol=0.05, dim=2)
STATE = LadderState(
    MeanField(np.zeros(2), np.zeros(2)), unlearned(np.ones(2)), kept((), 2), Ledger(), iteration=1,
    seed=0, radius=2.0, draws=256, judge_draws=64, hope=0.0, plain_until=0, rejections=0, waits=0,
    lost=0, rounds=0, restarts=0,
)  # fmt: skip
NUMBERS = (math.nan, math.inf, 0.0, 1e-3, 1.0, 1e300)


@pytest.mark.parametrize(("gain", "error"), list(itertools.product((*NUMBERS, -math.inf), NUMBERS)))
def test_judgements_have_a_size_whatever_came_out(gain: float, error: float) -> None:
    draws = RUNGS.sharpened(STATE, gain, Change(0.0, error, 64)).judge_draws
    assert LEAST_JUDGES <= draws <= MAX_DRAWS
    assert draws & (draws - 1) == 0


@pytest.mark.parametrize(("error", "draws"), [(1.0, 256), (0.1, 64), (0.01, 32)])
def test_a_tenth_of_the_gain_is_sharp_enough(error: float, draws: int) -> None:
    assert RUNGS.sharpened(STATE, 1.0, Change(0.0, error, 64)).judge_draws == draws

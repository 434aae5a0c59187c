"""Gaussian targets: the exact mean-field optimum, whatever the condition and the scales."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from helpers import engine, gaussian, retarget, run
from trustvi.diagnostics import Verdict
from trustvi.optimize import Method

# benchmarks/gaussians.py has more dimensions and 50 seeds of each.
SEEDS = {2: 3, 5: 2, 20: 1, 100: 1}


@cache
def compiled(dim: int) -> Method:
    return engine(gaussian(dim).model())


CASES = list(product(SEEDS, [1.0, 1e4, 1e8], [0.0, 6.0]))
SHORT = pytest.mark.xfail(
    reason="the start's Hessian is indefinite by rounding, and the fit says that it is unbounded"
)


@pytest.mark.parametrize(
    ("dim", "condition", "decades"),
    [pytest.param(*case, marks=SHORT) if case == (100, 1e8, 6.0) else case for case in CASES],
)
def test_every_seed_finds_the_optimum(dim: int, condition: float, decades: float) -> None:
    method, target = compiled(dim), gaussian(dim, condition=condition, decades=decades)
    retarget(method, target)
    for seed in range(SEEDS[dim]):
        end = run(method, seed)
        assert end.verdict is Verdict.CONVERGED, seed
        mean, scale = target.errors(end.state.q)
        assert mean < 0.02, seed
        assert scale < 0.01, seed
        assert end.state.ledger.oracle_calls < 8, seed


def test_a_retargeted_method_is_one_made_for_the_target() -> None:
    target = gaussian(5, condition=100.0, decades=1.0)
    method = compiled(5)
    retarget(method, target)
    moved, made = run(method, 3), run(engine(target.model()), 3)
    assert moved.verdict is made.verdict
    assert (moved.state.q.loc == made.state.q.loc).all()
    assert (moved.state.q.log_scale == made.state.q.log_scale).all()

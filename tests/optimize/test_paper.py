"""Algorithm 1 end to end, and the two lemmas of its convergence, on targets known exactly."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import Any

import jax
import numpy as np
import pytest

from helpers import Gaussian, engine, gaussian, run
from trustvi.diagnostics import Verdict
from trustvi.families import MeanField
from trustvi.objective import MAX_DRAWS, Ledger
from trustvi.optimize import PaperConfig
from trustvi.optimize._paper import PaperState, PaperTrustVI
from trustvi.optimize._sampling import draws_to_reject

DIM = 3
FAR = MeanField(np.array([2.0, -1.0, 0.5]), np.array([-1.0, 0.5, 0.0]))


@pytest.fixture(scope="module")
def target() -> Gaussian:
    return gaussian(DIM, condition=10.0)


@pytest.fixture(scope="module")
def method(target: Gaussian) -> PaperTrustVI:
    made = engine(target.model(), "paper")
    assert isinstance(made, PaperTrustVI)
    return made


def state(q: MeanField, *, seed: int = 0, radius: float = 1.0, **others: Any) -> PaperState:
    c = PaperConfig()
    start = PaperState(q, Ledger(), 0, seed, radius, c.gradient_draws, c.judge_draws, 0)
    return start._replace(**others)


@pytest.mark.parametrize("seed", range(3))
def test_a_gaussian_from_start_to_end(method: PaperTrustVI, target: Gaussian, seed: int) -> None:
    end = run(method, seed, budget=1000.0)
    assert end.verdict is Verdict.CONVERGED
    assert target.elbo(target.best()) - target.elbo(end.state.q) < 0.05
    assert 2 <= sum(info.accepted for info in end.path) <= end.state.iteration


def test_both_ways_to_the_step_are_one(method: PaperTrustVI, target: Gaussian) -> None:
    """With the Hessian formed explicitly, each iteration proposes what the Krylov space does."""
    explicit = engine(target.model(), "paper", explicit_hessian=True)
    assert isinstance(explicit, PaperTrustVI)
    for radius in (0.01, 0.5, 100.0):
        begin = state(FAR, radius=radius)
        with jax.enable_x64(True):
            model, _ = method.estimate(begin)
            krylov, dense = method.propose(model, radius), explicit.propose(model, radius)
        np.testing.assert_allclose(krylov.s, dense.s, rtol=1e-5, atol=1e-8)
        assert krylov.gain == pytest.approx(dense.gain, rel=1e-8)
        assert dense.products == 2 * DIM


def test_the_ledger_is_the_papers(method: PaperTrustVI) -> None:
    """A gradient on 256 draws, products on 85, a difference on 128: 1 + 2 a product + 1."""
    with jax.enable_x64(True):
        begin = state(FAR)
        model, _ = method.estimate(begin)
        products = method.propose(model, begin.radius).products
        after, info, _ = method.step(begin)
    assert after.ledger == Ledger(gradients=256, products=85 * products, values=2 * 128)
    assert info.oracle_calls == pytest.approx(1 + 2 * products + 1)
    with jax.enable_x64(True):
        start, _, _ = method.init(None, 0)
    assert start.ledger == Ledger(gradients=1)


def test_a_step_that_is_rejected_anyway_draws_nothing(method: PaperTrustVI) -> None:
    begin = state(FAR, radius=900.0)
    with jax.enable_x64(True):
        move = method.propose(method.estimate(begin)[0], 900.0)
        hopeless = move._replace(gain=0.5 * method.config.lam * 900.0**2 / method.config.eta)
        judged = method.judge(begin, hopeless)
    assert judged.draws == 0
    assert judged.change == -math.inf


def test_the_hessian_outlives_one_rejection_and_no_more(method: PaperTrustVI) -> None:
    """Its draws are those of `hessian_key`; the gradient's are new in every iteration."""
    config, judged = method.config, method.judge
    with jax.enable_x64(True):
        begin = state(FAR)
        model, _ = method.estimate(begin)
        move = method.propose(model, begin.radius)
        refused = judged(begin, move)._replace(change=-1e6)
        once = method.resize(begin, model, move, refused, False)
        twice = method.resize(once, model, move, refused, False)
        thrice = method.resize(twice, model, move, refused, False)
        accepted = method.resize(begin, model, move, refused._replace(change=1e6), True)
        again, _ = method.estimate(once)
        fresh, _ = method.estimate(twice)
    assert [s.hessian_key for s in (begin, once, twice, thrice, accepted)] == [0, 0, 2, 2, 1]
    assert [s.iteration for s in (once, twice, thrice, accepted)] == [1, 2, 3, 1]
    direction = np.ones(2 * DIM)
    np.testing.assert_array_equal(model.product(direction), again.product(direction))
    assert np.abs(model.product(direction) - fresh.product(direction)).max() > 1e-3
    assert np.abs(model.gradient - again.gradient).max() > 1e-3
    assert once.radius == begin.radius / config.gamma
    assert accepted.radius == begin.radius * config.gamma


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_step_into_nowhere_is_a_rejected_step(
    method: PaperTrustVI, monkeypatch: pytest.MonkeyPatch, bad: float
) -> None:
    values = method.objective.values

    def spoilt(q: MeanField, *rest: Any) -> Any:
        found = values(q, *rest)
        if q is FAR:
            return found
        return found._replace(values=np.where(np.arange(found.values.size) == 7, bad, found.values))

    monkeypatch.setattr(method.objective, "values", spoilt)
    with jax.enable_x64(True):
        after, info, verdict = method.step(state(FAR))
    assert not info.accepted
    assert verdict is None
    np.testing.assert_array_equal(after.q.loc, FAR.loc)
    assert after.radius == 0.5


def sufficient(method: PaperTrustVI, begin: PaperState) -> PaperState:
    """`begin` with the N_k that the first inequality asks of its step, sigma_k from many draws."""
    move = method.propose(method.estimate(begin)[0], begin.radius)
    sigma = method.judge(begin._replace(seed=begin.seed + 1000, judge_draws=1024), move).sigma
    needed = draws_to_reject(method.config, move.gain, begin.radius, sigma)
    assert needed <= MAX_DRAWS, "the lemma says nothing of smaller samples"
    return begin._replace(judge_draws=64 * max(1, math.ceil(needed / 64)))


@pytest.mark.parametrize(
    ("where", "radius"),
    [("far", 0.01), ("far", 0.3), ("far", 3.0), ("far", 30.0), ("best", 1.0)],
)
def test_lemma_1_phi_rises_by_a_share_of_the_region(
    method: PaperTrustVI, target: Gaussian, where: str, radius: float
) -> None:
    """E[change of phi] >= lambda delta^2 for phi = ELBO - alpha delta^2, the ELBO exact."""
    method = copy.copy(method)
    method.config = config = replace(method.config, alpha=0.05, lam=0.01)
    q, changes = FAR if where == "far" else target.best(), []
    with jax.enable_x64(True):
        for seed in range(30):
            after, _, _ = method.step(sufficient(method, state(q, seed=seed, radius=radius)))
            gain = target.elbo(after.q) - target.elbo(q)
            changes.append(gain - config.alpha * (after.radius**2 - radius**2))
    error = np.std(changes, ddof=1) / math.sqrt(len(changes))
    assert np.mean(changes) + 3 * error >= config.lam * radius**2


@pytest.mark.parametrize("radius", [1e-3, 1e-2, 0.1])
def test_lemma_2_small_steps_are_mostly_accepted(method: PaperTrustVI, radius: float) -> None:
    """P(accept) >= zeta_0 zeta_1 > 1/2 where the gradient is large and the region small."""
    with jax.enable_x64(True):
        accepted = [
            method.step(state(FAR, seed=seed, radius=radius))[1].accepted for seed in range(30)
        ]
    assert np.mean(accepted) >= method.config.zeta0 * method.config.zeta1

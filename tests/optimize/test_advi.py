"""ADVI against Stan's own: its draws replayed, its choices of step sizes, its ends."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import trustvi
from helpers import gaussian, run
from trustvi.diagnostics import Verdict
from trustvi.families import MeanField
from trustvi.objective import DrawKind, Ledger, base_draws, compile_all
from trustvi.optimize import Progress, choose_preset, drive
from trustvi.optimize._advi import (
    Advi,
    AdviConfig,
    choose_eta,
    relative_change,
    settled,
)
from trustvi.optimize._advi_kernels import RETRIES, Stride, Strides, advance, chunk_of

CASES = json.loads((Path(__file__).with_name("advi_reference.json")).read_text())
MEAN, PRECISION, START = np.array([0.5, -3.0]), np.array([1.0, 25.0]), np.array([-1.0, 1.0])


class Replay:
    """Strides made of the draws that Stan made, in their order."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case, self.config = case, case["config"]
        self.draws: Iterator[tuple[int, np.ndarray]] = (
            (int(kind), np.array(z)) for kind, *z in case["draws"]
        )

    def kept(self, kind: int, wanted: int, patience: int) -> list[np.ndarray] | None:
        kept: list[np.ndarray] = []
        lost = 0
        while len(kept) < wanted:
            found, z = next(self.draws)
            assert found == kind
            if z[0] > self.case["edge"]:
                lost += 1
                if lost >= patience:
                    return None
            else:
                kept.append(z)
        return kept

    def ascend(
        self, q: MeanField, history: np.ndarray, eta: float, tick: int, end: int, key: jax.Array,
        robust: bool,
    ) -> Stride:  # fmt: skip
        del key
        x, n = np.concatenate([q.loc, q.log_scale]), self.config["gradient_draws"]
        while tick < end:
            drawn, gradient = self.kept(1, n, RETRIES * n), np.zeros(4)
            if drawn is None and not robust:
                return Stride(MeanField(x[:2], x[2:]), history, tick, True, 0, 0.0, 0.0)
            if drawn is not None:
                loc, scale = x[:2], np.exp(x[2:])
                slopes = [-PRECISION * (z - MEAN) for z in drawn]
                noise = [(z - loc) / scale for z in drawn]
                across = np.mean([g * e for g, e in zip(slopes, noise, strict=True)], axis=0)
                gradient = np.concatenate([np.mean(slopes, axis=0), across * scale + 1.0])
            tick += 1
            x, history = map(np.asarray, advance(x, history, tick, eta, gradient))
        return Stride(MeanField(x[:2], x[2:]), history, tick, False, 0, 0.0, 0.0)

    def elbo(self, q: MeanField, key: jax.Array) -> tuple[float, int]:
        del key
        n = self.config["elbo_draws"]
        drawn = self.kept(0, n, n)
        if drawn is None:
            return -math.inf, n
        values = [self.case["constant"] - 0.5 * PRECISION @ (z - MEAN) ** 2 for z in drawn]
        return float(np.mean(values)) + q.entropy(), n


@pytest.fixture(scope="module")
def bare() -> Advi:
    """A method whose compiled parts are replaced before use."""
    with jax.enable_x64(True):
        method = choose_preset("advi", "stan", {}).make(
            gaussian(2).model(), AdviConfig(stride=3), tol=0.05
        )
        compile_all([method.point])
    return method


@pytest.mark.parametrize("case", CASES, ids=[str(i) for i in range(len(CASES))])
def test_stans_draws_lead_where_stan_went(
    bare: Advi, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = Replay(case)
    monkeypatch.setattr(bare, "strides", replay)
    monkeypatch.setattr(bare, "config", AdviConfig(**case["config"], stride=3))
    monkeypatch.setattr(bare.check, "confirms", lambda q, ledger, seed: (False, ledger))
    end = run(bare, 0, start=START, budget=math.inf)
    elbos = [float(row.split(",")[2]) for row in case["diagnostics"].splitlines()[1:]]
    ours = [i.elbo for i in end.path if i.note in ("ascent", "settled", "spent")
            and not math.isnan(i.elbo) and i.elbo != 0.0]  # fmt: skip
    np.testing.assert_allclose([e for e in ours if math.isfinite(e)][: len(elbos)], elbos)
    if "All proposed step-sizes" in case["failure"]:
        assert end.verdict is Verdict.NO_STEP_SIZE
        return
    if "dropped evaluations" in case["failure"]:
        assert end.verdict is Verdict.OVERFLOW
        return
    eta = float(re.findall(r"eta = ([\d.]+)\]", case["log"])[-1])
    final = [float(part) for part in case["parameters"].splitlines()[2].split(",")[3:]]
    assert end.state.eta == eta
    np.testing.assert_allclose(end.state.q.loc, final, rtol=1e-9)
    by_rule = "ELBO CONVERGED" in case["log"]
    assert end.verdict is (Verdict.STOPPED if by_rule else Verdict.BUDGET)


def test_the_recorded_runs_end_in_several_ways() -> None:
    """The replay above means something only if Stan's runs differ."""
    logs = [case["log"] + case["failure"] for case in CASES]
    for text in ("MEAN ELBO CONVERGED", "MEDIAN ELBO CONVERGED", "maximum number of", "dropped"):
        assert any(text in log for log in logs), text
    edges = [sum(z[1] > case["edge"] for z in case["draws"]) for case in CASES]
    assert sum(lost > 0 for lost in edges) >= 3


def test_update_by_hand() -> None:
    x, h = advance(np.array([1.0]), np.array([0.0]), 1, 0.1, np.array([3.0]))
    assert float(h[0]) == 9.0
    assert float(x[0]) == pytest.approx(1.0 + 0.1 * 3 / (1 + 3))
    x, h = advance(x, h, 2, 0.1, np.array([-1.0]))
    assert float(h[0]) == pytest.approx(0.9 * 9 + 0.1)
    assert float(x[0]) == pytest.approx(1.075 - 0.1 / math.sqrt(2) / (1 + math.sqrt(8.2)))


@pytest.mark.parametrize(
    ("elbo", "eta", "trial_elbo", "trial_eta", "first", "expected"),
    [
        (-5.0, 100.0, -math.inf, 0.0, -10.0, (None, False)),
        (-6.0, 10.0, -5.0, 100.0, -10.0, (100.0, True)),
        (-20.0, 10.0, -15.0, 100.0, -10.0, (None, False)),
        (-4.0, 1.0, -5.0, 10.0, -10.0, (None, False)),
        (-9.0, 0.01, -15.0, 0.1, -10.0, (0.01, True)),
        (-11.0, 0.01, -15.0, 0.1, -10.0, (None, True)),
        (-9.5, 0.01, -9.0, 0.1, -10.0, (0.1, True)),
        (-math.inf, 10.0, -math.inf, 100.0, -10.0, (None, False)),
    ],
)
def test_choice_of_the_step_size(
    elbo: float, eta: float, trial_elbo: float, trial_eta: float, first: float,
    expected: tuple[float | None, bool],
) -> None:  # fmt: skip
    assert choose_eta(elbo, eta, trial_elbo, trial_eta, first) == expected


def test_window() -> None:
    assert relative_change(-50.0, 0.0) == 1.0
    assert relative_change(-50.0, -51.0) == pytest.approx(0.02)
    assert AdviConfig(max_iterations=10_000, eval_elbo=100).window == 10
    assert AdviConfig(max_iterations=1_000, eval_elbo=100).window == 2
    assert settled(np.array([1.0, 0.005, 0.004]), 0.01)
    assert not settled(np.array([1.0, 0.005]), 0.01)
    assert settled(np.array([0.012, 0.001, 0.015]), 0.01)


def lossy(edge: float) -> trustvi.models.FunctionModel:
    """A normal density that ends at z_0 = edge."""

    def log_density(z: jax.Array) -> jax.Array:
        return jnp.where(z[0] > edge, -jnp.inf, -0.5 * jnp.sum(z * z, axis=0))

    return trustvi.from_function(log_density, np.zeros(2), batched=True, name="lossy")


@pytest.mark.parametrize("draws", [1, 10, 97, 256])
def test_compiled_iterations_equal_plain_ones(draws: int) -> None:
    """The kernel against a loop in NumPy over the same base draws, of which some are lost."""
    strides = Strides(lossy(0.7), draws, 50)
    compile_all([strides])
    q, key, chunk = MeanField(np.array([0.2, 1.0]), np.zeros(2)), jax.random.key(3), chunk_of(draws)
    draw = base_draws(DrawKind.IID, 2, chunk)
    x, history, evaluated = np.concatenate([q.loc, q.log_scale]), np.zeros(4), 0
    for tick in range(3):
        kept: list[np.ndarray] = []
        index = 0
        while len(kept) < draws:
            e = np.asarray(draw(jax.random.fold_in(key, tick), jnp.asarray(index)))
            kept += [c for c in e.T if x[0] + math.exp(x[2]) * c[0] <= 0.7]
            index += 1
        evaluated += index * chunk
        noise = np.array(kept[:draws]).T
        g = -(x[:2, None] + np.exp(x[2:, None]) * noise)
        gradient = np.concatenate([g.mean(1), (g * noise).mean(1) * np.exp(x[2:]) + 1])
        x, history = map(np.asarray, advance(x, history, tick + 1, 0.3, gradient))
    stride = strides.ascend(q, np.zeros(4), 0.3, 0, 3, key, robust=False)
    np.testing.assert_allclose(np.concatenate(stride.q), x, rtol=1e-12)
    np.testing.assert_allclose(stride.history, history, rtol=1e-12)
    assert (stride.tick, stride.failed, stride.evaluated) == (3, False, evaluated)


def test_lost_draws_end_an_iteration_and_an_elbo() -> None:
    strides = Strides(lossy(-50.0), 4, 8)
    compile_all([strides])
    q, key = MeanField(np.zeros(2), np.zeros(2)), jax.random.key(0)
    stopped = strides.ascend(q, np.zeros(4), 1.0, 5, 9, key, robust=False)
    assert (stopped.failed, stopped.tick, stopped.evaluated) == (True, 5, RETRIES * 4)
    np.testing.assert_array_equal(stopped.q.loc, q.loc)
    passed = strides.ascend(q, np.zeros(4), 1.0, 5, 9, key, robust=True)
    assert (passed.failed, passed.tick) == (False, 9)
    np.testing.assert_array_equal(passed.q.loc, q.loc)
    assert strides.elbo(q, key) == (-math.inf, 8)


@pytest.fixture(scope="module")
def fitted() -> tuple[Any, Advi, Progress]:
    target = gaussian(4, condition=5.0, seed=1)
    config = AdviConfig(gradient_draws=16, max_iterations=3000)
    with jax.enable_x64(True):
        method: Any = choose_preset("advi", "default", {}).make(target.model(), config, tol=0.05)
        compile_all(method.parts)
    return target, method, run(method, 1)


def test_a_gaussians_optimum_is_found(fitted: tuple[Any, Advi, Progress]) -> None:
    target, _, end = fitted
    assert target.elbo(target.best()) - target.elbo(end.state.q) < 0.05
    assert end.verdict is Verdict.CONVERGED


def test_ledger_counts_every_evaluation(fitted: tuple[Any, Advi, Progress]) -> None:
    _, _, end = fitted
    before = next(i for i in reversed(end.path) if i.note in ("settled", "spent"))
    iterations = before.iteration
    trials = sum(i.note == "adaptation" and not math.isnan(i.elbo) for i in end.path)
    assert iterations * 16 / 256 < before.oracle_calls < iterations * 16 / 256 + 60 * 100 / 256
    assert trials >= 3
    assert end.state.ledger.oracle_calls > before.oracle_calls


def test_a_resumed_run_is_the_same(fitted: tuple[Any, Advi, Progress]) -> None:
    _, method, whole = fitted
    half = run(method, 1, budget=40.0)
    assert half.verdict is Verdict.BUDGET
    with jax.enable_x64(True):
        end = drive(
            method, half._replace(verdict=None), max_oracle_calls=math.inf, observe=lambda _: None
        )
    np.testing.assert_array_equal(end.state.q.loc, whole.state.q.loc)
    assert end.state.ledger == whole.state.ledger


def test_verdict_is_not_convergence_far_from_the_optimum(
    fitted: tuple[Any, Advi, Progress],
) -> None:
    """Stan's rule may hold anywhere; fresh draws don't confirm what is wrong, and do what isn't."""
    target, method, _ = fitted
    best = target.best()
    for shift, expected in ((0.0, True), (0.2, True), (1.0, False), (3.0, False)):
        q = MeanField(best.loc + shift * best.scale * np.eye(4)[0], best.log_scale)
        gap = target.elbo(best) - target.elbo(q)
        assert (gap < 0.05) == expected
        confirmed, ledger = method.check.confirms(q, Ledger(), 0)
        assert confirmed == expected
        assert ledger.oracle_calls > 0

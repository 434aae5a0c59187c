"""Several starts: the best is kept, and the others say how much it can be relied on."""

from __future__ import annotations

import _thread
import math
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import trustvi
from trustvi._starts import seed_of, side_by_side
from trustvi.diagnostics import Outcome, agreement, best_of
from trustvi.objective._executables import compiled


def modes(theta: dict[str, jnp.ndarray]) -> jnp.ndarray:
    """Two modes on the line: 90% of the mass at 6, the rest at -6."""
    x = theta["x"]
    parts = jnp.array([0.9, 0.1]), jnp.array([6.0, -6.0])
    logs = jnp.log(parts[0]) - 0.5 * (x - parts[1]) ** 2 - 0.5 * math.log(2 * math.pi)
    return jnp.logaddexp(logs[0], logs[1])


def gaussian(theta: jnp.ndarray) -> jnp.ndarray:
    return -0.5 * jnp.sum((theta - 3.0) ** 2 / jnp.array([1.0, 100.0]))


def test_the_best_mode_is_kept_and_the_other_reported() -> None:
    model = trustvi.from_function(modes, {"x": 0.0})
    post = trustvi.fit(model, starts=6, init=8.0, progress=False)
    # A mean-field fit of one mode alone has an ELBO of the logarithm of its mass.
    assert post.loc[0] == pytest.approx(6.0, abs=0.1)
    assert post.elbo.value == pytest.approx(math.log(0.9), abs=0.05)
    found = post.agreement
    assert found is not None
    assert (found.starts, found.good) == (6, False)
    assert 1 <= found.reaching < 6
    assert found.elbo_spread == pytest.approx(math.log(9), abs=0.1)
    assert "several modes" in found.sentence
    assert {each.verdict for each in post.starts} == {"converged"}


def test_starts_of_a_gaussian_agree_and_their_costs_add_up(tmp_path: Path) -> None:
    model = trustvi.from_function(gaussian, np.zeros(2))
    post = trustvi.fit(model, starts=3, progress=False)
    found = post.agreement
    assert found is not None
    assert found.good
    assert found.mean_spread < 0.2
    assert found.sentence.startswith("All 3 starts agree")
    assert post.oracle_calls == pytest.approx(sum(each.oracle_calls for each in post.starts))
    alone = trustvi.fit(model, progress=False)
    assert alone.agreement is None
    assert post.starts[0].elbo == alone.elbo.value
    post.save(tmp_path / "fit.npz")
    assert trustvi.load(tmp_path / "fit.npz").agreement == found


def test_starts_side_by_side_are_the_same_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is the fit of its own seed, to the bit, and all share what was compiled."""
    count = 0

    def counted(lowered: Any) -> Any:
        nonlocal count
        count += 1
        return compiled(lowered)

    for module in ("_objective", "_executables"):
        monkeypatch.setattr(f"trustvi.objective.{module}.compiled", counted)
    model = trustvi.from_function(modes, {"x": 0.0})
    together = trustvi.fit(model, starts=4, progress=False, khat_draws=0)
    for_all, count = count, 0
    for start, found in enumerate(together.starts):
        alone = trustvi.fit(model, seed=seed_of(0, start), progress=False, khat_draws=0)
        np.testing.assert_array_equal(found.loc, alone.loc)
        np.testing.assert_array_equal(found.scale, alone.scale_diag)
        assert found.verdict == alone.verdict.value
    assert 0 < for_all <= count / 4


@pytest.fixture
def listening() -> Iterator[None]:
    """Ctrl-C raises, which it doesn't in the processes that tests are spread over."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
def test_ctrl_c_ends_the_starts_that_run_and_leaves_out_the_others() -> None:
    stop, begun = Event(), []

    def start(number: int) -> Any:
        begun.append(number)
        if number == 1:
            time.sleep(0.3)  # until the main thread waits
            _thread.interrupt_main()
        if not stop.wait(timeout=20):
            raise TimeoutError
        if number == 0:
            raise KeyboardInterrupt  # it had no iteration yet
        return number

    found = side_by_side([partial(start, number) for number in range(6)], stop)
    assert found == {number: number for number in begun if number > 0}
    assert len(begun) < 6


def test_an_error_in_one_start_is_the_fits() -> None:
    stop = Event()

    def bad() -> Any:
        raise trustvi.InputError("no")

    def patient() -> Any:
        stop.wait(timeout=20)
        raise KeyboardInterrupt

    with pytest.raises(trustvi.InputError, match="no"):
        side_by_side([patient, bad, patient], stop)


def test_each_start_has_a_checkpoint(tmp_path: Path) -> None:
    model = trustvi.from_function(gaussian, np.zeros(2))
    settings = {"starts": 2, "checkpoint": tmp_path / "state.npz", "progress": False}
    first = trustvi.fit(model, **settings)
    assert {path.name for path in tmp_path.iterdir()} == {"state.npz", "state.npz.1"}
    again = trustvi.fit(model, **settings)
    np.testing.assert_array_equal(first.loc, again.loc)
    assert first.agreement == again.agreement


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"starts": 0}, "starts must be at least 1"),
        ({"starts": 2.5}, "starts must be an integer"),
        ({"starts": 2, "init": np.zeros(2)}, "needs random starts"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str) -> None:
    model = trustvi.from_function(gaussian, np.zeros(2))
    with pytest.raises(trustvi.InputError, match=message):
        trustvi.fit(model, **settings)  # pyright: ignore[reportArgumentType]


def test_a_fit_that_must_converge_and_does_not() -> None:
    model = trustvi.from_function(gaussian, np.zeros(2))
    settings = {"max_oracle_calls": 1e-9, "progress": False}
    found = trustvi.fit(model, **settings)
    assert not found.converged
    with pytest.raises(trustvi.NotConvergedError, match=r"budget spent: The budget") as caught:
        trustvi.fit(model, require_converged=True, **settings)
    assert isinstance(caught.value, RuntimeError)
    np.testing.assert_array_equal(caught.value.posterior.loc, found.loc)
    assert trustvi.fit(model, require_converged=True, progress=False).converged


def outcome(elbo: float, loc: float = 0.0, mcse: float = 0.01) -> Outcome:
    return Outcome(0, "converged", elbo, mcse, 1.0, np.array([loc]), np.array([2.0]))


def test_equal_optima_with_different_means_are_no_agreement() -> None:
    outcomes = [outcome(-3.0), outcome(-3.02, loc=8.0)]
    found = agreement(outcomes, outcomes[0], tol=0.05)
    assert (found.reaching, found.mean_spread, found.good) == (2, 4.0, False)
    assert "labels" in found.sentence


def test_a_good_verdict_decides_between_equal_elbos() -> None:
    outcomes = [outcome(-3.0), outcome(-3.02), outcome(-9.0)]
    assert best_of(outcomes, 0.05, [True, True, True]) == 0
    assert best_of(outcomes, 0.05, [False, True, True]) == 1
    assert best_of([outcome(math.nan), outcome(-math.inf)], 0.05, [False, False]) == 0

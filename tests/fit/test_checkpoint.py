"""Checkpoints: killed at any moment, a fit goes on to the same end; interrupted, it has one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from child import fingerprint, fit

import trustvi
from trustvi import _checkpoint, _fit
from trustvi.optimize import Progress

CHILD = Path(__file__).with_name("child.py")


def start(file: Path, pace: float, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(file), str(pace)],
        stdout=subprocess.PIPE, text=True, env=os.environ | environment,
    )  # fmt: skip


def iterations(file: Path) -> int:
    """How far a checkpoint is; any file under its name can be read at any time."""
    if not file.exists():
        return -1
    return _checkpoint.read(file, "checkpoint")["state"].iteration


@pytest.fixture(scope="module", autouse=True)
def _compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUSTVI_CACHE", str(tmp_path_factory.mktemp("executables")))
        yield


@pytest.fixture(scope="module")
def whole() -> str:
    """The fit that nobody disturbed."""
    return fingerprint(fit())


def test_killed_at_random_moments_it_ends_the_same(tmp_path: Path, whole: str) -> None:
    """Resumed by processes with other hash seeds, some of which compile and some load."""
    rng = np.random.default_rng(0)
    file, seen = tmp_path / "state.npz", []
    for attempt in range(3):
        child = start(file, 0.03, TRUSTVI_CACHE=str(tmp_path), PYTHONHASHSEED=str(attempt))
        before = iterations(file)
        deadline = time.monotonic() + 120
        while iterations(file) <= before and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.15))
        child.kill()
        child.communicate()
        assert child.returncode == -signal.SIGKILL
        seen.append(iterations(file))
    assert seen == sorted(set(seen)), "each process went on from where the last was killed"
    child = start(file, 0.0, TRUSTVI_CACHE="off", PYTHONHASHSEED="9")
    assert child.communicate(timeout=120)[0].strip() == whole
    assert child.returncode == 0
    assert not list(tmp_path.glob("*.part"))


def test_a_finished_checkpoint_is_the_fit(tmp_path: Path, whole: str) -> None:
    file = tmp_path / "state.npz"
    assert fingerprint(fit(file)) == whole
    content = file.read_bytes()
    assert fingerprint(fit(file)) == whole
    assert file.read_bytes() == content


def test_control_c_returns_the_best_iterate(monkeypatch: pytest.MonkeyPatch, whole: str) -> None:
    """An interrupt in the midst of the fourth iteration; resumed, the fit ends the same."""
    seen: list[Progress] = []

    def interrupt(self: Any, progress: Progress, start: int | None) -> None:
        seen.append(progress)
        if progress.state.iteration == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr("trustvi._progress.ProgressLine.show", interrupt)
    post = fit()
    assert post.verdict is trustvi.Verdict.INTERRUPTED
    assert not post.converged
    np.testing.assert_array_equal(post.loc, seen[-1].state.q.loc)
    assert len(post.path) == len(seen)
    assert np.isfinite(post.elbo.value)


def test_interrupted_then_resumed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, whole: str
) -> None:
    def interrupt(self: Any, progress: Progress, start: int | None) -> None:
        if progress.state.iteration == 3:
            raise KeyboardInterrupt

    file = tmp_path / "state.npz"
    with monkeypatch.context() as patch:
        patch.setattr("trustvi._progress.ProgressLine.show", interrupt)
        assert fit(file).verdict is trustvi.Verdict.INTERRUPTED
    assert iterations(file) == 3
    assert fingerprint(fit(file)) == whole


def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    model = trustvi.from_function(lambda z: -jnp.sum(z**4 + z**2), np.zeros(4))
    settings: dict[str, Any] = {"tol": 1e-3, "first_draws": 8, "khat_draws": 0}
    file = tmp_path / "state.npz"
    small = trustvi.fit(model, max_oracle_calls=0.5, checkpoint=file, **settings)
    assert small.verdict is trustvi.Verdict.BUDGET
    large = trustvi.fit(model, checkpoint=file, **settings)
    np.testing.assert_array_equal(large.loc, trustvi.fit(model, **settings).loc)
    assert large.oracle_calls > small.oracle_calls


def about(mean: float, dim: int = 2) -> Any:
    return trustvi.from_function(
        lambda z: -0.5 * jnp.sum((z - mean) ** 2), np.zeros(dim), name="about"
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("checkpoint") / "state.npz"
    trustvi.fit(about(0.0), checkpoint=file, khat_draws=0)
    return file


@pytest.mark.parametrize(
    ("model", "settings", "differing"),
    [
        (about(1.0), {}, "data"),
        (about(0.0, 3), {}, "dim"),
        (about(0.0), {"seed": 1}, "seed"),
        (about(0.0), {"tol": 0.01}, "tol"),
        (about(0.0), {"radius": 1.0}, "options"),
    ],
)
def test_the_checkpoint_of_another_fit_is_refused(
    finished: Path, model: Any, settings: dict[str, Any], differing: str
) -> None:
    with pytest.raises(trustvi.InputError, match=f"of another fit: .*{differing}.* differ"):
        trustvi.fit(model, checkpoint=finished, **{"khat_draws": 0} | settings)


@pytest.mark.parametrize("spoil", [lambda b: b"", lambda b: b[: len(b) // 2], lambda b: b"text"])
def test_a_file_of_something_else_is_refused(
    finished: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "state.npz"
    file.write_bytes(spoil(finished.read_bytes()))
    with pytest.raises(trustvi.InputError, match="not a file that trustvi wrote"):
        _checkpoint.load_progress(file, {})


def test_it_saves_every_few_seconds_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Iterations of 0.7 s: every third is saved."""
    saved: list[int] = []
    monkeypatch.setattr(_fit, "save_progress", lambda file, run, at, kept: saved.append(at.state))
    line = _fit.ProgressLine(False, "")
    monkeypatch.setattr(_fit.time, "perf_counter", lambda: 0.0)
    log = _fit._Log(line, 0, tmp_path / "state.npz", {"starts": 1}, False, Event())
    for number in range(1, 13):
        monkeypatch.setattr(_fit.time, "perf_counter", lambda number=number: 0.7 * number)
        log(Progress(number, (), None))
    assert saved == [3, 6, 9, 12]

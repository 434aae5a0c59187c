"""The live line: what it says, when it is silent, and that it can't be busy."""

from __future__ import annotations

import io
import math
import sys

import pytest

from trustvi import _progress
from trustvi._progress import ProgressLine, describe
from trustvi.optimize import Info, Progress

INFO = Info(
    iteration=12, oracle_calls=3.456, seconds=7.89, elbo=-1234.567, elbo_se=0.0123, radius=0.5,
    gradient_draws=64, judge_draws=64, predicted=1.0, change=1.0, change_se=0.1, accepted=True,
    note="ascent",
)  # fmt: skip


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_it_says() -> None:
    text = describe(INFO)
    for part in (
        "iteration 12", "ELBO -1234.57 ± 0.01", "radius 0.5", "draws 64", "oracle calls 3.46",
        "7.9 s",
    ):  # fmt: skip
        assert part in text
    assert "nan" not in describe(INFO._replace(elbo=math.nan, note="climb"))
    assert "climb" in describe(INFO._replace(elbo=math.nan, note="climb"))


@pytest.mark.parametrize(
    ("enabled", "terminal", "shown"),
    [(None, True, True), (None, False, False), (True, True, True), (False, True, False)],
)
def test_when_it_is_shown(
    enabled: bool | None, terminal: bool, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressLine(enabled, "rats") as line:
        line.show(Progress(None, (INFO,), None))
    assert ("rats" in stream.getvalue()) == shown
    if not shown:
        assert stream.getvalue() == ""


def test_it_is_written_ten_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    written: list[str] = []
    with ProgressLine(True, "rats") as line:
        assert line._status is not None
        monkeypatch.setattr(line._status, "update", written.append)
        for millisecond in range(1, 2001):
            now = 100 + millisecond / 1000
            monkeypatch.setattr(_progress.time, "perf_counter", lambda now=now: now)
            line.show(Progress(None, (INFO,), None))
    assert 19 <= len(written) <= 20

"""The page of a fit."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import trustvi
from pages import check_page, check_text
from trustvi import Verdict, _report


def test_a_page_of_everything(everything: trustvi.Posterior, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    everything.to_html(path, program="data { int<lower=0> N; }")
    check_page(path, tmp_path)
    text = path.read_text("utf-8")
    assert text.index(everything.verdict.sentence) < text.index("<h2>")
    for title in ("Parameters", "Transformed parameters", "Generated quantities", "Pictures",
                  "Path", "Settings", "Program"):  # fmt: skip
        assert f"<h2>{title}</h2>" in text
    assert text.count("<svg ") == 3
    assert "int&lt;lower=0&gt; N" in text
    summary = everything.summary()
    assert text.count('<td class="text">') >= len(summary)
    assert f'data-value="{float(summary["s"]["mean"])!r}"' in text


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without pictures, which take the longest to make."""
    monkeypatch.setattr(_report, "find_spec", lambda name: None)


@pytest.mark.usefixtures("undrawn")
def test_parameters_and_what_is_computed_of_them_are_apart(everything: trustvi.Posterior) -> None:
    text = _report.report(everything)
    parts = text.split("<h2>")
    own, computed, generated = (
        next(part for part in parts if part.startswith(title))
        for title in ("Parameters", "Transformed parameters", "Generated quantities")
    )
    assert ">p.1<" in own
    assert ">mu.3<" in computed
    assert ">z.real<" in computed
    assert ">pair:2.1<" in generated
    assert ">mu.3<" not in own + generated


def test_bad_fits_have_pages(everything: trustvi.Posterior) -> None:
    unstarted = replace(
        everything, verdict=Verdict.NO_START, elbo=everything.elbo._replace(value=math.nan),
        checked_lp=np.zeros(0), path=everything.path[:1],
    )  # fmt: skip
    text = _report.report(unstarted)
    check_text(text)
    assert 'class="verdict"' in text
    assert "No starting point" in text
    assert "<svg " not in text


@pytest.mark.usefixtures("undrawn")
def test_without_matplotlib_the_page_says_so(gaussian: trustvi.Posterior) -> None:
    text = _report.report(gaussian)
    check_text(text)
    assert "trustvi[plots]" in text


@pytest.mark.usefixtures("undrawn")
def test_long_tables_are_cut(
    everything: trustvi.Posterior, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_report, "MOST_ROWS", 5)
    assert "more rows are left out" in _report.report(everything)


@pytest.mark.usefixtures("undrawn")
def test_large_khats_are_marked(gaussian: trustvi.Posterior) -> None:
    assert 'class="flag"' not in _report.report(gaussian)
    worse = replace(gaussian, checked_lp=100 * gaussian.checked_lp)
    assert not worse.khat.good
    assert 'class="flag"' in _report.report(worse)

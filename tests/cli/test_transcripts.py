"""Whole sessions on the command line, what is on the screen compared to a transcript."""

from __future__ import annotations

import csv
import json
import logging
import warnings
from pathlib import Path

import numpy as np
import pytest
from transcripts import FOLDER, ROOT, SESSIONS, differences, run

from pages import check_text

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import cmdstanpy

logging.getLogger("cmdstanpy").setLevel(logging.ERROR)


@pytest.mark.parametrize("name", SESSIONS)
def test_the_screen_is_the_transcripts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    found = run(name, tmp_path)
    expected = (FOLDER / f"{name}.txt").read_text("utf-8")
    wrong = differences(expected, found)
    assert not wrong, "\n".join(wrong)
    if name == "eight_schools":
        check_folder(tmp_path / "fit")
    if name == "logistic":
        check_files(tmp_path)


def check_folder(folder: Path) -> None:
    """Everything there is to a fit, each file saying the same."""
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found == {
        "fit.json", "summary.csv", "draws.csv", "path.csv", "posterior.npz", "report.html",
        "program/eight_schools.stan", "program/eight_schools.json", "nuts/metric.json",
        *(f"nuts/init_{chain}.json" for chain in (1, 2, 3, 4)),
    }  # fmt: skip
    record = json.loads((folder / "fit.json").read_text())
    assert record["verdict"] == "converged"
    assert set(record["seconds"]) == {"compile", "run"}
    rows = list(csv.DictReader((folder / "summary.csv").read_text().splitlines()))
    assert [row["name"] for row in rows] == list(record["summary"])
    assert float(rows[1]["mean"]) == record["summary"]["tau"]["mean"]
    read = cmdstanpy.from_csv(str(folder / "draws.csv"), "variational")
    assert read is not None
    draws = read.stan_variable("tau", mean=False)
    assert draws.shape == (200,)
    assert draws.mean() == pytest.approx(record["summary"]["tau"]["mean"], rel=0.3)
    metric = json.loads((folder / "nuts" / "metric.json").read_text())["inv_metric"]
    assert len(metric) == 10
    init = json.loads((folder / "nuts" / "init_1.json").read_text())
    assert set(init) == {"mu", "tau", "theta_raw"}
    check_text((folder / "report.html").read_text("utf-8"))


def check_files(folder: Path) -> None:
    """What CmdStan's words asked for."""
    assert cmdstanpy.from_csv(str(folder / "draws.csv"), "variational") is not None
    path = (folder / "path.csv").read_text().splitlines()
    assert path[0] == "# iter,time_in_seconds,ELBO"
    rows = np.array([[float(cell) for cell in row.split(",")] for row in path[1:]])
    assert rows.shape[1] == 3
    assert np.all(np.diff(rows[:, :2], axis=0) >= 0)


ROW = "mu 4.46 3.20 -0.6 4.5 9.9 0.40"


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("mu 4.50 3.10 -0.8 4.4 9.7 0.51", True),
        ("mu 5.46 3.20 -0.6 4.5 9.9 0.40", False),
        ("mu 4.46 3.90 -0.6 4.5 9.9 0.40", False),
        ("mu 4.46 3.20 -0.6 4.5 9.9 0.80", False),
        ("tau 4.46 3.20 -0.6 4.5 9.9 0.40", False),
        ("mu 4.46 3.20 -0.6 4.5 9.9", False),
        (f"{ROW}\nmore", False),
    ],
)
def test_differences_see_words_and_numbers(line: str, same: bool) -> None:
    assert bool(differences(ROW, line)) is not same

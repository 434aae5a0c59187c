"""Tables of many rows: what is cut, and other forms."""

from __future__ import annotations

import csv
import math
from collections import Counter

import numpy as np
import pytest

import trustvi
from trustvi._summary import Summary, summarize


def table(**sizes: int) -> Summary:
    rng = np.random.default_rng(0)
    return summarize(
        {name: rng.normal(size=(50, size) if size else 50) for name, size in sizes.items()}
    )


@pytest.mark.parametrize("rows", [6, 20, 60, 500])
@pytest.mark.parametrize(
    "sizes",
    [
        {"mu": 0, "theta": 100, "tau": 0},
        {"a": 30, "b": 30, "c": 300},
        {f"x{i}": 0 for i in range(200)},
        {f"x{i}": 3 for i in range(40)},
        {"a": 2},
    ],
)
def test_a_cut_shows_something_of_every_array(rows: int, sizes: dict[str, int]) -> None:
    summary = table(**sizes)
    cut = summary.cut(rows)
    assert len(cut.shown) + cut.left_out == len(summary)
    assert list(cut.shown) == sorted(set(cut.shown))
    assert set(cut.hidden) <= set(cut.shown)
    if len(summary) <= rows:
        assert not cut.hidden
    lines = len(cut.shown) + len(cut.hidden)
    assert lines <= max(rows, 2 * min(len(sizes), rows))
    arrays = Counter(summary.names[row].split(".")[0] for row in cut.shown)
    assert len(arrays) == min(len(sizes), rows)
    # Room is shared: an array is cut only to what the others have, too.
    room = max(arrays.values())
    assert all(count >= min(room, sizes[name] or 1) for name, count in arrays.items())


def test_nothing_is_cut_on_request() -> None:
    assert table(theta=1000).cut(None).left_out == 0


def test_other_forms(everything: trustvi.Posterior) -> None:
    summary = everything.summary(400)
    rows = list(csv.DictReader(summary.to_csv().splitlines()))
    assert [row["name"] for row in rows] == list(summary)
    assert float(rows[3]["95%"]) == summary[rows[3]["name"]]["95%"]
    frame = summary.to_dataframe()
    assert frame.loc["s", "mean"] == summary["s"]["mean"]
    assert list(frame.columns) == list(summary.columns)
    page = summary._repr_html_()
    assert page.count("<tr>") == len(summary) + 1
    assert f"<td>{summary['s']['mean']:.4g}</td>" in page


@pytest.mark.parametrize(
    ("parts", "there", "absent"),
    [
        ({"transformed": False}, {"s", "log_lik.1"}, {"mu.1", "z.real"}),
        ({"generated": False}, {"s", "mu.1"}, {"log_lik.1", "pair:1"}),
        ({"transformed": False, "generated": False}, {"s", "p.1"}, {"mu.1", "log_lik.1"}),
    ],
)
def test_parts_of_a_summary(
    everything: trustvi.Posterior, parts: dict[str, bool], there: set[str], absent: set[str]
) -> None:
    summary = everything.summary(300, **parts)
    assert there <= set(summary)
    assert not absent & set(summary)
    whole = everything.summary(300)
    for name in summary:
        if "rep" not in name:  # drawn at random, with other keys
            assert all(
                math.isclose(x, whole[name][column], rel_tol=1e-9)
                for column, x in summary[name].items()
            )

"""The pieces of pages, and a page made of all of them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from pages import browser, check_page, check_text
from trustvi import _page

ROWS = [
    ["theta.2", 0.5, _page.Number(0.9, "0.90", flag=True), None],
    ["theta.10", -3.25e-9, _page.Number(0.1, "0.10"), 2.0],
    ["alpha <b>", math.inf, _page.Number(math.nan, "–"), math.nan],
    ["theta.1", -math.inf, _page.Number(0.25, "0.25"), 7.0],
]


@pytest.fixture(scope="module")
def whole() -> str:
    with _page.drawing() as figure_class:
        figure = figure_class(figsize=(5, 3))
        axes = figure.subplots()
        axes.plot([0, 1, 2], [1, 3, 2], color=_page.COLOURS[0])
        axes.set_title("A line")
    return _page.page(
        "Fit of <i>model</i> & co",
        [
            _page.verdict("converged", ["All is well."], good=True),
            _page.facts({"ELBO": "-12.34 ± 0.01", "oracle calls": "3.2"}),
            _page.section(
                "Table", [_page.table(["name", "mean", "k-hat", "x"], ROWS, caption="T")]
            ),
            _page.section(
                "Long", [_page.code("x = 1\n" * 3), _page.paragraph("a < b", quiet=True)]
            ),
            _page.figure(_page.svg(figure), "What it shows"),
            _page.table([f"column {i}" for i in range(30)], [[float(i) for i in range(30)]]),
        ],
    )


def test_a_page_of_everything(whole: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(whole, "utf-8")
    check_page(tmp_path / "page.html", tmp_path)


def test_what_comes_from_outside_is_escaped(whole: str) -> None:
    assert "<b>" not in whole
    assert "<i>" not in whole
    assert "alpha &lt;b&gt;" in whole


def test_drawings_take_the_pages_ink(whole: str) -> None:
    assert "currentColor" in whole
    assert _page.INK not in whole
    assert whole.count("<svg ") == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</thead>", ""),
        ("<section>", '<section><img src="picture.png">'),
        ("<style>", '<link rel="stylesheet" href="style.css"><style>'),
        ("default-src 'none'", "default-src *"),
        ("prefers-color-scheme: dark", "print"),
    ],
)
def test_the_check_of_pages_sees_faults(whole: str, old: str, new: str) -> None:
    assert old in whole
    with pytest.raises(AssertionError):
        check_text(whole.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Number(a) - Number(b)", "Number(b) - Number(a)"),
        (".wide { overflow-x: auto;", ".wide {"),
        ('"use strict";', '"use strict"; undefined_name;'),
        ("--ground: #14171b; --ink: #e4e8ec;", ""),
    ],
)
def test_the_check_in_a_browser_sees_faults(whole: str, tmp_path: Path, old: str, new: str) -> None:
    assert old in whole
    if browser() is None:
        return
    (tmp_path / "page.html").write_text(whole.replace(old, new, 1), "utf-8")
    with pytest.raises(AssertionError):
        check_page(tmp_path / "page.html", tmp_path)


def test_columns_of_numbers_sort_by_value() -> None:
    text = _page.table(["name", "mean", "k-hat", "x"], ROWS)
    values = re.findall(r'data-value="([^"]*)"', text)
    assert values == [
        "0.5", "0.9", "", "-3.25e-09", "0.1", "2.0", "Infinity", "", "", "-Infinity", "0.25", "7.0",
    ]  # fmt: skip

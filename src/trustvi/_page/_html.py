"""Pieces of a page, each a text of HTML; what comes from outside is escaped here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

# Nothing may be loaded from anywhere: browsers then refuse what a mistake would ask for.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


class Number(NamedTuple):
    """A cell that sorts by `value` and shows `text`; `flag` marks it as one to look at."""

    value: float
    text: str
    flag: bool = False


Cell = str | float | Number | None


def page(title: str, parts: Iterable[str]) -> str:
    """A whole page in one file that needs no other: `parts` under the heading `title`."""
    style, script = (
        files("trustvi._page").joinpath(name).read_text("utf-8")
        for name in ("style.css", "sort.js")
    )
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{style}</style>",
            f"<h1>{escape(title)}</h1>",
            *parts,
            f"<script>\n{script}</script>",
            "</html>\n",
        ]
    )


def section(title: str, parts: Iterable[str]) -> str:
    """`parts` under a heading of their own."""
    return "\n".join(["<section>", f"<h2>{escape(title)}</h2>", *parts, "</section>"])


def paragraph(text: str, *, quiet: bool = False) -> str:
    return f'<p class="quiet">{escape(text)}</p>' if quiet else f"<p>{escape(text)}</p>"


def code(text: str) -> str:
    """Text as it stands, lines kept."""
    return f"<pre><code>{escape(text)}</code></pre>"


def verdict(title: str, sentences: Sequence[str], *, good: bool) -> str:
    """The box that a page opens with: how it ended, and what that means."""
    lines = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    kind = "verdict good" if good else "verdict"
    return f'<div class="{kind}" role="status"><strong>{escape(title)}</strong>{lines}</div>'


def facts(pairs: Mapping[str, str]) -> str:
    """A few figures, each under its name."""
    items = (f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in pairs.items())
    return f'<dl class="facts">{"".join(items)}</dl>'


def figure(drawing: str, caption: str) -> str:
    """A drawing (the text of an SVG) and what it shows."""
    label = f'role="img" aria-label="{escape(caption)}"'
    drawing = drawing.replace("<svg ", f"<svg {label} ", 1)
    drawing = f'<div class="wide">{drawing}</div>'
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, caption: str = "") -> str:
    """A table that sorts by a click on any column's title, numbers by value.

    A column whose cells hold any text is a column of text. None and NaN are empty cells.
    """
    grid = [list(row) for row in rows]
    textual = [any(isinstance(row[i], str) for row in grid) for i in range(len(columns))]
    head = "".join(
        f'<th scope="col"{_class("text" if text else "")}><button type="button">{escape(name)}'
        "</button></th>"
        for name, text in zip(columns, textual, strict=True)
    )
    body = "\n".join("<tr>" + "".join(map(_cell, row, textual)) + "</tr>" for row in grid)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _cell(cell: Cell, textual: bool) -> str:
    kind = "text" if textual else ""
    if isinstance(cell, Number):
        kind = f"{kind} flag".strip() if cell.flag else kind
        return f"<td{_class(kind)}{_sorted_by(cell.value)}>{escape(cell.text)}</td>"
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return f'<td{_class(kind)} data-value=""></td>'
    if isinstance(cell, str):
        return f"<td{_class(kind)}>{escape(cell)}</td>"
    return f"<td{_class(kind)}{_sorted_by(cell)}>{cell:.4g}</td>"


def _sorted_by(value: float) -> str:
    """The value in the form that JavaScript's Number reads."""
    if math.isinf(value):
        return f' data-value="{"-" if value < 0 else ""}Infinity"'
    return f' data-value="{"" if math.isnan(value) else repr(float(value))}"'


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""

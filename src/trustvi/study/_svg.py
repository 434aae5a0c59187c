"""Pictures as SVG text: logarithmic axes, lines and marks whose colours the page's style sets.

Colours are CSS classes (`m0`, `m1`, ...), so that one picture serves light and dark pages; each
method also has a dash pattern and a mark of its own, for eyes and printers that tell no colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

DASHES = ("", "7 3", "2 2.5", "9 3 2 3", "1 4", "12 4")
WIDTH, HEIGHT = 420, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 14, 44
# Pixels under which a move of a line is left out.
VISIBLE = 0.6


class Axis(NamedTuple):
    """A scale from numbers to pixels; decades where it is logarithmic."""

    low: float
    high: float
    start: float
    end: float
    log: bool = True

    def at(self, value: float) -> float:
        """The pixel of a value, held within the axis."""
        value = min(max(value, self.low), self.high)
        part = (
            math.log(value / self.low) / math.log(self.high / self.low)
            if self.log
            else (value - self.low) / (self.high - self.low)
        )
        return self.start + part * (self.end - self.start)

    def ticks(self) -> list[float]:
        if not self.log:
            return [self.low + i * (self.high - self.low) / 4 for i in range(5)]
        first = math.ceil(math.log10(self.low) - 1e-9)
        last = math.floor(math.log10(self.high) + 1e-9)
        every = max(1, math.ceil((last - first + 1) / 7))
        return [10.0**k for k in range(first, last + 1) if (k - first) % every == 0]


def decades(values: Iterable[float], least: float, most: float) -> tuple[float, float]:
    """Whole decades around the values, within limits."""
    finite = [min(max(v, least), most) for v in values if math.isfinite(v)] or [least]
    low = 10.0 ** math.floor(math.log10(min(finite)) + 1e-9)
    high = 10.0 ** math.ceil(math.log10(max(finite)) - 1e-9)
    return low, high if high > low else 10 * low


def label(value: float) -> str:
    """A tick's number: 0.01, 10, 1k, 1M."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def frame(x: Axis, y: Axis, x_title: str, y_title: str, *, percent: bool = False) -> str:
    """Grid, tick labels and titles."""
    parts = []
    for tick in x.ticks():
        at = f"{x.at(tick):.1f}"
        parts.append(f'<path class="grid" d="M{at} {y.end:.1f}V{y.start:.1f}"/>')
        parts.append(f'<text class="tick" x="{at}" y="{y.start + 16:.1f}" text-anchor="middle">'
                     f"{label(tick)}</text>")  # fmt: skip
    for tick in y.ticks():
        at, name = y.at(tick), f"{tick:.0%}" if percent else label(tick)
        parts.append(f'<path class="grid" d="M{x.start:.1f} {at:.1f}H{x.end:.1f}"/>')
        parts.append(f'<text class="tick" x="{x.start - 6:.1f}" y="{at + 4:.1f}" '
                     f'text-anchor="end">{name}</text>')  # fmt: skip
    middle = 0.5 * (y.start + y.end)
    parts.append(f'<text class="axis" x="{0.5 * (x.start + x.end):.1f}" y="{y.start + 35:.1f}" '
                 f'text-anchor="middle">{escape(x_title)}</text>')  # fmt: skip
    parts.append(f'<text class="axis" transform="rotate(-90 13 {middle:.1f})" x="13" '
                 f'y="{middle:.1f}" text-anchor="middle">{escape(y_title)}</text>')  # fmt: skip
    return "".join(parts)


def line(points: Sequence[tuple[float, float]], method: int, *, steps: bool = False) -> str:
    """A polyline in pixels; moves too small to be seen are left out."""
    if not points:
        return ""
    kept = [points[0]]
    for point in points[1:-1]:
        if max(abs(point[0] - kept[-1][0]), abs(point[1] - kept[-1][1])) >= VISIBLE:
            kept.append(point)
    kept += points[-1:] if len(points) > 1 else []
    d = f"M{kept[0][0]:.1f} {kept[0][1]:.1f}"
    for px, py in kept[1:]:
        d += f"H{px:.1f}V{py:.1f}" if steps else f"L{px:.1f} {py:.1f}"
    dash = f' stroke-dasharray="{DASHES[method % 6]}"' if DASHES[method % 6] else ""
    return f'<path class="line m{method % 6}"{dash} d="{d}"/>'


def mark(x: float, y: float, method: int, size: float = 3.6) -> str:
    """The method's mark: circle, square, triangle, diamond, upturned triangle, plus."""
    r = size
    shapes = (
        f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z",
        f"M{x - r:.1f} {y - r:.1f}h{2 * r}v{2 * r}h{-2 * r}z",
        f"M{x:.1f} {y - 1.2 * r:.1f}l{1.2 * r:.1f} {2.1 * r:.1f}h{-2.4 * r:.1f}z",
        f"M{x:.1f} {y - 1.3 * r:.1f}l{1.3 * r:.1f} {1.3 * r:.1f}l{-1.3 * r:.1f} {1.3 * r:.1f}"
        f"l{-1.3 * r:.1f} {-1.3 * r:.1f}z",
        f"M{x:.1f} {y + 1.2 * r:.1f}l{1.2 * r:.1f} {-2.1 * r:.1f}h{-2.4 * r:.1f}z",
        f"M{x - r:.1f} {y - 1:.1f}h{r - 1:.1f}v{1 - r:.1f}h2v{r - 1:.1f}h{r - 1:.1f}v2"
        f"h{1 - r:.1f}v{r - 1:.1f}h-2v{1 - r:.1f}h{1 - r:.1f}z",
    )
    return f'<path class="mark m{method % 6}" d="{shapes[method % 6]}"/>'


def picture(body: str, title: str, *, width: float = WIDTH, height: float = HEIGHT) -> str:
    """The whole picture, with a title for those who can't see it."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}">'
        f"{body}</svg>"
    )


def legend_key(method: int) -> str:
    """A sample of a method's line and mark."""
    body = line([(2, 8), (38, 8)], method) + mark(20, 8, method)
    return f'<svg class="key" viewBox="0 0 40 16" aria-hidden="true">{body}</svg>'

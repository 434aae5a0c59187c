"""The study's pictures: paths of all runs by model, performance profile, ratios of costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from trustvi.study._analysis import FACTORS, Profile, Runtime
from trustvi.study._store import Run
from trustvi.study._svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Axis,
    decades,
    frame,
    line,
    mark,
    picture,
)

# Nats at which distances are drawn at the most and at the least: beyond, a picture tells nothing.
FARTHEST, NEAREST = 1e7, 1e-2
FEWEST_CALLS = 1e-2
ROW = 22


def paths(runs: Sequence[Run], methods: Sequence[str], best: float, model: str) -> str:
    """Distance to the best known ELBO against oracle calls, both logarithmic; a line for each run,
    a mark at its end."""
    calls = [c for run in runs for c in run.result.path.calls]
    away = [best - v for run in runs for v in run.result.path.elbo]
    x = Axis(*decades(calls, FEWEST_CALLS, 1e9), LEFT, WIDTH - RIGHT)
    low, high = decades(away, NEAREST, FARTHEST)
    y = Axis(min(low, 0.1), high, HEIGHT - BOTTOM, TOP)
    body = frame(x, y, "oracle calls", "nats below the best")
    for run in sorted(runs, key=lambda run: -methods.index(run.method)):
        number = methods.index(run.method)
        path = run.result.path
        piece: list[tuple[float, float]] = []
        for cost, elbo in zip(path.calls, path.elbo, strict=True):
            if not math.isfinite(elbo):
                body += line(piece, number)
                piece = []
            else:
                piece.append((x.at(cost), y.at(best - elbo)))
        body += line(piece, number)
        body += mark(*piece[-1], number, 3.0) if piece else ""
    return picture(body, f"Optimization paths of {model}")


def profile(found: Sequence[Profile]) -> str:
    """Share of models solved against the ratio of the cost to the cheapest method's."""
    ratios = [r for p in found for r in p.ratios if math.isfinite(r)]
    width, height = 640, 300
    x = Axis(1.0, max(decades(ratios, 1.0, 1e9)[1], 10.0), LEFT, width - RIGHT)
    y = Axis(0.0, 1.0, height - BOTTOM, TOP, log=False)
    body = frame(x, y, "cost, in multiples of the cheapest method's", "models solved", percent=True)
    for number, p in reversed(list(enumerate(found))):
        steps = sorted({1.0, *(r for r in p.ratios if math.isfinite(r)), x.high})
        points = [(x.at(r), y.at(p.share(r))) for r in steps]
        body += line(points, number, steps=True) + mark(*points[0], number)
    return picture(body, "Performance profile", width=width, height=height)


def cost_ratios(found: Runtime, number: int) -> str:
    """How many times as many oracle calls as the first method, model by model, sorted."""
    of_calls = sorted(
        zip(found.ratios(lambda cost: cost.calls), found.models, strict=True), reverse=True
    )
    left, width = 170, 640
    height = TOP + ROW * len(of_calls) + BOTTOM
    finite = [r for r, _ in of_calls if math.isfinite(r)] + [1.0]
    low, high = decades([*finite, *FACTORS], 1e-6, 1e9)
    x = Axis(min(low, 0.1), high, left, width - 34)
    y_end = height - BOTTOM
    body = "".join(
        f'<path class="grid" d="M{x.at(t):.1f} {TOP}V{y_end}"/><text class="tick" '
        f'x="{x.at(t):.1f}" y="{y_end + 16}" text-anchor="middle">{_times(t)}</text>'
        for t in x.ticks()
    )
    body += f'<path class="one" d="M{x.at(1.0):.1f} {TOP}V{y_end}"/>'
    for row, (ratio, model) in enumerate(of_calls):
        at = TOP + ROW * (row + 0.5)
        name = model if len(model) <= 22 else f"{model[:21]}…"
        body += f'<text class="tick" x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">'
        body += f"{escape(name)}</text>"
        end = x.at(ratio) if math.isfinite(ratio) else x.end
        body += f'<path class="stem m{number % 6}" d="M{x.at(1.0):.1f} {at:.1f}H{end:.1f}"/>'
        body += mark(end, at, number)
        shown = _times(float(f"{ratio:.2g}")) if math.isfinite(ratio) else "never"
        beside = "start" if ratio >= 1 else "end"
        body += f'<text class="value" x="{end + (7 if ratio >= 1 else -7):.1f}" y="{at + 4:.1f}" '
        body += f'text-anchor="{beside}">{shown}</text>'
    body += f'<text class="axis" x="{0.5 * (x.start + x.end):.1f}" y="{y_end + 35}" '
    body += f'text-anchor="middle">oracle calls of {escape(found.b)} for one of '
    body += f"{escape(found.a)}</text>"
    return picture(body, f"Costs of {found.b} against {found.a}", width=width, height=height)


def _times(value: float) -> str:
    return f"{value:g}×" if value < 1e4 else f"{value / 1000:g}k×"

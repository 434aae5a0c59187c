"""Pictures of a fit: its path, its marginals, its pairs, and how it compares with another.

Each function returns a Matplotlib figure (`figure.savefig("path.png")`). Matplotlib is an extra:
pip install 'trustvi[plots]'.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from trustvi._errors import InputError
from trustvi._export import columns, parameters_only, stem
from trustvi._page import COLOURS, DASHES, INK, drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # pyright: ignore[reportMissingImports]
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]

    from trustvi._posterior import Posterior

DRAWS = 4000
MOST_MARGINALS, MOST_PAIRS, MOST_ROWS = 24, 6, 40
# Points on a path above which its marks would hide each other.
MARKED = 80
BINS = 40
# Of a histogram's range tails are left out that would squeeze the rest, this much of the mass each.
TAIL = 0.002
MARKERS = "osD^v"
Draws = Mapping[str, np.ndarray]


def plot_path(post: Posterior) -> Figure:
    """ELBO with its error, radius and sample sizes against oracle calls; rejected steps marked."""
    if not post.path:
        raise InputError("the posterior has no path to plot")
    calls, elbo, error, radius, gradient, judge = (
        np.array([getattr(info, name) for info in post.path], float)
        for name in ("oracle_calls", "elbo", "elbo_se", "radius", "gradient_draws", "judge_draws")
    )
    accepted = np.array([info.accepted for info in post.path])
    with drawing() as figure_class:
        figure = figure_class(figsize=(7, 6.5), layout="constrained")
        top, middle, low = figure.subplots(3, 1, sharex=True, height_ratios=[3, 1.2, 1.2])
        _path_of_elbo(top, post, calls, elbo, error, accepted, ~accepted & (judge > 0))
        _line(middle, calls, radius, 0, None)
        middle.set(ylabel="radius")
        _line(low, calls, gradient, 0, "gradient")
        _line(low, calls, judge, 1, "judging")
        low.set(ylabel="draws", xlabel="oracle calls")
        low.legend(loc="lower right", bbox_to_anchor=(1.0, 0.96), ncols=2)
        for axes in (middle, low):
            axes.set_yscale("log", base=2)
            _plain_ticks(axes.yaxis)
    return figure


def plot_marginals(
    post: Posterior, variables: str | Sequence[str] | None = None, *, seed: int = 0
) -> Figure:
    """Histograms of draws, with means and 90% intervals.

    Where k-hat is good, the outline of importance-resampled draws shows what the family misses.
    """
    names, values = _chosen(post, post.draws(DRAWS, seed=seed), variables, MOST_MARGINALS)
    better = None
    if post.khat.good:
        kept, resampled = columns(post.psis_draws(DRAWS, seed=seed), "C")
        better = resampled[:, [kept.index(name) for name in names]]
    wide = min(4, len(names))
    tall = math.ceil(len(names) / wide)
    with drawing() as figure_class:
        size = (2.4 * wide + 0.4, 1.9 * tall + (0.5 if wide > 2 else 0.9))
        figure = figure_class(figsize=size, layout="constrained")
        grid = figure.subplots(tall, wide, squeeze=False).flat
        for axes in grid[len(names) :]:
            axes.set_axis_off()
        for i, (axes, name) in enumerate(zip(grid, names, strict=False)):
            _marginal(axes, name, values[:, i], None if better is None else better[:, i])
        handles, labels = grid[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower left", ncols=min(3, wide))
    return figure


def plot_pairs(
    post: Posterior, variables: str | Sequence[str] | None = None, *, seed: int = 0
) -> Figure:
    """Densities of draws of every pair, darker where there are more, marginals on the diagonal."""
    names, values = _chosen(post, post.draws(DRAWS, seed=seed), variables, MOST_PAIRS)
    size = len(names)
    with drawing() as figure_class:
        figure = figure_class(figsize=(1.7 * size + 0.6,) * 2, layout="constrained")
        grid = figure.subplots(size, size, squeeze=False, sharex="col")
        for row in range(size):
            for column in range(size):
                _pair(grid[row, column], names, values, row, column)
        figure.align_labels()
    return figure


def plot_compare(
    post: Posterior,
    other: Posterior | Draws,
    variables: str | Sequence[str] | None = None,
    *,
    labels: tuple[str, str] | None = None,
    seed: int = 0,
) -> Figure:
    """Means with 50% and 90% intervals of two fits, each quantity in sds of the first.

    `other` may be draws by name, as of MCMC: arrays with the draws on the first axis.
    """
    own = post.draws(DRAWS, seed=seed)
    others = other if isinstance(other, Mapping) else other.draws(DRAWS, seed=seed)
    common = {name: value for name, value in own.items() if name in others}
    if not common:
        raise InputError("other has no quantity of the same name")
    names, first = _chosen(post, common, variables, MOST_ROWS)
    there, second = columns({n: np.asarray(v) for n, v in others.items() if n in common}, "C")
    if missing := [name for name in names if name not in there]:
        raise InputError(f"other has no quantity {missing[0]!r}: its shape differs")
    second = second[:, [there.index(name) for name in names]]
    center, scale = first.mean(axis=0), first.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    labels = labels or _labels(post, other)
    with drawing() as figure_class:
        figure = figure_class(figsize=(6.5, 0.32 * len(names) + 1.4), layout="constrained")
        axes = figure.subplots()
        for number, draws in enumerate((first, second)):
            _intervals(axes, (draws - center) / scale, number, labels[number])
        axes.axvline(0, color=INK, linewidth=0.6, alpha=0.5, zorder=0)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlabel(f"distance from the mean of {labels[0]}, in its standard deviations")
        figure.legend(loc="outside upper left", ncols=2)
    return figure


# ------------------------------------------------------------------------------ parts of pictures


def _path_of_elbo(
    axes: Axes, post: Posterior, calls: np.ndarray, elbo: np.ndarray, error: np.ndarray,
    accepted: np.ndarray, rejected: np.ndarray,
) -> None:  # fmt: skip
    """Distances from the final ELBO, on a scale that is linear within a nat of it."""
    final = post.elbo.value
    final = elbo[np.isfinite(elbo)][-1] if not math.isfinite(final) else final
    gap = elbo - final
    axes.fill_between(calls, gap - 2 * error, gap + 2 * error, color=COLOURS[0], alpha=0.25, lw=0,
                      label="± 2 standard errors")  # fmt: skip
    axes.plot(calls, gap, color=COLOURS[0], label="ELBO on the iteration's draws")
    if calls.size <= MARKED:
        axes.plot(calls[accepted], gap[accepted], "o", color=COLOURS[0], ms=5, label="accepted")
    if rejected.any():
        size = 6 if calls.size <= MARKED else 3
        axes.plot(calls[rejected], gap[rejected], "x", color=COLOURS[1], ms=size, label="rejected")
    axes.errorbar(calls[-1], 0, 2 * post.elbo.mcse, fmt="D", ms=5, color=COLOURS[2], capsize=3,
                  label="final, on fresh draws")  # fmt: skip
    axes.axhline(0, color=INK, linewidth=0.6, alpha=0.5, zorder=0)
    axes.set_yscale("symlog", linthresh=1.0)
    _plain_ticks(axes.yaxis)
    axes.set(ylabel="ELBO − final ELBO (nats)")
    axes.set_title(f"{post.run['model']}: {post.verdict.value}, ELBO {post.elbo}", loc="left")
    axes.legend(loc="lower right")


def _line(axes: Axes, x: np.ndarray, y: np.ndarray, number: int, label: str | None) -> None:
    kept = np.isfinite(y) & (y > 0)
    marker = MARKERS[number] if x.size <= MARKED else None
    axes.step(x[kept], y[kept], where="post", color=COLOURS[number], linestyle=DASHES[number],
              marker=marker, ms=3.5, label=label)  # fmt: skip


def _marginal(axes: Axes, name: str, draws: np.ndarray, better: np.ndarray | None) -> None:
    edges = _edges(draws if better is None else np.concatenate([draws, better]))
    axes.hist(draws, edges, density=True, color=COLOURS[0], alpha=0.45, label="approximation")
    if better is not None:
        axes.hist(better, edges, density=True, histtype="step", color=COLOURS[1], lw=1.3,
                  label="importance-resampled")  # fmt: skip
    low, high = np.quantile(draws, [0.05, 0.95])
    height = -0.05 * axes.get_ylim()[1]
    axes.plot([low, high], [height, height], color=COLOURS[0], lw=2.5, label="mean, 90% interval")
    axes.plot(draws.mean(), height, "o", color=COLOURS[0], ms=5)
    axes.set_title(name)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(_few_ticks())


def _pair(axes: Axes, names: list[str], values: np.ndarray, row: int, column: int) -> None:
    if column > row:
        axes.set_axis_off()
        return
    x, y = values[:, column], values[:, row]
    (left, *_, right), (low, *_, high) = _edges(x), _edges(y)
    if row == column:
        axes.hist(x, _edges(x), color=COLOURS[0], alpha=0.6)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
    else:
        inside = (x >= left) & (x <= right) & (y >= low) & (y <= high)
        axes.hexbin(x[inside], y[inside], gridsize=22, mincnt=1, cmap=_shades(), lw=0,
                    rasterized=True)  # fmt: skip
        axes.set_ylim(low, high)
        axes.yaxis.set_major_locator(_few_ticks())
        if column:
            axes.tick_params(labelleft=False)
    axes.set_xlim(left, right)
    axes.xaxis.set_major_locator(_few_ticks())
    if row == len(names) - 1:
        axes.set_xlabel(names[column])
    if column == 0 and row:
        axes.set_ylabel(names[row])
    if row == column:
        axes.set_title(names[row], fontsize="small")


def _intervals(axes: Axes, draws: np.ndarray, number: int, label: str) -> None:
    at = np.arange(draws.shape[1]) + (number - 0.5) * 0.34
    low, lower, upper, high = np.quantile(draws, [0.05, 0.25, 0.75, 0.95], axis=0)
    colour = COLOURS[number]
    axes.hlines(at, low, high, color=colour, lw=1.2)
    axes.hlines(at, lower, upper, color=colour, lw=3.5)
    axes.plot(draws.mean(axis=0), at, MARKERS[number], ms=5, color=colour, mec="white", mew=0.6,
              label=label)  # fmt: skip


def _edges(draws: np.ndarray) -> list[float]:
    """Bins over nearly all of the draws; whole numbers have a bin each if there are few."""
    low, high = np.quantile(draws, [TAIL, 1 - TAIL])
    if np.all(draws == np.round(draws)) and high - low < BINS:
        return np.arange(low - 0.5, high + 1).tolist()
    spread = (high - low) or abs(high) or 1.0
    return np.linspace(low - 0.02 * spread, high + 0.02 * spread, BINS + 1).tolist()


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator  # pyright: ignore[reportMissingImports]

    return MaxNLocator(4)


def _plain_ticks(axis: Any) -> None:
    """Numbers instead of powers, and none between them."""
    from matplotlib.ticker import NullLocator  # pyright: ignore[reportMissingImports]

    axis.set_major_formatter(lambda value, position: f"{value:g}")
    axis.set_minor_locator(NullLocator())


def _shades() -> Any:
    """From a tint to the full colour by opacity, so that it suits light and dark grounds."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb  # pyright: ignore

    blue = to_rgb(COLOURS[0])
    return LinearSegmentedColormap.from_list("shades", [(*blue, 0.12), (*blue, 1.0)])


# ------------------------------------------------------------------------------ what is shown


def _chosen(
    post: Posterior, draws: Draws, variables: str | Sequence[str] | None, most: int
) -> tuple[list[str], np.ndarray]:
    """Columns of the variables or elements asked for; else of parameters, small ones first."""
    if variables is None:
        return _smallest_first(post, draws, most)
    names, values = columns(draws, "C")
    wanted = [variables] if isinstance(variables, str) else list(variables)
    picked: list[int] = []
    for want in wanted:
        found = [i for i, name in enumerate(names) if want in (name, stem(name))]
        if not found:
            raise InputError(f"there is no quantity {want!r}; there is {', '.join(draws)}")
        picked += found
    if len(picked) > most:
        raise InputError(
            f"variables are {len(picked)} numbers, and a picture has room for {most}; name "
            f"elements, as in {names[picked[0]]!r}"
        )
    return [names[i] for i in picked], values[:, picked]


def _smallest_first(post: Posterior, draws: Draws, most: int) -> tuple[list[str], np.ndarray]:
    """Columns of parameters, scalars before arrays."""
    own = parameters_only(post.known_model(), draws)
    names, values = columns(dict(sorted(own.items(), key=lambda item: item[1][0].size)), "C")
    return names[:most], values[:, :most]


def first_elements(post: Posterior, count: int) -> list[str]:
    """The names of the first parameters, scalars before arrays."""
    return _smallest_first(post, post.at_mean(), count)[0]


def _labels(post: Posterior, other: Posterior | Draws) -> tuple[str, str]:
    """What tells two fits apart: the first setting of these that differs."""
    if isinstance(other, Mapping):
        return post.run["family"], "other draws"
    for name in ("family", "method", "preset", "model", "seed"):
        if post.run[name] != other.run[name]:
            mark = "seed " if name == "seed" else ""
            return f"{mark}{post.run[name]}", f"{mark}{other.run[name]}"
    return "first", "second"

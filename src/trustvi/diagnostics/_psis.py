"""Pareto-smoothed importance sampling: weights of draws, and whether they can be trusted.

Vehtari, Simpson, Gelman, Yao and Gabry (2024), "Pareto smoothed importance sampling", JMLR 25(72).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from trustvi.diagnostics._pareto import fit_pareto

# Section 3.2.4: above this shape the pre-asymptotic error decays too slowly at any sample size.
GREATEST_THRESHOLD = 0.7
# Appendix G: a tail is a fifth of the draws, and no more than three times their square root.
TAIL_SHARE, TAIL_ROOTS = 0.2, 3.0
# Fewer draws in a tail than this say nothing of its shape (section 2.4).
LEAST_TAIL = 5
# Log ratios that differ by less are the same number but for rounding.
SAME = 1e-9
ROWS_AT_ONCE = 4096


class KHat(NamedTuple):
    """The shape of the importance ratios' tail, p over q, estimated from `draws` draws from q."""

    value: float
    draws: int

    @property
    def threshold(self) -> float:
        """min(1 - 1 / log10(S), 0.7): the greatest shape at which S draws are enough."""
        return khat_threshold(self.draws)

    @property
    def good(self) -> bool:
        return self.value < self.threshold

    @property
    def sentence(self) -> str:
        """What the number allows."""
        if math.isnan(self.value):
            return "k-hat was not computed."
        if self.good:
            return (
                f"Pareto k-hat {self} is below {self.threshold:.2f}: importance sampling "
                "(psis_draws) can correct what the approximation misses."
            )
        return (
            f"Pareto k-hat {self} is not below {self.threshold:.2f}: the approximation is too far "
            "from the posterior for importance sampling to correct; its draws serve as inits."
        )

    def __str__(self) -> str:
        return f"{self.value:.2f}"


class Smoothed(NamedTuple):
    """Normalised log weights of draws, their tail smoothed, and the tail's shape."""

    log_weights: Float[np.ndarray, " draws"]
    khat: float


def khat_threshold(draws: int) -> float:
    """min(1 - 1 / log10(S), 0.7) (Vehtari et al. 2024, section 3.2.4)."""
    return min(1 - 1 / math.log10(draws), GREATEST_THRESHOLD) if draws > 1 else -math.inf


def tail_length(draws: int) -> int:
    """How many of the largest ratios make the tail."""
    return math.ceil(min(TAIL_SHARE * draws, TAIL_ROOTS * math.sqrt(draws)))


def smooth(log_ratios: Float[np.ndarray, " draws"]) -> Smoothed:
    """Replace the largest ratios by expected order statistics of the Pareto tail fitted to them.

    Ratios of -inf are draws of no weight; NaN counts as such. A ratio of +inf has infinite k-hat.
    """
    log_ratios = np.where(np.isnan(log_ratios), -np.inf, log_ratios)
    top = log_ratios.max(initial=-np.inf)
    if not math.isfinite(top):
        return Smoothed(np.full(log_ratios.size, -math.log(log_ratios.size)), math.inf)
    log_weights = log_ratios - top
    count = tail_length(log_weights.size)
    order = np.argsort(log_weights, kind="stable")
    tail, cutoff = order[-count:], log_weights[order[-count - 1]] if count < order.size else -np.inf
    if count < LEAST_TAIL or not math.isfinite(cutoff):
        return Smoothed(_normalised(log_weights), math.inf)
    if -cutoff < SAME:
        return Smoothed(_normalised(log_weights), 0.0)
    excess = np.exp(log_weights[tail]) - math.exp(cutoff)
    fitted = fit_pareto(_spread(excess[None, :]))
    middles = (np.arange(count) + 0.5) / count
    smoothed = fitted.quantile(middles)[0] + math.exp(cutoff)
    log_weights[tail] = np.minimum(np.log(smoothed), 0.0)
    return Smoothed(_normalised(log_weights), float(fitted.shape[0]))


def resample(
    log_weights: Float[np.ndarray, " draws"], n: int, rng: np.random.Generator
) -> Int[np.ndarray, " n"]:
    """`n` draws' positions, each as often as its weight says up to one, in random order.

    Systematic resampling (Kitagawa 1996): one uniform number serves all, for the least noise.
    """
    ends = np.cumsum(np.exp(log_weights))
    points = (np.arange(n) + rng.uniform()) / n * ends[-1]
    positions = np.minimum(np.searchsorted(ends, points, side="right"), log_weights.size - 1)
    return rng.permutation(positions)


def khat_each(
    quantities: Float[np.ndarray, "draws rows"], log_ratios: Float[np.ndarray, " draws"]
) -> Float[np.ndarray, " rows"]:
    """For each quantity h the greatest of the shapes of r and of both tails of (h - mean) r.

    That is what decides whether importance sampling estimates the mean of h (Vehtari et al. 2024,
    section 2.4). A quantity of few distinct values has the shape of r alone.
    """
    overall = smooth(log_ratios).khat
    if not math.isfinite(overall):
        return np.full(quantities.shape[1], overall)
    ratios = np.exp(log_ratios - np.nanmax(log_ratios))
    ratios = np.where(np.isnan(ratios), 0.0, ratios)
    shapes = []
    for start in range(0, quantities.shape[1], ROWS_AT_ONCE):
        part = quantities[:, start : start + ROWS_AT_ONCE].T
        weighted = (part - part.mean(axis=1, keepdims=True)) * ratios
        shapes.append(np.fmax(_right_tail(weighted), _right_tail(-weighted)))
    return np.fmax(np.concatenate(shapes), overall) if shapes else np.zeros(0)


def _right_tail(values: Float[np.ndarray, "rows draws"]) -> Float[np.ndarray, " rows"]:
    """Shapes of the right tails; NaN where so many values are equal that there is none."""
    count = tail_length(values.shape[1])
    tail = np.sort(np.partition(values, -count - 1, axis=1)[:, -count - 1 :], axis=1)
    excess = tail[:, 1:] - tail[:, :1]
    shapes = np.full(len(values), np.nan)
    quartile = excess[:, max(0, int(count / 4 + 0.5) - 1)]
    usable = np.isfinite(excess).all(axis=1) & (quartile > SAME * np.abs(tail).max(axis=1))
    if usable.any():
        shapes[usable] = fit_pareto(_spread(excess[usable])).shape
    return shapes


def _spread(excess: Float[np.ndarray, "rows n"]) -> Float[np.ndarray, "rows n"]:
    """Excesses that are zero but for rounding moved off it, where the fit divides by them."""
    return np.maximum(excess, excess[:, -1:] * np.finfo(float).eps)


def _normalised(log_weights: Float[np.ndarray, " draws"]) -> Float[np.ndarray, " draws"]:
    return log_weights - np.log(np.sum(np.exp(log_weights)))

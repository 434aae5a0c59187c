"""Limited-memory quasi-Newton ascent for functions whose evaluations may overflow.

Nocedal and Wright 2006, algorithm 7.4 and section 3.1; weak Wolfe conditions by bisection (Lewis
and Overton 2013, "Nonsmooth optimization via quasi-Newton methods"), which need no derivative
beyond the line's end points and survive infinite values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

Vector = Float[np.ndarray, " n"]
Pairs = tuple[tuple[Vector, Vector], ...]

ARMIJO, WOLFE = 1e-4, 0.9  # Nocedal and Wright 2006, section 3.1
LINE_EVALUATIONS = 15


class Point(NamedTuple):
    """A point with its value and gradient."""

    x: Vector
    value: float
    gradient: Vector

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.value) and np.all(np.isfinite(self.gradient)))


class Ascent(NamedTuple):
    """Where an ascent came to, what it passed, and whether it ended by the gradient's word."""

    path: tuple[Point, ...]
    pairs: Pairs
    evaluations: int
    converged: bool

    @property
    def end(self) -> Point:
        return self.path[-1]


def two_loop(g: Vector, pairs: Pairs, base: Callable[[Vector], Vector]) -> Vector:
    """The quasi-Newton direction from pairs (s, y = minus the change in gradient)."""
    weights = []
    p = g
    for s, y in reversed(pairs):
        weight = (s @ p) / (s @ y)
        weights.append(weight)
        p = p - weight * y
    p = base(p)
    for (s, y), weight in zip(pairs, reversed(weights), strict=True):
        p = p + (weight - (y @ p) / (s @ y)) * s
    return p


def ascend(
    f: Callable[[Vector], tuple[float, Vector]],
    start: Point,
    *,
    evaluations: int,
    gain: float,
    memory: int = 10,
) -> Ascent:
    """Maximise `f` until a step promises and the last one brought less than `gain`.

    A small promise alone doesn't end it: where curvature changes by orders of magnitude, the
    memory is wrong about it, so it is first cleared.
    """
    path: list[Point] = [start]
    pairs: Pairs = ()
    spent, last = 0, np.inf
    while spent < evaluations:
        at = path[-1]
        p = two_loop(at.gradient, pairs, lambda v: v * _first_scale(at.gradient, pairs))  # noqa: B023
        promise = float(at.gradient @ p)
        if promise <= 0 or (promise < gain <= last and pairs):
            if not pairs:
                return Ascent(tuple(path), pairs, spent, True)
            pairs = ()
            continue
        if promise < gain:
            return Ascent(tuple(path), pairs, spent, True)
        found, used = _line(f, at, p, promise, evaluations - spent)
        spent += used
        if found is None:
            if not pairs:
                break
            pairs = ()
            continue
        pairs = remember(pairs, found.x - at.x, at.gradient - found.gradient, memory)
        last = found.value - at.value
        path.append(found)
    return Ascent(tuple(path), pairs, spent, False)


def _first_scale(g: Vector, pairs: Pairs) -> float:
    if pairs:
        s, y = pairs[-1]
        return float((s @ y) / (y @ y))
    size = float(np.max(np.abs(g)))
    if size == 0.0:
        return 1.0
    return float(min(1.0, 1.0 / size / np.linalg.norm(g / size)))


def remember(pairs: Pairs, s: Vector, y: Vector, memory: int) -> Pairs:
    """The pairs with one more, unless its curvature is negative or lost in rounding."""
    with np.errstate(over="ignore"):
        useful = s @ y > 1e-10 * np.linalg.norm(s) * np.linalg.norm(y)
    return (*pairs, (s, y))[-memory:] if useful else pairs


def _line(
    f: Callable[[Vector], tuple[float, Vector]], at: Point, p: Vector, promise: float, budget: int
) -> tuple[Point | None, int]:
    """A point along `p` that satisfies the weak Wolfe conditions, or the best increase seen."""
    low, high, t, best = 0.0, np.inf, 1.0, None
    limit = min(LINE_EVALUATIONS, budget)
    for used in range(1, limit + 1):
        x = at.x + t * p
        trial = Point(x, *f(x))
        if not trial.finite or trial.value < at.value + ARMIJO * t * promise:
            high = t
            t = 0.5 * (low + high) if trial.finite else low + 0.1 * (high - low)
            continue
        best = trial
        if trial.gradient @ p <= WOLFE * promise:
            return best, used
        low = t
        t = 2 * t if np.isinf(high) else 0.5 * (low + high)
    return best, limit


def inverse_diagonal(pairs: Pairs, dim: int) -> Vector:
    """The diagonal of the inverse-Hessian approximation that the pairs stand for.

    H = gamma I + W M W', W = [S, gamma Y] (Byrd, Nocedal and Schnabel 1994, theorem 2.2).
    """
    if not pairs:
        return np.ones(dim)
    s, y = (np.stack(vectors, axis=1) for vectors in zip(*pairs, strict=True))
    gamma = float(s[:, -1] @ y[:, -1] / (y[:, -1] @ y[:, -1]))
    r = np.triu(s.T @ y)
    r_inv = np.linalg.inv(r)
    top = r_inv.T @ (np.diag(np.diag(r)) + gamma * y.T @ y) @ r_inv
    m = np.block([[top, -r_inv.T], [-r_inv, np.zeros_like(r)]])
    w = np.concatenate([s, gamma * y], axis=1)
    diagonal = gamma + np.einsum("ij,jk,ik->i", w, m, w)
    return np.maximum(diagonal, 1e-3 * gamma)

"""The trust-region subproblem: maximise g.s + s.H.s / 2 subject to |s| <= radius.

`solve_dense` uses the eigenvalues of H; `solve_krylov` needs products with H alone. Both return
the multiplier alpha of the optimality conditions (Nocedal and Wright 2006, theorem 4.1)

    (alpha I - H) s = g,   alpha I - H positive semidefinite,   alpha (radius - |s|) = 0.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import norm as blas_norm

Vector = Float[np.ndarray, " n"]

# Relative width at which the bisection for the multiplier stops: rounding error of the norm.
MULTIPLIER_RTOL = 1e-14
# A Lanczos residual under this share of |g| is a solution to the accuracy of the sampled model, and
# a Krylov space whose next direction is under this share of H has closed.
KRYLOV_RTOL = 1e-8


class Outcome(enum.Enum):
    """How a subproblem ended."""

    INTERIOR = "the model's maximum lies inside the region"
    BOUNDARY = "the step reaches the region's boundary"
    HARD = "the gradient misses the leading eigenvector, which completes the step to the boundary"
    NONE = "the model isn't finite, so no step was made"
    LIMIT = "the Krylov space ended at its limit before the residual was small"


class Step(NamedTuple):
    """A step, the model's improvement there, the multiplier, and how it was found."""

    s: Vector
    gain: float
    multiplier: float
    outcome: Outcome
    products: int = 0


def no_step(dim: int) -> Step:
    """Where the model says nothing: a step of length 0 that no rule accepts."""
    return Step(np.zeros(dim), -math.inf, 0.0, Outcome.NONE)


def solve_dense(h: Float[np.ndarray, "n n"], g: Vector, radius: float) -> Step:
    """The exact solution by the eigendecomposition of H (Moré and Sorensen 1983)."""
    if not (np.all(np.isfinite(h)) and np.all(np.isfinite(g))):
        return no_step(g.size)
    values, vectors = np.linalg.eigh(h)
    step = solve_diagonal(values, vectors.T @ g, radius)
    return step._replace(s=vectors @ step.s)


def solve_diagonal(values: Vector, g: Vector, radius: float) -> Step:
    """The exact solution where H is diagonal."""
    lowest = max(0.0, float(values.max()))
    if values.max() < 0 and _norm(g / -values) <= radius:
        return _step(values, g, g / -values, 0.0, Outcome.INTERIOR)
    leading = lowest - values <= MULTIPLIER_RTOL * max(1.0, abs(lowest))
    rest = np.where(leading, 0.0, g / np.where(leading, 1.0, lowest - values))
    negligible = _norm(g[leading]) <= MULTIPLIER_RTOL * _norm(g)
    if negligible and _norm(rest) <= radius:
        missing = np.sqrt(max(radius**2 - float(rest @ rest), 0.0))
        s = rest.copy()
        s[np.argmax(leading)] += missing
        return _step(values, g, s, lowest, Outcome.HARD if missing > 0 else Outcome.BOUNDARY)
    distance = lowest - values
    gap = _gap(distance, g, radius)
    return _step(values, g, g / (gap + distance), lowest + gap, Outcome.BOUNDARY)


def _gap(distance: Vector, g: Vector, radius: float) -> float:
    """The root of |g / (gap + distance)| = radius above 0, by bisection.

    The multiplier is the largest eigenvalue plus this gap, which in a nearly hard case is far
    smaller than the rounding of either.
    """
    low, high = 0.0, _norm(g) / radius
    while high - low > MULTIPLIER_RTOL * high:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        outside = _norm(g / (middle + distance)) > radius
        low, high = (middle, high) if outside else (low, middle)
    return high


def _step(values: Vector, g: Vector, s: Vector, alpha: float, outcome: Outcome) -> Step:
    return Step(s, float(g @ s + 0.5 * s @ (values * s)), alpha, outcome)


def solve_krylov(
    product: Callable[[Vector], Vector], g: Vector, radius: float, *, limit: int, seed: int = 0
) -> Step:
    """The solution in the Krylov space of g (Gould, Lucidi, Roma and Toint 1999, GLTR).

    Conjugate gradients and Lanczos iterations span the same space; here the Lanczos basis is kept
    and the subproblem restricted to it is solved exactly each time, which inside the region
    is the conjugate-gradient iterate. Where the space closes before it fills R^n, the basis goes
    on from a random orthogonal direction, so that the hard case is seen.
    """
    norm = _norm(g)
    if not math.isfinite(norm):
        return no_step(g.size)
    rng = np.random.default_rng(seed)
    restarted = norm == 0.0
    first = rng.normal(size=g.size) if restarted else g
    basis, diagonal, off = [first / _norm(first)], [], []
    step = Step(np.zeros(1), 0.0, 0.0, Outcome.LIMIT)
    for k in range(min(limit, g.size)):
        w = product(basis[-1])
        if not np.all(np.isfinite(w)):
            return no_step(g.size)._replace(products=k + 1)
        diagonal.append(float(basis[-1] @ w))
        w, size = _orthogonalise(w, basis)
        step = _restricted(diagonal, off, norm, radius)
        scale = max(map(abs, [*diagonal, *off]), default=0.0)
        closed = size <= KRYLOV_RTOL * max(scale, np.finfo(float).tiny)
        if not closed and not restarted and size * abs(step.s[-1]) <= KRYLOV_RTOL * norm:
            return _lift(step, basis, k + 1)
        if k + 1 == g.size:
            return _lift(step, basis, k + 1)
        if closed:
            restarted = True
            w, size = _orthogonalise(rng.normal(size=g.size), basis)
            off.append(0.0)
        else:
            off.append(size)
        basis.append(w / size)
    lifted = _lift(step, basis[: len(diagonal)], len(diagonal))
    return lifted if restarted else lifted._replace(outcome=Outcome.LIMIT)


def _orthogonalise(w: Vector, basis: list[Vector]) -> tuple[Vector, float]:
    """w less its part in the span of the basis; twice, which is enough (Parlett 1998)."""
    for _ in range(2):
        for v in basis:
            w = w - (v @ w) * v
    return w, _norm(w)


def _restricted(diagonal: list[float], off: list[float], norm: float, radius: float) -> Step:
    """The subproblem on the Lanczos basis: H is tridiagonal and g is norm times e_1."""
    t = np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1)
    g = np.zeros(len(diagonal))
    g[0] = norm
    return solve_dense(t, g, radius)


def _norm(x: Vector) -> float:
    """|x| without squaring what overflows."""
    return float(blas_norm(x, check_finite=False))


def _lift(step: Step, basis: list[Vector], products: int) -> Step:
    s = np.sum([c * v for c, v in zip(step.s, basis, strict=True)], axis=0)
    return step._replace(s=s, products=products)

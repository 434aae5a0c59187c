"""Linear response: how the optimum answers to a tilt of the density, by conjugate gradients.

Giordano, Broderick and Jordan (2018), "Covariances, robustness, and variational Bayes": with H the
Hessian of the ELBO at its maximum, b' (-H)^-1 c is the derivative of E_q[c'z] under a tilt of the
log density by t b'z, which for the posterior itself is their covariance.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

Block = Float[np.ndarray, "size k"]


class Solved(enum.Enum):
    """How a linear system ended."""

    SOLVED = "solved"
    LIMIT = "out of products"
    INDEFINITE = "the Hessian of the ELBO is not negative definite"
    NOT_FINITE = "a product with the Hessian of the ELBO is not finite"


class Response(NamedTuple):
    """X with -H X close to B, column by column, and what it took."""

    x: Block
    outcome: Solved
    residual: float
    """The greatest |b + H x| / |b| of a column."""
    products: int


def respond(
    product: Callable[[Block], Block], b: Block, *, invert: Callable[[Block], Block],
    rtol: float, limit: int,
) -> Response:  # fmt: skip
    """-H X = B by preconditioned conjugate gradients (Hestenes and Stiefel 1952), all columns side
    by side; `invert` is the preconditioner, close to -H^-1.

    A direction along which H bends upwards ends it: the system has no meaning then.
    """
    x, r = np.zeros_like(b), b.copy()
    y = invert(r)
    p, ry = y, np.sum(r * y, axis=0)
    norms = np.linalg.norm(b, axis=0)
    spent, outcome = 0, Solved.LIMIT
    for _ in range(limit):
        open_: Bool[np.ndarray, " k"] = np.linalg.norm(r, axis=0) > rtol * norms
        if not open_.any():
            outcome = Solved.SOLVED
            break
        ap = np.zeros_like(p)
        ap[:, open_] = -product(p[:, open_])
        spent += int(open_.sum())
        bend = np.sum(p * ap, axis=0)
        if not np.all(np.isfinite(bend)):
            return Response(x, Solved.NOT_FINITE, np.inf, spent)
        if np.any(bend[open_] <= 0):
            return Response(x, Solved.INDEFINITE, np.inf, spent)
        step = np.where(open_, ry / np.where(open_, bend, 1.0), 0.0)
        x, r = x + step * p, r - step * ap
        y = invert(r)
        ry, before = np.sum(r * y, axis=0), ry
        p = np.where(open_, y + ry / np.where(before > 0, before, 1.0) * p, p)
    residual = np.linalg.norm(r, axis=0) / np.where(norms > 0, norms, 1.0)
    worst = float(residual.max(initial=0.0))
    return Response(x, Solved.SOLVED if worst <= rtol else outcome, worst, spent)

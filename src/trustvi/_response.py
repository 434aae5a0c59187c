"""Linear-response covariances of a posterior's quantities, with their error and their verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from jaxtyping import Float

from trustvi._errors import InputError
from trustvi._export import columns
from trustvi.diagnostics import Response, Solved, respond
from trustvi.families import Family
from trustvi.models import Model
from trustvi.objective import RESPONSE_CHUNK as CHUNK
from trustvi.objective import Ledger, ResponseProducts, compile_all, make_key

if TYPE_CHECKING:
    from trustvi._posterior import Posterior

# Draws of the Hessian: at first, and at the most where their error is still too large.
FIRST_DRAWS, MOST_DRAWS = 256, 4096
# Standard errors of a standard deviation, relative to it: enough to stop, too large to be silent.
ENOUGH, TOLERATED = 0.01, 0.05
# The variance's error is of the order of the residual's square.
RTOL, MOST_STEPS = 1e-5, 500
# Up to this dimension the location's part of the Hessian is formed as a preconditioner, where
# at least one in so many of its columns is asked for.
FORMED_DIM, FORMED_SHARE = 300, 8
# Draws on which quantities are made linear in the parameters.
LINEAR_DRAWS, LINEAR_SHARE = 4000, 4


@dataclass(frozen=True)
class LinearResponse:
    """What linear response says of quantities: `names[i]` has row i of `covariance`.

    `mcse` holds the Monte-Carlo standard errors of the standard deviations.
    """

    names: tuple[str, ...]
    covariance: Float[np.ndarray, "k k"]
    mcse: Float[np.ndarray, " k"]
    outcome: Solved
    residual: float
    draws: int
    oracle_calls: float

    @property
    def sd(self) -> Float[np.ndarray, " k"]:
        return np.sqrt(np.diag(self.covariance))

    @property
    def relative_error(self) -> float:
        """The greatest Monte-Carlo error of a standard deviation, relative to it."""
        with np.errstate(all="ignore"):
            return float(np.nanmax(self.mcse / self.sd, initial=0.0))

    @property
    def good(self) -> bool:
        return self.outcome is Solved.SOLVED and self.relative_error < TOLERATED

    @property
    def sentence(self) -> str:
        """How the computation ended."""
        if self.outcome is Solved.LIMIT:
            return (
                f"Linear response is not solved: conjugate gradients left {self.residual:.1g} of "
                "the right-hand side; the covariances are too uncertain to be used."
            )
        if self.outcome is not Solved.SOLVED:
            return (
                f"Linear response doesn't exist here: {self.outcome.value}, on {self.draws} draws; "
                "the fit may not be at a maximum, or the posterior may be far from normal."
            )
        error = f"standard deviations have errors of up to {100 * self.relative_error:.2g}%"
        if not self.good:
            return f"Linear response is noisy: on {self.draws} draws its {error}."
        return f"Linear response is solved: on {self.draws} draws its {error}."


class Targets(NamedTuple):
    """Quantities as linear functions of x and what is left over of them."""

    names: tuple[str, ...]
    slopes: Float[np.ndarray, "dim k"]
    rest: Float[np.ndarray, "k k"]
    """The covariance under q of what isn't linear."""


def linear_response(
    post: Posterior, of: str | Sequence[str] | None, draws: int | None, seed: int
) -> LinearResponse:
    """Covariances of the quantities named by `of`, or of all unconstrained parameters."""
    model, q = post.known_model(), post.q
    if draws is not None and (draws <= 0 or draws % CHUNK):
        raise InputError(f"draws must be a positive multiple of {CHUNK}; got {draws}")
    targets = coordinates(model, q) if of is None else linearised(post, of, seed)
    products = ResponseProducts(model, q)
    compile_all([products])
    sizes = [draws] if draws else [FIRST_DRAWS * 4**step for step in range(3)]
    ledger, found = Ledger(), None
    for size in sizes:
        found, spent = _solved(products, q, targets, size, seed)
        ledger = ledger.add(products=spent)
        found = replace(found, oracle_calls=ledger.oracle_calls)
        if found.outcome is Solved.SOLVED and found.relative_error < ENOUGH:
            break
    assert found is not None
    return found


def coordinates(model: Model, q: Family) -> Targets:
    """The parameters themselves, which are linear in x."""
    dim = q.loc.size
    return Targets(tuple(model.param_unc_names()), q.frame.pull(np.eye(dim)), np.zeros((dim, dim)))


def linearised(post: Posterior, of: str | Sequence[str], seed: int) -> Targets:
    """Quantities by least squares on draws from q, in mirrored pairs.

    The slopes estimate E_q[df / dx] (Stein's identity), which is the derivative of E_q[f] along the
    location; what isn't linear keeps the variance that it has under q, random numbers included.
    """
    q = post.q
    rng = np.random.default_rng([post.run["seed"], seed, 1])
    half = max(LINEAR_DRAWS, LINEAR_SHARE * q.loc.size) // 2
    e = rng.standard_normal((q.base_dim, half))
    x = q.frame.spread(np.concatenate([e, -e], axis=1))
    values = post.constrained(q.frame.place(x), seed)
    wanted = [of] if isinstance(of, str) else list(of)
    if missing := [name for name in wanted if name not in values]:
        raise InputError(f"the model has no quantity {missing[0]!r}; it has {', '.join(values)}")
    names, table = columns({name: values[name] for name in wanted}, "C")
    table = table - table.mean(axis=0)
    slopes = np.linalg.lstsq(x.T, table, rcond=None)[0]
    left = table - x.T @ slopes
    return Targets(tuple(names), slopes, left.T @ left / len(left))


def _solved(
    products: ResponseProducts, q: Family, targets: Targets, draws: int, seed: int
) -> tuple[LinearResponse, int]:
    """The response on one set of draws, and draws of products spent."""
    key = make_key(seed, draws)
    apply = products.at(q, key, draws)
    b = np.concatenate([targets.slopes, np.zeros((q.shape_size, targets.slopes.shape[1]))])
    invert, formed = _preconditioner(apply, b, q.loc.size)
    answer: Response = respond(apply, b, invert=invert, rtol=RTOL, limit=MOST_STEPS)
    covariance = np.full_like(targets.rest, math.nan)
    mcse = np.full(len(targets.names), math.nan)
    spent = (answer.products + formed) * draws
    if answer.outcome in (Solved.SOLVED, Solved.LIMIT):
        covariance = b.T @ answer.x
        covariance = 0.5 * (covariance + covariance.T) + targets.rest
        error = products.curvature_errors(q, key, draws, answer.x)
        spent += draws * b.shape[1]
        mcse = 0.5 * error / np.sqrt(np.maximum(np.diag(covariance), np.finfo(float).tiny))
    found = LinearResponse(
        targets.names, covariance, mcse, answer.outcome, answer.residual, draws, 0.0
    )
    return found, spent


def _preconditioner(
    apply: Callable[[np.ndarray], np.ndarray], b: Float[np.ndarray, "size k"], dim: int
) -> tuple[Callable[[np.ndarray], np.ndarray], int]:
    """The inverse of the location's block where it pays to form it, and products spent on it.

    The rest is the identity, since local coordinates have the Fisher metric for theirs.
    """
    if dim > FORMED_DIM or FORMED_SHARE * b.shape[1] < dim:
        return lambda r: r, 0
    h = apply(np.eye(b.shape[0], dim))[:dim]
    if not np.all(np.isfinite(h)):
        return lambda r: r, dim
    values, vectors = np.linalg.eigh(-0.5 * (h + h.T))
    values = np.maximum(values, 1e-8 * np.abs(values).max())

    def invert(r: np.ndarray) -> np.ndarray:
        top = vectors @ ((vectors.T @ r[:dim]) / values[:, None])
        return np.concatenate([top, r[dim:]])

    return invert, dim


def family_covariance(
    post: Posterior, of: str | Sequence[str], seed: int
) -> Float[np.ndarray, "k k"]:
    """The covariance of quantities under q, from the draws on which they are made linear."""
    targets = linearised(post, of, seed)
    spread = post.q.frame.spread(np.eye(post.q.base_dim))
    inner = spread.T @ targets.slopes
    return inner.T @ inner + targets.rest

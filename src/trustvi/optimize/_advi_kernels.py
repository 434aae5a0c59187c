"""The compiled loops of ADVI: some iterations of its ascent at once, and the ELBO at a point."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi.families import MeanField
from trustvi.models import Model
from trustvi.objective import (
    BatchedDensity,
    Compilable,
    Draw,
    DrawKind,
    base_draws,
    trace_density,
)

# Stan's constants of the adaptive step: tau and the weights of the squared gradients, old and new.
TAU, OLD, NEW = 1.0, 0.9, 0.1
# Gradients give up after this many times their own number of dropped draws; ELBOs after once.
RETRIES = 10
# Draws evaluated at once, at the most.
CHUNK = 64
Vector = Float[np.ndarray, " n"]


class Stride(NamedTuple):
    """What some iterations came to."""

    q: MeanField
    history: Vector
    tick: int
    failed: bool
    """Whether draws ran out, at the iteration after `tick`."""
    evaluated: int
    elbo: float
    """Of the last minibatch, which was drawn before the last update."""
    elbo_se: float


def advance(x: Any, history: Any, tick: Any, eta: Any, gradient: Any) -> tuple[Any, Any]:
    """One step of x = (loc, log_scale), and the history after it; `tick` counts from 1.

    h_1 = g^2, h_i = 0.9 h + 0.1 g^2;  x += eta / sqrt(i) * g / (1 + sqrt(h_i)).
    """
    square = gradient * gradient
    history = jnp.where(tick == 1, square, OLD * history + NEW * square)
    return x + eta / jnp.sqrt(1.0 * tick) * gradient / (TAU + jnp.sqrt(history)), history


def chunk_of(draws: int) -> int:
    """Draws evaluated at once, so that `draws` need as few and as equal chunks as can be."""
    return -(-draws // -(-draws // CHUNK))


class Strides(Compilable):
    """The compiled loops: some iterations of the ascent, and the ELBO at a point."""

    def __init__(self, model: Model, gradient_draws: int, elbo_draws: int) -> None:
        self._dim, self._draws = model.param_unc_num(), gradient_draws
        chunk, elbo_chunk = chunk_of(gradient_draws), chunk_of(elbo_draws)
        density, values = trace_density(model, chunk), trace_density(model, elbo_chunk)
        draw, elbo_draw = (base_draws(DrawKind.IID, self._dim, c) for c in (chunk, elbo_chunk))
        self._consts = jax.device_put((density.consts, values.consts))
        self._ascend = jax.jit(ascent_kernel(density.function, draw, gradient_draws, chunk))
        self._elbo = jax.jit(elbo_kernel(values.function, elbo_draw, elbo_draws, elbo_chunk))

    def lowered(self) -> dict[str, Any]:
        x, one, key = np.zeros(2 * self._dim), jnp.asarray(1), jax.random.key(0)
        step, yes = jnp.asarray(1.0), jnp.asarray(True)
        return {
            "_ascend": self._ascend.lower(self._consts[0], x, x, step, one, one, key, yes),
            "_elbo": self._elbo.lower(self._consts[1], x, key),
        }

    def ascend(
        self, q: MeanField, history: Vector, eta: float, tick: int, end: int, key: Array,
        robust: bool,
    ) -> Stride:  # fmt: skip
        """Iterations tick + 1 to `end`; without draws to go on, `robust` ones stand still."""
        x = np.concatenate([q.loc, q.log_scale])
        out = self._ascend(
            self._consts[0], x, history, jnp.asarray(eta), jnp.asarray(tick), jnp.asarray(end), key,
            jnp.asarray(robust),
        )  # fmt: skip
        x, history, ticks, failed, evaluated, (mean, square, entropy) = map(np.asarray, out)
        variance = max(float(square - mean**2), 0.0) if self._draws > 1 else math.nan
        return Stride(
            MeanField(x[: self._dim], x[self._dim :]), history, int(ticks), bool(failed),
            int(evaluated), float(mean + entropy), math.sqrt(variance / self._draws),
        )  # fmt: skip

    def elbo(self, q: MeanField, key: Array) -> tuple[float, int]:
        """The ELBO, minus infinity if too many draws are lost, and the draws evaluated."""
        x = np.concatenate([q.loc, q.log_scale])
        mean, evaluated = self._elbo(self._consts[1], x, key)
        return float(mean) + q.entropy(), int(evaluated)


def _kept_sums(
    evaluate: Callable[[Array], tuple[Array, Array]], draw: Draw, key: Array, rows: int,
    wanted: int, chunk: int, patience: int,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Sums over the first `wanted` draws that are fine, whether there were as many before
    `patience` draws were lost, and how many draws were evaluated."""

    def body(carry: tuple[Array, ...]) -> tuple[Array, ...]:
        index, kept, lost, sums, e = carry
        fine, parts = evaluate(e)
        rank = kept + jnp.cumsum(fine)
        sums = sums + jnp.sum(jnp.where(fine & (rank <= wanted), parts, 0.0), axis=1)
        lost = lost + jnp.sum(~fine & (rank < wanted))
        # The next draws are carried, and so in memory: made where they are used, XLA would make
        # them again for every row of data.
        return index + 1, jnp.minimum(rank[-1], wanted), lost, sums, draw(key, index + 1)

    def unfinished(carry: tuple[Array, ...]) -> Array:
        return (carry[1] < wanted) & (carry[2] < patience)

    zero = jnp.asarray(0)
    start = (zero, zero, zero, jnp.zeros(rows), draw(key, zero))
    index, kept, _, sums, _ = jax.lax.while_loop(unfinished, body, start)
    return sums, kept == wanted, index * chunk


def ascent_kernel(
    density: BatchedDensity, draw: Draw, draws: int, chunk: int
) -> Callable[..., tuple[Array, ...]]:
    """`f(consts, x, history, eta, tick, end, key, robust)`: iterations of the ascent."""

    def estimate(consts: Any, x: Array, key: Array) -> tuple[Array, Array, Array]:
        loc, scale = x[: x.size // 2], jnp.exp(x[x.size // 2 :])

        def evaluate(e: Array) -> tuple[Array, Array]:
            z = loc[:, None] + scale[:, None] * e
            value, pull = jax.vjp(lambda z: density(consts, z), z)
            (g,) = pull(jnp.ones_like(value))
            fine = jnp.isfinite(value) & jnp.all(jnp.isfinite(g), axis=0)
            return fine, jnp.concatenate([g, g * e, value[None], value[None] ** 2])

        rows = 2 * loc.size + 2
        return _kept_sums(evaluate, draw, key, rows, draws, chunk, RETRIES * draws)

    def kernel(
        consts: Any, x: Array, history: Array, eta: Array, tick: Array, end: Array, key: Array,
        robust: Array,
    ) -> tuple[Array, ...]:  # fmt: skip
        dim = x.size // 2

        def body(carry: tuple[Array, ...]) -> tuple[Array, ...]:
            x, history, tick, _, evaluated, _ = carry
            sums, enough, spent = estimate(consts, x, jax.random.fold_in(key, tick))
            means = sums / draws
            slope = jnp.concatenate([means[:dim], means[dim : 2 * dim] * jnp.exp(x[dim:]) + 1.0])
            there, after = advance(x, history, tick + 1, eta, jnp.where(enough, slope, 0.0))
            goes_on = enough | robust
            seen = jnp.append(means[2 * dim :], _entropy(x))
            return (
                jnp.where(goes_on, there, x), jnp.where(goes_on, after, history), tick + goes_on,
                ~goes_on, evaluated + spent, seen,
            )  # fmt: skip

        zero = jnp.asarray(0)
        start = (x, history, tick, zero == 1, zero, jnp.full(3, jnp.nan))
        return jax.lax.while_loop(lambda carry: (carry[2] < end) & ~carry[3], body, start)

    return kernel


def _entropy(x: Array) -> Array:
    """H(q) = sum(log_scale) + dim * log(2 pi e) / 2."""
    return jnp.sum(x[x.size // 2 :]) + 0.25 * x.size * (math.log(2 * math.pi) + 1)


def elbo_kernel(
    density: BatchedDensity, draw: Draw, draws: int, chunk: int
) -> Callable[..., tuple[Array, Array]]:
    """`f(consts, x, key)`: the mean log density over draws, and the draws evaluated."""

    def kernel(consts: Any, x: Array, key: Array) -> tuple[Array, Array]:
        loc, scale = x[: x.size // 2], jnp.exp(x[x.size // 2 :])

        def evaluate(e: Array) -> tuple[Array, Array]:
            value = density(consts, loc[:, None] + scale[:, None] * e)
            return jnp.isfinite(value), value[None]

        sums, enough, spent = _kept_sums(evaluate, draw, key, 1, draws, chunk, draws)
        return jnp.where(enough, sums[0] / draws, -jnp.inf), spent

    return kernel

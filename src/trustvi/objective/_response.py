"""Hessian-vector products of the sampled ELBO of any family, many directions at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi.families import Family
from trustvi.models import Model
from trustvi.objective._density import trace_density
from trustvi.objective._draws import Draw, DrawKind, base_draws, effective_kind
from trustvi.objective._kernels import over_chunks
from trustvi.objective._objective import Compilable

# Draws evaluated at once, in mirrored pairs, and directions that share their linearisation.
CHUNK, COLUMNS = 16, 8


class ResponseProducts(Compilable):
    """Products with the Hessian of the ELBO in local coordinates (u, w) around a member `q`.

    The draws are mirrored pairs of quasi-random points, the same at every call with the same key:
    with them the location of a quadratic log density has no sampled coupling to the shape.
    """

    def __init__(self, model: Model, q: Family) -> None:
        self.dim, self.size = q.loc.size, q.loc.size + q.shape_size
        self._template = q
        density = trace_density(model, CHUNK)
        self._consts = jax.device_put(density.consts)
        draw = _mirrored(q.base_dim)

        def elbo(consts: Any, frame: Any, step: Array, e: Array) -> Array:
            """Draw by draw."""
            u, w = step[: self.dim], step[self.dim :]
            return density.function(consts, frame.displaced(u, w, e)) + frame.volume(w)

        def products(consts: Any, frame: Any, directions: Array, key: Array, chunks: Array) -> Any:
            def body(index: Array, total: Array, e: Array) -> Array:
                gradient = jax.grad(lambda step: jnp.mean(elbo(consts, frame, step, e)))
                _, apply = jax.linearize(gradient, jnp.zeros(self.size))
                return total + jax.vmap(apply)(directions)

            start = jnp.zeros_like(directions)
            return over_chunks(chunks, partial(draw, key), body, start) / chunks

        def curvatures(
            consts: Any, frame: Any, directions: Array, key: Array, chunks: Array
        ) -> tuple[Array, Array]:
            def along(direction: Array, e: Array) -> Array:
                line = lambda t: elbo(consts, frame, t * direction, e)  # noqa: E731
                slope = lambda t: jax.jvp(line, (t,), (1.0,))[1]  # noqa: E731
                return jax.jvp(slope, (0.0,), (1.0,))[1]

            def body(index: Array, total: tuple[Array, Array], e: Array) -> tuple[Array, Array]:
                bent = jax.vmap(lambda direction: along(direction, e))(directions)
                pairs = 0.5 * (bent[:, : CHUNK // 2] + bent[:, CHUNK // 2 :])
                return total[0] + pairs, total[1] + pairs**2

            zero = jnp.zeros((COLUMNS, CHUNK // 2))
            return over_chunks(chunks, partial(draw, key), body, (zero, zero))

        self._products, self._curvatures = jax.jit(products), jax.jit(curvatures)

    def lowered(self) -> dict[str, Any]:
        directions = np.zeros((COLUMNS, self.size))
        arguments = (
            self._consts, self._template.frame, directions, jax.random.key(0), jnp.asarray(1),
        )  # fmt: skip
        return {
            "_products": self._products.lower(*arguments),
            "_curvatures": self._curvatures.lower(*arguments),
        }

    def at(
        self, q: Family, key: Array, draws: int
    ) -> Callable[[Float[np.ndarray, "size k"]], Float[np.ndarray, "size k"]]:
        """The function X -> H X on so many draws."""
        frame, chunks = q.frame, jnp.asarray(_chunks(draws))

        def apply(x: Float[np.ndarray, "size k"]) -> Float[np.ndarray, "size k"]:
            parts = [
                np.asarray(self._products(self._consts, frame, part, key, chunks))
                for part in _in_parts(x)
            ]
            return np.concatenate(parts)[: x.shape[1]].T

        return apply

    def curvature_errors(
        self, q: Family, key: Array, draws: int, x: Float[np.ndarray, "size k"]
    ) -> Float[np.ndarray, " k"]:
        """Monte-Carlo standard errors of x_k' H x_k, from the spread over mirrored pairs.

        Quasi-random pairs are better than independent ones, which is what this takes them for.
        """
        frame, chunks, count = q.frame, jnp.asarray(_chunks(draws)), draws // 2
        errors = []
        for part in _in_parts(x):
            sums = self._curvatures(self._consts, frame, part, key, chunks)
            first, second = (np.asarray(each).sum(axis=1) / count for each in sums)
            errors.append(np.sqrt(np.maximum(second - first**2, 0.0) / count))
        return np.concatenate(errors)[: x.shape[1]]


def _mirrored(dim: int) -> Draw:
    if effective_kind(DrawKind.SOBOL, dim) is not DrawKind.SOBOL:
        return base_draws(DrawKind.MIRRORED, dim, CHUNK)
    half = base_draws(DrawKind.SOBOL, dim, CHUNK // 2)

    def draw(key: Array, index: Array) -> Float[Array, "dim chunk"]:
        e = half(key, index)
        return jnp.concatenate([e, -e], axis=1)

    return draw


def _chunks(draws: int) -> int:
    if draws % CHUNK or draws <= 0:
        raise ValueError(f"draws must be a positive multiple of {CHUNK}: {draws}")
    return draws // CHUNK


def _in_parts(x: Float[np.ndarray, "size k"]) -> list[Float[np.ndarray, "columns size"]]:
    rows = np.pad(x.T, ((0, -x.shape[1] % COLUMNS), (0, 0)))
    return [rows[at : at + COLUMNS] for at in range(0, len(rows), COLUMNS)]

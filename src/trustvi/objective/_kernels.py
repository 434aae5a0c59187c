"""The compiled loops over chunks of draws: gradients and values of the log density under q.

The number of chunks is a traced value, so one compilation serves every sample size, and memory is
that of one chunk whatever the sample size.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from trustvi.families import Frame
from trustvi.objective._density import BatchedDensity
from trustvi.objective._draws import Draw

MAX_DRAWS = 4096
Either = Any  # JAX's arrays within a kernel, NumPy's outside


class Sizes(NamedTuple):
    """Shapes of a kernel's sums; `dense` asks for those that are matrices."""

    dim: int
    shape: int
    chunk: int
    dense: bool


class Control(NamedTuple):
    """A quadratic in x = frame.whiten(z) whose expectation is known: c(x) = b.x + x.S.x / 2.

    S is the matrix `dense`, or diag(`diagonal`) where `dense` has no columns. It serves as a
    control variate (Miller, Foti, D'Amour and Adams 2017, "Reducing reparameterization gradient
    variance").
    """

    frame: Frame
    slope: Float[Either, " dim"]
    diagonal: Float[Either, " dim"]
    dense: Float[Either, "dim columns"]

    @staticmethod
    def none(frame: Frame, columns: int = 0) -> Control:
        """The quadratic 0, with a matrix of so many `columns`."""
        zero = np.zeros(frame.loc.shape[0])
        return Control(frame, zero, zero, np.zeros((zero.size, columns)))

    def curve(self, x: Float[Array, "dim draws"]) -> Float[Array, "dim draws"]:
        """S @ x."""
        if self.dense.shape[1] == 0:
            return jnp.multiply(self.diagonal[:, None], x)
        return jnp.matmul(self.dense, x)

    def __call__(self, z: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        x = self.frame.whiten(z)
        return jnp.matmul(self.slope, x) + 0.5 * jnp.sum(x * self.curve(x), axis=0)


class GradientSums(NamedTuple):
    """Sums over chunks; column j of the matrices belongs to replicate j.

    r = A' grad log p(z) - S x is what the control leaves of a draw's gradient in the frame's
    coordinates, and c = S x; `r_shape` and `c_shape` are their parts in the gradient along the
    shape. Draws whose density or gradient isn't finite count as r = 0 and in `dropped`.
    """

    values: Float[Either, " max_draws"]
    controls: Float[Either, " max_draws"]
    r: Float[Either, "dim chunk"]
    r_shape: Float[Either, "shape chunk"]
    c_shape: Float[Either, "shape chunk"]
    x: Float[Either, "dim chunk"]
    r_outer_x: Float[Either, "k k"]
    x_outer_x: Float[Either, "k k"]
    dropped: Int[Either, ""]


def over_chunks(
    chunks: Array,
    draw: Callable[[Array], Array],
    body: Callable[[Array, Any, Array], Any],
    start: Any,
) -> Any:
    """`start` after `body(index, ., draw(index))` for each chunk in turn.

    Each chunk's draws are made one turn early and carried, which puts them into memory: made where
    they are used, XLA would make them again for every row of a model's data.
    """

    def turn(index: Array, carry: tuple[Any, Array]) -> tuple[Any, Array]:
        sums, e = carry
        return body(index, sums, e), draw(index + 1)

    return jax.lax.fori_loop(0, chunks, turn, (start, draw(jnp.asarray(0))))[0]


def gradient_kernel(
    density: BatchedDensity, draw: Draw, sizes: Sizes
) -> Callable[..., GradientSums]:
    """`f(consts, frame, control, key, chunks)`: sums of gradients over base draws."""
    dim, chunk = sizes.dim, sizes.chunk

    def kernel(
        consts: Any, frame: Frame, control: Control, key: Array, chunks: Array
    ) -> GradientSums:
        def body(index: Array, sums: GradientSums, e: Array) -> GradientSums:
            x = frame.spread(e)
            z = frame.place(x)
            value, pull = jax.vjp(lambda z: density(consts, z), z)
            (gradient,) = pull(jnp.ones_like(value))
            fine = jnp.isfinite(value) & jnp.all(jnp.isfinite(gradient), axis=0)
            curve = control.curve(x)
            r = jnp.where(fine, frame.pull(gradient) - curve, 0.0)
            at = index * chunk
            return GradientSums(
                values=jax.lax.dynamic_update_slice(sums.values, value, (at,)),
                controls=jax.lax.dynamic_update_slice(sums.controls, control(z), (at,)),
                r=sums.r + r,
                r_shape=sums.r_shape + frame.shape(r, e),
                c_shape=sums.c_shape + frame.shape(curve, e),
                x=sums.x + x,
                r_outer_x=sums.r_outer_x + r @ x.T if sizes.dense else sums.r_outer_x,
                x_outer_x=sums.x_outer_x + x @ x.T if sizes.dense else sums.x_outer_x,
                dropped=sums.dropped + jnp.sum(~fine),
            )

        k = dim if sizes.dense else 0
        zeros, shapes = jnp.zeros((dim, chunk)), jnp.zeros((sizes.shape, chunk))
        start = GradientSums(
            jnp.zeros(MAX_DRAWS), jnp.zeros(MAX_DRAWS), zeros, shapes, shapes, zeros,
            jnp.zeros((k, k)), jnp.zeros((k, k)), jnp.zeros((), int),
        )  # fmt: skip
        return over_chunks(chunks, partial(draw, key), body, start)

    return kernel


def value_kernel(
    density: BatchedDensity, draw: Draw, chunk: int
) -> Callable[..., tuple[Array, Array]]:
    """`f(consts, frame, control, key, chunks)`: log density and control, draw by draw."""

    def kernel(
        consts: Any, frame: Frame, control: Control, key: Array, chunks: Array
    ) -> tuple[Float[Array, " max_draws"], Float[Array, " max_draws"]]:
        def body(index: Array, buffers: tuple[Array, Array], e: Array) -> tuple[Array, Array]:
            z = frame.place(frame.spread(e))
            at = (index * chunk,)
            return (
                jax.lax.dynamic_update_slice(buffers[0], density(consts, z), at),
                jax.lax.dynamic_update_slice(buffers[1], control(z), at),
            )

        start = (jnp.zeros(MAX_DRAWS), jnp.zeros(MAX_DRAWS))
        return over_chunks(chunks, partial(draw, key), body, start)

    return kernel


def product_kernel(
    density: BatchedDensity, draw: Draw
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Hessian-vector products of the sampled ELBO in local coordinates, forward over reverse.

    The first function linearises the gradient of one chunk's mean; the second applies the result,
    as often as a Krylov method asks.
    """

    def mean_gradient(consts: Any, loc: Array, log_scale: Array, e: Array) -> tuple[Array, Array]:
        def mean_density(loc: Array, log_scale: Array) -> Array:
            return jnp.mean(density(consts, loc[:, None] + jnp.exp(log_scale)[:, None] * e))

        return jax.grad(mean_density, argnums=(0, 1))(loc, log_scale)

    def linearize(consts: Any, loc: Array, log_scale: Array, key: Array) -> Any:
        e = draw(key, jnp.zeros((), int))
        _, product = jax.linearize(
            lambda loc, log_scale: mean_gradient(consts, loc, log_scale, e), loc, log_scale
        )
        return product

    def apply(product: Any, d_loc: Array, d_log_scale: Array) -> tuple[Array, Array]:
        return product(d_loc, d_log_scale)

    return jax.jit(linearize), jax.jit(apply)

"""What is computed of a batched log density: gradients and Hessian-vector products.

The draws are independent of each other, so that the gradient of the sum over draws holds the
gradient of each draw, and one pass of forward over reverse differentiation all the products.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jaxtyping import Array, Float

Target = Callable[[Float[Array, "dim draws"]], Float[Array, " draws"]]


def value_and_gradient(target: Target) -> Callable[..., tuple[Any, Any]]:
    """theta (dim, draws) -> log densities (draws,), gradients (dim, draws)."""

    def total(theta: Array) -> tuple[Array, Array]:
        values = target(theta)
        return values.sum(), values

    def both(theta: Array) -> tuple[Array, Array]:
        gradient, values = jax.grad(total, has_aux=True)(theta)
        return values, gradient

    return both


def hessian_products(target: Target) -> Callable[..., tuple[Any, Any, Any]]:
    """theta, v (dim, draws) -> log densities, gradients, Hessians of each draw times v."""
    both = value_and_gradient(target)

    def products(theta: Array, v: Array) -> tuple[Array, Array, Array]:
        (values, gradient), (_, product) = jax.jvp(both, (theta,), (v,))
        return values, gradient, product

    return products

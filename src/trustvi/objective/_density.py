"""A model's density as pure functions whose data are arguments: XLA compiles shapes only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.extend.core import ClosedJaxpr, Jaxpr, jaxpr_as_fun
from jaxtyping import Array, Float

from trustvi.models import Model

Consts = Sequence[Array]
_JAXPRS = (Jaxpr, ClosedJaxpr)
BatchedDensity = Callable[[Consts, Float[Array, "dim draws"]], Float[Array, " draws"]]


class TracedDensity(NamedTuple):
    """The density traced once for a fixed number of draws: `function(consts, z)`."""

    function: BatchedDensity
    consts: Consts
    jaxpr: ClosedJaxpr


def trace_density(model: Model, draws: int) -> TracedDensity:
    """Trace `model` for batches of `draws`; call inside `jax.enable_x64`."""
    shape = jax.ShapeDtypeStruct((model.param_unc_num(), draws), jnp.float64)
    # A density that computes in float32 is still summed, and differentiated, in float64.
    closed = jax.make_jaxpr(lambda z: jnp.asarray(model.log_density_batch(z), jnp.float64))(shape)

    def function(consts: Consts, z: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        (value,) = jaxpr_as_fun(ClosedJaxpr(closed.jaxpr, consts))(z)
        return value

    return TracedDensity(function, tuple(closed.consts), closed)


def narrow_shapes(closed: ClosedJaxpr) -> list[tuple[int, ...]]:
    """Shapes of the floating-point arrays in a jaxpr that have less than double precision."""
    found: dict[tuple[int, ...], None] = {}

    def visit(jaxpr: Jaxpr) -> None:
        outputs = [var for eqn in jaxpr.eqns for var in eqn.outvars]
        for var in (*jaxpr.constvars, *outputs):
            aval: Any = var.aval
            dtype = getattr(aval, "dtype", None)
            if dtype is not None and jnp.issubdtype(dtype, jnp.floating) and dtype.itemsize < 8:
                found[tuple(aval.shape)] = None
        for eqn in jaxpr.eqns:
            for leaf in jax.tree.leaves(eqn.params, is_leaf=lambda x: isinstance(x, _JAXPRS)):
                if isinstance(leaf, _JAXPRS):
                    visit(leaf.jaxpr if isinstance(leaf, ClosedJaxpr) else leaf)

    visit(closed.jaxpr)
    return list(found)

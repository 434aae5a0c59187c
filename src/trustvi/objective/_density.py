"""A model's density as pure functions whose data are arguments: XLA compiles shapes only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun
from jaxtyping import Array, Float

from trustvi.models import Model

Consts = Sequence[Array]
BatchedDensity = Callable[[Consts, Float[Array, "dim draws"]], Float[Array, " draws"]]


class TracedDensity(NamedTuple):
    """The density traced once for a fixed number of draws: `function(consts, z)`."""

    function: BatchedDensity
    consts: Consts
    jaxpr: ClosedJaxpr


def trace_density(model: Model, draws: int) -> TracedDensity:
    """Trace `model` for batches of `draws`; call inside `jax.enable_x64`."""
    shape = jax.ShapeDtypeStruct((model.param_unc_num(), draws), jnp.float64)
    closed = jax.make_jaxpr(model.log_density_batch)(shape)

    def function(consts: Consts, z: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        (value,) = jaxpr_as_fun(ClosedJaxpr(closed.jaxpr, consts))(z)
        return value

    return TracedDensity(function, tuple(closed.consts), closed)

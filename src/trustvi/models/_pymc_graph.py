"""PyTensor graphs as JAX functions whose compiled derivatives hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

# How far below 0 rounding puts a squared distance, in squared length-scales: for points up to
# 100,000 of them away from the origin.
ROUNDING = 1e-6


def jax_form(model: Any, outputs: Sequence[Any]) -> Callable[..., Any]:
    """The graph of `outputs` as a JAX function of the model's value variables."""
    replace: Any = import_module("pytensor.graph.replace")
    jaxified: Any = import_module("pymc.sampling.jax")
    found = [node for node in _nodes(outputs) if _clips_rounding(node)]
    steady = {node.outputs[0]: _steady_clip()(*node.inputs) for node in found}
    kept = replace.graph_replace(list(outputs), steady, strict=False) if steady else list(outputs)
    return jaxified.get_jaxified_graph(inputs=model.value_vars, outputs=kept)


def floored(x: Float[Array, "..."], low: Any, high: Any) -> Float[Array, "..."]:
    """max(x, 0), differentiated as x where only rounding may have put it below 0.

    PyMC's covariance functions clip squared distances, 2 x.x' beside x.x + x'.x'. XLA computes a
    clipped array once for each use, with roundings of their own, so that a distance of 0 may count
    as clipped in one part of the derivative and not in the other; the parts then don't cancel.
    """
    del low, high
    through = jnp.where(x < -ROUNDING, 0.0, x)
    return through + jax.lax.stop_gradient(jnp.maximum(x, 0.0) - through)


@cache
def _steady_clip() -> Any:
    """PyTensor's clip at 0 from below, whose JAX form is `floored`."""
    dispatch: Any = import_module("pytensor.link.jax.dispatch.basic")
    scalar: Any = import_module("pytensor.scalar.basic")
    elemwise: Any = import_module("pytensor.tensor.elemwise")

    class SteadyClip(scalar.Clip):
        """PyTensor asks for a class of one's own to give an operation a JAX form of one's own."""

    dispatch.jax_funcify.register(SteadyClip)(lambda op, **_: floored)
    return elemwise.Elemwise(SteadyClip(scalar.upcast_out, name="steady_clip"))


def _nodes(outputs: Sequence[Any]) -> Iterator[Any]:
    """All applications of operations that `outputs` are made of."""
    open_, seen = [output.owner for output in outputs], set()
    while open_:
        node = open_.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        yield node
        open_ += [variable.owner for variable in node.inputs]


def _clips_rounding(node: Any) -> bool:
    """Whether `node` is clip(x, 0, inf) of real numbers."""
    kind = type(getattr(node.op, "scalar_op", None)).__name__
    if kind != "Clip" or not node.inputs[0].dtype.startswith("float"):
        return False
    low, high = (_constant(bound) for bound in node.inputs[1:])
    if low is None or high is None:
        return False
    return bool(np.all(low == 0) and np.all(high == np.inf))


def _constant(variable: Any) -> np.ndarray | None:
    """What a constant holds, axes of length 1 aside."""
    while variable.owner is not None and type(variable.owner.op).__name__ == "DimShuffle":
        variable = variable.owner.inputs[0]
    data = getattr(variable, "data", None)
    return data if isinstance(data, np.ndarray) else None

"""A JAX function of a pytree of reals as a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi._errors import InputError


def from_function(
    log_density: Callable[..., Any],
    example: Any,
    *,
    batched: bool = False,
    name: str | None = None,
) -> FunctionModel:
    """Make a model of `log_density`, a function of a pytree like `example` to a real scalar.

    The parameters are all reals: `log_density` is a density over an unconstrained space.
    With `batched=True` it takes each leaf with one more, last axis over draws and returns a
    vector, which is faster than mapping it when the function is written that way.
    """
    if not callable(log_density):
        raise InputError(f"log_density must be a function; got {type(log_density).__name__}")
    leaves, tree = jax.tree.flatten_with_path(example)
    if not leaves:
        raise InputError("example must hold at least one number; got an empty structure")
    named = [_leaf(path, value) for path, value in leaves]
    model = FunctionModel(
        name=name or getattr(log_density, "__name__", "function"),
        log_density=log_density,
        tree=tree,
        leaves=tuple(named),
        batched=batched,
    )
    model.check()
    return model


@dataclass(frozen=True)
class Leaf:
    """One array among the parameters: its name and shape, and its value in the example."""

    name: str
    shape: tuple[int, ...]
    value: np.ndarray = field(compare=False)

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def _leaf(path: Any, value: Any) -> Leaf:
    name = ".".join(_key_text(key) for key in path) or "theta"
    array = np.asarray(value)
    if not (np.issubdtype(array.dtype, np.floating) or np.issubdtype(array.dtype, np.integer)):
        raise InputError(f"example holds {array.dtype} values at {name!r}; parameters are reals")
    return Leaf(name, array.shape, array.astype(np.float64))


def _key_text(key: Any) -> str:
    for attribute in ("key", "name", "idx"):
        if hasattr(key, attribute):
            return str(getattr(key, attribute))
    return str(key)


@dataclass(frozen=True)
class FunctionModel:
    """A function of a pytree, seen as a density over the concatenation of its leaves."""

    name: str
    log_density: Callable[..., Any] = field(compare=False)
    tree: Any
    leaves: tuple[Leaf, ...]
    batched: bool = False

    def param_unc_num(self) -> int:
        return sum(leaf.size for leaf in self.leaves)

    def param_unc_names(self) -> Sequence[str]:
        return [name for leaf in self.leaves for name in _element_names(leaf)]

    def log_density_batch(self, theta_unc: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        return self._evaluate(theta_unc)

    def _evaluate(self, theta_unc: Any) -> Any:
        """Whatever the function returns."""
        if self.batched:
            return self.log_density(self._unravel(theta_unc, theta_unc.shape[-1:]))
        return jax.vmap(lambda theta: self.log_density(self._unravel(theta, ())), in_axes=-1)(
            theta_unc
        )

    def constrain_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, np.ndarray]:
        del seed
        pieces = np.split(theta_unc, np.cumsum([leaf.size for leaf in self.leaves])[:-1])
        return {
            leaf.name: np.ascontiguousarray(np.moveaxis(piece, -1, 0)).reshape(-1, *leaf.shape)
            for leaf, piece in zip(self.leaves, pieces, strict=True)
        }

    def unconstrain_init(self, init: Any) -> Float[np.ndarray, " dim"]:
        leaves, tree = jax.tree.flatten(init)
        if tree != self.tree or any(
            np.shape(value) != leaf.shape for value, leaf in zip(leaves, self.leaves, strict=True)
        ):
            raise InputError(
                "init must have the structure and shapes of the model's example; got shapes "
                f"{jax.tree.map(np.shape, init)}"
            )
        return np.concatenate([np.ravel(np.asarray(value, np.float64)) for value in leaves])

    def check(self) -> None:
        """Refuse what is no log density: not a real scalar of floating type."""
        draws = jax.ShapeDtypeStruct((self.param_unc_num(), 2), jnp.float64)
        try:
            with jax.enable_x64(True):
                out = jax.eval_shape(self._evaluate, draws)
        except Exception as error:
            kind, reason = type(error).__name__, str(error).split("\n")[0]
            raise InputError(
                f"log_density failed when JAX traced it on values like example: {kind}: {reason}"
            ) from error
        if not hasattr(out, "shape") or out.shape != (2,):
            got = (
                f"shape {out.shape if self.batched else out.shape[1:]}"
                if hasattr(out, "shape")
                else type(out).__name__
            )
            raise InputError(f"log_density must return one real scalar a draw; got {got}")
        if not jnp.issubdtype(out.dtype, jnp.floating):
            raise InputError(f"log_density must return a real number; got dtype {out.dtype}")

    def _unravel(self, theta: Any, extra: tuple[int, ...]) -> Any:
        pieces = jnp.split(theta, np.cumsum([leaf.size for leaf in self.leaves])[:-1])
        shaped = [
            piece.reshape(leaf.shape + extra)
            for leaf, piece in zip(self.leaves, pieces, strict=True)
        ]
        return jax.tree.unflatten(self.tree, shaped)


def _element_names(leaf: Leaf) -> list[str]:
    if not leaf.shape:
        return [leaf.name]
    return [".".join([leaf.name, *(str(i + 1) for i in index)]) for index in np.ndindex(leaf.shape)]

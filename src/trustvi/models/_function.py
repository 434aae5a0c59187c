"""A JAX function of a pytree of reals as a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi._errors import InputError
from trustvi.models._constraints import transform_of
from trustvi.models._each_draw import EachDraw
from trustvi.models._leaves import Either, Leaf, Leaves


def from_function(
    log_density: Callable[..., Any],
    example: Any,
    *,
    constraints: Mapping[str, Any] | None = None,
    batched: bool = False,
    name: str | None = None,
) -> FunctionModel:
    """Make a model of `log_density`, a function of a pytree like `example` to a real scalar.

    Args:
        log_density: the log density of the parameters as they come, without Jacobians.
        example: parameters of the right structure and shapes.
        constraints: by name of a leaf ("sd", "group.sd"), what it must satisfy: a name such as
            "positive", "unit_interval", "simplex", "ordered" or "corr_cholesky", a pair
            (lower, upper) in which None stands for no bound, or one of NumPyro's constraints. A
            leaf that isn't named is any real array.
        batched: `log_density` takes each leaf with one more, last axis over draws and returns a
            vector, which is faster than mapping it when the function is written that way.
        name: of the model, that of the function by default.
    """
    if not callable(log_density):
        raise InputError(f"log_density must be a function; got {type(log_density).__name__}")
    paths, tree = jax.tree.flatten_with_path(example)
    if not paths:
        raise InputError("example must hold at least one number; got an empty structure")
    leaves = Leaves(_leaf(path, value) for path, value in paths)
    transforms = _transforms(leaves, constraints or {})
    model = FunctionModel(
        name=name or getattr(log_density, "__name__", "function"),
        log_density=log_density,
        tree=tree,
        leaves=leaves,
        batched=batched,
        transforms=transforms,
        unconstrained=Leaves(
            leaf if t is None else leaf._replace(shape=_real_shape(leaf, t))
            for leaf, t in zip(leaves, transforms, strict=True)
        ),
    )
    model.check()
    return model


def _leaf(path: Any, value: Any) -> Leaf:
    name = ".".join(_key_text(key) for key in path) or "theta"
    array = np.asarray(value)
    if not (np.issubdtype(array.dtype, np.floating) or np.issubdtype(array.dtype, np.integer)):
        raise InputError(f"example holds {array.dtype} values at {name!r}; parameters are reals")
    return Leaf(name, array.shape)


def _key_text(key: Any) -> str:
    for attribute in ("key", "name", "idx"):
        if hasattr(key, attribute):
            return str(getattr(key, attribute))
    return str(key)


def _transforms(leaves: Leaves, constraints: Mapping[str, Any]) -> tuple[Any, ...]:
    names = [leaf.name for leaf in leaves]
    for name in constraints:
        if name not in names:
            raise InputError(f"constraints name {name!r}; the example has {', '.join(names)}")
    return tuple(transform_of(n, constraints[n]) if n in constraints else None for n in names)


def _real_shape(leaf: Leaf, transform: Any) -> tuple[int, ...]:
    try:
        return tuple(transform.inverse_shape(leaf.shape))
    except ValueError as error:
        raise InputError(f"the constraint of {leaf.name!r} doesn't fit its shape: {error}") from (
            error
        )


@dataclass(frozen=True)
class FunctionModel:
    """A function of a pytree, seen as a density over the concatenation of its leaves."""

    name: str
    log_density: Callable[..., Any] = field(compare=False)
    tree: Any
    leaves: Leaves
    batched: bool
    transforms: tuple[Any, ...] = field(compare=False)
    """A bijection from the reals for each leaf, None where a leaf is unconstrained."""
    unconstrained: Leaves
    """The leaves as reals: a simplex has one number less there."""

    def param_unc_num(self) -> int:
        return self.unconstrained.size

    def param_unc_names(self) -> Sequence[str]:
        return self.unconstrained.element_names()

    def log_density_batch(self, theta_unc: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        return self._evaluate(theta_unc)

    def _evaluate(self, theta_unc: Any) -> Any:
        """Whatever the function returns, and the Jacobian's part."""
        if not self.batched:
            return jax.vmap(self._density, in_axes=-1)(theta_unc)
        values, volume = self._constrain(theta_unc)
        density = self.log_density(jax.tree.unflatten(self.tree, values))
        return density if volume is None else density + volume

    def constrain_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, np.ndarray]:
        del seed
        if any(self.transforms):
            values = self._constrained(theta_unc)
        else:
            values = [
                np.ascontiguousarray(np.moveaxis(value, -1, 0))
                for value in self.leaves.split(theta_unc)
            ]
        return {leaf.name: value for leaf, value in zip(self.leaves, values, strict=True)}

    @cached_property
    def _constrained(self) -> EachDraw:
        return EachDraw(lambda theta: self._constrain(theta)[0])

    def unconstrain_init(self, init: Any) -> Float[np.ndarray, " dim"]:
        values, tree = jax.tree.flatten(init)
        if tree != self.tree or any(
            np.shape(value) != leaf.shape for value, leaf in zip(values, self.leaves, strict=True)
        ):
            raise InputError(
                "init must have the structure and shapes of the model's example; got shapes "
                f"{jax.tree.map(np.shape, init)}"
            )
        with jax.enable_x64(True):
            reals = [
                value if t is None else t.inv(jnp.asarray(value, float))
                for value, t in zip(values, self.transforms, strict=True)
            ]
            return self.unconstrained.join(reals)

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

    def _density(self, theta: Float[Array, " dim"]) -> Any:
        values, volume = self._constrain(theta)
        density = self.log_density(jax.tree.unflatten(self.tree, values))
        return density if volume is None else density + volume

    def _constrain(self, theta: Float[Either, "dim *draws"]) -> tuple[list[Either], Either]:
        """The leaves as `log_density` takes them, and the log volume of getting there, if any."""
        values, volume = self.unconstrained.split(theta), None
        for i, transform in enumerate(self.transforms):
            if transform is not None:
                move = partial(_move, transform)
                for _ in theta.shape[1:]:
                    move = jax.vmap(move, in_axes=-1, out_axes=-1)
                values[i], grown = move(values[i])
                volume = grown if volume is None else volume + grown
        return values, volume


def _move(transform: Any, reals: Array) -> tuple[Array, Array]:
    """One leaf on its own scale, and the log volume of getting there."""
    value = transform(reals)
    return value, jnp.sum(transform.log_abs_det_jacobian(reals, value))

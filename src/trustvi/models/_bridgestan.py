"""Compiled models with BridgeStan's methods, called from JAX.

The way out for Stan programs that our compiler refuses, and for any other source of gradients:
whatever has `param_unc_num`, `log_density_gradient` and their kin is a model.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi._errors import InputError

NEEDED = ("param_unc_num", "log_density", "log_density_gradient", "param_constrain", "param_names")
FLAGS = {"propto": False, "jacobian": True}
# Central differences of gradients: the cube root of the rounding error balances it against theirs.
STEP = float(np.finfo(float).eps ** (1 / 3))


def from_bridgestan(
    model: Any,
    *,
    threads: Any = None,
    include_tp: bool = True,
    include_gq: bool = True,
    name: str | None = None,
) -> BridgeStanModel:
    """Make a model of an object with the methods of `bridgestan.StanModel`.

    Args:
        model: a `bridgestan.StanModel`, or an object whose methods of the same names mean the
            same. Without `log_density_hessian_vector_product`, gradients are differenced.
        threads: that evaluate draws at once. By default all cores if `model.model_info()` says
            that the model was compiled with STAN_THREADS, else one.
        include_tp, include_gq: whether draws hold transformed parameters, generated quantities.
        name: of the model, that of the object by default.
    """
    missing = [method for method in NEEDED if not callable(getattr(model, method, None))]
    if missing:
        raise InputError(f"model has no method {missing[0]}; it must have those of BridgeStan")
    if threads is None:
        threads = (os.cpu_count() or 1) if _is_thread_safe(model) else 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise InputError(f"threads must be a positive integer; got {threads!r}")
    return BridgeStanModel(
        name=name or str(getattr(model, "name", type(model).__name__)),
        source=model,
        pool=ThreadPoolExecutor(threads, thread_name_prefix="trustvi-bridge"),
        include_tp=include_tp,
        include_gq=include_gq,
    )


def _is_thread_safe(model: Any) -> bool:
    info = getattr(model, "model_info", None)
    return callable(info) and "STAN_THREADS=true" in str(info())


@dataclass(frozen=True, eq=False)
class BridgeStanModel:
    """An object with BridgeStan's methods, seen through callbacks as a density that JAX traces."""

    name: str
    source: Any
    pool: ThreadPoolExecutor
    include_tp: bool
    include_gq: bool

    def param_unc_num(self) -> int:
        return int(self.source.param_unc_num())

    def param_unc_names(self) -> Sequence[str]:
        if callable(getattr(self.source, "param_unc_names", None)):
            return list(self.source.param_unc_names())
        return [f"theta_unc.{i + 1}" for i in range(self.param_unc_num())]

    def log_density_batch(self, theta_unc: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        return density_of(_Calls(self.source, self.pool))(theta_unc)

    def constrain_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, np.ndarray]:
        flags: dict[str, Any] = {"include_tp": self.include_tp, "include_gq": self.include_gq}
        names = self.source.param_names(**flags)
        if self.include_gq and callable(getattr(self.source, "new_rng", None)):
            # One generator, draw after draw, so that the seed decides all of them.
            flags["rng"] = self.source.new_rng(seed)
        points = np.ascontiguousarray(np.asarray(theta_unc, np.float64).T)
        values = np.stack([self.source.param_constrain(point, **flags) for point in points])
        return _by_name(names, values)

    def unconstrain_init(self, init: Any) -> Float[np.ndarray, " dim"]:
        read = getattr(self.source, "param_unconstrain_json", None)
        if not callable(read):
            raise InputError("init must be an unconstrained array: model reads no JSON")
        plain = {name: np.asarray(value).tolist() for name, value in dict(init).items()}
        return np.asarray(read(json.dumps(plain)), np.float64)


def _by_name(names: Sequence[str], values: Float[np.ndarray, "draws num"]) -> dict[str, np.ndarray]:
    """Columns theta.1.2 gathered into arrays; parts behind a dot that are no numbers stay names."""
    places: dict[str, list[tuple[tuple[int, ...], int]]] = {}
    for column, name in enumerate(names):
        base, *rest = name.split(".")
        while rest and not rest[0].isdigit():
            base = f"{base}.{rest.pop(0)}"
        index = tuple(int(part) - 1 for part in rest if part.isdigit())
        suffix = "".join(f".{part}" for part in rest if not part.isdigit())
        places.setdefault(base + suffix, []).append((index, column))
    found = {}
    for base, entries in places.items():
        shape = tuple(int(size) for size in np.array([index for index, _ in entries]).max(0) + 1)
        array = np.empty((len(values), *shape))
        for index, column in entries:
            array[(slice(None), *index)] = values[:, column]
        found[base] = array
    return found


# --------------------------------------------------------------------------- callbacks


@dataclass(frozen=True, eq=False)
class _Calls:
    """The object's methods over many points: an axis of parameters, then one of draws."""

    source: Any
    pool: ThreadPoolExecutor

    def value(self, z: np.ndarray) -> tuple[np.ndarray]:
        return (self._over_draws(self._one_value, 1, z)[..., 0, :],)

    def gradient(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values and gradients."""
        both = self._over_draws(self._one_gradient, z.shape[-2] + 1, z)
        return both[..., 0, :], both[..., 1:, :]

    def product(self, z: np.ndarray, v: np.ndarray) -> tuple[np.ndarray]:
        return (self._over_draws(self._one_product, z.shape[-2], z, v),)

    def _over_draws(
        self, one: Callable[..., np.ndarray], rows: int, *arrays: np.ndarray
    ) -> np.ndarray:
        """`one` for each point, spread over the threads; axes before the last two are a batch."""
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        points = [
            np.ascontiguousarray(np.moveaxis(np.broadcast_to(a, shape), -2, -1)).reshape(
                -1, shape[-2]
            )
            for a in arrays
        ]
        results = np.stack(list(self.pool.map(one, *points)))
        return np.moveaxis(results.reshape(*shape[:-2], shape[-1], rows), -1, -2)

    def _one_value(self, theta: np.ndarray) -> np.ndarray:
        try:
            return np.array([self.source.log_density(theta, **FLAGS)])
        except (RuntimeError, ValueError):
            return np.array([-np.inf])

    def _one_gradient(self, theta: np.ndarray) -> np.ndarray:
        """The value, then the gradient; a point that the model rejects has density zero."""
        try:
            value, gradient = self.source.log_density_gradient(theta, **FLAGS)
        except (RuntimeError, ValueError):
            return np.concatenate([[-np.inf], np.full_like(theta, np.nan)])
        return np.concatenate([[value], gradient])

    def _one_product(self, theta: np.ndarray, v: np.ndarray) -> np.ndarray:
        exact = getattr(self.source, "log_density_hessian_vector_product", None)
        if exact is None:
            return self._differenced(theta, v)
        try:
            return np.asarray(exact(theta, v, **FLAGS)[1])
        except (RuntimeError, ValueError):
            return np.full_like(theta, np.nan)

    def _differenced(self, theta: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(grad(theta + h v) - grad(theta - h v)) / 2h, h scaled by point and direction."""
        length = float(np.abs(v).max(initial=0.0))
        if length == 0.0:
            return np.zeros_like(v)
        h = STEP * max(1.0, float(np.abs(theta).max())) / length
        ahead, behind = self._one_gradient(theta + h * v), self._one_gradient(theta - h * v)
        return (ahead[1:] - behind[1:]) / (2 * h)


def density_of(calls: _Calls) -> Callable[[Array], Array]:
    """The density as a JAX function with first and second derivatives (reverse, then forward)."""

    @jax.custom_jvp
    def value(z: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        (found,) = _call(calls.value, [z.shape[1:]], z)
        return found

    @jax.custom_jvp
    def both(z: Float[Array, "dim draws"]) -> tuple[Array, Array]:
        found, gradient = _call(calls.gradient, [z.shape[1:], z.shape], z)
        return found, gradient

    @value.defjvp
    def _(primals: Any, tangents: Any) -> tuple[Array, Array]:
        found, gradient = both(*primals)
        return found, jnp.sum(gradient * tangents[0], axis=0)

    @both.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (z,), (dz,) = primals, tangents
        found, gradient = both(z)
        (change,) = _call(calls.product, [z.shape], z, dz)
        return (found, gradient), (jnp.sum(gradient * dz, axis=0), change)

    return value


def _call(function: Callable[..., Any], shapes: Sequence[tuple[int, ...]], *arrays: Array) -> Any:
    """`function` of NumPy's arrays, called back by JAX.

    Numbers travel as pairs of 32-bit words: XLA calls back on threads of its own, where JAX would
    round doubles to single precision, since `jax.enable_x64` holds for one thread.
    """

    def wrapped(*words: Any) -> list[np.ndarray]:
        results = function(*(np.array(w, np.uint32).view(np.float64)[..., 0] for w in words))
        return [np.ascontiguousarray(r, np.float64)[..., None].view(np.uint32) for r in results]

    out = [jax.ShapeDtypeStruct((*shape, 2), jnp.uint32) for shape in shapes]
    words = [jax.lax.bitcast_convert_type(array, jnp.uint32) for array in arrays]
    found = jax.pure_callback(wrapped, out, *words, vmap_method="broadcast_all")
    return [jax.lax.bitcast_convert_type(each, jnp.float64) for each in found]

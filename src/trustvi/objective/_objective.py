"""The sampled ELBO of a model under a Gaussian: gradients, values, products."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi.families import Family, MeanField
from trustvi.models import Model
from trustvi.objective._density import trace_density
from trustvi.objective._draws import DrawKind, base_draws, effective_kind
from trustvi.objective._executables import Lazily, compiled
from trustvi.objective._kernels import (
    MAX_DRAWS,
    Control,
    GradientSums,
    Sizes,
    gradient_kernel,
    product_kernel,
    value_kernel,
)
from trustvi.objective._keys import make_key

HESSIAN_COLUMNS = 16  # products made at once: enough for SIMD, little memory


class Gradient(NamedTuple):
    """A minibatch of gradients as NumPy sums (see `GradientSums`), and how many draws it holds."""

    sums: GradientSums
    draws: int
    replicates: int

    @property
    def values(self) -> Float[np.ndarray, " draws"]:
        return self.sums.values[: self.draws]

    @property
    def controls(self) -> Float[np.ndarray, " draws"]:
        return self.sums.controls[: self.draws]

    def replicate_means(
        self, sums: Float[np.ndarray, "dim chunk"]
    ) -> Float[np.ndarray, "dim replicates"]:
        """Means over the draws of each independent replicate."""
        chunk = sums.shape[1]
        folded = sums.reshape(sums.shape[0], chunk // self.replicates, self.replicates)
        return folded.sum(axis=1) * (self.replicates / self.draws)


class Values(NamedTuple):
    """Log densities and controls of each draw."""

    values: Float[np.ndarray, " draws"]
    controls: Float[np.ndarray, " draws"]


class Compilable:
    """A set of jitted functions that are compiled ahead of time, for one set of shapes each."""

    def lowered(self) -> dict[str, Any]:
        """The functions by attribute name, lowered for their arguments."""
        raise NotImplementedError


def compile_all(parts: Sequence[Compilable]) -> None:
    """Compile the functions of all parts, side by side where there are cores, or load them.

    Compiled functions refuse other shapes, so nothing is ever compiled twice in a fit.
    """
    lowered = [(part, name, low) for part in parts for name, low in part.lowered().items()]
    with ThreadPoolExecutor(max_workers=min(len(lowered), os.cpu_count() or 1)) as pool:
        functions = list(pool.map(lambda item: compiled(item[2]), lowered))
    for (part, name, _), function in zip(lowered, functions, strict=True):
        setattr(part, name, function)


class Objective(Compilable):
    """Compiled evaluations of one model under members of one family, of which `q` is an example.

    Every method takes the key of its draws. Call within `jax.enable_x64(True)`.
    """

    def __init__(
        self, model: Model, *, kind: DrawKind, chunk: int, dense: bool, q: Family | None = None
    ) -> None:
        self.dim = model.param_unc_num()
        self.chunk = chunk
        self.dense = dense
        self._template = MeanField(np.zeros(self.dim), np.zeros(self.dim)) if q is None else q
        self.kind = effective_kind(kind, self._template.base_dim)
        density = trace_density(model, chunk)
        self._consts = jax.device_put(density.consts)
        draw = base_draws(self.kind, self._template.base_dim, chunk)
        sizes = Sizes(self.dim, self._template.shape_size, chunk, dense)
        self._gradient = jax.jit(gradient_kernel(density.function, draw, sizes))
        self._values = jax.jit(value_kernel(density.function, draw, chunk))

    def lowered(self) -> dict[str, Any]:
        frame = self._template.frame
        control = Control.none(frame, self.dim if self.dense else 0)
        arguments = (self._consts, frame, control, make_key(0), jnp.asarray(0))
        return {
            "_gradient": self._gradient.lower(*arguments),
            "_values": self._values.lower(*arguments),
        }

    def gradient(self, q: Family, control: Control, key: Array, draws: int) -> Gradient:
        """The minibatch of `draws` gradients at `q`."""
        sums = self._gradient(self._consts, q.frame, control, key, jnp.asarray(self._chunks(draws)))
        return Gradient(
            GradientSums(*map(np.asarray, sums)), draws, self.kind.replicates(self.chunk)
        )

    def values(self, q: Family, control: Control, key: Array, draws: int) -> Values:
        """The log density and the control at `draws` draws from `q`."""
        values, controls = self._values(
            self._consts, q.frame, control, key, jnp.asarray(self._chunks(draws))
        )
        return Values(np.asarray(values)[:draws], np.asarray(controls)[:draws])

    def _chunks(self, draws: int) -> int:
        if draws % self.chunk or not 0 < draws <= MAX_DRAWS:
            raise ValueError(f"draws must be a multiple of {self.chunk} up to {MAX_DRAWS}: {draws}")
        return draws // self.chunk


class PointDensity(Compilable):
    """Value and gradient of the log density at single points, for starting a fit."""

    def __init__(self, model: Model) -> None:
        density = trace_density(model, 1)
        self.dim = model.param_unc_num()
        self.jaxpr = density.jaxpr
        self._consts = jax.device_put(density.consts)
        self._value_and_grad = jax.jit(
            jax.value_and_grad(lambda theta, consts: density.function(consts, theta[:, None])[0])
        )
        gradient = jax.grad(lambda theta, consts: density.function(consts, theta[:, None])[0])

        def hessian(theta: Array, consts: Any) -> Array:
            _, product = jax.linearize(lambda theta: gradient(theta, consts), theta)
            return jax.lax.map(product, jnp.eye(self.dim), batch_size=HESSIAN_COLUMNS)

        def differences(theta: Array, steps: Array, consts: Any) -> Array:
            moved = jax.lax.map(
                lambda step: gradient(theta + step, consts),
                jnp.diag(steps),
                batch_size=HESSIAN_COLUMNS,
            )
            return (moved - gradient(theta, consts)) / steps[:, None]

        self._hessian = Lazily(hessian)
        self._differences = Lazily(differences)

    def lowered(self) -> dict[str, Any]:
        return {"_value_and_grad": self._value_and_grad.lower(np.zeros(self.dim), self._consts)}

    def __call__(self, theta: Float[np.ndarray, " dim"]) -> tuple[float, np.ndarray]:
        value, gradient = self._value_and_grad(theta, self._consts)
        return float(value), np.asarray(gradient)

    def hessian(self, theta: Float[np.ndarray, " dim"]) -> Float[np.ndarray, "dim dim"]:
        """The Hessian by one product for each coordinate; compiled when first asked for."""
        h = np.asarray(self._hessian(theta, self._consts))
        return 0.5 * (h + h.T)

    def differenced_hessian(
        self, theta: Float[np.ndarray, " dim"], steps: Float[np.ndarray, " dim"]
    ) -> Float[np.ndarray, "dim dim"]:
        """The Hessian by forward differences of dim + 1 gradients, a step for each coordinate."""
        h = np.asarray(self._differences(theta, steps, self._consts))
        return 0.5 * (h + h.T)


class Products(Compilable):
    """Hessian-vector products of the ELBO sampled on a fixed number of draws."""

    def __init__(self, model: Model, *, kind: DrawKind, draws: int) -> None:
        self.draws = draws
        density = trace_density(model, draws)
        self._consts = jax.device_put(density.consts)
        draw = base_draws(kind, model.param_unc_num(), draws)
        self._linearize, self._apply = product_kernel(density.function, draw)

    def lowered(self) -> dict[str, Any]:
        return {}

    def at(self, q: MeanField, key: Array) -> Any:
        """A function of (d_loc, d_log_scale), linearised once."""
        product = self._linearize(self._consts, q.loc, q.log_scale, key)
        return lambda d_loc, d_log_scale: tuple(
            map(np.asarray, self._apply(product, d_loc, d_log_scale))
        )

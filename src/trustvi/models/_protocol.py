"""What the engine needs of a model, and what a model may say besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Array, Float


@runtime_checkable
class Model(Protocol):
    """A log density over unconstrained reals, batched with the draws on the last axis."""

    @property
    def name(self) -> str: ...

    def param_unc_num(self) -> int: ...

    def param_unc_names(self) -> Sequence[str]: ...

    def log_density_batch(self, theta_unc: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        """Log density of each draw, Jacobian included, constants kept; traceable by JAX."""
        ...

    def constrain_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, np.ndarray]:
        """Named quantities on the model's own scale, each with the draws on its first axis."""
        ...

    def unconstrain_init(self, init: Any) -> Float[np.ndarray, " dim"]:
        """A starting point given on the model's own scale, as an unconstrained vector."""
        ...


@runtime_checkable
class Labelled(Protocol):
    """Optional: names of axes and of positions along them, as ArviZ and PyMC have them.

    `dims[name]` names the axes of the quantity `name`, draws left out; `coords[dim]` holds the
    labels along an axis. Quantities and axes that have none are left out of the mappings.
    """

    @property
    def coords(self) -> Mapping[str, Sequence[Any]]: ...

    @property
    def dims(self) -> Mapping[str, Sequence[str]]: ...


@runtime_checkable
class Predictive(Protocol):
    """Optional: what a model with observations can compute of draws, by groups of ArviZ."""

    def predict_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, dict[str, np.ndarray]]:
        """Some of the groups `posterior_predictive` and `log_likelihood`, whose arrays have the
        draws on their first axis, and `observed_data`, whose arrays have none."""
        ...


@runtime_checkable
class Staged(Protocol):
    """Optional: a model that tells its parameters from what it computes of them, as Stan's do."""

    def param_names(self, include_tp: bool = False, include_gq: bool = False) -> Sequence[str]: ...

    def constrain_draws(
        self,
        theta_unc: Float[np.ndarray, "dim draws"],
        include_tp: bool = True,
        include_gq: bool = True,
        *,
        seed: int = 0,
    ) -> dict[str, np.ndarray]: ...


def labels(model: Model) -> tuple[dict[str, list[Any]], dict[str, list[str]]]:
    """The coords and dims of `model`, empty where it has none."""
    if not isinstance(model, Labelled):
        return {}, {}
    coords = {name: list(values) for name, values in model.coords.items()}
    return coords, {name: list(axes) for name, axes in model.dims.items()}


def predictions(
    model: Model, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
) -> dict[str, dict[str, np.ndarray]]:
    """The groups that `model` computes of draws, none where it has no observations."""
    return model.predict_draws(theta_unc, seed=seed) if isinstance(model, Predictive) else {}

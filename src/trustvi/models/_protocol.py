"""What the engine needs of a model, and nothing more."""

from __future__ import annotations

from collections.abc import Sequence
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

"""The log density at draws that are given, for what is asked of a finished fit."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from jaxtyping import Float

from trustvi.models import Model
from trustvi.objective._density import trace_density
from trustvi.objective._objective import Compilable

# As many draws at once as the default method's, so that a model traced once serves both.
CHUNK = 8


class DrawDensity(Compilable):
    """log p at columns of a matrix of draws; call within `jax.enable_x64(True)`."""

    def __init__(self, model: Model) -> None:
        self._dim = model.param_unc_num()
        density = trace_density(model, CHUNK)
        self._consts = jax.device_put(density.consts)
        self._values = jax.jit(density.function)

    def lowered(self) -> dict[str, Any]:
        return {"_values": self._values.lower(self._consts, np.zeros((self._dim, CHUNK)))}

    def __call__(self, z: Float[np.ndarray, "dim draws"]) -> Float[np.ndarray, " draws"]:
        draws = z.shape[1]
        padded = np.pad(z, ((0, 0), (0, -draws % CHUNK)), mode="edge")
        parts = [
            self._values(self._consts, np.ascontiguousarray(padded[:, at : at + CHUNK]))
            for at in range(0, padded.shape[1], CHUNK)
        ]
        return np.concatenate([np.asarray(part) for part in parts])[:draws]

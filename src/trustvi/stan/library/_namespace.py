"""Which array library computes: NumPy for what is known now, JAX for what is traced."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def is_traced(*arrays: Any) -> bool:
    """Whether any of `arrays` is a JAX array, that is, may depend on parameters."""
    return any(isinstance(array, jax.Array) for array in arrays)


def namespace(*arrays: Any) -> ModuleType:
    """`numpy` if every array is known now, else `jax.numpy`."""
    return jnp if is_traced(*arrays) else np


def special(*arrays: Any) -> ModuleType:
    """The module of special functions for `arrays`: the same names for NumPy and for JAX."""
    from trustvi.stan.library import _special, _special_numpy

    return _special if is_traced(*arrays) else _special_numpy

"""What fit() is given, checked once: each refusal is one sentence that names the argument."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from trustvi._errors import InputError
from trustvi.models import Model

GREATEST_INTEGER = 2**32 - 1


def checked_model(model: Any) -> Model:
    """`model`, if it is one and has something to fit."""
    if not isinstance(model, Model):
        raise InputError(
            "model must be what StanModel, from_function or another adapter returns; "
            f"got {type(model).__name__}"
        )
    if model.param_unc_num() == 0:
        raise InputError(f"model {model.name!r} has no parameters to fit")
    return model


def positive(name: str, value: Any) -> float:
    """`value` as a number above 0; it may be infinite."""
    if not _is_number(value) or not value > 0:
        raise InputError(f"{name} must be a positive number; got {value!r}")
    return float(value)


def integer(name: str, value: Any, least: int = 0) -> int:
    """`value` as an integer in range."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 0 <= value <= GREATEST_INTEGER:
        raise InputError(f"{name} must be an integer from 0 to 2^32 - 1; got {value!r}")
    if value < least:
        raise InputError(f"{name} must be at least {least}; got {value}")
    return int(value)


def switch(name: str, value: Any) -> Any:
    """`value` if it is True, False or None."""
    if value is not None and not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be True, False or None; got {value!r}")
    return value


def start_count(value: Any, init: Any) -> int:
    """The number of starts, which must be random where there are several."""
    starts = integer("starts", value, least=1)
    if starts > 1 and init is not None and not _is_number(init):
        raise InputError("starts > 1 needs random starts; init must be None or a number")
    return starts


def checkpoint_file(value: Any) -> Path | None:
    """The file of a checkpoint, in a folder that is there."""
    if value is None:
        return None
    if not isinstance(value, (str, Path)):
        raise InputError(f"checkpoint must be the path of a file; got {value!r}")
    path = Path(value)
    if path.is_dir() or not path.absolute().parent.is_dir():
        fault = "is a folder" if path.is_dir() else "lies in a folder that doesn't exist"
        raise InputError(f"checkpoint {value} {fault}; it must be the path of a file")
    return path


def starting_point(model: Model, init: Any, seed: int) -> Float[np.ndarray, " dim"] | None:
    """`init` as an unconstrained point, or None for the method's own random start."""
    if init is None:
        return None
    if _is_number(init):
        return _random_point(model.param_unc_num(), init, seed)
    try:
        vector = _is_vector(init)
        point = np.asarray(init, np.float64) if vector else model.unconstrain_init(init)
        point = np.asarray(point)
    except InputError:
        raise
    except (TypeError, ValueError) as error:
        raise InputError(f"init must hold real numbers: {error}") from error
    if vector and point.size != model.param_unc_num():
        raise InputError(
            f"init has {point.size} numbers; model {model.name!r} has {model.param_unc_num()} "
            "unconstrained parameters"
        )
    if not np.all(np.isfinite(point)):
        raise InputError("init is not finite, or lies outside the support of a parameter")
    return point


def is_point(init: Any) -> bool:
    """Whether `init` asks for one place, not for a random one."""
    return init is not None and not _is_number(init)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


def _is_vector(init: Any) -> bool:
    if isinstance(init, Mapping) or not isinstance(init, (np.ndarray, list, tuple)):
        return False
    array = np.asarray(init)
    if array.dtype.kind == "c":
        raise InputError("init must hold real numbers; got complex ones")
    return array.ndim == 1


def _random_point(dim: int, reach: Any, seed: int) -> Float[np.ndarray, " dim"]:
    """Uniform on [-reach, reach], as Stan's `init`."""
    if not math.isfinite(reach):
        raise InputError(f"init = {reach} is not a finite number")
    reach = abs(float(reach))
    return np.random.default_rng(seed).uniform(-reach, reach, dim)

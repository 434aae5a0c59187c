"""Draws by name as one matrix, a column for each real number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from jaxtyping import Float

from trustvi._errors import InputError
from trustvi.models import Model, Staged


def columns(
    draws: Mapping[str, np.ndarray], order: Literal["C", "F"]
) -> tuple[list[str], Float[np.ndarray, "draws columns"]]:
    """Names like theta.1.2 and their draws.

    In order "F" the first index runs fastest, as in Stan's files; in order "C" the last, as one
    reads. A complex number is two columns, z.real and z.imag.
    """
    names: list[str] = []
    parts: list[np.ndarray] = []
    for name, value in draws.items():
        shape = value.shape[1:]
        size = math.prod(shape)
        indices = [axis.reshape(size, order=order) + 1 for axis in np.indices(shape)]
        labels = [".".join([name, *map(str, at)]) for at in zip(*indices, strict=True)]
        labels = labels if shape else [name]
        # Transposed, the last index runs fastest in C order where the first did.
        inner = value if order == "C" else value.transpose(0, *range(value.ndim - 1, 0, -1))
        flat = inner.reshape(len(value), size)
        if np.iscomplexobj(value):
            labels = [f"{label}.{part}" for label in labels for part in ("real", "imag")]
            flat = np.stack([np.real(flat), np.imag(flat)], axis=2).reshape(len(value), -1)
        names += labels
        parts.append(flat.astype(np.float64))
    if not parts:
        return [], np.zeros((0, 0))
    return names, np.concatenate(parts, axis=1)


def parameters_only(model: Model, draws: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The draws of parameters, without what the model computes of them, if it tells them apart."""
    if not isinstance(model, Staged):
        return dict(draws)
    named = {stem(name) for name in model.param_names()}
    return {name: value for name, value in draws.items() if stem(name) in named}


def stem(name: str) -> str:
    """The variable that a real number is part of: theta of theta.1.2, pair of pair:1.2."""
    return name.split(".")[0].split(":")[0]


def to_dataframe(draws: Mapping[str, np.ndarray]) -> Any:
    """A pandas DataFrame, a row for each draw, columns in Stan's order."""
    names, values = columns(draws, "F")
    return frame(values, names, None)


def frame(values: np.ndarray, names: list[str], index: list[str] | None) -> Any:
    """A pandas DataFrame, or an error that says how to have pandas."""
    try:
        import pandas as pd  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError("a DataFrame needs pandas: pip install pandas") from error
    return pd.DataFrame(values, columns=names, index=index)

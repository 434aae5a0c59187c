"""Values as `print` and `reject` write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan import _types as t
from trustvi.stan._values import Value, leaves
from trustvi.stan.library._namespace import is_traced


def shown(value: Value, lane: int) -> str:
    """A known value in one lane: numbers with six digits, containers in brackets."""
    if any(is_traced(leaf) for leaf in leaves(value.data)):
        return "<depends on parameters>"
    return _shown(value.data, value.type, lane)


def _shown(data: Any, type: t.Type, lane: int) -> str:
    if isinstance(type, t.Tuple):
        items = [_shown(d, k, lane) for d, k in zip(data, type.elements, strict=True)]
        return f"({', '.join(items)})"
    if isinstance(data, tuple):
        return str(data)
    return _nested(data[lane if len(data) > 1 else 0, ..., 0])


def _nested(array: np.ndarray) -> str:
    if array.ndim:
        return f"[{','.join(map(_nested, array))}]"
    if np.iscomplexobj(array):
        value = complex(array)
        return f"({value.real:g},{value.imag:g})"
    return f"{array:g}" if array.dtype.kind == "f" else str(array)

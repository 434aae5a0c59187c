"""What must hold of arguments known now, in Stan's words.

Traced arguments are not checked: their results are NaN where they are out of the domain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._namespace import is_traced

NOT_NAN = "not nan!"


def shown(value: Any) -> str:
    """A number as C++ streams write it: six significant digits."""
    return f"{value:g}" if isinstance(value, float | np.floating) else str(value)


def fail(function: str, name: str, value: Any, must: str) -> None:
    """Raise Stan's error about one value: `f: x is 2, but must be ...`."""
    words = "not be nan!" if must == NOT_NAN else f"be {must}"
    raise StanRuntimeError(f"{function}: {name} is {shown(value)}, but must {words}")


def require(function: str, name: str, value: Any, holds: Any, must: str) -> None:
    """Fail with the first entry of `value` for which the known condition doesn't hold."""
    if is_traced(value, holds) or np.all(holds):
        return
    value, holds = np.broadcast_arrays(value, holds)
    fail(function, name, value[~holds].flat[0], must)


def require_size(function: str, name: str, size: int) -> None:
    """A size may be 0 but not negative."""
    if size < 0:
        fail(function, name, size, "nonnegative!")


def require_index(function: str, index: Any, size: int, what: str = "") -> None:
    """An index must be 1 to `size`; `what` ends the message (" for rows of m")."""
    if is_traced(index):
        return
    wrong = np.asarray(index)[(np.asarray(index) < 1) | (np.asarray(index) > size)]
    if wrong.size:
        expected = (
            f"expecting index to be between 1 and {size}"
            if size
            else "container is empty and cannot be indexed"
        )
        raise StanRuntimeError(
            f"{function}: accessing element out of range. index {wrong.flat[0]} out of range; "
            f"{expected}{what}"
        )


def require_match(function: str, name: str, size: int, other_name: str, other: int) -> None:
    """Two sizes must be the same."""
    if size != other:
        raise StanRuntimeError(
            f"{function}: {name} ({size}) and {other_name} ({other}) must match in size"
        )


def require_elements(function: str, name: str, size: int) -> None:
    """A container must not be empty."""
    if size == 0:
        raise StanRuntimeError(f"{function}: {name} has size 0, but must have a non-zero size")

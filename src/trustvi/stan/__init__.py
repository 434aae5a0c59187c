"""The Stan language, compiled to JAX. Knows nothing of variational inference."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trustvi.stan._diagnostics import StanError
    from trustvi.stan._driver import check_program
    from trustvi.stan._model import StanModel

__all__ = ["StanError", "StanModel", "check_program"]

_HOMES = {"StanError": "_diagnostics", "StanModel": "_model", "check_program": "_driver"}


def __getattr__(name: str) -> Any:
    """Import what is asked for: the compiler and JAX take longer than most uses of the package."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

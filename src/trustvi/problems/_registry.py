"""The table of problems by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from trustvi.models import FunctionModel, from_function


@dataclass(frozen=True)
class Problem:
    """A log density with an example of its parameters; `hard` says what makes it so."""

    name: str
    log_density: Callable[..., Any]
    example: dict[str, np.ndarray]
    hard: str = ""

    @property
    def dim(self) -> int:
        return sum(np.size(value) for value in self.example.values())

    def model(self) -> FunctionModel:
        return from_function(self.log_density, self.example, name=self.name)


@cache
def _table() -> dict[str, Callable[[], Problem]]:
    from trustvi.problems import _hierarchies, _latent, _regressions, _series

    return {
        maker.__name__: maker
        for module in (_regressions, _hierarchies, _latent, _series)
        for maker in module.PROBLEMS
    }


def names() -> list[str]:
    """The names of all problems."""
    return list(_table())


def problem(name: str) -> Problem:
    """The problem called `name`."""
    if name not in _table():
        raise KeyError(f"no problem is called {name!r}; there are {', '.join(_table())}")
    return _table()[name]()

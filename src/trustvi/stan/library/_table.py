"""What a library function is: one row with its name, signatures and implementation.

The type checker, the evaluator and the coverage page read the same rows. Implementations know
nothing of Stan values: they receive arrays whose axes are `(lanes, *event, draws)`, where the
lanes axis has size 1 when the value is the same in all lanes of a loop, and the draws axis has
size 1 when it doesn't depend on parameters. A NumPy array is known now (data); a JAX array is
traced. Integers are int64, reals float64, complex complex128; truth values are 0 and 1.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from trustvi.stan import _types as t


class Convention(enum.Enum):
    """How the evaluator calls an implementation."""

    ELEMENTWISE = "f(*arrays): event axes aligned for broadcasting; returns an array"
    BATCHED = "f(*arrays): each with its own event axes between lanes and draws; returns an array"
    EVENT = "f(*events): one lane and one draw, event axes only; mapped over lanes and draws"
    DENSITY = "f(terms, *arrays): aligned as ELEMENTWISE; adds summands to terms"
    MULTIVARIATE = "f(terms, *arrays): as BATCHED; adds summands to terms"
    RNG = "f(key, shape, *arrays): aligned as ELEMENTWISE; returns an array of that shape"
    RNG_EVENT = "f(key, *events): as EVENT, with a key"
    SPECIAL = "the evaluator handles this name itself"


@dataclass(frozen=True, slots=True)
class Row:
    """One library function. `signatures` is a function so that expansion waits until asked for."""

    name: str
    signatures: Callable[[], Iterable[t.Function]]
    convention: Convention
    implementation: Callable[..., Any] | None = field(default=None, compare=False)

"""Declared types over the reals: layout, transforms with their Jacobians, checks."""

from trustvi.stan._transforms._check import satisfied, unusable, violation
from trustvi.stan._transforms._constrain import constrain, unconstrain
from trustvi.stan._transforms._layout import (
    Layout,
    constrained_size,
    flatten,
    names,
    unconstrained_names,
    unconstrained_size,
    unflatten,
)
from trustvi.stan._transforms._sizes import arguments_of, layout_of

__all__ = [
    "Layout",
    "arguments_of",
    "constrain",
    "constrained_size",
    "flatten",
    "layout_of",
    "names",
    "satisfied",
    "unconstrain",
    "unconstrained_names",
    "unconstrained_size",
    "unflatten",
    "unusable",
    "violation",
]

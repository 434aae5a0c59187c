"""The families by name: a new family is a file and a row here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from trustvi._errors import InputError
from trustvi.families._family import Family
from trustvi.families._fullrank import FullRank
from trustvi.families._meanfield import MeanField

Widen = Callable[[MeanField], Family]

FAMILIES: Mapping[str, Widen] = MappingProxyType(
    {
        "meanfield": lambda q: q,
        "fullrank": FullRank.of,
    }
)
"""For each name the function that makes a mean-field member one of the family."""

MEMBERS: tuple[type, ...] = (MeanField, FullRank)


def choose_family(name: str) -> Widen:
    """The function of FAMILIES that a name stands for."""
    if name not in FAMILIES:
        raise InputError(f"family {name!r} is unknown; there is {', '.join(FAMILIES)}")
    return FAMILIES[name]

"""The families by name: a new family is a file and a row here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from trustvi._errors import InputError
from trustvi.families._family import Family
from trustvi.families._fullrank import FullRank
from trustvi.families._lowrank import LowRank
from trustvi.families._meanfield import MeanField

Widen = Callable[[MeanField], Family]

FAMILIES: Mapping[str, Widen] = MappingProxyType(
    {
        "meanfield": lambda q: q,
        "fullrank": FullRank.of,
    }
)
"""For each name the function that makes a mean-field member one of the family."""

MEMBERS: tuple[type, ...] = (MeanField, FullRank, LowRank)


def choose_family(name: str) -> Widen:
    """The function that a name stands for: of FAMILIES, or "lowrank:r" for any rank r."""
    if found := re.fullmatch(r"lowrank:([1-9][0-9]{0,3})", name):
        return partial(LowRank.of, rank=int(found[1]))
    if name not in FAMILIES:
        raise InputError(
            f"family {name!r} is unknown; there is {', '.join(FAMILIES)}, and lowrank:r for a rank "
            "r of 1 or more"
        )
    return FAMILIES[name]

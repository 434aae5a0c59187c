"""Families of approximating distributions: base draws to z, entropy, and their metric."""

from trustvi.families._family import Ascending, Bend, Family, Frame, Seen
from trustvi.families._fullrank import FullRank
from trustvi.families._lowrank import LowRank
from trustvi.families._meanfield import MeanField
from trustvi.families._named import FAMILIES, MEMBERS, choose_family

__all__ = [
    "FAMILIES",
    "MEMBERS",
    "Ascending",
    "Bend",
    "Family",
    "Frame",
    "FullRank",
    "LowRank",
    "MeanField",
    "Seen",
    "choose_family",
]

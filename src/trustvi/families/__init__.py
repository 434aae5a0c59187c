"""Families of approximating distributions: base draws to z, entropy, and their metric."""

from trustvi.families._family import Bend, Family, Frame, Seen
from trustvi.families._meanfield import MeanField

__all__ = ["Bend", "Family", "Frame", "MeanField", "Seen"]

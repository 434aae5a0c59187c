"""Families of approximating distributions: base draws to z, entropy, and their metric."""

from trustvi.families._family import Family
from trustvi.families._meanfield import MeanField

__all__ = ["Family", "MeanField"]

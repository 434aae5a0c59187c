"""Optimizers of the sampled ELBO. They know objectives, never models' sources."""

from trustvi.optimize._config import LadderConfig, PaperConfig
from trustvi.optimize._final import FinalElbo, estimate_elbo
from trustvi.optimize._ladder import LadderTrustVI
from trustvi.optimize._method import Info, Method, Progress, drive
from trustvi.optimize._paper import PaperTrustVI
from trustvi.optimize._registry import METHODS, Preset, choose_preset, saved_types
from trustvi.optimize._widening import WidenedTrustVI, as_member

__all__ = [
    "METHODS",
    "FinalElbo",
    "Info",
    "LadderConfig",
    "LadderTrustVI",
    "Method",
    "PaperConfig",
    "PaperTrustVI",
    "Preset",
    "Progress",
    "WidenedTrustVI",
    "as_member",
    "choose_preset",
    "drive",
    "estimate_elbo",
    "saved_types",
]

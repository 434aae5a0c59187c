"""Optimizers of the sampled ELBO. They know objectives, never models' sources."""

from trustvi.optimize._config import LadderConfig, PaperConfig, make_config
from trustvi.optimize._curvature import DenseCurvature, DiagonalCurvature
from trustvi.optimize._final import FinalElbo, estimate_elbo
from trustvi.optimize._ladder import LadderState, LadderTrustVI
from trustvi.optimize._method import Info, Method, Progress, drive
from trustvi.optimize._paper import PaperState, PaperTrustVI


def saved_types() -> tuple[type, ...]:
    """The named tuples of which states are made, for saving them by name."""
    return (LadderState, PaperState, DenseCurvature, DiagonalCurvature)


__all__ = [
    "FinalElbo",
    "Info",
    "LadderConfig",
    "LadderTrustVI",
    "Method",
    "PaperConfig",
    "PaperTrustVI",
    "Progress",
    "drive",
    "estimate_elbo",
    "make_config",
    "saved_types",
]

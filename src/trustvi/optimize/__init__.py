"""Optimizers of the sampled ELBO. They know objectives, never models' sources."""

from trustvi.optimize._config import LadderConfig, PaperConfig, make_config
from trustvi.optimize._ladder import LadderTrustVI
from trustvi.optimize._method import Info, Method, Progress, drive
from trustvi.optimize._paper import PaperTrustVI

__all__ = [
    "Info",
    "LadderConfig",
    "LadderTrustVI",
    "Method",
    "PaperConfig",
    "PaperTrustVI",
    "Progress",
    "drive",
    "make_config",
]

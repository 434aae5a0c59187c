"""The paper's own numbers (Regier, Jordan and McAuliffe 2017, "Experiments")."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """What the paper says of TrustVI against another method."""

    models: int
    same: int
    better: int
    worse: int
    compared: int
    """Models left in the comparison of runtimes."""
    faster: int
    share_12: float | None
    share_36: float | None


PAPER = {
    "advi": Published(183, 126, 51, 6, 137, 136, 0.50, 0.25),
    # The paper's counts for HFSGVI add up to 159 of its 160 models; they are given as printed.
    "hfsgvi": Published(160, 107, 51, 1, 115, 61, None, None),
}
OVERFLOWS, MODELS = 23, 183

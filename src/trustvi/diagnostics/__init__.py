"""What can be said of a fit: its verdict, and whether importance ratios can correct it."""

from trustvi.diagnostics._agreement import Agreement, Outcome, agreement, best_of
from trustvi.diagnostics._pareto import Pareto, fit_pareto
from trustvi.diagnostics._psis import KHat, Smoothed, khat_each, khat_threshold, resample, smooth
from trustvi.diagnostics._response import Response, Solved, respond
from trustvi.diagnostics._verdict import Verdict

__all__ = [
    "Agreement",
    "KHat",
    "Outcome",
    "Pareto",
    "Response",
    "Smoothed",
    "Solved",
    "Verdict",
    "agreement",
    "best_of",
    "fit_pareto",
    "khat_each",
    "khat_threshold",
    "resample",
    "respond",
    "smooth",
]

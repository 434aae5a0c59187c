"""The evaluator: it runs a checked program while JAX traces, so that loops become array code."""

from trustvi.stan._eval import _calls, _expressions, _loops, _statements, _while
from trustvi.stan._eval._stage import Staged, stage

RULES = (_calls, _expressions, _loops, _statements, _while)
"""The modules whose import registers how expressions are evaluated and statements run."""

__all__ = ["Staged", "stage"]

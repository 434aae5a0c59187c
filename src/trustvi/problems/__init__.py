"""Posterior densities for testing inference: regressions, hierarchies, time series, shapes.

All are written from their mathematics over unconstrained reals, with simulated data from fixed
seeds, so that results on them can be repeated anywhere. `problem("name")` makes one.
"""

from trustvi.problems._registry import Problem, names, problem

__all__ = ["Problem", "names", "problem"]

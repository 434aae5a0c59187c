"""The Stan language, compiled to JAX. Knows nothing of variational inference."""

from trustvi.stan._diagnostics import StanError
from trustvi.stan._driver import check_program

__all__ = ["StanError", "check_program"]

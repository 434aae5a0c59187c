"""What can be said of a fit: its verdict, its ELBO with an error."""

from trustvi.diagnostics._verdict import Verdict

__all__ = ["Verdict"]

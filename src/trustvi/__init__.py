"""Black-box variational inference by stochastic trust-region optimization."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trustvi._comparison import Comparison, compare
    from trustvi._errors import (
        DiagnosticError,
        DiagnosticWarning,
        InputError,
        NotConvergedError,
        PrecisionWarning,
        TrustviError,
    )
    from trustvi._fit import fit
    from trustvi._posterior import Posterior, load
    from trustvi.diagnostics import Verdict
    from trustvi.models import (
        Model,
        from_bridgestan,
        from_function,
        from_numpyro,
        from_pymc,
    )
    from trustvi.stan import StanError, StanModel

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "DiagnosticError",
    "DiagnosticWarning",
    "InputError",
    "Model",
    "NotConvergedError",
    "Posterior",
    "PrecisionWarning",
    "StanError",
    "StanModel",
    "TrustviError",
    "Verdict",
    "compare",
    "fit",
    "from_bridgestan",
    "from_function",
    "from_numpyro",
    "from_pymc",
    "load",
]

_HOMES = {
    "Comparison": "_comparison",
    "DiagnosticError": "_errors",
    "DiagnosticWarning": "_errors",
    "InputError": "_errors",
    "Model": "models",
    "NotConvergedError": "_errors",
    "Posterior": "_posterior",
    "PrecisionWarning": "_errors",
    "StanError": "stan",
    "StanModel": "stan",
    "TrustviError": "_errors",
    "Verdict": "diagnostics",
    "compare": "_comparison",
    "fit": "_fit",
    "from_bridgestan": "models",
    "from_function": "models",
    "from_numpyro": "models",
    "from_pymc": "models",
    "load": "_posterior",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, so that `import trustvi` itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

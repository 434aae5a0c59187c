"""Monte-Carlo ELBO: base draws, gradients, Hessian-vector products, values, and their ledger."""

from trustvi.objective._draw_density import DrawDensity
from trustvi.objective._draws import DrawKind
from trustvi.objective._kernels import MAX_DRAWS, Control
from trustvi.objective._ledger import GRADIENT_DRAWS, Ledger
from trustvi.objective._objective import (
    Compilable,
    Gradient,
    Objective,
    PointDensity,
    Products,
    Values,
    compile_all,
)

__all__ = [
    "GRADIENT_DRAWS",
    "MAX_DRAWS",
    "Compilable",
    "Control",
    "DrawDensity",
    "DrawKind",
    "Gradient",
    "Ledger",
    "Objective",
    "PointDensity",
    "Products",
    "Values",
    "compile_all",
]

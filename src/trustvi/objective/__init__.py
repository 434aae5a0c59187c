"""Monte-Carlo ELBO: base draws, gradients, Hessian-vector products, values, and their ledger."""

from trustvi.objective._density import BatchedDensity, narrow_shapes, trace_density
from trustvi.objective._draw_density import DrawDensity
from trustvi.objective._draws import MAX_SOBOL_DIM, Draw, DrawKind, base_draws
from trustvi.objective._kernels import MAX_DRAWS, Control
from trustvi.objective._keys import child_key, make_key
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
from trustvi.objective._response import CHUNK as RESPONSE_CHUNK
from trustvi.objective._response import ResponseProducts

__all__ = [
    "GRADIENT_DRAWS",
    "MAX_DRAWS",
    "MAX_SOBOL_DIM",
    "RESPONSE_CHUNK",
    "BatchedDensity",
    "Compilable",
    "Control",
    "Draw",
    "DrawDensity",
    "DrawKind",
    "Gradient",
    "Ledger",
    "Objective",
    "PointDensity",
    "Products",
    "ResponseProducts",
    "Values",
    "base_draws",
    "child_key",
    "compile_all",
    "make_key",
    "narrow_shapes",
    "trace_density",
]

"""Where log densities come from: one small adapter for each source."""

from trustvi.models._function import FunctionModel, from_function
from trustvi.models._protocol import Model

__all__ = ["FunctionModel", "Model", "from_function"]

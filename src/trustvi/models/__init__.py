"""Where log densities come from: one small adapter for each source."""

from trustvi.models._function import FunctionModel, from_function
from trustvi.models._protocol import Labelled, Model, Predictive, labels, predictions

__all__ = [
    "FunctionModel",
    "Labelled",
    "Model",
    "Predictive",
    "from_function",
    "labels",
    "predictions",
]

"""Where log densities come from: one small adapter for each source."""

from trustvi.models._function import FunctionModel, from_function
from trustvi.models._protocol import Labelled, Model, Predictive, Staged, labels, predictions

__all__ = [
    "FunctionModel",
    "Labelled",
    "Model",
    "Predictive",
    "Staged",
    "from_function",
    "labels",
    "predictions",
]

"""Where log densities come from: one small adapter for each source."""

from trustvi.models._bridgestan import BridgeStanModel, from_bridgestan
from trustvi.models._function import FunctionModel, from_function
from trustvi.models._numpyro import NumPyroModel, from_numpyro
from trustvi.models._protocol import Labelled, Model, Predictive, Staged, labels, predictions
from trustvi.models._pymc import PyMCModel, from_pymc

__all__ = [
    "BridgeStanModel",
    "FunctionModel",
    "Labelled",
    "Model",
    "NumPyroModel",
    "Predictive",
    "PyMCModel",
    "Staged",
    "from_bridgestan",
    "from_function",
    "from_numpyro",
    "from_pymc",
    "labels",
    "predictions",
]

"""A model compiled by real Stan, fitted through callbacks: needs g++ and an installed httpstan.

TRUSTVI_HTTPSTAN=VENV python -m pytest -m real_stan tests/models/test_real_stan.py
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trustvi
from trustvi.models import from_bridgestan

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples"
pytestmark = pytest.mark.real_stan


class Bridge:
    """BridgeStan's methods over a model of real Stan."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def param_unc_num(self) -> int:
        return self.model.dim

    def param_unc_names(self) -> list[str]:
        return self.model.names(constrained=False)

    def param_names(self, include_tp: bool = False, include_gq: bool = False) -> list[str]:
        return self.model.names(True, include_tp, include_gq)

    def param_constrain(self, theta, include_tp=False, include_gq=False) -> np.ndarray:
        return self.model.constrain(theta, include_tp, include_gq)

    def log_density(self, theta, propto=True, jacobian=True) -> float:
        return self.model.gradient(theta, propto, jacobian)[0]

    def log_density_gradient(self, theta, propto=True, jacobian=True) -> tuple[float, np.ndarray]:
        return self.model.gradient(theta, propto, jacobian)


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Bridge:
    sys.path.insert(0, str(TESTS / "stan"))
    from real_stan import RealModel, Toolchain

    cache = Path(os.environ.get("TRUSTVI_HTTPSTAN_CACHE") or tmp_path_factory.mktemp("real"))
    tools = Toolchain.of_venv(Path(os.environ["TRUSTVI_HTTPSTAN"]), cache)
    data = json.loads((EXAMPLES / "eight_schools.json").read_text())
    return Bridge(RealModel(tools.library(EXAMPLES / "eight_schools.stan"), data))


def test_a_fit_of_real_stan_is_the_fit_of_our_compiler(bridge: Bridge) -> None:
    direct = trustvi.StanModel(EXAMPLES / "eight_schools.stan", EXAMPLES / "eight_schools.json")
    theirs, ours = trustvi.fit(from_bridgestan(bridge)), trustvi.fit(direct)
    assert theirs.verdict is ours.verdict
    assert theirs.converged
    assert theirs.elbo.value == pytest.approx(ours.elbo.value, abs=1e-3)
    np.testing.assert_allclose(theirs.loc, ours.loc, atol=1e-4)
    np.testing.assert_allclose(theirs.scale_diag, ours.scale_diag, rtol=1e-3)
    one, two = theirs.draws(5), ours.draws(5)
    assert set(one) == set(two)
    for name, value in one.items():
        np.testing.assert_allclose(value, two[name], rtol=1e-3, atol=1e-3)

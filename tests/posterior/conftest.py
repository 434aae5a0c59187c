"""Fits that the tests of posteriors share."""

from __future__ import annotations

import numpy as np
import pytest
from posterior_cases import EVERYTHING, correlated

import trustvi


@pytest.fixture(scope="session")
def everything() -> trustvi.Posterior:
    """A program with quantities of every shape."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal(20)
    data = {"N": 20, "x": x, "y": 1 + 0.5 * x + 0.7 * rng.standard_normal(20)}
    return trustvi.fit(trustvi.StanModel(EVERYTHING, data, name="everything"), progress=False)


@pytest.fixture(scope="session")
def gaussian() -> trustvi.Posterior:
    """A mean-field fit of a correlated Gaussian: variances too small by 1 - CORRELATION^2."""
    return trustvi.fit(trustvi.from_function(correlated, {"x": 0.0, "y": 0.0}), progress=False)

"""Five models of the tutorials, pasted from three communities: fits, names, axes, predictions.

Means are compared with long runs of NumPyro's NUTS (`make_tutorial_references.py`). A mean-field
Gaussian has some of them 0.25 posterior sds off; a wrong density, prior or Jacobian shows as more.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tutorials_jax
import tutorials_numpyro
import tutorials_pymc

import trustvi

# Of PyTensor's own C mode, in which PyMC draws replicated data.
pytestmark = pytest.mark.filterwarnings("ignore:PyTensor could not link to a BLAS")

REFERENCES = json.loads(Path(__file__).with_name("tutorial_references.json").read_text())
NEAR = 0.3
DRAWS = 2000

# What is sampled or computed: the shape of a draw, and the names of its axes by framework.
SCHOOL, COUNTY, BETA = {"numpyro": "J", "pymc": "school"}, "county", "covariate"
HOUSE, CLUSTER = {"numpyro": "data", "pymc": "obs_id"}, {"numpyro": "components", "pymc": "cluster"}
QUANTITIES: dict[str, dict[str, tuple[tuple[int, ...], Any]]] = {
    "eight schools": {"mu": ((), None), "tau": ((), None), "theta": ((8,), SCHOOL)},
    "radon": {
        "mu_alpha": ((), None), "sigma_alpha": ((), None), "beta": ((), None), "sigma": ((), None),
        "alpha": ((6,), COUNTY), "estimate": ((70,), HOUSE),
    },
    "logistic": {
        "intercept": ((), None), "beta": ((2,), BETA), "odds_ratio": ((2,), {"pymc": BETA}),
    },
    "gaussian process": {"var": ((), None), "noise": ((), None), "length": ((), None)},
    "mixture": {
        "weights": ((2,), {"pymc": "cluster"}), "locs": ((2,), {"pymc": "cluster"}),
        "scale": ((2,), CLUSTER),
    },
}  # fmt: skip
# The observed quantity, its data's axis by framework.
OBSERVED = {
    "eight schools": ("obs", SCHOOL), "radon": ("obs", HOUSE),
    "logistic": ("outcome", {"pymc": "patient"}), "gaussian process": ("Y", {}),
    "mixture": ("obs", {"numpyro": "data"}),
}  # fmt: skip


def from_numpyro(name: str) -> Any:
    case = tutorials_numpyro.CASES[name]
    return trustvi.from_numpyro(case.function, *case.args, **case.kwargs)


def from_pymc(name: str) -> Any:
    return trustvi.from_pymc(tutorials_pymc.MODELS[name]())


def from_jax(name: str) -> Any:
    case = tutorials_jax.CASES[name]
    return trustvi.from_function(case.function, case.example, constraints=case.constraints)


SOURCES = {"numpyro": from_numpyro, "pymc": from_pymc, "jax": from_jax}
PASTED = [(source, name) for source in SOURCES for name in REFERENCES]
WITH_AXES = [(source, name) for source, name in PASTED if source != "jax"]


@cache
def fitted(source: str, name: str) -> trustvi.Posterior:
    return trustvi.fit(SOURCES[source](name), progress=False)


@pytest.mark.parametrize(("source", "name"), PASTED)
def test_first_fit_converges_to_the_posterior(source: str, name: str) -> None:
    post = fitted(source, name)
    assert post.converged, post.verdict.sentence
    draws, truth = post.draws(DRAWS), REFERENCES[name]
    expected = QUANTITIES[name]
    # Plain functions have no computed quantities.
    computed = {"theta", "estimate", "odds_ratio"} if source == "jax" else set()
    assert set(draws) >= set(expected) - computed
    for quantity in set(expected) & set(draws):
        assert draws[quantity].shape == (DRAWS, *expected[quantity][0])
    for quantity in set(truth["mean"]) & set(draws):
        off = draws[quantity].mean(axis=0) - np.array(truth["mean"][quantity])
        assert np.max(np.abs(off) / np.array(truth["sd"][quantity])) < NEAR, quantity
    assert len(post.summary().names) == sum(value[0].size for value in draws.values())


@pytest.mark.parametrize(("source", "name"), WITH_AXES)
def test_draws_keep_the_frameworks_axes(source: str, name: str) -> None:
    data = fitted(source, name).to_arviz(draws=30)
    for quantity, (shape, axes) in QUANTITIES[name].items():
        own = axes.get(source, f"{quantity}_dim_0") if isinstance(axes, dict) else axes
        expected = (own,) if shape else ()
        assert data.posterior[quantity].dims == ("chain", "draw", *expected), quantity
        assert data.posterior[quantity].shape == (1, 30, *shape)
    observed, axes = OBSERVED[name]
    axis = axes.get(source, f"{observed}_dim_0")
    replicated = data.posterior_predictive[observed]
    assert replicated.dims == ("chain", "draw", axis)
    assert data.observed_data[observed].dims == (axis,)
    assert data.observed_data[observed].shape == replicated.shape[2:]
    likelihood = data.log_likelihood[observed]
    assert likelihood.shape[:2] == (1, 30)
    assert np.all(np.isfinite(likelihood))


def test_pymcs_coords_label_the_draws() -> None:
    posterior = fitted("pymc", "eight schools").to_arviz(draws=30).posterior
    choate = posterior["theta"].sel(school="Choate")
    np.testing.assert_array_equal(choate, posterior["theta"].values[..., 0])

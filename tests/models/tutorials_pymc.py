"""The same models as PyMC's tutorials write them: coords, dims, data containers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from tutorial_data import (
    ADMITTED,
    AGE,
    COUNTIES,
    COUNTY,
    DOSE,
    EFFECT,
    EFFECT_SE,
    FLOOR,
    HEIGHTS,
    LOG_RADON,
    SCHOOLS,
    SIGNAL,
    TIME,
)  # fmt: skip

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what PyMC's own imports warn of
    import pymc as pm


def eight_schools() -> Any:
    with pm.Model(coords={"school": SCHOOLS}) as model:
        mu = pm.Normal("mu", mu=0, sigma=5)
        tau = pm.HalfCauchy("tau", beta=5)
        theta_tilde = pm.Normal("theta_tilde", mu=0, sigma=1, dims="school")
        theta = pm.Deterministic("theta", mu + tau * theta_tilde, dims="school")
        pm.Normal("obs", mu=theta, sigma=EFFECT_SE, observed=EFFECT, dims="school")
    return model


def radon() -> Any:
    with pm.Model(coords={"county": COUNTIES}) as model:
        floor_idx = pm.Data("floor_idx", FLOOR, dims="obs_id")
        county_idx = pm.Data("county_idx", COUNTY, dims="obs_id")
        mu_alpha = pm.Normal("mu_alpha", mu=0.0, sigma=2.0)
        sigma_alpha = pm.HalfNormal("sigma_alpha", 1.0)
        alpha = pm.Normal("alpha", mu=mu_alpha, sigma=sigma_alpha, dims="county")
        beta = pm.Normal("beta", mu=0.0, sigma=2.0)
        estimate = pm.Deterministic("estimate", alpha[county_idx] + beta * floor_idx, dims="obs_id")
        sigma = pm.HalfNormal("sigma", 1.0)
        pm.Normal("obs", mu=estimate, sigma=sigma, observed=LOG_RADON, dims="obs_id")
    return model


def logistic() -> Any:
    with pm.Model(coords={"covariate": ["age", "dose"], "patient": np.arange(80)}) as model:
        X = pm.Data("X", np.stack([AGE, DOSE], 1), dims=("patient", "covariate"))
        intercept = pm.Normal("intercept", 0, 2.5)
        beta = pm.Normal("beta", 0, 2.5, dims="covariate")
        pm.Deterministic("odds_ratio", pm.math.exp(beta), dims="covariate")
        p = pm.math.invlogit(intercept + X @ beta)
        pm.Bernoulli("outcome", p=p, observed=ADMITTED, dims="patient")
    return model


def gaussian_process() -> Any:
    with pm.Model() as model:
        var = pm.LogNormal("var", 0, 1)
        noise = pm.LogNormal("noise", -2, 1)
        length = pm.LogNormal("length", 0, 1)
        cov_func = var * pm.gp.cov.ExpQuad(1, ls=length)
        gp = pm.gp.Marginal(cov_func=cov_func)
        gp.marginal_likelihood("Y", X=TIME[:, None], y=SIGNAL, sigma=pm.math.sqrt(noise))
    return model


def mixture() -> Any:
    with pm.Model(coords={"cluster": range(2)}) as model:
        weights = pm.Dirichlet("weights", 2 * np.ones(2), dims="cluster")
        locs = pm.Normal(
            "locs", mu=0, sigma=3, transform=pm.distributions.transforms.ordered,
            initval=[-1, 1], dims="cluster",
        )  # fmt: skip
        scale = pm.LogNormal("scale", 0, 1, dims="cluster")
        pm.NormalMixture("obs", w=weights, mu=locs, sigma=scale, observed=HEIGHTS)
    return model


MODELS = {
    "eight schools": eight_schools,
    "radon": radon,
    "logistic": logistic,
    "gaussian process": gaussian_process,
    "mixture": mixture,
}

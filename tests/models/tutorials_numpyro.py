"""Models as NumPyro's tutorials write them: plates, handlers, deterministics, data as arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer.reparam import TransformReparam
from tutorial_data import (
    ADMITTED,
    AGE,
    COUNTY,
    DOSE,
    EFFECT,
    EFFECT_SE,
    FLOOR,
    HEIGHTS,
    LOG_RADON,
    SIGNAL,
    TIME,
)  # fmt: skip


class Case(NamedTuple):
    """A model and what it is called with."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def eight_schools_noncentered(J, sigma, y=None):
    mu = numpyro.sample("mu", dist.Normal(0, 5))
    tau = numpyro.sample("tau", dist.HalfCauchy(5))
    with numpyro.plate("J", J), numpyro.handlers.reparam(config={"theta": TransformReparam()}):
        theta = numpyro.sample(
            "theta",
            dist.TransformedDistribution(
                dist.Normal(0.0, 1.0), dist.transforms.AffineTransform(mu, tau)
            ),
        )
        numpyro.sample("obs", dist.Normal(theta, sigma), obs=y)


def hierarchical_radon(county_idx, floor, log_radon=None):
    mu_alpha = numpyro.sample("mu_alpha", dist.Normal(0.0, 2.0))
    sigma_alpha = numpyro.sample("sigma_alpha", dist.HalfNormal(1.0))
    beta = numpyro.sample("beta", dist.Normal(0.0, 2.0))
    n_counties = len(np.unique(county_idx))
    with numpyro.plate("county", n_counties):
        alpha = numpyro.sample("alpha", dist.Normal(mu_alpha, sigma_alpha))
    sigma = numpyro.sample("sigma", dist.HalfNormal(1.0))
    with numpyro.plate("data", len(county_idx)):
        estimate = numpyro.deterministic("estimate", alpha[county_idx] + beta * floor)
        numpyro.sample("obs", dist.Normal(estimate, sigma), obs=log_radon)


def logistic_regression(X, outcome=None):
    D_X = X.shape[1]
    intercept = numpyro.sample("intercept", dist.Normal(0.0, 2.5))
    with numpyro.plate("covariate", D_X):
        beta = numpyro.sample("beta", dist.Normal(0.0, 2.5))
    logits = intercept + jnp.matmul(X, beta)
    numpyro.deterministic("odds_ratio", jnp.exp(beta))
    numpyro.sample("outcome", dist.Bernoulli(logits=logits), obs=outcome)


def kernel(X, Z, var, length, noise, jitter=1.0e-6, include_noise=True):
    deltaXsq = jnp.power((X[:, None] - Z) / length, 2.0)
    k = var * jnp.exp(-0.5 * deltaXsq)
    if include_noise:
        k += (noise + jitter) * jnp.eye(X.shape[0])
    return k


def gaussian_process(X, Y):
    var = numpyro.sample("var", dist.LogNormal(0.0, 1.0))
    noise = numpyro.sample("noise", dist.LogNormal(-2.0, 1.0))
    length = numpyro.sample("length", dist.LogNormal(0.0, 1.0))
    k = kernel(X, X, var, length, noise)
    numpyro.sample(
        "Y", dist.MultivariateNormal(loc=jnp.zeros(X.shape[0]), covariance_matrix=k), obs=Y
    )


def gaussian_mixture(data=None, K=2):
    weights = numpyro.sample("weights", dist.Dirichlet(2.0 * jnp.ones(K)))
    locs = numpyro.sample(
        "locs",
        dist.TransformedDistribution(
            dist.Normal(0.0, 3.0).expand([K]).to_event(1), dist.transforms.OrderedTransform()
        ),
    )
    with numpyro.plate("components", K):
        scale = numpyro.sample("scale", dist.LogNormal(0.0, 1.0))
    with numpyro.plate("data", len(data)):
        mixture = dist.MixtureSameFamily(
            dist.Categorical(probs=weights), dist.Normal(loc=locs, scale=scale)
        )
        numpyro.sample("obs", mixture, obs=data)


CASES = {
    "eight schools": Case(eight_schools_noncentered, (8, EFFECT_SE), {"y": EFFECT}),
    "radon": Case(hierarchical_radon, (COUNTY, FLOOR, LOG_RADON), {}),
    "logistic": Case(logistic_regression, (np.stack([AGE, DOSE], 1),), {"outcome": ADMITTED}),
    "gaussian process": Case(gaussian_process, (TIME, SIGNAL), {}),
    "mixture": Case(gaussian_mixture, (HEIGHTS,), {}),
}

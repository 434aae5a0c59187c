"""The same models as plain functions of a dictionary, constraints named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import stats
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
    """A log density, an example of its parameters, and their constraints."""

    function: Callable[[dict[str, Any]], Any]
    example: dict[str, Any]
    constraints: dict[str, Any]


def eight_schools(params):
    mu, tau, z = params["mu"], params["tau"], params["z"]
    prior = stats.norm.logpdf(mu, 0, 5) + stats.cauchy.logpdf(tau, 0, 5)
    prior += stats.norm.logpdf(z).sum()
    return prior + stats.norm.logpdf(EFFECT, mu + tau * z, EFFECT_SE).sum()


def radon(params):
    prior = stats.norm.logpdf(params["mu_alpha"], 0, 2) + stats.norm.logpdf(params["beta"], 0, 2)
    prior += stats.norm.logpdf(params["sigma_alpha"]) + stats.norm.logpdf(params["sigma"])
    alpha = params["alpha"]
    prior += stats.norm.logpdf(alpha, params["mu_alpha"], params["sigma_alpha"]).sum()
    estimate = alpha[COUNTY] + params["beta"] * FLOOR
    return prior + stats.norm.logpdf(LOG_RADON, estimate, params["sigma"]).sum()


def logistic(params):
    X = np.stack([AGE, DOSE], 1)
    logits = params["intercept"] + X @ params["beta"]
    prior = stats.norm.logpdf(params["intercept"], 0, 2.5)
    prior += stats.norm.logpdf(params["beta"], 0, 2.5).sum()
    return prior - jnp.sum(jnp.where(ADMITTED, jax.nn.softplus(-logits), jax.nn.softplus(logits)))


def gaussian_process(params):
    var, noise, length = params["var"], params["noise"], params["length"]
    prior = sum(
        stats.norm.logpdf(jnp.log(x), centre) - jnp.log(x)
        for x, centre in ((var, 0), (noise, -2), (length, 0))
    )
    k = var * jnp.exp(-0.5 * ((TIME[:, None] - TIME) / length) ** 2) + noise * jnp.eye(TIME.size)
    return prior + stats.multivariate_normal.logpdf(SIGNAL, jnp.zeros(TIME.size), k)


def mixture(params):
    weights, locs, scale = params["weights"], params["locs"], params["scale"]
    prior = stats.norm.logpdf(locs, 0, 3).sum()
    prior += jnp.log(weights).sum() + jnp.sum(stats.norm.logpdf(jnp.log(scale)) - jnp.log(scale))
    parts = jnp.log(weights) + stats.norm.logpdf(HEIGHTS[:, None], locs, scale)
    return prior + jax.scipy.special.logsumexp(parts, axis=1).sum()


CASES = {
    "eight schools": Case(
        eight_schools, {"mu": 0.0, "tau": 1.0, "z": np.zeros(8)}, {"tau": "positive"}
    ),
    "radon": Case(
        radon,
        {"mu_alpha": 0.0, "sigma_alpha": 1.0, "beta": 0.0, "sigma": 1.0, "alpha": np.zeros(6)},
        {"sigma_alpha": "positive", "sigma": "positive"},
    ),
    "logistic": Case(logistic, {"intercept": 0.0, "beta": np.zeros(2)}, {}),
    "gaussian process": Case(
        gaussian_process,
        {"var": 1.0, "noise": 1.0, "length": 1.0},
        dict.fromkeys(("var", "noise", "length"), "positive"),
    ),
    "mixture": Case(
        mixture,
        {"weights": np.full(2, 0.5), "locs": np.array([-1.0, 1.0]), "scale": np.ones(2)},
        {"weights": "simplex", "locs": "ordered", "scale": "positive"},
    ),
}

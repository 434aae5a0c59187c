"""Cases in which other packages' variational inference was silently wrong."""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np
import pytest

import trustvi


def fit(log_density, example, seeds: int = 3) -> trustvi.Posterior:
    """One compilation, several seeds: each start is a fit of its own."""
    model = trustvi.from_function(log_density, example)
    post = trustvi.fit(model, starts=seeds, khat_draws=0, progress=False)
    assert {start.verdict for start in post.starts} == {"converged"}
    return post


def test_pymc_6271_the_mean_of_one_gaussian() -> None:
    """Its default optimiser stopped at 3.1 on the way to a mean of 8.0."""
    post = fit(lambda z: -0.5 * (z["x"] - 8.0) ** 2, {"x": 0.0})
    for start in post.starts:
        assert start.loc[0] == pytest.approx(8.0, abs=0.02)
        assert start.scale[0] == pytest.approx(1.0, rel=0.01)


def test_pymc_2162_the_sign_of_a_slope() -> None:
    """A regression on a covariate far from zero: intercept and slope are nearly collinear."""
    rng = np.random.default_rng(2162)
    x = rng.uniform(90.0, 110.0, 60)
    y = 250.0 - 1.5 * x + rng.normal(0.0, 2.0, 60)

    def log_density(z):
        residual = (y - z["a"] - z["b"] * x) / jnp.exp(z["log_sd"])
        priors = -0.5 * ((z["a"] / 1000) ** 2 + (z["b"] / 100) ** 2) - jnp.exp(-z["log_sd"])
        return -0.5 * jnp.sum(residual**2) - 60 * z["log_sd"] + priors

    post = fit(log_density, {"a": 0.0, "b": 0.0, "log_sd": 0.0})
    slope, intercept = np.polyfit(x, y, 1)
    # The tolerance of 0.05 nats is a third of an sd: 0.5 * 0.32^2.
    error = 0.32 * 2.0 / (np.std(x) * math.sqrt(60))
    for start in post.starts:
        assert start.loc[1] == pytest.approx(slope, abs=error)
        assert start.loc[0] == pytest.approx(intercept, abs=error * math.sqrt(np.mean(x**2)))


def test_pymc_8444_the_sd_of_a_conjugate_mean() -> None:
    """Ten observations with unit noise and a unit prior: precision 11; theirs was 8.5% off."""
    y = np.random.default_rng(8444).normal(1.0, 1.0, 10)
    post = fit(
        lambda z: -0.5 * z["mu"] ** 2 - 0.5 * jnp.sum((y - z["mu"]) ** 2), {"mu": 0.0}, seeds=5
    )
    for start in post.starts:
        assert start.loc[0] == pytest.approx(y.sum() / 11, abs=0.02 / math.sqrt(11))
        assert start.scale[0] == pytest.approx(1 / math.sqrt(11), rel=0.01)

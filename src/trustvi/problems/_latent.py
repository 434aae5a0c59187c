"""Latent variables: item response, mixtures, factor models, Gaussian processes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.problems import _terms as t
from trustvi.problems._registry import Problem


def irt_2pl() -> Problem:
    """Two-parameter item response: 100 people, 20 items."""
    rng = np.random.default_rng(21)
    ability, slope, ease = rng.normal(size=100), rng.lognormal(0, 0.5, 20), rng.normal(0, 1.5, 20)
    logit = slope * (ability[:, None] - ease)
    y = (rng.random((100, 20)) < 1 / (1 + np.exp(-logit))).astype(float)

    def log_density(p):
        scale_a, scale_b = jnp.exp(p["log_sigma_a"]), jnp.exp(p["log_sigma_b"])
        logit = jnp.exp(p["log_a"]) * (p["theta"][:, None] - p["b"])
        return (
            t.bernoulli_logit(y, logit) + t.normal(p["theta"])
            + t.normal(p["log_a"], 0.0, scale_a) + t.normal(p["b"], 0.0, scale_b)
            + t.half_cauchy_log(p["log_sigma_a"], 2.0) + t.half_cauchy_log(p["log_sigma_b"], 2.0)
        )  # fmt: skip

    example = {"theta": np.zeros(100), "log_a": np.zeros(20), "b": np.zeros(20),
               "log_sigma_a": np.zeros(()), "log_sigma_b": np.zeros(())}  # fmt: skip
    return Problem("irt_2pl", log_density, example, hard="sign symmetry broken by slopes, corner")


def normal_mixture() -> Problem:
    """Two overlapping normals with ordered means and free weights, 500 points."""
    rng = np.random.default_rng(22)
    left = rng.random(500) < 0.3
    y = np.where(left, rng.normal(-1.5, 0.7, 500), rng.normal(1.2, 1.0, 500))

    def log_density(p):
        mu = jnp.stack([p["mu1"], p["mu1"] + jnp.exp(p["log_gap"])])
        log_w = jnp.stack([jax.nn.log_sigmoid(p["logit"]), jax.nn.log_sigmoid(-p["logit"])])
        sigma = jnp.exp(p["log_sigma"])
        z = (y[:, None] - mu) / sigma
        parts = log_w - 0.5 * z * z - p["log_sigma"] - 0.5 * jnp.log(2 * jnp.pi)
        return (
            jnp.sum(jax.nn.logsumexp(parts, axis=1)) + t.normal(mu, 0.0, 2.0) + p["log_gap"]
            + t.half_normal_log(p["log_sigma"], 2.0) + jnp.sum(log_w)
        )  # fmt: skip

    example = {"mu1": np.zeros(()), "log_gap": np.zeros(()), "logit": np.zeros(()),
               "log_sigma": np.zeros(2)}  # fmt: skip
    return Problem("normal_mixture", log_density, example, hard="mixture")


def factor_analysis() -> Problem:
    """One factor, eight indicators, 80 rows, scores explicit."""
    rng = np.random.default_rng(23)
    score = rng.normal(size=80)
    loads = np.array([1.0, 0.8, 1.2, 0.5, 0.9, 1.5, 0.7, 1.1])
    y = score[:, None] * loads + rng.normal(0, 0.7, (80, 8))

    def log_density(p):
        loads = jnp.exp(p["log_load"])
        return (
            t.normal(y, p["score"][:, None] * loads, jnp.exp(p["log_psi"])) + t.normal(p["score"])
            + t.normal(p["log_load"]) + t.half_normal_log(p["log_psi"])
        )  # fmt: skip

    example = {"score": np.zeros(80), "log_load": np.zeros(8), "log_psi": np.zeros(8)}
    return Problem("factor_analysis", log_density, example, hard="products of parameters")


def _kernel(x, log_rho, log_alpha):
    d2 = (x[:, None] - x) ** 2
    return jnp.exp(2 * log_alpha - 0.5 * d2 * jnp.exp(-2 * log_rho))


def gp_marginal() -> Problem:
    """Hyperparameters of a Gaussian-process regression, 40 points, covariance integrated."""
    rng = np.random.default_rng(24)
    x = np.sort(rng.uniform(0, 10, 40))
    y = np.sin(x) + rng.normal(0, 0.3, 40)

    def log_density(p):
        noise = jnp.exp(2 * p["log_sigma"]) + 1e-8
        chol = jnp.linalg.cholesky(_kernel(x, p["log_rho"], p["log_alpha"]) + noise * jnp.eye(40))
        white = jax.scipy.linalg.solve_triangular(chol, y, lower=True)
        return (
            -0.5 * white @ white - jnp.sum(jnp.log(jnp.diag(chol))) - 20 * jnp.log(2 * jnp.pi)
            + t.gamma_log(p["log_rho"], 4.0, 2.0) + t.half_normal_log(p["log_alpha"], 2.0)
            + t.half_normal_log(p["log_sigma"])
        )  # fmt: skip

    example = dict.fromkeys(["log_rho", "log_alpha", "log_sigma"], np.zeros(()))
    return Problem("gp_marginal", log_density, example, hard="Gaussian process")


def gp_poisson() -> Problem:
    """Latent Gaussian process under Poisson counts, non-centred, 30 points."""
    rng = np.random.default_rng(25)
    x = np.linspace(0, 10, 30)
    y = rng.poisson(np.exp(1.5 + np.sin(x))).astype(float)

    def log_density(p):
        k = _kernel(x, p["log_rho"], p["log_alpha"]) + 1e-6 * jnp.eye(30)
        f = p["mean"] + jnp.linalg.cholesky(k) @ p["z"]
        return (
            t.poisson_log(y, f) + t.normal(p["z"]) + t.normal(p["mean"], 0.0, 3.0)
            + t.gamma_log(p["log_rho"], 4.0, 2.0) + t.half_normal_log(p["log_alpha"])
        )  # fmt: skip

    example = {"z": np.zeros(30), "mean": np.zeros(()), "log_rho": np.zeros(()),
               "log_alpha": np.zeros(())}  # fmt: skip
    return Problem("gp_poisson", log_density, example, hard="Gaussian process, log link")


def bradley_terry() -> Problem:
    """Strengths of 35 teams from 200 score differences with Student-t errors."""
    rng = np.random.default_rng(26)
    strength = rng.normal(0, 0.6, 35)
    pairs = np.array([rng.choice(35, 2, replace=False) for _ in range(200)])
    y = strength[pairs[:, 0]] - strength[pairs[:, 1]] + 0.8 * rng.standard_t(7, 200)

    def log_density(p):
        a = p["a"] * jnp.exp(p["log_sigma_a"])
        sigma = jnp.exp(p["log_sigma_y"])
        z = (y - a[pairs[:, 0]] + a[pairs[:, 1]]) / sigma
        return (
            jnp.sum(-4.0 * jnp.log1p(z * z / 7) - p["log_sigma_y"]) + t.normal(p["a"])
            + t.half_normal_log(p["log_sigma_a"]) + t.half_normal_log(p["log_sigma_y"])
        )  # fmt: skip

    example = {"a": np.zeros(35), "log_sigma_a": np.zeros(()), "log_sigma_y": np.zeros(())}
    return Problem("bradley_terry", log_density, example)


PROBLEMS = (irt_2pl, normal_mixture, factor_analysis, gp_marginal, gp_poisson, bradley_terry)

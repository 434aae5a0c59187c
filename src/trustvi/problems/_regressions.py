"""Regressions: well behaved, badly scaled, collinear, separated, robust, sparse."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.problems import _terms as t
from trustvi.problems._registry import Problem


def logistic_wells() -> Problem:
    """Logistic regression of 3,000 rows on four standardised predictors and an intercept."""
    rng = np.random.default_rng(1)
    x = np.column_stack([np.ones(3000), rng.normal(size=(3000, 4))])
    y = (rng.random(3000) < 1 / (1 + np.exp(-x @ [0.3, -0.9, 0.5, 0.2, -0.1]))).astype(float)

    def log_density(p):
        return t.bernoulli_logit(y, x @ p["beta"]) + t.normal(p["beta"], 0.0, 5.0)

    return Problem("logistic_wells", log_density, {"beta": np.zeros(5)})


def linear_interaction() -> Problem:
    """Linear regression with a raw, uncentred interaction: scales from 0.1 to 60, collinear."""
    rng = np.random.default_rng(2)
    n = 434
    school, iq = (rng.random(n) < 0.79).astype(float), rng.normal(100, 15, n)
    x = np.column_stack([np.ones(n), school, iq, school * iq])
    y = x @ [-11.0, 51.0, 0.97, -0.48] + rng.normal(0, 18, n)

    def log_density(p):
        return t.normal(y, x @ p["beta"], jnp.exp(p["log_sigma"])) + t.half_cauchy_log(
            p["log_sigma"], 2.5
        )

    return Problem(
        "linear_interaction", log_density, {"beta": np.zeros(4), "log_sigma": np.zeros(())},
        hard="collinear, badly scaled",
    )  # fmt: skip


def log_regression_mesquite() -> Problem:
    """Regression on seven correlated log measurements, 46 rows, no prior on the slopes."""
    rng = np.random.default_rng(3)
    base = rng.normal(0, 0.6, 46)
    logs = base[:, None] * [1.0, 0.9, 0.8, 0.7, 0.4, 0.3] + rng.normal(0, 0.25, (46, 6))
    x = np.column_stack([np.ones(46), logs])
    y = x @ [5.4, 0.4, 1.1, 0.4, -0.3, 0.1, 0.6] + rng.normal(0, 0.33, 46)

    def log_density(p):
        sigma = jnp.exp(p["log_sigma"])
        return t.normal(y, x @ p["beta"], sigma) + p["log_sigma"]

    return Problem(
        "log_regression_mesquite", log_density, {"beta": np.zeros(7), "log_sigma": np.zeros(())},
        hard="correlated predictors",
    )  # fmt: skip


def raw_scales() -> Problem:
    """Predictors on scales from 1e-3 to 1e4 and a response near 1e5."""
    rng = np.random.default_rng(4)
    scales = np.array([1e-3, 1e-1, 1.0, 1e2, 1e4])
    x = np.column_stack([np.ones(200), rng.normal(3, 1, (200, 5)) * scales])
    y = 1e5 + x[:, 1:] @ (rng.normal(size=5) * 1e3 / scales) + rng.normal(0, 2e3, 200)

    def log_density(p):
        sigma = jnp.exp(p["log_sigma"])
        return t.normal(y, x @ p["beta"], sigma) + t.normal(p["log_sigma"], 0.0, 10.0)

    return Problem(
        "raw_scales", log_density, {"beta": np.zeros(6), "log_sigma": np.zeros(())},
        hard="scales over seven decades",
    )  # fmt: skip


def poisson_offset() -> Problem:
    """Poisson regression with a log link and counts to several hundred."""
    rng = np.random.default_rng(5)
    x = np.column_stack([np.ones(262), rng.normal(size=(262, 3)) * [1.0, 2.0, 0.5]])
    y = rng.poisson(np.exp(x @ [3.0, 0.7, -0.5, 0.3])).astype(float)

    def log_density(p):
        return t.poisson_log(y, x @ p["beta"]) + t.normal(p["beta"], 0.0, 10.0)

    return Problem(
        "poisson_offset", log_density, {"beta": np.zeros(4)}, hard="log link overflows far out"
    )


def negative_binomial() -> Problem:
    """Overdispersed counts with a log link and a free dispersion."""
    rng = np.random.default_rng(6)
    x = np.column_stack([np.ones(300), rng.normal(size=(300, 3))])
    mean = np.exp(x @ [1.5, 0.6, -0.8, 0.2])
    y = rng.poisson(mean * rng.gamma(0.8, 1 / 0.8, 300)).astype(float)

    def log_density(p):
        eta, log_phi = x @ p["beta"], p["log_phi"]
        phi = jnp.exp(log_phi)
        total = jnp.logaddexp(eta, log_phi)
        return (
            jnp.sum(
                jax.lax.lgamma(y + phi) - jax.lax.lgamma(phi) - jax.lax.lgamma(y + 1)
                + y * (eta - total) + phi * (log_phi - total)
            )
            + t.normal(p["beta"], 0.0, 5.0) + t.gamma_log(log_phi, 2.0, 0.5)
        )  # fmt: skip

    return Problem("negative_binomial", log_density, {"beta": np.zeros(4), "log_phi": np.zeros(())})


def student_regression() -> Problem:
    """Robust regression with Student-t errors of free degrees of freedom, with outliers."""
    rng = np.random.default_rng(7)
    x = np.column_stack([np.ones(100), rng.normal(size=(100, 2))])
    y = x @ [1.0, 2.0, -1.0] + 0.5 * rng.standard_t(2.5, 100)

    def log_density(p):
        sigma, nu = jnp.exp(p["log_sigma"]), 1 + jnp.exp(p["log_nu"])
        z = (y - x @ p["beta"]) / sigma
        constant = jax.lax.lgamma((nu + 1) / 2) - jax.lax.lgamma(nu / 2)
        return (
            jnp.sum(constant - 0.5 * jnp.log(nu * jnp.pi) - p["log_sigma"]
                    - (nu + 1) / 2 * jnp.log1p(z * z / nu))
            + t.normal(p["beta"], 0.0, 10.0) + t.half_cauchy_log(p["log_sigma"], 2.5)
            + t.gamma_log(p["log_nu"], 2.0, 0.1)
        )  # fmt: skip

    return Problem(
        "student_regression", log_density,
        {"beta": np.zeros(3), "log_sigma": np.zeros(()), "log_nu": np.zeros(())},
    )  # fmt: skip


def horseshoe() -> Problem:
    """Sparse linear regression, 50 predictors, 80 rows, non-centred horseshoe prior."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(80, 50))
    y = x[:, :4] @ [3.0, -2.0, 1.5, -1.0] + rng.normal(0, 1.0, 80)

    def log_density(p):
        beta = p["z"] * jnp.exp(p["log_lambda"] + p["log_tau"])
        return (
            t.normal(y, x @ beta, jnp.exp(p["log_sigma"])) + t.normal(p["z"])
            + t.half_cauchy_log(p["log_lambda"]) + t.half_cauchy_log(p["log_tau"], 0.1)
            + t.half_normal_log(p["log_sigma"], 2.0)
        )  # fmt: skip

    example = {"z": np.zeros(50), "log_lambda": np.zeros(50), "log_tau": np.zeros(()),
               "log_sigma": np.zeros(())}  # fmt: skip
    return Problem("horseshoe", log_density, example, hard="heavy tails, many near-zero scales")


def multinomial_logit() -> Problem:
    """Five food choices by lake and size class: multinomial logits, weak priors."""
    rng = np.random.default_rng(9)
    groups = 16
    lake, size = rng.integers(0, 4, groups), rng.integers(0, 2, groups)
    x = np.column_stack([np.ones(groups), np.eye(4)[lake][:, 1:], size])
    logits = np.column_stack([np.zeros(groups), x @ rng.normal(0, 0.8, (5, 4))])
    probabilities = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    y = np.stack([rng.multinomial(14, row) for row in probabilities]).astype(float)

    def log_density(p):
        eta = jnp.concatenate([jnp.zeros((groups, 1)), x @ p["beta"]], axis=1)
        return jnp.sum(y * jax.nn.log_softmax(eta, axis=1)) + t.normal(p["beta"], 0.0, 3.0)

    return Problem("multinomial_logit", log_density, {"beta": np.zeros((5, 4))})


PROBLEMS = (
    logistic_wells, linear_interaction, log_regression_mesquite, raw_scales, poisson_offset,
    negative_binomial, student_regression, horseshoe, multinomial_logit,
)  # fmt: skip

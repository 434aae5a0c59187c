"""Hierarchical models, centred and not."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from trustvi.problems import _terms as t
from trustvi.problems._registry import Problem

# Effects and standard errors of coaching in eight schools (Rubin 1981, "Estimation in parallel
# randomized experiments", table 1).
SCHOOL_EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
SCHOOL_ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def schools_centred() -> Problem:
    def log_density(p):
        return (
            t.normal(SCHOOL_EFFECTS, p["theta"], SCHOOL_ERRORS)
            + t.normal(p["theta"], p["mu"], jnp.exp(p["log_tau"]))
            + t.normal(p["mu"], 0.0, 5.0) + t.half_cauchy_log(p["log_tau"], 5.0)
        )  # fmt: skip

    example = {"theta": np.zeros(8), "mu": np.zeros(()), "log_tau": np.zeros(())}
    return Problem("schools_centred", log_density, example, hard="funnel, density unbounded")


def schools_noncentred() -> Problem:
    def log_density(p):
        theta = p["mu"] + jnp.exp(p["log_tau"]) * p["z"]
        return (
            t.normal(SCHOOL_EFFECTS, theta, SCHOOL_ERRORS) + t.normal(p["z"])
            + t.normal(p["mu"], 0.0, 5.0) + t.half_cauchy_log(p["log_tau"], 5.0)
        )  # fmt: skip

    example = {"z": np.zeros(8), "mu": np.zeros(()), "log_tau": np.zeros(())}
    return Problem("schools_noncentred", log_density, example)


def dyes() -> Problem:
    """Variance components: six batches of five, inverse-gamma priors, values near 1,500."""
    rng = np.random.default_rng(11)
    y = 1500 + rng.normal(0, 45, 6)[:, None] + rng.normal(0, 50, (6, 5))

    def log_density(p):
        between, within = jnp.exp(p["log_tau"]), jnp.exp(p["log_sigma"])
        return (
            t.normal(y, p["mu"][:, None], within) + t.normal(p["mu"], p["theta"], between)
            + t.normal(p["theta"], 0.0, 1e5)
            + t.gamma_log(-2 * p["log_tau"], 0.001, 0.001)
            + t.gamma_log(-2 * p["log_sigma"], 0.001, 0.001)
        )  # fmt: skip

    example = {"mu": np.zeros(6), "theta": np.zeros(()), "log_tau": np.zeros(()),
               "log_sigma": np.zeros(())}  # fmt: skip
    return Problem("dyes", log_density, example, hard="far start, vague priors")


def rats() -> Problem:
    """Thirty growth lines with random intercepts and slopes, centred, vague priors."""
    rng = np.random.default_rng(12)
    days = np.array([8.0, 15.0, 22.0, 29.0, 36.0])
    alpha, beta = rng.normal(106, 11, 30), rng.normal(6.2, 0.5, 30)
    y = alpha[:, None] + beta[:, None] * days + rng.normal(0, 6, (30, 5))

    def log_density(p):
        mean = p["alpha"][:, None] + p["beta"][:, None] * (days - 22)
        scales = [p["log_sigma_y"], p["log_sigma_a"], p["log_sigma_b"]]
        return (
            t.normal(y, mean, jnp.exp(scales[0]))
            + t.normal(p["alpha"], p["mu_a"], jnp.exp(scales[1]))
            + t.normal(p["beta"], p["mu_b"], jnp.exp(scales[2]))
            + t.normal(p["mu_a"], 0.0, 100.0) + t.normal(p["mu_b"], 0.0, 100.0)
            + sum(t.gamma_log(-2 * scale, 0.001, 0.001) for scale in scales)
        )  # fmt: skip

    scalars = dict.fromkeys(
        ["mu_a", "mu_b", "log_sigma_y", "log_sigma_a", "log_sigma_b"], np.zeros(())
    )
    example = {"alpha": np.zeros(30), "beta": np.zeros(30), **scalars}
    return Problem("rats", log_density, example, hard="far start, degenerate corner")


def radon() -> Problem:
    """Floor effects in 85 counties of very different sizes, varying intercepts, 919 rows."""
    rng = np.random.default_rng(13)
    county = np.sort(rng.choice(85, 919, p=rng.dirichlet(np.full(85, 0.7))))
    floor = (rng.random(919) < 0.17).astype(float)
    y = 1.46 + rng.normal(0, 0.33, 85)[county] - 0.69 * floor + rng.normal(0, 0.76, 919)

    def log_density(p):
        return (
            t.normal(y, p["alpha"][county] + p["beta"] * floor, jnp.exp(p["log_sigma_y"]))
            + t.normal(p["alpha"], p["mu"], jnp.exp(p["log_sigma_a"]))
            + t.normal(p["mu"], 0.0, 10.0) + t.normal(p["beta"], 0.0, 10.0)
            + t.half_normal_log(p["log_sigma_a"]) + t.half_normal_log(p["log_sigma_y"])
        )  # fmt: skip

    example = {"alpha": np.zeros(85), "beta": np.zeros(()), "mu": np.zeros(()),
               "log_sigma_y": np.zeros(()), "log_sigma_a": np.zeros(())}  # fmt: skip
    return Problem("radon", log_density, example, hard="centred hierarchy")


def seeds() -> Problem:
    """Random-effects logistic regression over 21 plates, centred, vague precision prior."""
    rng = np.random.default_rng(14)
    x1, x2 = np.repeat([0.0, 1.0], [11, 10]), np.tile([0.0, 1.0], 11)[:21]
    n = rng.integers(4, 82, 21).astype(float)
    eta = -0.5 + 0.1 * x1 + 1.3 * x2 - 0.8 * x1 * x2 + rng.normal(0, 0.28, 21)
    r = rng.binomial(n.astype(int), 1 / (1 + np.exp(-eta))).astype(float)

    def log_density(p):
        a = p["a"]
        logit = a[0] + a[1] * x1 + a[2] * x2 + a[3] * x1 * x2 + p["b"]
        return (
            jnp.sum(r * logit - n * jnp.logaddexp(0.0, logit))
            + t.normal(p["b"], 0.0, jnp.exp(p["log_sigma"])) + t.normal(a, 0.0, 1000.0)
            + t.gamma_log(-2 * p["log_sigma"], 0.001, 0.001)
        )  # fmt: skip

    example = {"a": np.zeros(4), "b": np.zeros(21), "log_sigma": np.zeros(())}
    return Problem("seeds", log_density, example, hard="degenerate corner, improper in the limit")


def pumps() -> Problem:
    """Ten failure rates with gamma heterogeneity (data: Gaver and O'Muircheartaigh 1987)."""
    y = np.array([5.0, 1.0, 5.0, 14.0, 3.0, 19.0, 1.0, 1.0, 4.0, 22.0])
    t_obs = np.array([94.3, 15.7, 62.9, 126.0, 5.24, 31.4, 1.05, 1.05, 2.1, 10.5])
    from jax.lax import lgamma

    def log_density(p):
        alpha, beta, log_theta = jnp.exp(p["log_alpha"]), jnp.exp(p["log_beta"]), p["log_theta"]
        rates = jnp.sum(
            alpha * p["log_beta"] - lgamma(alpha) + alpha * log_theta - beta * jnp.exp(log_theta)
        )
        return (
            rates + t.poisson_log(y, log_theta + np.log(t_obs))
            + t.gamma_log(p["log_alpha"], 1.0, 1.0) + t.gamma_log(p["log_beta"], 0.1, 1.0)
        )  # fmt: skip

    example = {"log_theta": np.zeros(10), "log_alpha": np.zeros(()), "log_beta": np.zeros(())}
    return Problem("pumps", log_density, example)


def funnel() -> Problem:
    """Neal's funnel with nine branches: no data, the mean-field optimum is far from any mode."""

    def log_density(p):
        return t.normal(p["v"], 0.0, 3.0) + t.normal(p["x"], 0.0, jnp.exp(p["v"] / 2))

    return Problem("funnel", log_density, {"v": np.zeros(()), "x": np.zeros(9)}, hard="funnel")


PROBLEMS = (schools_centred, schools_noncentred, dyes, rats, radon, seeds, pumps, funnel)

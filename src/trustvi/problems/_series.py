"""Time series, survival, capture histories and a hidden Markov model."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.problems import _terms as t
from trustvi.problems._registry import Problem


def local_level() -> Problem:
    """Two variances of a local level model, 100 years, Kalman filter, values near 1,000."""
    rng = np.random.default_rng(31)
    y = 1100 + np.cumsum(rng.normal(0, 38, 100)) + rng.normal(0, 123, 100)

    def log_density(p):
        obs, level = jnp.exp(2 * p["log_obs"]), jnp.exp(2 * p["log_level"])

        def step(carry, value):
            mean, var = carry
            total = var + obs
            gain = var / total
            error = value - mean
            density = -0.5 * (jnp.log(2 * jnp.pi * total) + error * error / total)
            return (mean + gain * error, var * (1 - gain) + level), density

        _, densities = jax.lax.scan(step, (jnp.float64(y[0]), obs), jnp.asarray(y[1:]))
        return (
            jnp.sum(densities)
            + t.half_cauchy_log(p["log_obs"], 100.0) + t.half_cauchy_log(p["log_level"], 100.0)
        )  # fmt: skip

    example = dict.fromkeys(["log_obs", "log_level"], np.zeros(()))
    return Problem("local_level", log_density, example, hard="start far out: scales of 100")


def stochastic_volatility() -> Problem:
    """Log volatilities of 150 returns, centred AR(1)."""
    rng = np.random.default_rng(32)
    h = np.zeros(150)
    for i in range(1, 150):
        h[i] = 0.95 * h[i - 1] + rng.normal(0, 0.25)
    y = rng.normal(0, np.exp(-0.5 + h / 2))

    def log_density(p):
        h, phi = p["h"], jnp.tanh(p["atanh_phi"])
        sigma, mean = jnp.exp(p["log_sigma"]), p["mu"]
        deviation = h - mean
        return (
            t.normal(deviation[0], 0.0, sigma / jnp.sqrt(1 - phi * phi))
            + t.normal(deviation[1:], phi * deviation[:-1], sigma)
            + t.normal(y, 0.0, jnp.exp(h / 2)) + t.normal(mean, 0.0, 5.0)
            + t.half_cauchy_log(p["log_sigma"], 1.0) + jnp.log1p(-phi * phi)
        )  # fmt: skip

    example = {"h": np.zeros(150), "mu": np.zeros(()), "atanh_phi": np.zeros(()),
               "log_sigma": np.zeros(())}  # fmt: skip
    return Problem(
        "stochastic_volatility", log_density, example, hard="strong correlations, corner"
    )


def garch() -> Problem:
    """GARCH(1,1) with parameters on intervals, 200 returns."""
    rng = np.random.default_rng(33)
    y, var = np.zeros(200), 1.0
    for i in range(200):
        y[i] = rng.normal(0.2, np.sqrt(var))
        var = 0.3 + 0.25 * (y[i] - 0.2) ** 2 + 0.5 * var

    def log_density(p):
        a1, b1 = jax.nn.sigmoid(p["l1"]), jax.nn.sigmoid(p["l2"])
        b1 = b1 * (1 - a1)
        a0 = jnp.exp(p["log_a0"])
        error = y - p["mu"]

        def step(var, previous):
            var = a0 + a1 * previous**2 + b1 * var
            return var, var

        _, later = jax.lax.scan(step, jnp.float64(1.0), error[:-1])
        sigma = jnp.sqrt(jnp.concatenate([jnp.ones(1), later]))
        jacobian = jnp.log(a1 * (1 - a1)) - jax.nn.softplus(p["l2"]) - jax.nn.softplus(-p["l2"])
        return (
            t.normal(error, 0.0, sigma) + t.normal(p["log_a0"], 0.0, 3.0)
            + t.normal(p["mu"], 0.0, 10.0) + jacobian + jnp.log1p(-a1)
        )  # fmt: skip

    example = dict.fromkeys(["mu", "log_a0", "l1", "l2"], np.zeros(()))
    return Problem("garch", log_density, example, hard="time series")


def hidden_markov() -> Problem:
    """Three-state hidden Markov model with Poisson emissions, 150 steps."""
    rng = np.random.default_rng(34)
    states = [0]
    transition = np.array([[0.9, 0.08, 0.02], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
    for _ in range(149):
        states.append(int(rng.choice(3, p=transition[states[-1]])))
    y = rng.poisson(np.array([2.0, 8.0, 20.0])[states]).astype(float)

    def log_density(p):
        free = jnp.concatenate([p["logits"], jnp.zeros((3, 1))], axis=1)
        log_move = jax.nn.log_softmax(free, axis=1)
        log_rate = jnp.cumsum(jnp.concatenate([p["first"][None], jnp.exp(p["log_gaps"])]))
        emit = (
            y[:, None] * log_rate - jnp.exp(log_rate) - jax.lax.lgamma(jnp.asarray(y) + 1)[:, None]
        )

        def step(forward, row):
            return jax.nn.logsumexp(forward[:, None] + log_move, axis=0) + row, None

        forward, _ = jax.lax.scan(step, emit[0] - jnp.log(3.0), emit[1:])
        return (
            jax.nn.logsumexp(forward) + jnp.sum(log_move) + t.normal(p["first"], 0.0, 2.0)
            + t.normal(jnp.exp(p["log_gaps"]), 0.0, 2.0) + jnp.sum(p["log_gaps"])
        )  # fmt: skip

    example = {"logits": np.zeros((3, 2)), "first": np.zeros(()), "log_gaps": np.zeros(2)}
    return Problem("hidden_markov", log_density, example, hard="hidden Markov model")


def capture_recapture() -> Problem:
    """Time-varying detection over five occasions, population size by augmentation."""
    rng = np.random.default_rng(35)
    detect = np.array([0.4, 0.3, 0.55, 0.25, 0.45])
    y = (rng.random((100, 5)) < detect).astype(float)
    y = np.concatenate([y[y.sum(1) > 0], np.zeros((60, 5))])
    seen = y.sum(1) > 0

    def log_density(p):
        in_pop, absent = jax.nn.log_sigmoid(p["omega"]), jax.nn.log_sigmoid(-p["omega"])
        on, off = jax.nn.log_sigmoid(p["p"]), jax.nn.log_sigmoid(-p["p"])
        history = in_pop + y @ on + (1 - y) @ off
        likelihood = jnp.where(seen, history, jnp.logaddexp(history, absent))
        return jnp.sum(likelihood) + in_pop + absent + jnp.sum(on + off)

    return Problem("capture_recapture", log_density, {"omega": np.zeros(()), "p": np.zeros(5)})


def weibull_survival() -> Problem:
    """Censored Weibull survival of 120 patients with two covariates."""
    rng = np.random.default_rng(36)
    x = np.column_stack([np.ones(120), rng.normal(size=120), rng.random(120) < 0.5])
    times = np.exp(x @ [3.0, -0.5, 0.6]) * rng.weibull(1.4, 120)
    limit = rng.uniform(5, 60, 120)
    event = (times <= limit).astype(float)
    log_time = np.log(np.minimum(times, limit))

    def log_density(p):
        shape = jnp.exp(p["log_shape"])
        z = shape * (log_time - x @ p["beta"])
        return (
            jnp.sum(event * (p["log_shape"] + z - log_time) - jnp.exp(z))
            + t.normal(p["beta"], 0.0, 10.0) + t.normal(p["log_shape"], 0.0, 1.0)
        )  # fmt: skip

    return Problem(
        "weibull_survival", log_density, {"beta": np.zeros(3), "log_shape": np.zeros(())},
        hard="exponential of an exponential",
    )  # fmt: skip


def lotka_volterra() -> Problem:
    """Predator and prey over 20 years: eight parameters through a Runge-Kutta solution."""
    rng = np.random.default_rng(37)
    truth = np.array([0.55, 0.028, 0.80, 0.024])
    start = np.array([30.0, 4.0])
    steps = 10

    def solve(theta, state):
        def field(s):
            u, v = s[0], s[1]
            return jnp.stack([(theta[0] - theta[1] * v) * u, (-theta[2] + theta[3] * u) * v])

        def step(s, _):
            h = 1.0 / steps
            k1 = field(s)
            k2 = field(s + h / 2 * k1)
            k3 = field(s + h / 2 * k2)
            k4 = field(s + h * k3)
            return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        def year(s, _):
            s, _ = jax.lax.scan(step, s, None, length=steps)
            return s, s

        return jax.lax.scan(year, state, None, length=20)[1]

    with jax.enable_x64(True):
        clean = np.asarray(solve(jnp.asarray(truth), jnp.asarray(start)))
    log_y = np.log(clean) + rng.normal(0, 0.25, clean.shape)
    log_y0 = np.log(start) + rng.normal(0, 0.25, 2)

    def log_density(p):
        z0, theta, sigma = jnp.exp(p["log_z0"]), jnp.exp(p["log_theta"]), jnp.exp(p["log_sigma"])
        path = solve(theta, z0)
        return (
            t.normal(log_y, jnp.log(path), sigma) + t.normal(log_y0, p["log_z0"], sigma)
            + t.normal(theta, np.array([1.0, 0.05, 1.0, 0.05]), np.array([0.5, 0.05, 0.5, 0.05]))
            + jnp.sum(p["log_theta"]) + t.normal(p["log_z0"], np.log(10.0), 1.0)
            + t.normal(p["log_sigma"], -1.0, 1.0)
        )  # fmt: skip

    example = {"log_theta": np.zeros(4), "log_z0": np.zeros(2), "log_sigma": np.zeros(2)}
    return Problem(
        "lotka_volterra", log_density, example, hard="differential equation, many basins"
    )


PROBLEMS = (
    local_level, stochastic_volatility, garch, hidden_markov, capture_recapture,
    weibull_survival, lotka_volterra,
)  # fmt: skip

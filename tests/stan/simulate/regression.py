"""Data of the regressions."""

from __future__ import annotations

import numpy as np

from simulate import Data, logistic, simulation

Rng = np.random.Generator


@simulation("linear_regression")
def linear(rng: Rng) -> Data:
    X = rng.normal(size=(200, 4))
    y = 1.5 + X @ [0.5, -1, 0, 2] + rng.normal(size=200)
    return {"N": 200, "K": 4, "X": X, "y": y}


@simulation("linear_regression_rows")
def linear_rows(rng: Rng) -> Data:
    x = rng.uniform(-2, 2, 25)
    return {"N": 25, "x": x, "y": 1 + 2 * x + rng.normal(size=25)}


@simulation("linear_regression_qr")
def linear_qr(rng: Rng) -> Data:
    X = rng.normal(size=(40, 3)) @ [[1, 0.9, 0], [0, 0.3, 0], [0, 0, 2]] + 5
    return {"N": 40, "K": 3, "X": X, "y": X @ [1, 2, -1] + rng.normal(size=40)}


@simulation("robust_regression")
def robust(rng: Rng) -> Data:
    x = rng.normal(size=30)
    return {"N": 30, "x": x, "y": 0.5 - x + 0.7 * rng.standard_t(3, 30)}


@simulation("heteroscedastic_regression")
def heteroscedastic(rng: Rng) -> Data:
    x = rng.uniform(-1, 1, 30)
    return {"N": 30, "x": x, "y": 1 + x + np.exp(-0.5 + x) * rng.normal(size=30)}


@simulation("tobit_regression")
def tobit(rng: Rng) -> Data:
    x = rng.normal(size=30)
    y = 0.5 + 1.2 * x + rng.normal(size=30)
    seen = y > 0
    return {
        "N_seen": int(seen.sum()),
        "N_low": int((~seen).sum()),
        "x_seen": x[seen],
        "x_low": x[~seen],
        "limit": 0,
        "y": y[seen],
    }


@simulation("quantile_regression")
def quantile(rng: Rng) -> Data:
    x = rng.uniform(0, 3, 25)
    return {"N": 25, "x": x, "y": 1 + x + (0.5 + x) * rng.normal(size=25), "tau": 0.8}


@simulation("spline_regression")
def spline(rng: Rng) -> Data:
    x = np.linspace(0, 1, 40)
    centres = np.linspace(0, 1, 8)
    B = np.clip(1 - 7 * np.abs(x[:, None] - centres), 0, 1)
    return {"N": 40, "K": 8, "B": B, "y": np.sin(6 * x) + 0.3 * rng.normal(size=40)}


@simulation("logistic_regression")
def logistic_regression(rng: Rng) -> Data:
    X = rng.normal(size=(100, 3))
    p = logistic(0.3 + X @ [1, -0.5, 0.2])
    return {"N": 100, "K": 3, "X": X, "y": rng.binomial(1, p)}


@simulation("probit_regression")
def probit(rng: Rng) -> Data:
    x = rng.normal(size=25)
    return {"N": 25, "x": x, "y": (0.2 + x + rng.normal(size=25) > 0).astype(int)}


@simulation("probit_latent")
def probit_latent(rng: Rng) -> Data:
    x = rng.normal(size=15)
    z = np.stack([0.3 + x, -0.2 - 0.5 * x], 1) + rng.multivariate_normal(
        [0, 0], [[1, 0.5], [0.5, 1]], 15
    )
    return {"N": 15, "x": x, "y": (z > 0).astype(int)}


@simulation("poisson_regression")
def poisson(rng: Rng) -> Data:
    x, exposure = rng.normal(size=30), rng.uniform(1, 10, 30)
    y = rng.poisson(exposure * np.exp(-0.3 + 0.5 * x))
    return {"N": 30, "exposure": exposure, "x": x, "y": y}


@simulation("negative_binomial_regression")
def negative_binomial(rng: Rng) -> Data:
    X = rng.normal(size=(60, 2))
    mu = np.exp(1 + X @ [0.4, -0.3])
    return {"N": 60, "K": 2, "X": X, "y": rng.negative_binomial(2, 2 / (2 + mu))}


@simulation("beta_regression")
def beta(rng: Rng) -> Data:
    x = rng.normal(size=25)
    mu = logistic(0.5 - x)
    y = rng.beta(8 * mu, 8 * (1 - mu))
    return {"N": 25, "x": x, "y": np.clip(y, 0.001, 0.999)}


@simulation("gamma_regression")
def gamma(rng: Rng) -> Data:
    x = rng.normal(size=25)
    return {"N": 25, "x": x, "y": rng.gamma(2, np.exp(0.3 + 0.6 * x) / 2) + 0.001}


@simulation("ordinal_regression")
def ordinal(rng: Rng) -> Data:
    x = rng.normal(size=(30, 2))
    latent = x @ [1, -0.5] + rng.logistic(size=30)
    y = 1 + np.searchsorted([-1, 0.2, 1.5], latent)
    return {"C": 4, "N": 30, "K": 2, "y": y, "x": x}


@simulation("multinomial_logit")
def multinomial(rng: Rng) -> Data:
    X = np.column_stack([np.ones(30), rng.normal(size=30)])
    scores = X @ [[0.3, -0.2, 0], [1, -1, 0]] + rng.gumbel(size=(30, 3))
    return {"C": 3, "N": 30, "K": 2, "y": 1 + scores.argmax(1), "X": X}


@simulation("horseshoe_regression")
def horseshoe(rng: Rng) -> Data:
    X = rng.normal(size=(30, 8))
    y = X[:, 0] * 2 - X[:, 3] + rng.normal(size=30)
    scales = {"scale_global": 0.1, "slab_scale": 2, "slab_df": 4}
    return {"N": 30, "K": 8, "X": X, "y": y, **scales}


@simulation("instrumental_variable")
def instrument(rng: Rng) -> Data:
    z, u = rng.normal(size=(2, 25))
    t = 0.8 * z + u + rng.normal(size=25)
    return {"N": 25, "z": z, "t": t, "y": 0.5 * t + u + rng.normal(size=25)}


@simulation("dirichlet_regression")
def dirichlet(rng: Rng) -> Data:
    x = rng.normal(size=15)
    y = np.stack([rng.dirichlet(np.exp([1 + v, 1, 1.2 - v])) for v in x]).round(4) + 0.01
    y = (y / y.sum(1, keepdims=True)).round(4)
    y[:, -1] = 1 - y[:, :-1].sum(1)
    return {"N": 15, "C": 3, "x": x, "y": y}


@simulation("circular_regression")
def circular(rng: Rng) -> Data:
    x = rng.normal(size=25)
    angle = rng.vonmises(0.5 + 2 * np.arctan(0.4 * x), 3)
    return {"N": 25, "x": x, "angle": np.clip(angle, -3.14, 3.14)}

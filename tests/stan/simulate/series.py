"""Data of the models of time series."""

from __future__ import annotations

import numpy as np

from simulate import Data, simulation

Rng = np.random.Generator


def autoregression(rng: Rng, length: int, phi: float, scale: float = 1.0) -> np.ndarray:
    """A path of x_t = phi x_{t-1} + noise."""
    x = np.zeros(length)
    for t in range(1, length):
        x[t] = phi * x[t - 1] + scale * rng.normal()
    return x


@simulation("hmm_gaussian")
def hmm_gaussian(rng: Rng) -> Data:
    z = (np.cumsum(rng.uniform(size=30) < 0.2) + 1) % 3
    return {"K": 3, "T": 30, "y": np.array([-2, 0, 3])[z] + 0.7 * rng.normal(size=30)}


@simulation("hmm_categorical")
def hmm_categorical(rng: Rng) -> Data:
    z = 1 + np.cumsum(rng.uniform(size=25) < 0.3) % 2
    w, u = 1 + (z + rng.integers(0, 2, 25)) % 4, rng.integers(1, 5, 15)
    sizes = {"K": 2, "V": 4, "T": 25, "T_free": 15}
    return {**sizes, "w": w, "z": z, "u": u, "alpha": [1, 1], "beta": [0.5] * 4}


@simulation("hmm_poisson")
def hmm_poisson(rng: Rng) -> Data:
    z = np.cumsum(rng.uniform(size=40) < 0.15) % 2
    return {"T": 40, "y": rng.poisson(np.where(z, 6, 1.5))}


@simulation("change_point")
def change_point(rng: Rng) -> Data:
    D = np.concatenate([rng.poisson(3, 15), rng.poisson(1, 20)])
    return {"r_e": 0.5, "r_l": 0.5, "T": 35, "D": D}


@simulation("change_point_cumulative")
def change_point_cumulative(rng: Rng) -> Data:
    return {"T": 50, "D": np.concatenate([rng.poisson(3, 20), rng.poisson(1, 30)])}


@simulation("autoregression")
def autoregression_data(rng: Rng) -> Data:
    return {"K": 3, "T": 80, "y": autoregression(rng, 80, 0.6)}


@simulation("moving_average")
def moving_average(rng: Rng) -> Data:
    e = rng.normal(size=62)
    return {"Q": 2, "T": 60, "y": 0.5 + e[2:] + 0.4 * e[1:-1] - 0.3 * e[:-2]}


@simulation("arma")
def arma(rng: Rng) -> Data:
    e = rng.normal(size=100)
    x = np.zeros(100)
    for t in range(1, 100):
        x[t] = 0.5 * x[t - 1] + e[t] + 0.3 * e[t - 1]
    return {"T": 100, "y": x}


@simulation("garch")
def garch(rng: Rng) -> Data:
    sigma, r = 0.5, []
    for _ in range(100):
        r.append(0.1 + sigma * rng.normal())
        sigma = np.sqrt(0.1 + 0.3 * (r[-1] - 0.1) ** 2 + 0.4 * sigma**2)
    return {"T": 100, "r": r, "sigma1": 0.5}


@simulation("volatility_long")
def volatility_long(rng: Rng) -> Data:
    return {"T": 400, "y": autoregression(rng, 400, 0.3)}


@simulation("stochastic_volatility")
@simulation("stochastic_volatility_centred")
def stochastic_volatility(rng: Rng) -> Data:
    h = -0.5 + autoregression(rng, 60, 0.9, 0.3)
    return {"T": 60, "y": np.exp(h / 2) * rng.normal(size=60)}


@simulation("local_level")
def local_level(rng: Rng) -> Data:
    level = np.cumsum(0.3 * rng.normal(size=50))
    return {"T": 50, "y": 5 + level + 0.5 * rng.normal(size=50)}


@simulation("structural_seasonal")
def seasonal(rng: Rng) -> Data:
    t = np.arange(40)
    y = 3 + 0.05 * t + np.array([1, -0.5, 0.2, -0.7])[t % 4] + 0.3 * rng.normal(size=40)
    return {"T": 40, "S": 4, "y": y, "w": (t > 25).astype(float)}


@simulation("vector_autoregression")
def vector_autoregression(rng: Rng) -> Data:
    y = np.zeros((40, 2))
    for t in range(1, 40):
        y[t] = [[0.5, 0.1], [-0.2, 0.4]] @ y[t - 1] + rng.normal(size=2)
    return {"T": 40, "D": 2, "y": y}


@simulation("dynamic_regression")
def dynamic_regression(rng: Rng) -> Data:
    x, b = rng.normal(size=40), np.cumsum(0.2 * rng.normal(size=40))
    return {"T": 40, "x": x, "y": 1 + b * x + 0.5 * rng.normal(size=40)}


@simulation("kalman_by_hand")
def kalman(rng: Rng) -> Data:
    y = np.cumsum(0.5 * rng.normal(size=40)) + 0.5 * rng.normal(size=40)
    return {"T": 40, "y": y, "observed": rng.binomial(1, 0.8, 40)}


@simulation("state_space_matrix")
def state_space(rng: Rng) -> Data:
    level = autoregression(rng, 20, 0.8)
    return {"R": 3, "T": 20, "y": level + 0.5 * rng.normal(size=(3, 20))}


@simulation("extreme_values")
def extremes(rng: Rng) -> Data:
    return {"N": 30, "y": rng.gumbel(0.5, 1.0, 30)}


@simulation("grouped_data")
def grouped(rng: Rng) -> Data:
    return {"N": 20, "y": rng.normal(3, 2, 20).round()}

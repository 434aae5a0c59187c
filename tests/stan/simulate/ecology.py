"""Data of the models of animal populations."""

from __future__ import annotations

import numpy as np

from simulate import Data, logistic, simulation

Rng = np.random.Generator


def captures(rng: Rng, present: int, total: int, p: np.ndarray) -> np.ndarray:
    """Capture histories of animals that are there, with rows of zeros for those never caught."""
    y = rng.binomial(1, p, (present, len(p)))
    y = y[y.sum(1) > 0]
    return np.vstack([y, np.zeros((total - len(y), len(p)), int)])


@simulation("capture_constant")
def capture_constant(rng: Rng) -> Data:
    return {"M": 50, "T": 3, "y": captures(rng, 25, 50, np.full(3, 0.4))}


@simulation("capture_time")
def capture_time(rng: Rng) -> Data:
    return {"M": 40, "T": 4, "y": captures(rng, 20, 40, np.array([0.2, 0.4, 0.5, 0.3]))}


@simulation("capture_behaviour")
def capture_behaviour(rng: Rng) -> Data:
    return {"M": 40, "T": 5, "y": captures(rng, 20, 40, np.full(5, 0.3))}


@simulation("capture_heterogeneity")
def capture_heterogeneity(rng: Rng) -> Data:
    p = logistic(-0.5 + rng.normal(size=20))
    y = rng.binomial(5, p)
    return {"M": 35, "T": 5, "y": np.concatenate([np.sort(y)[::-1], np.zeros(15, int)])}


def survivors(rng: Rng, animals: int, occasions: int, phi: float, p: float) -> np.ndarray:
    """Histories of marked animals, each released at some occasion before the last."""
    y = np.zeros((animals, occasions), int)
    for history in y:
        first = rng.integers(occasions - 1)
        history[first] = 1
        alive = np.cumprod(rng.binomial(1, phi, occasions - first - 1))
        history[first + 1 :] = alive * rng.binomial(1, p, occasions - first - 1)
    return y


@simulation("cormack_jolly_seber")
def cormack_jolly_seber(rng: Rng) -> Data:
    return {"I": 30, "T": 6, "y": survivors(rng, 30, 6, 0.7, 0.5), "x": rng.normal(size=30)}


@simulation("capture_counts_array")
def recapture_counts(rng: Rng) -> Data:
    y = survivors(rng, 80, 5, 0.7, 0.5)
    counts = np.zeros((4, 5), int)
    for history in y:
        seen = np.flatnonzero(history)
        for here, there in zip(seen, [*seen[1:], 5], strict=True):
            if here < 4:
                counts[here, min(there - 1, 4)] += 1
    return {"T": 5, "marr": counts}


@simulation("jolly_seber")
def jolly_seber(rng: Rng) -> Data:
    y = survivors(rng, 20, 5, 0.7, 0.6)
    return {"M": 30, "T": 5, "y": np.vstack([y, np.zeros((10, 5), int)])}


@simulation("capture_multistate")
def multistate(rng: Rng) -> Data:
    y = np.full((15, 5), 3)
    first = rng.integers(1, 5, 15)
    for history, start in zip(y, first, strict=True):
        history[start - 1] = rng.integers(1, 3)
        seen = rng.binomial(1, 0.5, 5 - start)
        history[start:] = np.where(seen, rng.integers(1, 3, 5 - start), 3)
    return {"I": 15, "T": 5, "y": y, "first": first}


@simulation("occupancy")
def occupancy(rng: Rng) -> Data:
    x, w = rng.normal(size=25), rng.normal(size=(25, 4))
    z = rng.binomial(1, logistic(0.3 + x))
    y = z[:, None] * rng.binomial(1, logistic(-0.2 + 0.5 * w))
    return {"R": 25, "T": 4, "y": y, "x": x, "w": w}


@simulation("occupancy_dynamic")
def occupancy_dynamic(rng: Rng) -> Data:
    z = rng.binomial(1, 0.5, 15)
    y = np.zeros((15, 3, 4), int)
    for k in range(4):
        y[:, :, k] = z[:, None] * rng.binomial(1, 0.5, (15, 3))
        z = rng.binomial(1, np.where(z, 0.8, 0.3))
    return {"R": 15, "J": 3, "K": 4, "y": y}


@simulation("abundance_mixture")
def abundance(rng: Rng) -> Data:
    x = rng.uniform(-1, 1, 12)
    n = rng.poisson(np.exp(1 + 0.5 * x))
    y = rng.binomial(n[:, None], logistic(0.2 - 0.5 * x)[:, None], (12, 3))
    return {"R": 12, "T": 3, "y": y, "x": x, "K": 30}


@simulation("distance_sampling")
def distance(rng: Rng) -> Data:
    detected = np.abs(rng.normal(0, 1.2, 70))
    counts = np.histogram(detected, np.arange(0, 3.1, 0.5))[0]
    return {"B": 6, "cut": np.arange(0, 3.1, 0.5), "counts": counts, "width": 0.5}


@simulation("population_growth")
def population(rng: Rng) -> Data:
    log_n, y = 1.0, []
    for _ in range(15):
        y.append(np.exp(log_n + 0.15 * rng.normal()))
        log_n += 0.4 * (1 - np.exp(log_n) / 20) + 0.1 * rng.normal()
    return {"T": 15, "y": y}


@simulation("reinforcement_learning")
def learning(rng: Rng) -> Data:
    choice, trials = rng.integers(1, 3, (5, 12)), np.array([12, 10, 12, 7, 12])
    reward = np.where(rng.uniform(size=(5, 12)) < np.where(choice == 1, 0.7, 0.3), 1.0, -1.0)
    choice[np.arange(12) >= trials[:, None]] = 0
    return {"S": 5, "T": 12, "trials": trials, "choice": choice, "reward": reward}


@simulation("avoidance_learning")
def avoidance(rng: Rng) -> Data:
    p = np.exp(-0.2 * np.arange(10))
    return {"I": 8, "T": 10, "y": rng.binomial(1, p, (8, 10))}

"""Data of mixtures, item response, ranking and factor models."""

from __future__ import annotations

import numpy as np

from simulate import Data, logistic, simulation

Rng = np.random.Generator


@simulation("mixture_normal")
def mixture_normal(rng: Rng) -> Data:
    z = rng.choice(3, 60, p=[0.3, 0.5, 0.2])
    return {"K": 3, "N": 60, "y": np.array([-3, 0, 4])[z] + rng.normal(size=60)}


@simulation("mixture_two")
def mixture_two(rng: Rng) -> Data:
    z = rng.binomial(1, 0.4, 40)
    return {"N": 40, "y": np.where(z, 2.5, -1.5) + rng.normal(size=40)}


@simulation("mixture_of_regressions")
def mixture_regressions(rng: Rng) -> Data:
    x, z = rng.normal(size=40), rng.binomial(1, 0.5, 40)
    return {
        "N": 40,
        "K": 2,
        "x": x,
        "y": np.where(z, 1 + 2 * x, -1 - x) + 0.5 * rng.normal(size=40),
    }


@simulation("mixture_multivariate")
def mixture_multivariate(rng: Rng) -> Data:
    z = rng.binomial(1, 0.5, 25)
    y = np.where(z[:, None], [2, 0], [-1, 1]) + rng.normal(size=(25, 2))
    return {"N": 25, "K": 2, "D": 2, "y": y}


@simulation("zero_inflated_poisson")
def zero_inflated_poisson(rng: Rng) -> Data:
    x = rng.normal(size=40)
    y = rng.binomial(1, 0.7, 40) * rng.poisson(np.exp(0.5 + 0.5 * x))
    return {"N": 40, "y": y, "x": x}


@simulation("hurdle_poisson")
def hurdle(rng: Rng) -> Data:
    return {"N": 30, "y": rng.binomial(1, 0.6, 30) * (1 + rng.poisson(2, 30))}


@simulation("zero_inflated_binomial")
def zero_inflated_binomial(rng: Rng) -> Data:
    x, n = rng.normal(size=25), rng.integers(2, 8, 25)
    y = rng.binomial(1, logistic(0.5 + x)) * rng.binomial(n, 0.4)
    return {"R": 25, "n": n, "y": y, "x": x}


@simulation("naive_bayes")
def naive_bayes(rng: Rng) -> Data:
    z, doc = rng.integers(1, 4, 8), np.repeat(np.arange(1, 9), 10)
    phi = rng.dirichlet(np.full(6, 0.8), 3)
    w = [1 + rng.choice(6, p=phi[z[d - 1] - 1]) for d in doc]
    sizes = {"K": 3, "V": 6, "M": 8, "N": 80}
    return {**sizes, "z": z, "w": w, "doc": doc, "alpha": [1, 1, 1], "beta": [0.5] * 6}


@simulation("topic_model")
def topics(rng: Rng) -> Data:
    theta, phi = rng.dirichlet([1, 1], 6), rng.dirichlet(np.full(5, 0.7), 2)
    doc = np.repeat(np.arange(1, 7), 20)
    w = [1 + rng.choice(5, p=theta[d - 1] @ phi) for d in doc]
    sizes = {"K": 2, "V": 5, "M": 6, "N": 120}
    return {**sizes, "w": w, "doc": doc, "alpha": [1, 1], "beta": [1] * 5}


@simulation("clustering_documents")
def clustering(rng: Rng) -> Data:
    phi = rng.dirichlet(np.full(5, 0.8), 2)
    counts = [rng.multinomial(12, phi[m % 2]) for m in range(8)]
    return {"K": 2, "V": 5, "M": 8, "counts": counts}


@simulation("latent_class")
def latent_class(rng: Rng) -> Data:
    z = rng.binomial(1, 0.4, 30)
    return {"N": 30, "J": 5, "C": 2, "y": rng.binomial(1, np.where(z, 0.8, 0.25)[:, None], (30, 5))}


@simulation("rater_agreement")
def raters(rng: Rng) -> Data:
    item, rater = (grid.ravel() for grid in np.meshgrid(range(1, 11), range(1, 4)))
    truth = rng.integers(1, 4, 10)
    noise = rng.integers(1, 4, 30)
    rating = np.where(rng.uniform(size=30) < 0.7, truth[item - 1], noise)
    return {"J": 3, "K": 3, "N": 30, "I": 10, "item": item, "rater": rater, "rating": rating}


@simulation("rasch")
def rasch(rng: Rng) -> Data:
    item, person = (grid.ravel() for grid in np.meshgrid(range(1, 7), range(1, 16)))
    beta, theta = rng.normal(size=6), rng.normal(size=15)
    y = rng.binomial(1, logistic(theta[person - 1] - beta[item - 1]))
    return {"I": 6, "J": 15, "N": 90, "item": item, "person": person, "y": y}


def responses(rng: Rng, items: int, persons: int) -> np.ndarray:
    """Binary answers, items by persons."""
    a, b, theta = rng.lognormal(0, 0.3, items), rng.normal(size=items), rng.normal(size=persons)
    return rng.binomial(1, logistic(a[:, None] * (theta - b[:, None])))


@simulation("two_parameter_logistic")
def two_parameter(rng: Rng) -> Data:
    return {"I": 8, "J": 20, "y": responses(rng, 8, 20)}


@simulation("three_parameter_logistic")
def three_parameter(rng: Rng) -> Data:
    guessed = rng.binomial(1, 0.2, (6, 15))
    return {"I": 6, "J": 15, "y": np.maximum(responses(rng, 6, 15), guessed).T}


@simulation("graded_response")
def graded(rng: Rng) -> Data:
    latent = rng.normal(size=12) + rng.logistic(size=(4, 12))
    return {"I": 4, "J": 12, "C": 4, "y": 1 + np.searchsorted([-1, 0.3, 1.2], latent)}


@simulation("partial_credit")
def partial_credit(rng: Rng) -> Data:
    ii, jj = (grid.ravel() for grid in np.meshgrid(range(1, 5), range(1, 13)))
    top = np.array([1, 2, 3, 2])
    y = rng.integers(0, top[ii - 1] + 1)
    return {"I": 4, "J": 12, "N": 48, "ii": ii, "jj": jj, "y": y}


@simulation("ideal_point")
def ideal_point(rng: Rng) -> Data:
    legislator, bill = (grid.ravel() for grid in np.meshgrid(range(1, 9), range(1, 11)))
    x = np.concatenate([[-1, 1], rng.normal(size=6)])
    vote = rng.binomial(1, logistic(1.5 * x[legislator - 1] * rng.normal(size=10)[bill - 1]))
    return {"J": 8, "M": 10, "N": 80, "legislator": legislator, "bill": bill, "vote": vote}


@simulation("bradley_terry")
def bradley_terry(rng: Rng) -> Data:
    pairs = np.array([rng.choice(6, 2, replace=False) + 1 for _ in range(50)])
    alpha = rng.normal(size=6)
    y = rng.binomial(1, logistic(0.3 + alpha[pairs[:, 0] - 1] - alpha[pairs[:, 1] - 1]))
    return {"K": 6, "N": 50, "player1": pairs[:, 0], "player0": pairs[:, 1], "y": y}


@simulation("ranking_plackett_luce")
def rankings(rng: Rng) -> Data:
    scores = np.array([0, 1, -0.5, 0.3]) + rng.gumbel(size=(15, 4))
    return {"K": 4, "N": 15, "order": 1 + np.argsort(-scores, 1)}


@simulation("factor_analysis")
def factors(rng: Rng) -> Data:
    y = rng.normal(size=(20, 2)) @ rng.normal(size=(2, 4)) + 0.5 * rng.normal(size=(20, 4))
    return {"N": 20, "P": 4, "D": 2, "y": y}


@simulation("gaussian_copula")
def copula(rng: Rng) -> Data:
    z = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 15)
    return {"N": 15, "a": np.exp(0.3 + 0.5 * z[:, 0]), "b": np.exp(0.2 + 0.4 * z[:, 1])}


@simulation("dose_response")
def dose_response(rng: Rng) -> Data:
    patient, dose = np.repeat(np.arange(1, 7), 5), np.tile([0.5, 1, 2, 4, 8], 6)
    eta = rng.normal(size=6)
    y = 1 + 0.3 * eta[patient - 1] + 5 * dose / (2 + dose) + 0.4 * rng.normal(size=30)
    return {"N": 30, "P": 6, "patient": patient, "dose": dose, "y": y}


@simulation("bioassay")
def bioassay(rng: Rng) -> Data:
    x = np.linspace(-0.8, 0.6, 7)
    return {"J": 7, "x": x, "n": [10] * 7, "y": rng.binomial(10, logistic(0.5 + 6 * x))}


@simulation("measurement_error")
def measurement_error(rng: Rng) -> Data:
    x, tau = rng.normal(1, 1, 20), rng.uniform(0.2, 0.5, 20)
    y = 0.5 + 1.5 * x + 0.4 * rng.normal(size=20)
    return {"N": 20, "x_seen": x + tau * rng.normal(size=20), "tau": tau, "y": y}


@simulation("missing_predictor")
def missing_predictor(rng: Rng) -> Data:
    x = rng.normal(size=20)
    missing = np.sort(rng.choice(20, 5, replace=False))
    seen = np.setdiff1d(np.arange(20), missing)
    y = 1 + x + 0.5 * rng.normal(size=20)
    places = {"missing": missing + 1, "seen": seen + 1}
    return {"N": 20, "M": 5, **places, "x_seen": x[seen], "y": y}


@simulation("missing_bivariate")
def missing_bivariate(rng: Rng) -> Data:
    y = rng.multivariate_normal([1, -1], [[1, 0.5], [0.5, 2]], 20)
    observed = rng.binomial(1, 0.75, (20, 2))
    return {"N": 20, "observed": observed, "y": np.where(observed, y, 0)}


@simulation("signal_detection")
def signal_detection(rng: Rng) -> Data:
    signals, noises = rng.integers(10, 40, (2, 6))
    hits, false_alarms = rng.binomial(signals, 0.7), rng.binomial(noises, 0.3)
    counts = {"hits": hits, "false_alarms": false_alarms}
    return {"K": 6, **counts, "signals": signals, "noises": noises}


@simulation("outlier_mixture")
def outliers(rng: Rng) -> Data:
    x, sigma = rng.uniform(0, 5, 20), rng.uniform(0.2, 0.6, 20)
    y = 1 + 0.8 * x + sigma * rng.normal(size=20)
    y[:3] += 6
    return {"N": 20, "x": x, "y": y, "sigma": sigma}


@simulation("matrix_factorisation")
def ratings(rng: Rng) -> Data:
    user, item = rng.integers(1, 9, 60), rng.integers(1, 7, 60)
    A, B = rng.normal(size=(8, 2)), rng.normal(size=(6, 2))
    rating = 3 + (A[user - 1] * B[item - 1]).sum(1) + 0.5 * rng.normal(size=60)
    return {"U": 8, "V": 6, "K": 2, "N": 60, "user": user, "item": item, "rating": rating}


@simulation("genetics_linkage")
def linkage(rng: Rng) -> Data:
    cells = rng.multinomial(120, [0.65, 0.1, 0.1, 0.15])
    return {"cells": cells, "blood": rng.multinomial(80, [0.4, 0.25, 0.1, 0.25])}


@simulation("network_blocks")
def network(rng: Rng) -> Data:
    block = rng.integers(0, 2, 8)
    p = np.where(block[:, None] == block, 0.7, 0.2)
    return {"N": 8, "K": 2, "link": rng.binomial(1, p)}

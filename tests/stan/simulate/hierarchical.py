"""Data of the hierarchical models."""

from __future__ import annotations

import numpy as np

from simulate import Data, logistic, simulation

Rng = np.random.Generator

COACHING = {
    "J": 8,
    "y": [28, 8, -3, 7, -1, 1, 18, 12],
    "sigma": [15, 10, 16, 11, 9, 11, 10, 18],
}
"""Effects of coaching on test scores in eight schools, with standard errors: D. B. Rubin (1981),
Estimation in parallel randomized experiments, Journal of Educational Statistics 6, 377-401."""


@simulation("eight_schools_centred")
@simulation("eight_schools_noncentred")
@simulation("eight_schools_multiplier")
def eight_schools(rng: Rng) -> Data:
    return COACHING


@simulation("varying_intercepts")
def varying_intercepts(rng: Rng) -> Data:
    county = rng.integers(1, 21, 150)
    u = rng.normal(size=20)
    floor = rng.binomial(1, 0.3, 150)
    a = 1.5 + 0.7 * u + 0.3 * rng.normal(size=20)
    y = a[county - 1] - 0.6 * floor + 0.7 * rng.normal(size=150)
    return {"N": 150, "J": 20, "county": county, "floor_": floor, "u": u, "y": y}


@simulation("varying_slopes")
def varying_slopes(rng: Rng) -> Data:
    group, x = rng.integers(1, 11, 120), rng.normal(size=120)
    b = rng.multivariate_normal([1, 0.5], [[0.5, 0.2], [0.2, 0.3]], 10)[group - 1]
    y = b[:, 0] + b[:, 1] * x + 0.5 * rng.normal(size=120)
    return {"N": 120, "J": 10, "group": group, "x": x, "y": y}


@simulation("varying_slopes_centred")
def varying_slopes_centred(rng: Rng) -> Data:
    group = rng.integers(1, 7, 60)
    x = np.column_stack([np.ones(60), rng.normal(size=(60, 2))])
    b = rng.normal(size=(6, 3))[group - 1]
    y = rng.binomial(1, logistic((x * b).sum(1)))
    return {"N": 60, "J": 6, "K": 3, "group": group, "x": x, "y": y}


@simulation("crossed_effects")
def crossed(rng: Rng) -> Data:
    item, rater = rng.integers(1, 9, 80), rng.integers(1, 6, 80)
    x = rng.normal(size=80)
    a, b = rng.normal(size=8), 0.5 * rng.normal(size=5)
    y = rng.binomial(1, logistic(0.3 + 0.5 * x + a[item - 1] + b[rater - 1]))
    return {"N": 80, "I": 8, "R": 5, "item": item, "rater": rater, "y": y, "x": x}


@simulation("nested_groups")
def nested(rng: Rng) -> Data:
    school = np.repeat(np.arange(1, 5), 3)
    pupil_class = rng.integers(1, 13, 70)
    school_effect = 2 + rng.normal(size=4)
    class_effect = school_effect[school - 1] + 0.5 * rng.normal(size=12)
    y = class_effect[pupil_class - 1] + rng.normal(size=70)
    return {"N": 70, "C": 12, "S": 4, "class_": pupil_class, "school": school, "y": y}


@simulation("meta_analysis")
def meta_analysis(rng: Rng) -> Data:
    n_t, n_c = rng.integers(30, 200, (2, 10))
    mu, delta = rng.normal(-2, 0.4, 10), rng.normal(-0.3, 0.2, 10)
    r_t, r_c = rng.binomial(n_t, logistic(mu + delta)), rng.binomial(n_c, logistic(mu))
    return {"J": 10, "n_t": n_t, "r_t": r_t, "n_c": n_c, "r_c": r_c}


@simulation("growth_curves")
def growth(rng: Rng) -> Data:
    age = np.array([8, 15, 22, 29, 36])
    alpha, beta = rng.normal(240, 14, 12), rng.normal(6, 0.5, 12)
    y = alpha[:, None] + beta[:, None] * (age - 22) + 6 * rng.normal(size=(12, 5))
    scaled = {"age": age / 10, "y": y / 100, "age_bar": 2.2}
    return {"I": 12, "T": 5, **scaled}


@simulation("surgical_rates")
def surgical(rng: Rng) -> Data:
    n = rng.integers(40, 400, 12)
    return {"J": 12, "n": n, "r": rng.binomial(n, rng.beta(5, 60, 12))}


@simulation("anova_sum_to_zero")
def anova(rng: Rng) -> Data:
    a, b = np.repeat(np.arange(1, 4), 16), np.tile(np.arange(1, 5), 12)
    y = 2 + rng.normal(size=3)[a - 1] + rng.normal(size=4)[b - 1] + 0.5 * rng.normal(size=48)
    return {"N": 48, "A": 3, "B": 4, "a": a, "b": b, "y": y}


@simulation("poststratification")
def poststratification(rng: Rng) -> Data:
    sizes = {"R": 12, "A": 4, "E": 3}
    region, age, education = (rng.integers(1, size + 1, 300) for size in sizes.values())
    income, female = rng.normal(size=12), rng.binomial(1, 0.5, 300)
    eta = 0.2 - 0.3 * female + 0.5 * income[region - 1] + 0.2 * (age - 2.5)
    groups = {"region": region, "age": age, "education": education}
    answers = {"y": rng.binomial(1, logistic(eta)), "female": female, "income": income}
    return {"N": 300, **sizes, **groups, **answers}


@simulation("map_rect_hierarchical")
def shards(rng: Rng) -> Data:
    x = rng.normal(size=(4, 6))
    y = rng.binomial(1, logistic(0.3 + x))
    return {"J": 4, "N": 6, "y": np.column_stack([np.full(4, 6), y]), "x": x}


@simulation("reduce_sum_regression")
def slices(rng: Rng) -> Data:
    X = rng.normal(size=(80, 3))
    return {"N": 80, "K": 3, "X": X, "y": rng.poisson(np.exp(X @ [0.5, 0.1, -0.3])), "grain": 5}


@simulation("correlated_priors")
def seemingly_unrelated(rng: Rng) -> Data:
    x = np.column_stack([np.ones(25), rng.normal(size=25)])
    y = x @ [[1, 0, -1], [0.5, 1, 0]] + rng.normal(size=(25, 3))
    return {"K": 3, "J": 2, "N": 25, "x": x, "y": y}

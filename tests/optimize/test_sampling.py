"""Sample sizes: the paper's inequalities by brute force, its jackknife, doubling and halving."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from trustvi.optimize._config import PaperConfig
from trustvi.optimize._sampling import (
    draws_to_accept,
    draws_to_reject,
    jackknife_norm_sd,
    next_gradient_draws,
    next_judge_draws,
)

CONFIGS = [
    PaperConfig(),
    PaperConfig(eta=0.5, gamma=1.1, lam=1e-3, alpha=0.1, nu3=0.1),
    PaperConfig(eta=0.01, gamma=10.0, lam=1.0, alpha=1.02),
]
GAINS = [1e-6, 1e-3, 0.1, 3.0, 1e3, 1e8]
RADII = [1e-6, 1e-2, 1.0, 1e3]


def largest_bound(config: PaperConfig, gain: float, radius: float) -> float:
    """The greatest right side of the paper's first sampling inequality, for sigma = 1.

    By steps of a few parts in a hundred thousand in the distance from the range's lower end.
    """
    expected, t2 = config.eta * gain, config.tau2 * radius**2
    lowest = max(-expected / 2, -t2)
    distance = np.geomspace(1e-9 * min(t2, expected), 1e9 * max(t2, expected), 1_000_000)
    y = lowest + distance
    shifted = distance if lowest == -t2 else t2 + y
    bound = 2 / (expected + y) ** 2 * np.log(shifted / (config.tau1 * radius**2))
    return float(bound.max())


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("config", CONFIGS)
def test_smallest_sample_that_rejects(config: PaperConfig, gain: float, radius: float) -> None:
    largest = largest_bound(config, gain, radius)
    needed = draws_to_reject(config, gain, radius, sigma=1.0)
    assert needed == pytest.approx(max(largest, 0.0), rel=1e-4)
    assert needed >= largest * (1 - 1e-12)
    assert draws_to_reject(config, gain, radius, sigma=3.0) == pytest.approx(9 * needed)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("sigma", [1e-3, 0.7, 50.0])
def test_smallest_sample_that_accepts(config: PaperConfig, sigma: float) -> None:
    """Hoeffding: a mean of N falls short by t = nu_1 |g| delta with probability
    exp(-N t^2 / (2 sigma^2)), which must be at most 1 - zeta_1."""
    gradient, radius = 2.5, 0.03
    needed = draws_to_accept(config, gradient, radius, sigma)
    short = config.nu1 * gradient * radius
    assert math.exp(-needed * short**2 / (2 * sigma**2)) == pytest.approx(1 - config.zeta1)


def test_no_gradient_can_be_followed_by_chance_alone() -> None:
    assert draws_to_accept(PaperConfig(), 0.0, 1.0, sigma=1.0) == math.inf
    assert draws_to_accept(PaperConfig(), 0.0, 1.0, sigma=0.0) == 0.0


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("ratio", [1.0, 1.5, 4.0, 100.0])
def test_no_step_is_so_bad_that_phi_falls(config: PaperConfig, radius: float, ratio: float) -> None:
    """Lemma 1 with noise that is normal, so that the probability of acceptance is known.

    E[change of phi] = pi (L' - tau_2 delta^2) + tau_1 delta^2 + lambda delta^2 >= lambda delta^2
    for every true change L', wherever eta m' >= 2 tau_2 delta^2: the range of the inequality
    then is the lemma's.
    """
    gain = ratio * 2 * config.tau2 * radius**2 / config.eta
    sigma = 5 * gain
    draws = math.ceil(draws_to_reject(config, gain, radius, sigma))
    true = np.linspace(-20 * gain, 2 * gain, 20_001)
    accepting = norm.sf((config.eta * gain - true) * math.sqrt(draws) / sigma)
    change = (
        np.where(true >= config.tau2 * radius**2, 0.0, accepting * (true - config.tau2 * radius**2))
        + (config.tau1 + config.lam) * radius**2
    )
    assert np.all(change >= config.lam * radius**2)
    too_few = norm.sf((config.eta * gain - true) * math.sqrt(draws / 400) / sigma)
    worst = np.min(too_few * (true - config.tau2 * radius**2)) + config.tau1 * radius**2
    assert worst < 0  # the lemma needs the draws


@pytest.mark.parametrize(
    ("draws", "needed", "expected"),
    [
        (128, 0.0, 128),  # no more than a minibatch: never halved
        (128, 128.0, 128),
        (128, 128.5, 256),
        (128, math.inf, 256),
        (256, 1.0, 256),
        (512, 255.0, 256),
        (512, 256.0, 512),  # exactly twice as large as necessary isn't more than twice
        (512, 400.0, 512),
        (4096, 1e9, 4096),
    ],
)
def test_judging_samples_double_and_halve(draws: int, needed: float, expected: int) -> None:
    assert next_judge_draws(draws, needed, 256, 4096) == expected


@pytest.mark.parametrize(
    ("draws", "norm_", "sd", "expected"),
    [
        (256, 1.0, 1.0, 512),  # small against its deviation
        (256, 6.0, 1.0, 256),
        (256, 100.0, 1.0, 256),  # a minibatch is the least
        (1024, 100.0, 1.0, 512),
        (1024, 6.0, 1.0, 1024),
        (4096, 1.0, 1.0, 4096),
    ],
)
def test_gradient_samples_double_and_halve(
    draws: int, norm_: float, sd: float, expected: int
) -> None:
    assert next_gradient_draws(draws, norm_, sd, 256, 4096) == expected


def test_a_changed_rate_is_not_changed_back_at_once() -> None:
    """Twice the draws divide the deviation by 1.4, which must not lead straight back."""
    for sd in np.linspace(0.01, 2.0, 500):
        up = next_gradient_draws(512, 1.0, sd, 256, 4096)
        if up == 1024:
            assert next_gradient_draws(1024, 1.0, sd / math.sqrt(2), 256, 4096) == 1024 * (
                2 if sd / math.sqrt(2) > 1 / 3 else 1
            )


def test_jackknife_leaves_one_out() -> None:
    groups = np.random.default_rng(0).normal(1.0, 1.0, (3, 8))
    left_out = [np.linalg.norm(np.delete(groups, j, axis=1).mean(axis=1)) for j in range(8)]
    expected = math.sqrt(7 * np.var(left_out))
    assert jackknife_norm_sd(groups) == pytest.approx(expected)


@pytest.mark.parametrize("centre", [0.0, 0.3, 5.0])
def test_jackknife_bounds_the_norms_deviation(centre: float) -> None:
    """Efron and Stein: its expectation is at least the variance. Far from zero it is that."""
    rng = np.random.default_rng(1)
    samples = rng.normal(centre, 1.0, (4000, 4, 16))
    norms = np.linalg.norm(samples.mean(axis=2), axis=1)
    estimates = np.array([jackknife_norm_sd(groups) ** 2 for groups in samples])
    ratio = estimates.mean() / norms.var()
    assert ratio > 0.97
    if centre == 5.0:
        assert ratio == pytest.approx(1.0, abs=0.05)

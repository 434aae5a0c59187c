"""Generalised Pareto fits and smoothed weights, against samples of known shape and ArviZ."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import stats

from trustvi.diagnostics import KHat, fit_pareto, khat_each, khat_threshold, smooth

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # ArviZ warns that it is about to change
    import arviz

SHAPES = [-0.5, -0.2, 0.0, 0.3, 0.7, 1.2]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("scale", [0.01, 30.0])
def test_shapes_of_samples_are_found(shape: float, scale: float) -> None:
    rng = np.random.default_rng(1)
    x = np.sort(stats.genpareto(shape, scale=scale).rvs((400, 500), random_state=rng), axis=1)
    fitted = fit_pareto(x, prior=False)
    error = fitted.shape.std() / math.sqrt(400)
    # The estimator's bias is of the order 1 / n (Zhang and Stephens 2009, table 1).
    assert abs(fitted.shape.mean() - shape) < 4 * error + 0.01
    assert abs(fitted.scale.mean() / scale - 1) < 0.02
    # No unbiased estimator beats (1 + k) / sqrt(n), where the likelihood is regular.
    if shape > -0.5:
        assert fitted.shape.std() < 1.15 * (1 + shape) / math.sqrt(500)


@pytest.mark.parametrize("shape", SHAPES)
def test_quantiles_are_scipys(shape: float) -> None:
    rng = np.random.default_rng(2)
    x = np.sort(stats.genpareto(shape).rvs((3, 100), random_state=rng), axis=1)
    fitted = fit_pareto(x)
    p = np.array([0.01, 0.5, 0.99])
    for k, scale, row in zip(*fitted, fitted.quantile(p), strict=True):
        np.testing.assert_allclose(row, stats.genpareto(k, scale=scale).ppf(p), rtol=1e-10)


def test_the_prior_draws_the_shape_towards_one_half() -> None:
    x = np.sort(stats.genpareto(0.1).rvs((1, 90), random_state=np.random.default_rng(3)), axis=1)
    plain, drawn = fit_pareto(x, prior=False).shape, fit_pareto(x).shape
    np.testing.assert_allclose(drawn, (90 * plain + 10 * 0.5) / 100)


@pytest.mark.parametrize("draws", [100, 512, 1000, 4000])
@pytest.mark.parametrize("spread", [0.1, 1.0, 3.0])
def test_smoothed_weights_are_arvizs(draws: int, spread: float) -> None:
    log_ratios = spread * np.random.default_rng(4).standard_t(5, draws) - 1000.0
    weights, khat = arviz.psislw(log_ratios.copy())
    ours = smooth(log_ratios)
    np.testing.assert_allclose(ours.log_weights, weights, rtol=0, atol=1e-10)
    assert ours.khat == pytest.approx(float(khat), abs=1e-10)


@pytest.mark.parametrize(("ratio", "shape"), [(0.5, 0.75), (0.8, 0.36), (1.25, -2.0)])
def test_khat_of_a_gaussian_for_a_gaussian(ratio: float, shape: float) -> None:
    # p = N(0, 1), q = N(0, ratio^2): r has a Pareto tail of shape 1 - ratio^2 if q is the narrower;
    # otherwise a greatest value, near which P(r > max - y) goes as the square root of y.
    z = ratio * np.random.default_rng(5).standard_normal(400_000)
    log_ratios = stats.norm.logpdf(z) - stats.norm.logpdf(z, scale=ratio)
    assert smooth(log_ratios).khat == pytest.approx(shape, abs=0.25)


def test_exact_approximations_have_no_tail() -> None:
    noise = 1e-13 * np.random.default_rng(6).standard_normal(500)
    ours = smooth(3.0 + noise)
    assert ours.khat == 0.0
    np.testing.assert_allclose(ours.log_weights, -math.log(500))


@pytest.mark.parametrize(
    ("lost", "worst"), [(-np.inf, False), (np.nan, False), (np.inf, True)], ids=str
)
def test_ratios_that_are_no_numbers(lost: float, worst: bool) -> None:
    log_ratios = np.random.default_rng(7).standard_normal(500)
    log_ratios[:3] = lost
    ours = smooth(log_ratios)
    assert math.isinf(ours.khat) == worst
    assert np.sum(np.exp(ours.log_weights)) == pytest.approx(1.0)
    if not worst:
        assert np.all(ours.log_weights[:3] == -np.inf)
        fewer = smooth(np.where(np.isfinite(log_ratios), log_ratios, -800.0))
        assert ours.khat == pytest.approx(fewer.khat)


@pytest.mark.parametrize("log_ratios", [np.zeros(8), np.full(200, -np.inf), np.full(200, np.nan)])
def test_too_little_to_tell_is_never_good(log_ratios: np.ndarray) -> None:
    assert not KHat(smooth(log_ratios).khat, log_ratios.size).good


def test_a_quantity_in_the_tail_has_a_worse_khat_and_none_a_better_one() -> None:
    rng = np.random.default_rng(8)
    z = rng.standard_normal((4000, 3))
    # The posterior of the first coordinate has twice the scale that q says.
    log_ratios = stats.norm.logpdf(z[:, 0], scale=1.2) - stats.norm.logpdf(z[:, 0])
    quantities = np.column_stack([z, np.exp(2 * z[:, 0]), z[:, 1] > 0, np.full(4000, 7.0)])
    overall, each = smooth(log_ratios).khat, khat_each(quantities, log_ratios)
    assert np.all(each >= overall)
    assert each[3] > each[0] > each[1] + 0.02
    np.testing.assert_allclose(each[4:], overall, atol=0.05)
    assert each[5] == overall


def test_khat_each_agrees_with_the_tails_of_weighted_values() -> None:
    rng = np.random.default_rng(9)
    quantities, log_ratios = rng.standard_normal((1000, 2)), 0.5 * rng.standard_normal(1000)
    for h, found in zip(quantities.T, khat_each(quantities, log_ratios), strict=True):
        weighted = (h - h.mean()) * np.exp(log_ratios)
        tails = []
        for side in (weighted, -weighted):
            top = np.sort(side)[-96:]  # ceil(3 sqrt(1000)) = 95, and the cutoff
            tails.append(fit_pareto((top[1:] - top[0])[None, :]).shape[0])
        assert found == pytest.approx(max(*tails, smooth(log_ratios).khat))


@pytest.mark.parametrize(
    ("draws", "threshold"), [(100, 0.5), (1000, 2 / 3), (2200, 0.7), (10**6, 0.7)]
)
def test_thresholds(draws: int, threshold: float) -> None:
    assert khat_threshold(draws) == pytest.approx(threshold, abs=1e-3)


def test_the_sentence_has_two_decimals_and_both_sides() -> None:
    good, bad, none = KHat(0.31234, 1000), KHat(0.9123, 1000), KHat(math.nan, 0)
    assert good.good
    assert "0.31 is below 0.67" in good.sentence
    assert not bad.good
    assert "0.91 is not below 0.67" in bad.sentence
    assert not none.good
    assert "not computed" in none.sentence

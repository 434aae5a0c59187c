"""Draws, densities, diagnostics and summaries of a posterior, against the model and SciPy."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from posterior_cases import CORRELATION, correlated
from scipy import stats

import trustvi
from trustvi.diagnostics import KHat

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # ArviZ warns that it is about to change
    import arviz


SAME_RULE = hasattr(arviz, "psislw")


def psislw(log_ratios: np.ndarray) -> tuple[np.ndarray, float]:
    """ArviZ's; 1.x keeps it in a package of its own, and takes the ratios' inverses."""
    if SAME_RULE:
        return arviz.psislw(log_ratios)
    from arviz_stats.base import array_stats  # pyright: ignore[reportMissingImports]

    return array_stats.psislw(-log_ratios)


def test_draws_are_the_models_own(everything: trustvi.Posterior) -> None:
    z = everything.draws_unconstrained(7, seed=3)
    draws = everything.draws(7, seed=3)
    model = everything.known_model()
    for i in range(7):
        reals = dict(zip(model.param_names(), model.param_constrain(z[:, i]), strict=True))
        assert draws["s"][i] == pytest.approx(reals["s"])
        assert draws["m"][i, 1, 2] == pytest.approx(reals["m.2.3"])
        assert draws["v"][i, 1, 0] == pytest.approx(reals["v.2.1"])
        assert draws["mu"][i, 0] == pytest.approx(reals["a"] + reals["b"] * model_x(everything)[0])


def model_x(post: trustvi.Posterior) -> np.ndarray:
    return np.random.default_rng(1).standard_normal(20)


def test_draws_repeat_with_the_seed_and_differ_without(everything: trustvi.Posterior) -> None:
    first, again, other = (everything.draws(50, seed=seed) for seed in (4, 4, 5))
    for name, value in first.items():
        np.testing.assert_array_equal(value, again[name])
    assert not np.any(first["y_rep"] == other["y_rep"])


def test_log_densities_are_those_of_the_model_and_of_a_gaussian(
    everything: trustvi.Posterior,
) -> None:
    # 19 draws: no multiple of what is evaluated at once.
    z = everything.draws_unconstrained(19, seed=2)
    density = everything.log_densities(19, seed=2)
    model = everything.known_model()
    np.testing.assert_allclose(
        density.lp, [model.log_density(theta, propto=False) for theta in z.T], rtol=1e-10
    )
    q = stats.multivariate_normal(everything.loc, np.diag(everything.scale_diag**2))
    np.testing.assert_allclose(density.lp_approx, q.logpdf(z.T), rtol=1e-10)


def test_khat_is_arvizs_and_on_the_ledger() -> None:
    model = trustvi.from_function(correlated, {"x": 0.0, "y": 0.0})
    with_khat, without = (
        trustvi.fit(model, khat_draws=draws, progress=False) for draws in (512, 0)
    )
    assert with_khat.oracle_calls - without.oracle_calls == pytest.approx(512 / 256)
    assert math.isnan(without.khat.value)
    assert "k-hat" not in without.summary().columns
    # The draws are fixed by the seed; evaluate the densities anew.
    z = with_khat._checked_draws()
    true = stats.multivariate_normal([1.0, -2.0], [[1, CORRELATION], [CORRELATION, 1]])
    q = stats.norm(with_khat.loc, with_khat.scale_diag)
    _, khat = psislw(true.logpdf(z.T) - q.logpdf(z.T).sum(axis=1))
    # ArviZ 1.x fits the Pareto tail by another rule.
    assert with_khat.khat.value == pytest.approx(float(khat), abs=1e-6 if SAME_RULE else 0.05)
    assert with_khat.khat.draws == 512
    # Along (1, 1) the posterior has variance 1 + rho, and q has 1 - rho^2: k = 1 - (1 - rho).
    assert with_khat.khat.value == pytest.approx(CORRELATION, abs=0.25)
    assert with_khat.khat.good


def test_summaries_have_a_khat_for_every_quantity(everything: trustvi.Posterior) -> None:
    summary = everything.summary()
    assert set(everything.known_model().param_names(include_tp=True, include_gq=True)) == set(
        summary.names
    )
    khats = np.array([row["k-hat"] for row in summary.to_dict().values()])
    assert np.all(khats >= everything.khat.value)
    line = next(line for line in str(summary).splitlines() if line.startswith("a "))
    assert line.endswith(f" {summary['a']['k-hat']:.2f}")


def test_where_weights_are_equal_the_khat_is_the_quantitys_own(
    everything: trustvi.Posterior,
) -> None:
    exact = replace(everything, checked_lp=everything.q.log_density(everything._checked_draws()))
    khats = [row["k-hat"] for row in exact.summary().to_dict().values()]
    assert np.ptp(khats) > 0.01


def test_summary_of_means(everything: trustvi.Posterior) -> None:
    row = everything.summary()["s"]
    # s = exp of a normal: closed forms.
    at = list(everything.known_model().param_unc_names()).index("s")
    lognormal = stats.lognorm(everything.scale_diag[at], scale=math.exp(everything.loc[at]))
    assert row["mean"] == pytest.approx(lognormal.mean(), rel=0.02)
    assert row["95%"] == pytest.approx(lognormal.ppf(0.95), rel=0.03)


def test_importance_resampling_restores_what_the_family_lacks(gaussian: trustvi.Posterior) -> None:
    plain, better = gaussian.draws(4000), gaussian.psis_draws(4000, candidates=40_000)
    assert plain["x"].var() == pytest.approx(1 - CORRELATION**2, rel=0.1)
    assert better["x"].var() == pytest.approx(1.0, rel=0.1)
    assert np.corrcoef(plain["x"], plain["y"])[0, 1] == pytest.approx(0.0, abs=0.06)
    assert np.corrcoef(better["x"], better["y"])[0, 1] == pytest.approx(CORRELATION, abs=0.06)
    np.testing.assert_array_equal(better["x"], gaussian.psis_draws(4000, candidates=40_000)["x"])


def test_importance_resampling_that_cannot_help_warns() -> None:
    def far(theta: object) -> object:
        import jax.numpy as jnp

        # Twenty pairs, correlated by 0.95.
        x = theta - 0.0  # pyright: ignore
        return -0.5 * jnp.sum((x[:20] - 0.95 * x[20:]) ** 2) / 0.0975 - 0.5 * jnp.sum(x[20:] ** 2)

    post = trustvi.fit(trustvi.from_function(far, np.zeros(40)), progress=False)
    assert not post.khat.good
    assert "not below" in post.khat.sentence
    with pytest.warns(trustvi.DiagnosticWarning, match="too far from the posterior"):
        post.psis_draws(100)


def test_stan_variables(everything: trustvi.Posterior) -> None:
    draws = everything.draws(100, seed=6)
    np.testing.assert_array_equal(everything.stan_variable("m", 100, seed=6), draws["m"])
    mean = everything.stan_variable("m", 100, mean=True, seed=6)
    np.testing.assert_allclose(mean, draws["m"].mean(axis=0))
    with pytest.raises(trustvi.InputError, match=r"no quantity 'nope'; it has a, b, s"):
        everything.stan_variable("nope")


def test_saved_and_loaded_posteriors_say_the_same(
    everything: trustvi.Posterior, tmp_path: Path
) -> None:
    everything.save(tmp_path / "fit.npz")
    bare = trustvi.load(tmp_path / "fit.npz")
    assert bare.khat == everything.khat
    with pytest.raises(trustvi.InputError, match="loaded without its model"):
        bare.summary()
    whole = trustvi.load(tmp_path / "fit.npz", everything.model)
    assert str(whole.summary()) == str(everything.summary())
    np.testing.assert_allclose(
        whole.log_densities(5).lp, everything.log_densities(5).lp, rtol=1e-12
    )


def test_khats_of_unequal_draws_have_their_own_thresholds() -> None:
    assert KHat(0.6, 512).good
    assert not KHat(0.6, 100).good


@pytest.mark.parametrize("ask", ["draws", "psis_draws", "log_densities", "to_dataframe"])
def test_no_draws_is_an_error(gaussian: trustvi.Posterior, ask: str) -> None:
    with pytest.raises(trustvi.InputError, match="n must be at least 1; got 0"):
        getattr(gaussian, ask)(0)


def test_fewer_candidates_than_draws_is_an_error(gaussian: trustvi.Posterior) -> None:
    with pytest.raises(trustvi.InputError, match="candidates must be at least n = 10; got 9"):
        gaussian.psis_draws(10, candidates=9)

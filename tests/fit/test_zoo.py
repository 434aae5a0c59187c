"""Hard targets, each with the verdict that it deserves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import minimize_scalar

import trustvi
from trustvi import Verdict


class Animal(NamedTuple):
    log_density: Callable[[Any], Any]
    dim: int
    verdict: Verdict


def funnel(z: Any) -> Any:
    """Neal's: v ~ N(0, 3), x_i ~ N(0, exp(v / 2))."""
    return -0.5 * (z[0] / 3) ** 2 - 0.5 * jnp.sum(z[1:] ** 2, axis=0) * jnp.exp(-z[0]) - 4.5 * z[0]


def where_finite(bad: Any, value: float, z: Any) -> Any:
    return jnp.where(bad, value, -0.5 * jnp.sum(z * z, axis=0))


ZOO = {
    "funnel": Animal(funnel, 10, Verdict.CONVERGED),
    "banana": Animal(
        lambda z: -(z[0] ** 2) / 200 - 0.5 * (z[1] + 0.03 * z[0] ** 2 - 3) ** 2, 2,
        Verdict.CONVERGED,
    ),
    "cauchy": Animal(lambda z: jnp.sum(-jnp.log1p(z**2), axis=0), 2, Verdict.CONVERGED),
    "student_t_2": Animal(
        lambda z: jnp.sum(-1.5 * jnp.log1p(z**2 / 2), axis=0), 2, Verdict.CONVERGED
    ),
    "two_modes": Animal(
        lambda z: jnp.logaddexp(
            -0.5 * jnp.sum((z - 5) ** 2, axis=0), -0.5 * jnp.sum((z + 5) ** 2, axis=0)
        ), 2, Verdict.CONVERGED,
    ),
    "cliff": Animal(
        lambda z: where_finite(z[0] > 0, -math.inf, z), 2, Verdict.OUTSIDE_SUPPORT
    ),
    "nan_pocket": Animal(
        lambda z: where_finite(jnp.sum((z - 0.5) ** 2, axis=0) < 0.25, math.nan, z), 2,
        Verdict.OUTSIDE_SUPPORT,
    ),
    "flat_direction": Animal(lambda z: -0.5 * z[0] ** 2 + 0 * z[1], 2, Verdict.UNBOUNDED),
    "linear": Animal(lambda z: z[0] - 0.5 * z[1] ** 2, 2, Verdict.UNBOUNDED),
    "ridge": Animal(lambda z: -0.5 * (z[0] + z[1]) ** 2, 2, Verdict.CONVERGED),
    "huge": Animal(lambda z: 1e300 - 0.5 * jnp.sum(z * z, axis=0), 2, Verdict.NOISE_FLOOR),
    "nowhere": Animal(
        lambda z: -math.inf + 0.0 * z[0], 2, Verdict.NO_START
    ),
}  # fmt: skip
SEEDS = 3


@pytest.fixture(scope="module")
def tamed() -> dict[str, trustvi.Posterior]:
    return {}


def fit(name: str, tamed: dict[str, trustvi.Posterior]) -> trustvi.Posterior:
    """Several seeds of one compilation, once for all tests."""
    if name not in tamed:
        animal = ZOO[name]
        model = trustvi.from_function(
            animal.log_density, np.zeros(animal.dim), batched=True, name=name
        )
        tamed[name] = trustvi.fit(model, starts=SEEDS, max_oracle_calls=300.0, progress=False)
    return tamed[name]


@pytest.mark.filterwarnings("ignore::trustvi.DiagnosticWarning")
@pytest.mark.parametrize("name", ZOO)
def test_every_animal_gets_its_verdict(name: str, tamed: dict[str, trustvi.Posterior]) -> None:
    post, verdict = fit(name, tamed), ZOO[name].verdict
    assert [start.verdict for start in post.starts] == SEEDS * [verdict.value]
    assert post.converged == (verdict is Verdict.CONVERGED)
    for start in post.starts:
        assert np.all(np.isfinite(start.loc))
        assert np.all(np.isfinite(start.scale))
    if verdict is Verdict.CONVERGED:
        assert math.isfinite(post.elbo.value)
    for info in post.path:
        assert not (info.accepted and math.isnan(info.change)), "no step into nan"


@pytest.mark.parametrize(
    ("name", "log_density"),
    [("cauchy", lambda x: -np.log1p(x**2)), ("student_t_2", lambda x: -1.5 * np.log1p(x**2 / 2))],
)
def test_heavy_tails_have_the_best_scale(
    name: str, log_density: Callable[[Any], Any], tamed: dict[str, trustvi.Posterior]
) -> None:
    """Against quadrature: the ELBO of one coordinate, with its mean at 0."""
    nodes, weights = hermegauss(150)
    weights = weights / weights.sum()

    def elbo(log_scale: float) -> float:
        return float(weights @ log_density(math.exp(log_scale) * nodes)) + log_scale

    best = -minimize_scalar(lambda s: -elbo(s), bounds=(-3, 3), method="bounded").fun
    for start in fit(name, tamed).starts:
        assert sum(best - elbo(math.log(scale)) for scale in start.scale) < 0.05
        assert np.abs(start.loc).max() < 0.5


def test_one_mode_is_fitted_well(tamed: dict[str, trustvi.Posterior]) -> None:
    for start in fit("two_modes", tamed).starts:
        sign = np.sign(start.loc[0])
        np.testing.assert_allclose(start.loc, 5.0 * sign, atol=0.02)
        np.testing.assert_allclose(start.scale, 1.0, rtol=0.01)


def test_a_ridge_has_the_scales_of_its_profile(tamed: dict[str, trustvi.Posterior]) -> None:
    for start in fit("ridge", tamed).starts:
        assert start.loc.sum() == pytest.approx(0.0, abs=0.02)
        np.testing.assert_allclose(start.scale, 1.0, rtol=0.01)

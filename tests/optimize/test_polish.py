"""Newton steps on the log density: scales and collinearity that defeat quasi-Newton steps."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from trustvi import from_function
from trustvi.objective import PointDensity
from trustvi.optimize._lbfgs import Point
from trustvi.optimize._polish import CALLS, polish

SCALES = np.array([1e-6, 1e-3, 1.0, 1e3, 1e6])


def density(log_density, dim: int) -> PointDensity:
    return PointDensity(from_function(log_density, np.zeros(dim)))


def start(point: PointDensity, x: np.ndarray) -> Point:
    return Point(x, *point(x))


def test_a_quadratic_takes_one_step_whatever_its_scales() -> None:
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    correlation = (basis * np.array([1.0, 1.0, 1.0, 1e-4, 2.0])) @ basis.T
    precision = correlation / SCALES / SCALES[:, None]
    mean = SCALES * rng.normal(size=5)
    point = density(lambda x: -0.5 * (x - mean) @ precision @ (x - mean), 5)
    found = polish(point, start(point, mean + 30 * SCALES), gain=1e-3)
    assert np.all(np.abs(found.end.x - mean) < 1e-3 * SCALES)
    np.testing.assert_allclose(found.hessian, -precision, rtol=1e-4)
    assert found.gain_left < 1e-3
    assert found.ledger.products == 5
    assert found.ledger.gradients <= 2 + 6


def test_a_curved_ridge_is_followed() -> None:
    point = density(lambda x: -100 * (x[1] - x[0] ** 2) ** 2 - (1 - x[0]) ** 2, 2)
    found = polish(point, start(point, np.array([-1.2, 1.0])), gain=1e-6)
    np.testing.assert_allclose(found.end.x, [1.0, 1.0], atol=1e-3)
    expected = [[-802.0, 400.0], [400.0, -200.0]]
    np.testing.assert_allclose(found.hessian, expected, rtol=1e-2)
    assert found.ledger.oracle_calls <= CALLS


@pytest.mark.parametrize(
    ("log_density", "first"),
    [
        (lambda x: x[0] ** 2 - x[1] ** 2, [0.1, 0.1]),  # nothing to converge to
        (lambda x: jnp.where(x[0] > 1.0, -jnp.inf, x[0] + 0.0 * x[1]), [0.0, 0.0]),
        (lambda x: jnp.sum(x - jnp.exp(x)), [600.0, -600.0]),  # a Hessian of 1e260
        (lambda x: jnp.where(x[0] < 0.5, jnp.nan, -jnp.sum(x**4)), [1.0, 1.0]),
    ],
    ids=["saddle", "cliff", "overflow", "pocket"],
)
def test_what_has_no_top_ends_finite_and_within_its_means(log_density, first) -> None:
    point = density(log_density, 2)
    at = start(point, np.array(first))
    with np.errstate(all="ignore"):
        found = polish(point, at, gain=1e-3)
    assert found.end.finite
    assert found.end.value >= at.value
    assert found.ledger.oracle_calls <= CALLS
    assert not found.gain_left < 1e-3

"""Integrals against closed forms: all kinds of limits, endpoints, derivatives, failures."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from density_checks import FAST_COMPILE, check_derivatives
from scipy import special, stats

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._table import lookup

INTEGRATE = lookup("integrate_1d")[0].implementation
X_R, X_I = np.zeros(0), np.zeros(0, int)
INF = math.inf


def integral(f, a, b, theta, *control):
    a, b = (each if isinstance(each, jax.Array) else np.float64(each) for each in (a, b))
    return INTEGRATE(
        lambda x, xc, theta, x_r, x_i: f(x, xc, theta), a, b, theta, X_R, X_I, *control
    )


def normal(x, xc, theta):
    z = (x - theta[0]) / theta[1]
    return jnp.exp(-0.5 * z**2) / (theta[1] * math.sqrt(2 * math.pi))


def beta_kernel(x, xc, theta):
    """Near the ends, x or 1 - x is the distance xc, which doesn't round."""
    low = jnp.where(xc < 0, -xc, x)
    high = jnp.where(xc > 0, xc, 1 - x)
    return low ** (theta[0] - 1) * high ** (theta[1] - 1)


NORMALS = [(0.3, 1.0), (0.0, 1e-3), (1000.0, 1.0), (3.0, 100.0)]
LIMITS = [(-INF, INF), (-INF, 0.5), (-1.2, INF), (-1.2, 0.5), (0.2, 0.5), (0.0, INF), (1.0, 1.0)]


@pytest.mark.parametrize(("a", "b"), LIMITS)
def test_normal_probabilities(a, b):
    theta = jnp.array(NORMALS).T
    batch = jax.vmap(lambda theta: integral(normal, a, b, theta), in_axes=-1)
    found = jax.jit(batch, compiler_options=FAST_COMPILE)(theta)
    expected = [stats.norm.cdf(b, *each) - stats.norm.cdf(a, *each) for each in NORMALS]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


CLOSED = {
    "beta": (beta_kernel, 0, 1, (0.3, 0.4), special.beta(0.3, 0.4)),
    "beta of small shapes": (beta_kernel, 0, 1, (0.1, 0.1), special.beta(0.1, 0.1)),
    "log at zero": (lambda x, xc, t: jnp.log(x) * t[0], 0, 1, (2.0,), -2.0),
    "root at zero": (lambda x, xc, t: t[0] / jnp.sqrt(x), 0, 4, (1.0,), 4.0),
    "gamma": (lambda x, xc, t: x ** (t[0] - 1) * jnp.exp(-x), 0, INF, (0.5,), math.sqrt(math.pi)),
    "slow decay": (lambda x, xc, t: t[0] / (1 + x**2), -INF, INF, (1.0,), math.pi),
    "oscillation": (lambda x, xc, t: jnp.sin(t[0] * x), 0, 10, (20.0,), (1 - math.cos(200)) / 20),
    "constant": (lambda x, xc, t: t[0], -2, 3, (1.5,), 7.5),
    "zero": (lambda x, xc, t: 0.0 * t[0], -INF, 3, (1.5,), 0.0),
}


@pytest.mark.parametrize("key", CLOSED)
def test_closed_forms(key):
    f, a, b, theta, expected = CLOSED[key]
    np.testing.assert_allclose(integral(f, a, b, jnp.array(theta)), expected, rtol=1e-10)


def test_distances_from_the_nearer_end():
    """xc is a - x nearer to a, b - x nearer to b, of each piece where zero lies inside, and NaN
    for infinite limits."""
    seen = []

    def spy(x, xc, theta):
        jax.debug.callback(lambda x, xc: seen.append((x, xc)), x, xc)
        return theta[0] * jnp.exp(-(x**2))

    for a, b in ((-1.0, 3.0), (0.0, INF)):
        seen.clear()
        integral(spy, a, b, jnp.ones(1)).block_until_ready()
        x, xc = (np.array(each).reshape(-1) for each in zip(*seen, strict=True))
        if b == INF:
            assert np.all(np.isnan(xc))
            continue
        low, high = np.where(x < 0, a, 0.0), np.where(x < 0, 0.0, b)
        nearer = np.where(x - low < high - x, low - x, high - x)
        np.testing.assert_allclose(xc, nearer, rtol=1e-6, atol=1e-12)


def test_derivatives_to_second_order():
    """With respect to parameters and finite limits."""

    def value(theta, a, b):
        finite = integral(normal, a, b, theta)
        infinite = integral(normal, -INF, b, theta) + 2 * integral(normal, a, INF, theta)
        return finite + infinite

    values = [jnp.array([0.3, 1.1]), jnp.array(-0.7), jnp.array(0.9)]
    directions = [[np.array([1.0, 0.5]), 0.3, -0.2], [np.array([-0.3, 1.0]), 1.0, 1.0]]
    check_derivatives(value, values, [[np.asarray(x) for x in d] for d in directions])


def test_derivatives_of_singular_integrands():
    theta = jnp.array([0.3, 0.4])
    compiled = jax.jit(
        jax.grad(lambda theta: integral(beta_kernel, 0, 1, theta)), compiler_options=FAST_COMPILE
    )
    expected = special.beta(*theta) * (special.digamma(theta) - special.digamma(theta.sum()))
    np.testing.assert_allclose(compiled(theta), expected, rtol=1e-9)


def test_divergent_integrals_are_nan():
    found = jax.vmap(lambda p: integral(lambda x, xc, t: x**-t, 0, 1, p))(jnp.array([2.0, 0.5]))
    assert np.isnan(found[0])
    np.testing.assert_allclose(found[1], 2.0)


def test_known_arguments_give_known_integrals():
    found = integral(normal, -INF, 0, np.array([0.0, 1.0]), 1e-6)
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, 0.5)


@pytest.mark.parametrize(
    ("a", "b", "message"), [(1, 0, "lower limit"), (math.nan, 1, "nan"), (INF, INF, "both")]
)
def test_limits_out_of_order_are_refused(a, b, message):
    with pytest.raises(StanRuntimeError, match=message):
        integral(normal, a, b, np.ones(2))

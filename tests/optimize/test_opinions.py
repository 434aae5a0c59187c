"""Second opinions: of two modes the one with the greater ELBO, and nothing where there is one."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import trustvi
from trustvi import from_function
from trustvi.diagnostics import Verdict
from trustvi.families import MeanField
from trustvi.objective import DrawKind, Objective, PointDensity, make_key
from trustvi.optimize._lbfgs import Point
from trustvi.optimize._opinions import CALLS, CLOSE, SEGMENT, beats, find_better, joined

AT = np.array([1.2, -0.8])
LIGHT, HEAVY = 0.2, 0.8
SD = 0.25


def two_modes(z):
    """A mixture of normals at +AT and -AT; log weights are the modes' ELBOs, but for overlap."""
    parts = [
        jnp.log(weight) - jnp.sum((z - at) ** 2) / (2 * SD**2) - jnp.log(2 * jnp.pi * SD**2)
        for weight, at in ((LIGHT, AT), (HEAVY, -AT))
    ]
    return jnp.logaddexp(*parts)


@pytest.fixture(scope="module")
def compiled() -> tuple[Objective, PointDensity]:
    with jax.enable_x64(True):
        model = from_function(two_modes, np.zeros(2))
        return Objective(model, kind=DrawKind.SOBOL, chunk=8, dense=True), PointDensity(model)


def asked(compiled: tuple[Objective, PointDensity], loc: np.ndarray):
    objective, density = compiled
    with jax.enable_x64(True):
        q = MeanField(loc, np.full(2, np.log(SD)))
        return find_better(
            objective, density, q, make_key(0, 1), (0, 1), opinions=3, evaluations=60
        )


def test_the_light_mode_is_left_for_the_heavy_one(compiled) -> None:
    start, _, ledger = asked(compiled, AT)
    assert start is not None
    np.testing.assert_allclose(start.q.loc, -AT, atol=0.5 * SD)
    np.testing.assert_allclose(start.q.scale, SD, rtol=0.2)
    assert ledger.oracle_calls <= CALLS + 2


@pytest.mark.parametrize(
    ("a", "b", "same"), [(-AT, AT, False), (AT + 3 * SD, AT - 3 * SD, True), (AT, 3 * AT, True)]
)
def test_a_dip_between_two_points_tells_two_modes(compiled, a, b, same) -> None:
    _, density = compiled
    with jax.enable_x64(True):
        found, looked = joined(density, *(Point(x, *density(x)) for x in (a, b)))
    assert found == same
    assert looked == (len(SEGMENT) if same else 1)


def test_the_heavy_mode_is_kept(compiled) -> None:
    assert asked(compiled, -AT).better is None


def test_elbos_are_compared_as_their_closed_forms(compiled) -> None:
    light, heavy = (MeanField(at, np.full(2, np.log(SD))) for at in (AT, -AT))
    with jax.enable_x64(True):
        assert beats(compiled[0], heavy, light, make_key(0, 2)).won
        lost = beats(compiled[0], light, heavy, make_key(0, 2))
        draw = beats(compiled[0], heavy, heavy, make_key(0, 2), 256)
    assert not lost.won
    assert lost.close == (np.log(HEAVY / LIGHT) < CLOSE)
    assert draw == (False, True, 2 * (64 + 256))


@pytest.mark.parametrize("seed", range(4))
def test_a_fit_ends_in_the_heavy_mode(seed: int) -> None:
    post = trustvi.fit(from_function(two_modes, np.zeros(2)), seed=seed, khat_draws=0)
    assert post.verdict is Verdict.CONVERGED
    np.testing.assert_allclose(post.loc, -AT, atol=0.1 * SD)
    assert abs(post.elbo.value - np.log(HEAVY)) < 0.05


def test_a_given_start_is_not_second_guessed() -> None:
    post = trustvi.fit(from_function(two_modes, np.zeros(2)), init=AT, khat_draws=0)
    np.testing.assert_allclose(post.loc, AT, atol=0.1 * SD)


def test_one_mode_costs_little_to_confirm() -> None:
    shape: Callable = lambda z: -0.5 * jnp.sum((z / jnp.array([0.5, 1.0, 2.0])) ** 2)  # noqa: E731
    model = from_function(shape, np.zeros(3))
    alone = trustvi.fit(model, khat_draws=0, opinions=0)
    checked = trustvi.fit(model, khat_draws=0)
    np.testing.assert_array_equal(checked.loc, alone.loc)
    assert 0 < checked.oracle_calls - alone.oracle_calls < 1

"""Members of the families against SciPy's multivariate normal, and their geometry."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from trustvi._errors import InputError
from trustvi.families import MEMBERS, Ascending, Family, FullRank, LowRank, MeanField, choose_family

DIM = 5


def members() -> list[Family]:
    rng = np.random.default_rng(3)
    loc, log_scale = rng.normal(size=DIM), rng.normal(size=DIM)
    lower = np.tril(rng.normal(size=(DIM, DIM)), -1) + np.diag(np.exp(0.3 * log_scale))
    factor = rng.normal(size=(DIM, 2))
    return [MeanField(loc, log_scale), FullRank(loc, lower), LowRank(loc, log_scale, factor)]


each = pytest.mark.parametrize("q", members(), ids=lambda q: q.name)
ascending = pytest.mark.parametrize(
    "q", [q for q in members() if isinstance(q, Ascending)], ids=lambda q: q.name
)


def random_step(q: Family, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=DIM), rng.normal(size=q.shape_size)


def divergence(q: Family, other: Family) -> float:
    """KL(q || other) of two normals."""
    inverse, away = np.linalg.inv(other.covariance()), other.loc - q.loc
    ratio = np.linalg.slogdet(other.covariance())[1] - np.linalg.slogdet(q.covariance())[1]
    return 0.5 * float(np.trace(inverse @ q.covariance()) - DIM + away @ inverse @ away + ratio)


def test_every_family_is_tried() -> None:
    assert {type(q) for q in members()} == set(MEMBERS)


@each
def test_density_and_entropy_are_those_of_a_normal(q: Family) -> None:
    oracle = multivariate_normal(q.loc, q.covariance())
    z = q.sample(np.random.default_rng(0).normal(size=(q.base_dim, 20)))
    np.testing.assert_allclose(q.log_density(z), oracle.logpdf(z.T), rtol=1e-10)
    np.testing.assert_allclose(q.entropy(), oracle.entropy(), rtol=1e-12)
    np.testing.assert_allclose(q.scale**2, np.diag(q.covariance()), rtol=1e-12)
    assert q.log_volume() == pytest.approx(0.5 * np.linalg.slogdet(q.covariance())[1])


@each
def test_draws_have_the_location_and_the_covariance(q: Family) -> None:
    """Exactly so: z is linear in e, so its images of the unit vectors make up the covariance."""
    unit = q.sample(np.eye(q.base_dim)) - q.loc[:, None]
    np.testing.assert_allclose(q.precision_diagonal(), np.diag(np.linalg.inv(q.covariance())))
    np.testing.assert_allclose(unit @ unit.T, q.covariance(), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(q.sample(np.zeros((q.base_dim, 1)))[:, 0], q.loc)


@each
def test_frame_is_linear_and_makes_the_same_draws(q: Family) -> None:
    rng = np.random.default_rng(1)
    e, g = rng.normal(size=(q.base_dim, 7)), rng.normal(size=(DIM, 7))
    x = q.frame.spread(e)
    np.testing.assert_allclose(q.frame.place(x), q.sample(e))
    np.testing.assert_allclose(q.frame.whiten(q.frame.place(x)), x, rtol=1e-9, atol=1e-10)
    a = q.frame.place(np.eye(DIM)) - q.loc[:, None]
    np.testing.assert_allclose(q.frame.pull(g), a.T @ g)
    matrix = rng.normal(size=(DIM, DIM))
    matrix = matrix + matrix.T
    np.testing.assert_allclose(q.congruent(matrix), a.T @ matrix @ a)
    np.testing.assert_allclose(q.congruent_diagonal(matrix), np.diag(a.T @ matrix @ a))
    np.testing.assert_allclose(q.uncongruent(q.congruent(matrix)), matrix)


@each
def test_steps_have_the_fisher_length(q: Family) -> None:
    """KL(q || q.move(t u, t w)) = t^2 length(u, w)^2 / 2 + O(t^3); both signs cancel the cube."""
    u, w = random_step(q)
    t = 1e-3
    both = [divergence(q, q.move(s * t * u, s * t * w)) for s in (1, -1)]
    assert np.mean(both) == pytest.approx(0.5 * (t * q.length(u, w)) ** 2, rel=1e-4)


@each
def test_slope_is_the_derivative_of_the_elbo(q: Family) -> None:
    """On a quadratic density, by central differences along a step of the shape."""
    rng = np.random.default_rng(5)
    root = rng.normal(size=(DIM, DIM))
    precision = root @ root.T + np.eye(DIM)

    def elbo(q: Family) -> float:
        return -0.5 * float(np.trace(precision @ q.covariance())) + q.entropy()

    _, w = random_step(q, 1)
    s = q.congruent(-precision)
    moments = q.expected_shape(np.diag(s), lambda x: s @ x)
    t, none = 1e-4, np.zeros(DIM)
    numeric = (elbo(q.move(none, t * w)) - elbo(q.move(none, -t * w))) / (2 * t)
    assert q.shape_slope(moments) @ w == pytest.approx(numeric, rel=1e-5)


@each
def test_expected_shape_is_that_of_the_draws(q: Family) -> None:
    """By a quadrature that is exact for squares: plus and minus sqrt(n) along each axis."""
    e = np.sqrt(q.base_dim) * np.hstack([np.eye(q.base_dim), -np.eye(q.base_dim)])
    s = np.random.default_rng(2).normal(size=(DIM, DIM))
    s = s + s.T
    mean = q.frame.shape(s @ q.frame.spread(e), e).mean(axis=1)
    np.testing.assert_allclose(q.expected_shape(np.diag(s), lambda x: s @ x), mean, atol=1e-12)


@each
def test_one_member_in_the_coordinate_of_another(q: Family) -> None:
    u, w = random_step(q)
    after = q.move(0.3 * u, 0.3 * w)
    seen = after.seen_from(q)
    np.testing.assert_allclose(q.frame.place(seen.mean[:, None])[:, 0], after.loc)
    inner = np.diag(seen.variances) + seen.columns @ seen.columns.T
    a = q.frame.place(np.eye(DIM)) - q.loc[:, None]
    np.testing.assert_allclose(a @ inner @ a.T, after.covariance(), rtol=1e-9)
    assert after.growth(q) == pytest.approx(after.entropy() - q.entropy())
    assert q.entropy() - q.shrunk().entropy() == pytest.approx(DIM)


@each
def test_bend_lands_on_the_optimum_of_a_quadratic(q: Family) -> None:
    """A diagonal one in x, which every family holds."""
    s = -np.diag(np.linspace(0.5, 2.0, DIM))
    precision = -q.uncongruent(s)
    bend = q.bend(q.shape_slope(q.expected_shape(np.diag(s), lambda x: s @ x)))
    assert bend.gain > 0
    if isinstance(q, LowRank):
        # No closed form there, but the natural gradient: w is the metric of the step, but for the
        # damping of its inverse.
        assert bend.gain == pytest.approx(q.length(np.zeros(DIM), bend.step) ** 2, rel=0.2)
        return
    best = q.move(np.zeros(DIM), bend.step)
    np.testing.assert_allclose(best.covariance(), np.linalg.inv(precision), atol=1e-9)


@ascending
def test_chart(q: Ascending) -> None:
    """Its gradient is that of local coordinates, its length the Fisher metric's."""
    u, w = random_step(q)
    t, direction = 1e-6, np.random.default_rng(8).normal(size=q.flat().size)
    np.testing.assert_allclose(q.along(direction, 0.5).flat(), q.flat() + 0.5 * direction)
    # The direction of a small step in local coordinates: gradients agree on it.
    tangent = (q.move(t * u, t * w).flat() - q.move(-t * u, -t * w).flat()) / (2 * t)
    slope = random_step(q, 4)
    assert q.chart_gradient(*slope) @ tangent == pytest.approx(slope[0] @ u + slope[1] @ w)
    assert q.chart_length(tangent) == pytest.approx(q.length(u, w))


@pytest.mark.parametrize("name", ["full_rank", "", "lowrank:0", "lowrank:x", "lowrank:-1"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(InputError, match="family"):
        choose_family(name)


@pytest.mark.parametrize("name", ["meanfield", "fullrank", "lowrank:3"])
def test_widening_keeps_the_distribution(name: str) -> None:
    q = members()[0]
    assert isinstance(q, MeanField)
    wide = choose_family(name)(q)
    assert wide.name == name
    np.testing.assert_allclose(wide.covariance(), q.covariance())
    np.testing.assert_array_equal(wide.loc, q.loc)

"""The sampled ELBO's gradient, products and values against closed forms and automatic ones."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from helpers import Gaussian, gaussian, no_control
from trustvi import from_function
from trustvi.families import MeanField
from trustvi.objective import (
    MAX_DRAWS,
    Control,
    DrawKind,
    Objective,
    PointDensity,
    Products,
    compile_all,
)
from trustvi.objective._draws import base_draws

DIM, CHUNK = 4, 8
Q = MeanField(np.array([0.5, -1.0, 0.0, 2.0]), np.array([-1.0, 0.3, 0.0, 0.7]))


@pytest.fixture(scope="module")
def target() -> Gaussian:
    return gaussian(DIM, condition=30.0, decades=0.5)


@pytest.fixture(scope="module", params=list(DrawKind))
def objective(request: pytest.FixtureRequest, target: Gaussian) -> Objective:
    with jax.enable_x64(True):
        made = Objective(target.model(), kind=request.param, chunk=CHUNK, dense=True)
        compile_all([made])
    return made


def exact_control(target: Gaussian, q: MeanField) -> Control:
    """The quadratic that the target is, seen from q."""
    slope = -q.scale * (target.precision @ (q.loc - target.mean))
    curvature = -q.scale[:, None] * target.precision * q.scale
    return Control(q.frame, slope, np.zeros(DIM), curvature)


def test_gradient_is_unbiased(objective: Objective, target: Gaussian) -> None:
    """E[scale grad log p] = -scale P (loc - mean), E[scale grad log p * e] = -scale^2 diag(P)."""
    sample = objective.gradient(Q, no_control(DIM, DIM), jax.random.key(0), 1024)
    at_loc, at_scale = map(sample.replicate_means, (sample.sums.r, sample.sums.r_shape))
    groups = objective.kind.replicates(CHUNK)
    exact = [
        (at_loc, -Q.scale * (target.precision @ (Q.loc - target.mean))),
        (at_scale, -(Q.scale**2) * np.diag(target.precision)),
    ]
    for means, truth in exact:
        assert means.shape == (DIM, groups)
        error = means.std(axis=1, ddof=1) / math.sqrt(groups)
        # 5 is far out even for Student's t with 3 degrees of freedom, and rounding isn't error.
        assert np.all(np.abs(means.mean(axis=1) - truth) < 5 * error + 1e-12)
        assert np.all(error < 0.2 * (1 + np.abs(truth)))
    assert sample.sums.dropped == 0


def test_an_exact_control_leaves_no_noise(objective: Objective, target: Gaussian) -> None:
    control = exact_control(target, Q)
    sample = objective.gradient(Q, control, jax.random.key(1), 64)
    means = sample.replicate_means(sample.sums.r)
    np.testing.assert_allclose(means, np.broadcast_to(control.slope[:, None], means.shape))
    away = target.root @ (Q.loc - target.mean)
    top = np.full(64, -0.5 * away @ away)
    np.testing.assert_allclose(sample.values - sample.controls, top, rtol=1e-9)


def test_sums_are_those_of_the_draws(objective: Objective, target: Gaussian) -> None:
    key, draws = jax.random.key(2), 24
    draw = base_draws(objective.kind, DIM, CHUNK)
    e = np.concatenate([draw(key, jnp.asarray(index)) for index in range(3)], axis=1)
    z = Q.loc[:, None] + Q.scale[:, None] * e
    away = z - target.mean[:, None]
    r = -Q.scale[:, None] * (target.precision @ away)
    sample = objective.gradient(Q, no_control(DIM, DIM), key, draws)
    np.testing.assert_allclose(
        sample.values, -0.5 * np.sum(away * (target.precision @ away), axis=0)
    )
    np.testing.assert_allclose(sample.sums.x.sum(axis=1), e.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(sample.sums.r.sum(axis=1), r.sum(axis=1))
    np.testing.assert_allclose(sample.sums.r_shape.sum(axis=1), np.sum(r * e, axis=1))
    np.testing.assert_allclose(sample.sums.r_outer_x, r @ e.T)
    np.testing.assert_allclose(sample.sums.x_outer_x, e @ e.T)
    values = objective.values(Q, exact_control(target, Q), key, draws)
    np.testing.assert_array_equal(values.values, sample.values)
    slope = exact_control(target, Q).slope
    np.testing.assert_allclose(
        values.controls,
        slope @ e - 0.5 * np.sum((target.root @ (Q.scale[:, None] * e)) ** 2, axis=0),
    )


@pytest.mark.parametrize("draws", [0, -8, 12, MAX_DRAWS + CHUNK])
def test_only_whole_chunks(objective: Objective, draws: int) -> None:
    with pytest.raises(ValueError, match="multiple of 8"):
        objective.values(Q, no_control(DIM, DIM), jax.random.key(0), draws)


def test_one_compilation_serves_every_sample_size(
    target: Gaussian, compilations: list[str]
) -> None:
    traces = []

    def log_density(z):
        traces.append(z.shape)
        return -0.5 * jnp.sum((target.root @ z) ** 2, axis=0)

    model = from_function(log_density, np.zeros(DIM), batched=True)
    made = Objective(model, kind=DrawKind.IID, chunk=CHUNK, dense=False)
    compile_all([made])
    key = jax.random.key(0)
    jnp.asarray(1)
    assert sum("kernel" in name for name in compilations) == 2  # gradients and values
    before, traced = len(compilations), len(traces)
    draws = CHUNK
    while draws <= MAX_DRAWS:
        assert made.gradient(Q, no_control(DIM), key, draws).values.shape == (draws,)
        assert made.values(Q, no_control(DIM), key, draws).values.shape == (draws,)
        draws *= 2
    assert compilations[before:] == []
    assert len(traces) == traced
    with pytest.raises(TypeError):
        made.gradient(MeanField(np.zeros(5), np.zeros(5)), no_control(5), key, CHUNK)


def test_memory_is_that_of_one_chunk() -> None:
    """A few vectors of dimension times chunk, which 4096 draws would be 512 times as many of."""
    dim = 20_000
    model = from_function(lambda z: -0.5 * jnp.sum(z * z, axis=0), np.zeros(dim), batched=True)
    made = Objective(model, kind=DrawKind.MIRRORED, chunk=CHUNK, dense=False)
    for name, lowered in made.lowered().items():
        memory = lowered.compile().memory_analysis()
        used = memory.temp_size_in_bytes + memory.output_size_in_bytes
        assert 0 < used < 32 * dim * CHUNK * 8, name
        assert used < 0.1 * dim * MAX_DRAWS * 8


def test_draws_without_a_density_are_counted_and_left_out() -> None:
    def half(z):
        return jnp.where(z[0] > 0, -jnp.inf, -0.5 * jnp.sum(z * z, axis=0))

    model = from_function(half, np.zeros(2), batched=True)
    made = Objective(model, kind=DrawKind.MIRRORED, chunk=CHUNK, dense=False)
    q = MeanField(np.zeros(2), np.zeros(2))
    sample = made.gradient(q, no_control(2), jax.random.key(0), 256)
    assert sample.sums.dropped == 128
    assert np.sum(np.isneginf(sample.values)) == 128
    assert np.all(np.isfinite(sample.sums.r))


def quartic(z):
    """Not quadratic, and not separable."""
    return jnp.sum(-(z**4) + jnp.sin(z), axis=0) - z[0] * z[1] ** 2 * z[2]


def test_products_are_those_of_the_sampled_hessian() -> None:
    draws = 85
    model = from_function(quartic, np.zeros(3), batched=True)
    products = Products(model, kind=DrawKind.IID, draws=draws)
    q, key = MeanField(np.array([0.3, -0.2, 0.9]), np.array([-0.5, 0.1, -1.0])), jax.random.key(4)
    e = base_draws(DrawKind.IID, 3, draws)(key, jnp.asarray(0))

    def sampled(x):
        return jnp.mean(quartic(x[:3, None] + jnp.exp(x[3:])[:, None] * e))

    hessian = jax.jit(jax.hessian(sampled))(np.concatenate([q.loc, q.log_scale]))
    product = products.at(q, key)
    for row, direction in zip(hessian, np.eye(6), strict=True):
        found = np.concatenate(product(direction[:3], direction[3:]))
        np.testing.assert_allclose(found, row, rtol=1e-9, atol=1e-12)


def test_density_at_points() -> None:
    model = from_function(quartic, np.zeros(3), batched=True)
    point, x = PointDensity(model), np.array([0.3, -0.2, 0.9])

    def at(x):
        return quartic(x[:, None])[0]

    value, gradient = point(x)
    assert value == pytest.approx(float(jax.jit(at)(x)))
    np.testing.assert_allclose(gradient, jax.jit(jax.grad(at))(x))
    hessian = np.asarray(jax.jit(jax.hessian(at))(x))
    np.testing.assert_allclose(point.hessian(x), hessian, rtol=1e-10)
    np.testing.assert_allclose(
        point.differenced_hessian(x, np.full(3, 1e-6)), hessian, rtol=1e-4, atol=1e-4
    )

"""DADVI against SciPy on the same draws and its error over seeds; HFSGVI's steps and its ends."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.optimize

import trustvi
from helpers import gaussian, run
from trustvi.diagnostics import Verdict
from trustvi.objective import DrawKind, base_draws, compile_all
from trustvi.optimize import Method, choose_preset
from trustvi.optimize._hfsgvi import arrived
from trustvi.optimize._newton import conjugate_gradients, derived_key, sampled_gradient

OBSERVED = np.array([1.2, -0.3, 2.2, 0.4, 1.9, -1.1])


def curved(z: Any) -> Any:
    """A density that is no normal's: a Poisson-like term in each coordinate, and a coupling."""
    y = jnp.asarray(OBSERVED[: z.shape[0]])[:, None]
    return jnp.sum(y * z - jnp.exp(0.7 * z), axis=0) - 0.5 * (z[0] - z[1]) ** 2


def model_of(log_density: Any, dim: int) -> trustvi.Model:
    return trustvi.from_function(log_density, np.zeros(dim), batched=True, name="test")


def compiled(name: str, model: trustvi.Model, **options: Any) -> Method:
    chosen = choose_preset(name, "default", options)
    with jax.enable_x64(True):
        method = chosen.make(model, chosen.config, tol=0.05)
        compile_all(method.parts)
    return method


@pytest.fixture(scope="module")
def dadvi() -> Any:
    return compiled("dadvi", model_of(curved, 4))


def sampled_elbo(x: jax.Array, e: jax.Array) -> jax.Array:
    loc, log_scale = x[:4], x[4:]
    z = loc[:, None] + jnp.exp(log_scale)[:, None] * e
    return jnp.mean(curved(z)) + jnp.sum(log_scale) + 2 * (math.log(2 * math.pi) + 1)


def fixed_draws(seed: int, draws: int = 30) -> jax.Array:
    return base_draws(DrawKind.IID, 4, draws)(derived_key(seed, 0), jnp.asarray(0))


@pytest.mark.parametrize("seed", [0, 1])
def test_dadvi_finds_the_maximum_on_its_draws(dadvi: Any, seed: int) -> None:
    e = fixed_draws(seed)
    slope = jax.jit(jax.value_and_grad(lambda x: -sampled_elbo(x, e)))
    best = scipy.optimize.minimize(slope, np.zeros(8), jac=True, method="BFGS", tol=1e-9)
    end = run(dadvi, seed, budget=math.inf)
    assert end.state.arrived
    assert end.state.elbo == pytest.approx(-best.fun, abs=2e-6)
    # The last promise of 1e-6 nats is 1.4e-3 standard deviations.
    units = np.concatenate([end.state.q.scale, np.ones(4)])
    np.testing.assert_allclose(np.concatenate(end.state.q) / units, best.x / units, atol=3e-3)


def test_dadvis_error_is_the_sandwich_formula(dadvi: Any) -> None:
    end = run(dadvi, 0, budget=math.inf)
    x, e = np.concatenate(end.state.q), fixed_draws(0)
    hessian = np.asarray(jax.hessian(lambda x: sampled_elbo(x, e))(jnp.asarray(x)))
    each = np.stack(
        [
            np.asarray(jax.grad(lambda x, n=n: sampled_elbo(x, e[:, n : n + 1]))(x))
            for n in range(30)
        ]
    )
    inverse = np.linalg.inv(hessian)
    sandwich = inverse @ np.cov(each.T, ddof=1) @ inverse / 30
    ours = np.concatenate([end.state.loc_mcse, end.state.log_scale_mcse])
    np.testing.assert_allclose(ours, np.sqrt(np.diag(sandwich)), rtol=5e-3)


def test_dadvis_error_is_the_spread_over_draws(dadvi: Any) -> None:
    ends = [run(dadvi, seed, budget=math.inf).state for seed in range(24)]
    spread = np.std([s.q.loc for s in ends], axis=0, ddof=1)
    stated = np.sqrt(np.mean([s.loc_mcse**2 for s in ends], axis=0))
    # 24 seeds know a standard deviation to 15%; the mean of four of them twice as well.
    assert np.mean(np.log(stated / spread)) == pytest.approx(0.0, abs=0.3)
    assert np.all((stated / spread > 0.5) & (stated / spread < 2.0))


def elbo_of_curved(x: np.ndarray) -> float:
    """In closed form: E[exp(t z)] = exp(t m + t^2 s^2 / 2)."""
    loc, scale = x[:4], np.exp(x[4:])
    expected = OBSERVED[:4] @ loc - np.exp(0.7 * loc + 0.245 * scale**2).sum()
    expected -= 0.5 * ((loc[0] - loc[1]) ** 2 + scale[0] ** 2 + scale[1] ** 2)
    return float(expected + x[4:].sum() + 2 * (math.log(2 * math.pi) + 1))


@pytest.mark.parametrize(("draws", "expected"), [(30, Verdict.STOPPED), (2048, Verdict.CONVERGED)])
def test_dadvi_says_converged_only_with_enough_draws(
    dadvi: Any, draws: int, expected: Verdict
) -> None:
    best = scipy.optimize.minimize(lambda x: -elbo_of_curved(x), np.zeros(8), method="BFGS")
    method = dadvi
    if draws != 30:
        method = compiled("dadvi", model_of(curved, 4), draws=draws, errors=False)
    end = run(method, 0, budget=math.inf)
    assert end.state.arrived
    assert (-best.fun - elbo_of_curved(np.concatenate(end.state.q)) < 0.05) == expected.good
    assert end.verdict is expected


def test_dadvis_errors_reach_the_user_and_the_file(tmp_path: Any) -> None:
    model = model_of(curved, 2)
    post = trustvi.fit(model, method="dadvi", draws=16, seed=3)
    assert post.loc_mcse.shape == post.log_scale_mcse.shape == (2,)
    assert np.all(post.loc_mcse > 0)
    post.save(tmp_path / "fit.npz")
    np.testing.assert_array_equal(trustvi.load(tmp_path / "fit.npz").loc_mcse, post.loc_mcse)


@pytest.fixture(scope="module")
def hfsgvi() -> Any:
    target = gaussian(4, condition=20.0, seed=3)
    return target, compiled("hfsgvi", target.model())


def test_a_newton_step_solves_the_sampled_system(hfsgvi: Any) -> None:
    """Against the Hessian by automatic differentiation on the same draws."""
    target, method = hfsgvi
    state, _, _ = method.init(np.zeros(4), 5)
    after, info, _ = method.step(state)
    at = sampled_gradient(method.sampled, state.q, derived_key(5, 0, 0), 256)
    e = np.asarray(base_draws(DrawKind.IID, 4, 85)(derived_key(5, 0, 1), jnp.asarray(0)))

    def elbo(x: jax.Array) -> jax.Array:
        away = target.root @ (x[:4, None] + jnp.exp(x[4:])[:, None] * e - target.mean[:, None])
        return jnp.mean(-0.5 * jnp.sum(away**2, axis=0)) + jnp.sum(x[4:])

    hessian = np.asarray(jax.hessian(elbo)(jnp.zeros(8)))
    exact = -np.linalg.solve(hessian, at.mean)
    step = np.concatenate([after.q.loc - state.q.loc, after.q.log_scale - state.q.log_scale])
    np.testing.assert_allclose(step, exact, rtol=0.05, atol=0.02 * np.abs(exact).max())
    assert info.predicted == pytest.approx(0.5 * at.mean @ step)
    products = (after.ledger.products - state.ledger.products) / 85
    assert products == int(products) > 0
    assert after.ledger.oracle_calls - state.ledger.oracle_calls == 1 + 2 * products


def test_hfsgvi_reaches_a_gaussians_optimum(hfsgvi: Any) -> None:
    target, method = hfsgvi
    end = run(method, 1, budget=math.inf)
    assert target.elbo(target.best()) - target.elbo(end.state.q) < 0.2
    assert end.verdict in (Verdict.CONVERGED, Verdict.STOPPED)
    gap = target.elbo(target.best()) - target.elbo(end.state.q)
    assert (end.verdict is Verdict.CONVERGED) == (gap < 0.05)


def test_overflow_ends_the_run_with_its_verdict() -> None:
    """Two wells with a ridge between: Newton's step from the ridge is far too long, and exp of
    it overflows."""
    model = model_of(lambda z: jnp.sum(z**2 - jnp.exp(4 * z) - jnp.exp(-4 * z), axis=0), 3)
    ends = [run(compiled("hfsgvi", model), 0, start=np.full(3, x)) for x in (3.0,)]
    assert all(end.verdict is Verdict.OVERFLOW for end in ends)
    assert all(end.path[-1].note == "gradient overflows" for end in ends)


@pytest.mark.parametrize(
    ("promises", "expected"),
    [
        ([5.0, 0.01], True),
        ([5.0, -0.01], False),
        ([8.0, 4.0, 2.0, 1.0], False),
        ([1.0, 0.9, 1.1, 0.8], True),
        ([1.0, -0.9, 1.1, 0.8], False),
        ([1.0, 0.9, 0.8], False),
        ([1.0, 2.0, 8.0, 20.0], False),
    ],
)
def test_when_hfsgvi_has_arrived(promises: list[float], expected: bool) -> None:
    assert arrived(np.array(promises), 2, 0.05) == expected


@pytest.mark.parametrize("signs", [(1, 1, 1, 1), (1, -1, 1, -1)])
def test_conjugate_gradients_solve_indefinite_systems_too(signs: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    a = basis @ np.diag(np.array(signs) * np.array([1.0, 2.0, 5.0, 9.0])) @ basis.T
    b = rng.normal(size=4)
    found = conjugate_gradients(lambda v: a @ v, b, limit=20, rtol=1e-10)
    np.testing.assert_allclose(found.x, np.linalg.solve(a, b), rtol=1e-8)
    assert found.residual < 1e-9


def test_conjugate_gradients_end_where_they_must() -> None:
    b = np.array([1.0, 1.0])
    flat = conjugate_gradients(lambda v: v * np.array([1.0, -1.0]), b, limit=9, rtol=1e-8)
    assert flat.products == 1
    lost = conjugate_gradients(lambda v: v * np.nan, b, limit=9, rtol=1e-8)
    np.testing.assert_array_equal(lost.x, np.zeros(2))
    none = conjugate_gradients(lambda v: v, np.zeros(2), limit=9, rtol=1e-8)
    assert none == (pytest.approx(np.zeros(2)), 0, 0.0)

"""Objects with BridgeStan's methods: derivatives through callbacks, draws, and equal fits."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import trustvi
from trustvi.models import from_bridgestan

EXAMPLES = Path(__file__).parents[2] / "examples"
ROOT = np.random.default_rng(0).normal(size=(3, 3))


class Quartic:
    """-|R z|^2 / 2 - sum(z^4), rejected where z_1 > 3; no Hessian-vector products."""

    def __init__(self) -> None:
        self.threads: set[int] = set()

    def param_unc_num(self) -> int:
        return 3

    def param_names(self, include_tp: bool = False, include_gq: bool = False) -> list[str]:
        names = ["m.1.1", "m.2.1", "s"]
        names += ["t:1.1", "t:1.2"] if include_tp else []
        return names + (["z.1.real", "z.1.imag"] if include_gq else [])

    def param_constrain(self, theta, include_tp=False, include_gq=False, rng=None) -> np.ndarray:
        tp = [10.0, 20.0] if include_tp else []
        gq = [rng.normal(), 1.0] if include_gq else []
        return np.array([*theta, *tp, *gq])

    def new_rng(self, seed: int) -> np.random.Generator:
        return np.random.default_rng(seed)

    def log_density(self, theta, propto=True, jacobian=True) -> float:
        return self.log_density_gradient(theta, propto, jacobian)[0]

    def log_density_gradient(self, theta, propto=True, jacobian=True) -> tuple[float, np.ndarray]:
        assert (propto, jacobian) == (False, True)
        self.threads.add(threading.get_ident())
        if theta[0] > 3:
            raise RuntimeError("Rejecting initial value")
        pulled = ROOT.T @ ROOT @ theta
        return -0.5 * theta @ pulled - np.sum(theta**4), -pulled - 4 * theta**3


class WithProducts(Quartic):
    def model_info(self) -> str:
        return "STAN_THREADS=true"

    def log_density_hessian_vector_product(self, theta, v, propto=True, jacobian=True):
        product = -ROOT.T @ ROOT @ v - 12 * theta**2 * v
        return self.log_density(theta, propto, jacobian), product


def oracle(z: jax.Array) -> jax.Array:
    return -0.5 * jnp.sum((ROOT @ z) ** 2, axis=0) - jnp.sum(z**4, axis=0)


@pytest.mark.parametrize(("source", "rtol"), [(Quartic(), 1e-7), (WithProducts(), 1e-13)])
def test_derivatives_are_right(source: Quartic, rtol: float) -> None:
    density = from_bridgestan(source).log_density_batch
    rng = np.random.default_rng(1)
    z, v = rng.normal(size=(2, 3, 5))

    def products(f: Any) -> Any:
        gradient = jax.grad(lambda z: f(z).sum())
        return jax.jit(lambda z, v: (f(z), *jax.jvp(gradient, (z,), (v,))))

    ours, theirs = products(density)(z, v), products(oracle)(z, v)
    for mine, true, tolerance in zip(ours, theirs, (1e-13, 1e-13, rtol), strict=True):
        np.testing.assert_allclose(mine, true, rtol=tolerance, atol=tolerance)
    hessian = jax.jit(jax.hessian(lambda t: density(t[:, None])[0]))(z[:, 0])
    np.testing.assert_allclose(
        hessian, jax.hessian(lambda t: oracle(t[:, None])[0])(z[:, 0]), rtol=10 * rtol, atol=rtol
    )


def test_double_precision_survives_the_way_through_callbacks() -> None:
    density = jax.jit(from_bridgestan(Quartic()).log_density_batch)
    z = np.full((3, 512), 0.1) + 1e-12 * np.arange(512)
    np.testing.assert_allclose(density(z), oracle(jnp.asarray(z)), rtol=1e-15)


def test_rejected_points_have_density_zero() -> None:
    density = from_bridgestan(Quartic()).log_density_batch
    z = np.zeros((3, 2))
    z[0, 1] = 4.0
    values, pull = jax.vjp(density, jnp.asarray(z))
    assert values.tolist() == [0.0, -np.inf]
    assert np.isnan(pull(jnp.ones(2))[0][:, 1]).all()


@pytest.mark.parametrize(("threads", "most"), [(1, 1), (2, 2)])
def test_draws_are_spread_over_threads(threads: int, most: int) -> None:
    source = Quartic()
    model = from_bridgestan(source, threads=threads)
    model.log_density_batch(jnp.zeros((3, 64)))
    assert 1 <= len(source.threads) <= most


def test_quantities_come_by_name_and_seed() -> None:
    model = from_bridgestan(Quartic())
    z = np.arange(12.0).reshape(3, 4)
    draws = model.constrain_draws(z, seed=5)
    assert {name: value.shape for name, value in draws.items()} == {
        "m": (4, 2, 1), "s": (4,), "t:1": (4, 2), "z.real": (4, 1), "z.imag": (4, 1),
    }  # fmt: skip
    np.testing.assert_array_equal(draws["m"][:, 1, 0], z[1])
    again, other = model.constrain_draws(z, seed=5), model.constrain_draws(z, seed=6)
    assert np.array_equal(draws["z.real"], again["z.real"])
    assert not np.array_equal(draws["z.real"], other["z.real"])


def test_a_fit_through_callbacks_is_the_fit_without() -> None:
    data = json.loads((EXAMPLES / "eight_schools.json").read_text())
    direct = trustvi.StanModel(EXAMPLES / "eight_schools.stan", data)
    bridged = from_bridgestan(direct)
    assert bridged.param_unc_names() == direct.param_unc_names()
    one, two = trustvi.fit(direct, khat_draws=64), trustvi.fit(bridged, khat_draws=64)
    assert (one.verdict, one.oracle_calls) == (two.verdict, two.oracle_calls)
    np.testing.assert_allclose(two.loc, one.loc, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(two.scale_diag, one.scale_diag, rtol=1e-8)
    init = {name: value[0] for name, value in one.draws(1).items()}
    np.testing.assert_allclose(bridged.unconstrain_init(init), direct.unconstrain_init(init))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((object(),), "model has no method param_unc_num"),
        ((Quartic(), 0), "threads must be a positive integer; got 0"),
        ((Quartic(), 1.5), "threads must be a positive integer; got 1.5"),
    ],
)
def test_what_is_no_model_is_refused(arguments: tuple[Any, ...], words: str) -> None:
    keywords = {"threads": arguments[1]} if len(arguments) > 1 else {}
    with pytest.raises(trustvi.InputError, match=words):
        from_bridgestan(arguments[0], **keywords)

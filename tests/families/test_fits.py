"""Fits of each family to normal targets, whose best approximations are known in closed form."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import minimize

import trustvi
from helpers import Gaussian, gaussian
from trustvi import from_function
from trustvi._errors import InputError
from trustvi.optimize._widening import lowest

TARGETS = {
    "round": gaussian(3),
    "correlated": gaussian(12, condition=100.0, decades=1.0),
    "wide": gaussian(200, condition=100.0),
}
EXACT = ("fullrank",)


def exact_elbo(target: Gaussian) -> float:
    """The log of the normalising constant, which a family that holds the target reaches."""
    return 0.5 * (target.dim * np.log(2 * np.pi) - np.linalg.slogdet(target.precision)[1])


@pytest.fixture(scope="module")
def fits() -> dict[tuple[str, str], Any]:
    return {}


@pytest.fixture(autouse=True)
def _compile_once(tmp_path_factory: Any, monkeypatch: Any) -> None:
    """Several fits of one model here, whose executables are kept for each other."""
    monkeypatch.setenv("TRUSTVI_CACHE", str(tmp_path_factory.getbasetemp() / "executables"))


def fitted(fits: dict[tuple[str, str], Any], family: str, name: str) -> trustvi.Posterior:
    if (family, name) not in fits:
        fits[family, name] = trustvi.fit(TARGETS[name].model(), family=family)
    return fits[family, name]


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("family", EXACT)
def test_a_family_that_holds_the_target_finds_it(fits: Any, family: str, name: str) -> None:
    target, post = TARGETS[name], fitted(fits, family, name)
    assert post.converged
    covariance = np.linalg.inv(target.precision)
    np.testing.assert_allclose(post.loc, target.mean, atol=1e-6)
    np.testing.assert_allclose(post.covariance(), covariance, atol=1e-6 * covariance.max())
    assert post.elbo.value == pytest.approx(exact_elbo(target), abs=1e-6)
    assert post.oracle_calls < 20


@pytest.mark.parametrize("family", EXACT)
def test_the_path_tells_both_legs(fits: Any, family: str) -> None:
    """The mean-field optimum comes first, and what it cost is on the ledger."""
    post = fitted(fits, family, "correlated")
    legs = [i for i, info in enumerate(post.path) if info.note.endswith("widened")]
    assert len(legs) == 1
    calls = [info.oracle_calls for info in post.path]
    assert calls == sorted(calls)
    assert 0 < calls[legs[0]] < calls[-1] < post.oracle_calls


@pytest.mark.parametrize("family", EXACT)
def test_exports(fits: Any, family: str, tmp_path: Any) -> None:
    target, post = TARGETS["correlated"], fitted(fits, family, "correlated")
    covariance = np.linalg.inv(target.precision)
    post.save(tmp_path / "fit.npz")
    again = trustvi.load(tmp_path / "fit.npz", target.model())
    np.testing.assert_array_equal(again.covariance(), post.covariance())
    np.testing.assert_array_equal(again.draws(5)["theta"], post.draws(5)["theta"])
    np.testing.assert_allclose(post.inv_metric(dense=True), covariance, atol=1e-6)
    np.testing.assert_allclose(post.inv_metric(), np.diag(covariance), rtol=1e-6)
    group = post.to_arviz(10)["fit"]
    np.testing.assert_allclose(group["mean_vector"], target.mean, atol=1e-6)
    np.testing.assert_allclose(group["covariance_matrix"], covariance, atol=1e-6)
    assert post.khat.value < 0.5
    density = post.log_densities(20)
    np.testing.assert_allclose(density.lp - density.lp_approx, exact_elbo(target), atol=1e-6)


@pytest.mark.parametrize("family", EXACT)
def test_resuming_is_bit_identical(family: str, tmp_path: Any) -> None:
    """From the first leg as from the second."""
    target = gaussian(4, condition=10.0)
    whole = trustvi.fit(target.model(), family=family)
    for budget in (0.3, whole.path[-2].oracle_calls):
        file = tmp_path / f"{budget}.npz"
        part = trustvi.fit(target.model(), family=family, checkpoint=file, max_oracle_calls=budget)
        assert part.verdict is trustvi.Verdict.BUDGET
        assert part.q.name == family
        done = trustvi.fit(target.model(), family=family, checkpoint=file)
        np.testing.assert_array_equal(done.covariance(), whole.covariance())
        np.testing.assert_array_equal(done.loc, whole.loc)
        assert done.elbo == whole.elbo


def banana(theta: Any) -> Any:
    """Not normal, and correlated under any normal approximation."""
    return -0.5 * theta[0] ** 2 - 2 * (theta[1] - theta[0] - 0.2 * theta[0] ** 2) ** 2


def test_a_wider_family_has_the_greater_elbo() -> None:
    """And at the maximum E[grad log p] = 0, -E[hess log p] = inv(covariance), by quadrature."""
    model = from_function(banana, np.zeros(2))
    narrow, wide = (trustvi.fit(model, family=family) for family in ("meanfield", "fullrank"))
    assert wide.converged
    assert wide.elbo.value > narrow.elbo.value + 0.3
    nodes, weights = np.polynomial.hermite_e.hermegauss(12)
    e = np.stack(np.meshgrid(nodes, nodes)).reshape(2, -1)
    weight = np.outer(weights, weights).ravel() / (2 * np.pi)
    x, y = wide.q.sample(e)
    bend = y - x - 0.2 * x**2
    gradient = np.stack([-x + 4 * bend * (1 + 0.4 * x), -4 * bend])
    assert np.abs(wide.q.frame.pull(gradient @ weight[:, None])).max() < 0.15
    hessian = np.array(
        [
            [-1 + weight @ (1.6 * bend - 4 * (1 + 0.4 * x) ** 2), weight @ (4 * (1 + 0.4 * x))],
            [weight @ (4 * (1 + 0.4 * x)), -4.0],
        ]
    )
    np.testing.assert_allclose(wide.q.congruent(hessian), -np.eye(2), atol=0.15)


@pytest.mark.parametrize("method", ["paper", "advi"])
def test_methods_without_the_family_say_so(method: str) -> None:
    settings = {"preset": "paper"} if method == "paper" else {"method": method}
    with pytest.raises(InputError, match="meanfield"):
        trustvi.fit(gaussian(2).model(), family="fullrank", **settings)


def test_an_improper_posterior_is_not_widened() -> None:
    model = from_function(lambda z: -0.5 * jnp.sum(z["a"] ** 2), {"a": 0.0, "b": 0.0})
    post = trustvi.fit(model, family="fullrank")
    assert post.verdict is trustvi.Verdict.UNBOUNDED
    assert post.q.name == "fullrank"


def factored(dim: int, rank: int) -> tuple[Gaussian, np.ndarray]:
    """A target whose covariance is diagonal plus so many factors, and that covariance."""
    rng = np.random.default_rng(dim)
    factor, scale = rng.normal(size=(dim, rank)), 10 ** rng.uniform(-0.5, 0.5, dim)
    covariance = scale[:, None] * (np.eye(dim) + factor @ factor.T) * scale
    precision = np.linalg.inv(covariance)
    root = np.linalg.cholesky(precision).T
    return Gaussian(scale * rng.normal(size=dim), precision, root), covariance


def best_low_rank(target: Gaussian, rank: int) -> float:
    """The greatest exact ELBO of the family, by quasi-Newton ascents from several starts."""

    def neg_elbo(x: Any) -> Any:
        dim = target.dim
        scale, factor = jnp.exp(x[:dim]), x[dim:].reshape(dim, rank)
        spread = jnp.eye(dim) + factor @ factor.T
        trace = jnp.sum(target.precision * (scale[:, None] * spread * scale))
        inner = jnp.linalg.slogdet(jnp.eye(rank) + factor.T @ factor)[1]
        return 0.5 * trace - jnp.sum(x[:dim]) - 0.5 * inner

    function = jax.jit(jax.value_and_grad(neg_elbo))
    rng, best = np.random.default_rng(0), np.inf
    for _ in range(5):
        start = rng.normal(scale=0.3, size=target.dim * (rank + 1))
        found = minimize(lambda x: tuple(map(np.asarray, function(x))), start, jac=True,
                         method="L-BFGS-B", options={"maxiter": 5000, "maxfun": 10000})  # fmt: skip
        best = min(best, float(found.fun))
    return 0.5 * target.dim * (np.log(2 * np.pi) + 1) - best


@pytest.mark.parametrize(("dim", "rank", "given"), [(6, 1, 1), (40, 3, 3), (40, 3, 1)])
def test_low_rank_reaches_the_best_of_its_family(dim: int, rank: int, given: int) -> None:
    target, covariance = factored(dim, rank)
    post = trustvi.fit(target.model(), family=f"lowrank:{given}")
    assert post.converged
    assert post.q.name == f"lowrank:{given}"
    best = best_low_rank(target, given)
    assert best - 0.06 < post.elbo.value < best + 1e-6
    np.testing.assert_allclose(post.loc / post.scale_diag, target.mean / post.scale_diag, atol=0.05)
    if given == rank:
        np.testing.assert_allclose(post.scale_diag, np.sqrt(np.diag(covariance)), rtol=0.02)
    response = post.linear_response()
    assert response.good
    sd = np.sqrt(np.diag(covariance))
    assert np.abs((response.covariance - covariance) / sd / sd[:, None]).max() < 0.01


def test_low_rank_saves_and_resumes(tmp_path: Any) -> None:
    target = factored(6, 1)[0]
    whole = trustvi.fit(target.model(), family="lowrank:2")
    file = tmp_path / "part.npz"
    budget = whole.path[-2].oracle_calls
    part = trustvi.fit(target.model(), family="lowrank:2", checkpoint=file, max_oracle_calls=budget)
    assert part.q.name == "lowrank:2"
    done = trustvi.fit(target.model(), family="lowrank:2", checkpoint=file)
    np.testing.assert_array_equal(done.covariance(), whole.covariance())
    done.save(tmp_path / "fit.npz")
    again = trustvi.load(tmp_path / "fit.npz", target.model())
    np.testing.assert_array_equal(again.covariance(), whole.covariance())
    assert again.to_arviz(10)["fit"]["covariance_matrix"].shape == (6, 6)


def test_lowest_eigenvalues_by_products() -> None:
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.normal(size=(120, 120)))[0]
    values = np.concatenate([[0.01, 0.05, 0.2], np.linspace(0.8, 3.0, 117)])
    found, vectors = lowest(lambda x: basis @ (values[:, None] * (basis.T @ x)), 120, 8, 0)
    np.testing.assert_allclose(found[:3], values[:3], atol=0.01)
    overlap = np.abs(np.sum(vectors[:, :3] * basis[:, :3], axis=0))
    assert np.all(overlap > 0.98)

"""Linear response against exact covariances, dense solves and quadrature; and its failures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import trustvi
from helpers import Gaussian, gaussian
from trustvi import from_function
from trustvi._errors import DiagnosticError, DiagnosticWarning, InputError
from trustvi.diagnostics import Solved, respond
from trustvi.families import MeanField

FAMILIES = ("meanfield", "fullrank")
TARGETS = {
    "small": gaussian(5, condition=30.0, decades=0.5),
    "large": gaussian(100, condition=300.0, decades=1.0),
}


@pytest.fixture(autouse=True)
def _compile_once(tmp_path_factory: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("TRUSTVI_CACHE", str(tmp_path_factory.getbasetemp() / "executables"))


@pytest.fixture(scope="module")
def fits() -> dict[tuple[str, str], trustvi.Posterior]:
    return {}


def fitted(fits: Any, family: str, target: Gaussian, name: str) -> trustvi.Posterior:
    if (family, name) not in fits:
        fits[family, name] = trustvi.fit(target.model(), family=family, khat_draws=0)
    return fits[family, name]


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("family", FAMILIES)
def test_normal_targets_exactly(fits: Any, family: str, name: str) -> None:
    target = TARGETS[name]
    post = fitted(fits, family, target, name)
    covariance = np.linalg.inv(target.precision)
    sd = np.sqrt(np.diag(covariance))
    found = post.linear_response()
    assert found.good
    assert found.sentence.startswith("Linear response is solved")
    assert found.names == tuple(target.model().param_unc_names())
    # Errors are those of rounding and of the solver: the third derivatives that noise comes of
    # are zero.
    assert np.abs((found.covariance - covariance) / sd / sd[:, None]).max() < 1e-4
    assert found.relative_error < 1e-4
    np.testing.assert_array_equal(post.covariance("linear_response"), found.covariance)


def test_some_quantities_without_a_matrix(fits: Any) -> None:
    """One right-hand side in 100 dimensions: far fewer products than the dimension."""
    target = TARGETS["large"]
    model = from_function(
        lambda z: target.model().log_density(jnp.append(z["first"], z["rest"])[:, None])[0],
        {"first": 0.0, "rest": np.zeros(99)},
    )
    post = replace(fitted(fits, "meanfield", target, "large"), model=model)
    found = post.linear_response("first")
    assert found.names == ("first",)
    exact = np.linalg.inv(target.precision)[0, 0]
    assert found.covariance[0, 0] == pytest.approx(exact, rel=1e-3)
    products = found.oracle_calls * 85 / 2 / found.draws
    assert products < 80


@pytest.mark.parametrize("family", FAMILIES)
def test_quantities_of_a_program(family: str) -> None:
    """A linear and a nonlinear quantity, and one with random numbers of its own."""
    program = """
        parameters { vector[2] x; }
        model { x ~ multi_normal(rep_vector(0, 2), [[1, 0.9], [0.9, 1]]); }
        generated quantities {
          real total = x[1] + x[2];
          real grown = exp(x[1]);
          real noisy = normal_rng(x[2], 2);
        }
    """
    post = trustvi.fit(trustvi.StanModel(program), family=family)
    covariance = post.covariance("linear_response", ["x", "total", "noisy"])
    exact = np.array([[1, 0.9, 1.9, 0.9], [0.9, 1, 1.9, 1], [1.9, 1.9, 3.8, 1.9], [0.9, 1, 1.9, 5]])
    np.testing.assert_allclose(covariance[:3, :3], exact[:3, :3], rtol=1e-3)
    np.testing.assert_allclose(covariance, exact, atol=0.25)
    family_sd = np.sqrt(np.diag(post.covariance(of=["x", "total"])))
    if family == "meanfield":
        assert family_sd[2] ** 2 == pytest.approx(2 * 0.19, rel=0.05)
    else:
        np.testing.assert_allclose(family_sd**2, [1, 1, 3.8], rtol=0.05)
    lognormal = np.exp(1) * (np.exp(1) - 1)
    grown = post.covariance("linear_response", "grown")
    if family == "fullrank":
        assert grown[0, 0] == pytest.approx(lognormal, rel=0.25)
    table = post.summary(1000, linear_response=True)
    assert table["total"]["lr sd"] == pytest.approx(np.sqrt(3.8), rel=1e-2)
    assert "lr sd" not in post.summary(1000).columns


def skewed(theta: Any) -> Any:
    """A log-gamma and a normal that depends on it: third derivatives couple mean and scale."""
    a, b = theta["a"], theta["b"]
    return 4 * a - jnp.exp(a) - 0.5 * (b - a) ** 2


@pytest.mark.parametrize("family", FAMILIES)
def test_hessian_by_products_is_that_of_the_exact_elbo(family: str) -> None:
    """E[a] = loc, E[exp(a)] = exp(loc + var / 2): the ELBO in closed form, tilted and maximised."""
    post = trustvi.fit(from_function(skewed, {"a": 0.0, "b": 0.0}), family=family, tol=1e-3)
    found = post.linear_response(draws=4096)
    exact = tilted_covariance(family)
    np.testing.assert_allclose(found.covariance, exact, rtol=0.03)
    assert np.all(np.abs(np.sqrt(np.diag(exact)) - found.sd) < 4 * found.mcse + 0.01)


def tilted_covariance(family: str) -> np.ndarray:
    """Derivatives of the best location under tilts, by maximising the exact ELBO."""
    from scipy.optimize import minimize

    def loc(tilt: np.ndarray) -> np.ndarray:
        def neg_elbo(x: np.ndarray) -> float:
            m, lower = x[:2], np.diag(np.exp(x[2:4]))
            lower[1, 0] = x[4] if family == "fullrank" else 0.0
            s = lower @ lower.T
            square = (m[1] - m[0]) ** 2 + s[0, 0] + s[1, 1] - 2 * s[0, 1]
            elbo = 4 * m[0] - np.exp(m[0] + s[0, 0] / 2) - square / 2 + tilt @ m + x[2] + x[3]
            return -float(elbo)

        start = np.array([1.4, 1.4, -0.7, 0.0, 0.1])
        return minimize(neg_elbo, start, method="BFGS", options={"gtol": 1e-9}).x[:2]

    t = 1e-3
    return np.stack([(loc(t * d) - loc(-t * d)) / (2 * t) for d in np.eye(2)])


def test_no_maximum_is_said() -> None:
    """At a point that is a saddle of the ELBO there is no response."""
    model = from_function(lambda z: -0.5 * z["a"] ** 2 - 0.25 * (z["b"] ** 2 - 9) ** 2,
                          {"a": 0.0, "b": 0.0})  # fmt: skip
    post = trustvi.fit(model)
    assert post.linear_response().good
    saddle = replace(post, q=MeanField(np.zeros(2), np.log(np.array([1.0, 0.3]))))
    found = saddle.linear_response()
    assert found.outcome is Solved.INDEFINITE
    assert not found.good
    assert np.all(np.isnan(found.covariance))
    with pytest.raises(DiagnosticError, match="not negative definite"):
        saddle.covariance("linear_response")


def test_noise_is_warned_of(fits: Any) -> None:
    model = from_function(skewed, {"a": 0.0, "b": 0.0})
    q = MeanField(np.array([1.3, 1.3]), np.array([0.4, 0.0]))
    post = replace(fitted(fits, "meanfield", TARGETS["small"], "small"), model=model, q=q)
    found = post.linear_response(draws=16)
    assert not found.good
    assert "noisy" in found.sentence
    assert found.relative_error > 0.05
    noisy = replace(post, q=q._replace(log_scale=np.array([1.5, 0.0])))
    with pytest.warns(DiagnosticWarning, match="noisy"):
        noisy.covariance("linear_response")


def test_usage(fits: Any) -> None:
    post = fitted(fits, "meanfield", TARGETS["small"], "small")
    with pytest.raises(InputError, match="kind 'lr' is unknown"):
        post.covariance("lr")
    with pytest.raises(InputError, match="no quantity 'phi'"):
        post.covariance("linear_response", "phi")
    with pytest.raises(InputError, match="draws"):
        post.linear_response(draws=20)


def definite(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n)


@pytest.mark.parametrize("n", [1, 4, 30])
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("exact", [False, True])
def test_conjugate_gradients(n: int, k: int, exact: bool) -> None:
    a, b = definite(n), np.random.default_rng(1).normal(size=(n, k))
    invert = (lambda r: np.linalg.solve(a, r)) if exact else (lambda r: r)
    found = respond(lambda x: -a @ x, b, invert=invert, rtol=1e-10, limit=20 * n)
    assert found.outcome is Solved.SOLVED
    np.testing.assert_allclose(found.x, np.linalg.solve(a, b), rtol=1e-7)
    assert found.products <= (2 * k if exact else 20 * n * k)


def test_conjugate_gradients_tell_what_is_wrong() -> None:
    b = np.ones((6, 2))
    a = np.diag([1.0, 2, 3, 4, 5, -1])
    same = lambda r: r  # noqa: E731
    settings = {"invert": same, "rtol": 1e-8, "limit": 50}
    assert respond(lambda x: -a @ x, b, **settings).outcome is Solved.INDEFINITE
    assert respond(lambda x: np.nan * x, b, **settings).outcome is Solved.NOT_FINITE
    short = respond(lambda x: -definite(6) @ x, b, invert=same, rtol=1e-12, limit=2)
    assert short.outcome is Solved.LIMIT
    assert short.residual > 1e-12
    nothing = respond(lambda x: -definite(6) @ x, 0 * b, **settings)
    assert nothing.outcome is Solved.SOLVED
    assert nothing.products == 0

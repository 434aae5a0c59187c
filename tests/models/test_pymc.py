"""PyMC models: the density is PyMC's own, and names, coords and predictions are its."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import trustvi
from trustvi.models import PyMCModel, from_pymc

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what PyMC's own imports warn of
    import pymc as pm
    import pytensor.tensor as pt
    from pytensor.graph.op import Op

# Of PyTensor's own C mode, which serves as the oracle here.
pytestmark = pytest.mark.filterwarnings("ignore:PyTensor could not link to a BLAS")

RNG = np.random.default_rng(0)
Y = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
SIGMA = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])
X = RNG.normal(size=(30, 2))
COUNTY = np.arange(30) % 4
BINARY = (RNG.random(30) < 0.5).astype(int)
REAL = RNG.normal(size=30) + 2.0 * BINARY


def eight_schools() -> Any:
    with pm.Model(coords={"school": list("abcdefgh")}) as model:
        sigma = pm.Data("sigma", SIGMA, dims="school")
        mu = pm.Normal("mu", 0, 5)
        tau = pm.HalfCauchy("tau", 5)
        eta = pm.Normal("eta", 0, 1, dims="school")
        theta = pm.Deterministic("theta", mu + tau * eta, dims="school")
        pm.Normal("obs", theta, sigma, observed=Y, dims="school")
    return model


def radon() -> Any:
    with pm.Model(coords={"county": list("abcd")}) as model:
        mean = pm.Normal("mean", 0, 1)
        spread = pm.Exponential("spread", 1)
        level = pm.Normal("level", mean, spread, dims="county")
        noise = pm.HalfNormal("noise", 1)
        pm.Normal("y", level[COUNTY] + 0.5 * X[:, 0], noise, observed=REAL)
    return model


def logistic() -> Any:
    with pm.Model() as model:
        beta = pm.Normal("beta", 0, 2, shape=2)
        pm.Potential("penalty", -pt.sum(beta**4))
        pm.Bernoulli("y", logit_p=pm.math.dot(X, beta), observed=BINARY)
    return model


def gaussian_process() -> Any:
    with pm.Model() as model:
        length = pm.LogNormal("length", 0, 1)
        noise = pm.HalfNormal("noise", 1)
        gp = pm.gp.Marginal(cov_func=pm.gp.cov.ExpQuad(1, ls=length))
        gp.marginal_likelihood("y", X=X[:10, :1], y=REAL[:10], sigma=noise)
    return model


def mixture() -> Any:
    with pm.Model() as model:
        weights = pm.Dirichlet("weights", np.ones(2))
        loc = pm.Normal(
            "loc", np.array([0.0, 2.0]), 1, transform=pm.distributions.transforms.ordered,
            initval=np.array([0.0, 1.0]),
        )  # fmt: skip
        pm.NormalMixture("y", w=weights, mu=loc, sigma=1.0, observed=REAL)
    return model


def correlated() -> Any:
    with pm.Model() as model:
        root, _, _ = pm.LKJCholeskyCov("root", n=2, eta=2.0, sd_dist=pm.HalfNormal.dist(1))
        low = pm.Uniform("low", -3, 3)
        pm.MvNormal("y", pt.stack([low, low + 1]), chol=root, observed=X)
    return model


MODELS: dict[str, Callable[[], Any]] = {
    f.__name__: f for f in (eight_schools, radon, logistic, gaussian_process, mixture, correlated)
}


@pytest.mark.parametrize("name", MODELS)
def test_density_and_gradient_are_pymcs(name: str) -> None:
    source = MODELS[name]()
    ours = from_pymc(source)
    assert [leaf.name for leaf in ours.leaves] == [var.name for var in source.value_vars]
    density = source.compile_fn([source.logp(), source.dlogp()], mode="FAST_COMPILE")
    z = 0.5 * RNG.normal(size=(ours.param_unc_num(), 3))
    values, pull = jax.vjp(ours.log_density_batch, jnp.asarray(z))
    (gradients,) = pull(jnp.ones(3))
    for i in range(3):
        value, gradient = density(ours.leaves.named(z[:, i]))
        assert float(values[i]) == pytest.approx(float(value), rel=1e-10)
        np.testing.assert_allclose(gradients[:, i], gradient, rtol=1e-9, atol=1e-10)


@pytest.fixture(scope="module")
def schools() -> PyMCModel:
    return from_pymc(eight_schools())


def test_names_and_labels_are_pymcs(schools: PyMCModel) -> None:
    names = ["mu", "tau_log__", *(f"eta.{i}" for i in range(1, 9))]
    assert list(schools.param_unc_names()) == names
    assert schools.dims["theta"] == ["school"]
    assert schools.coords["school"] == list("abcdefgh")
    draws = schools.constrain_draws(np.zeros((10, 3)))
    assert list(draws) == ["mu", "tau", "eta", "theta"]
    assert draws["theta"].shape == (3, 8)


def test_inits_round_trip(schools: PyMCModel) -> None:
    z = RNG.normal(size=10)
    draws = schools.constrain_draws(z[:, None])
    init = {name: draws[name][0] for name in ("mu", "tau", "eta")}
    np.testing.assert_allclose(schools.unconstrain_init(init), z, rtol=1e-10)
    for bad in ({"theta": 1.0}, {"eta": np.zeros(3)}, 2.0):
        with pytest.raises(trustvi.InputError, match="init"):
            schools.unconstrain_init(bad)


def test_predictions_follow_the_draws(schools: PyMCModel) -> None:
    """Far out, replicated data lie where their means do: PyMC must not draw anything else anew."""
    z = np.zeros((10, 50))
    z[0], z[1] = 1e4, -10.0
    groups = schools.predict_draws(z, seed=1)
    replicated = groups["posterior_predictive"]["obs"]
    assert replicated.shape == (50, 8)
    assert np.all(np.abs(replicated - 1e4) < 200)
    expected = -0.5 * ((Y - 1e4) / SIGMA) ** 2 - np.log(SIGMA) - 0.5 * np.log(2 * np.pi)
    np.testing.assert_allclose(groups["log_likelihood"]["obs"][0], expected, rtol=1e-8)
    np.testing.assert_array_equal(groups["observed_data"]["obs"], Y)


def test_compiled_derivatives_of_a_covariance_hold() -> None:
    """Squared distances of 0 are clipped at 0 by PyMC; what rounding makes of that must cancel."""
    with pm.Model() as source:
        length = pm.LogNormal("length", 0, 1)
        gp = pm.gp.Marginal(cov_func=pm.gp.cov.ExpQuad(1, ls=length))
        times = np.linspace(-1, 1, 16)
        gp.marginal_likelihood("y", X=times[:, None], y=np.sin(3 * times), sigma=0.3)
    model = from_pymc(source)
    slope = jax.grad(lambda z: jnp.sum(model.log_density_batch(z)))
    z = np.linspace(-1.9, -1.5, 5)
    density = source.compile_fn(source.dlogp(), mode="FAST_COMPILE")
    truth = [density({"length_log__": each})[0] for each in z]
    for batch in (z[None], np.repeat(z[:1], 2)[None], z[None, :1]):
        expected = np.interp(batch[0], z, truth)
        np.testing.assert_allclose(jax.jit(slope)(batch)[0], expected, rtol=1e-6)


def discrete() -> Any:
    with pm.Model() as model:
        pm.Poisson("count", 3.0)
    return model


def empty() -> Any:
    with pm.Model() as model:
        pm.Deterministic("one", pt.as_tensor_variable(1.0))
    return model


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (discrete, "variable 'count' is discrete"),
        (empty, "no free variables"),
        (lambda: 3, "must be a pymc.Model; got int"),
    ],
)
def test_what_cannot_be_fitted_is_refused(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(trustvi.InputError, match=words):
        from_pymc(make())


def test_an_operation_without_a_jax_form_is_named() -> None:
    class MyOwnOperation(Op):
        itypes = (pt.dscalar,)
        otypes = (pt.dscalar,)

        def perform(self, node, inputs, output_storage):
            output_storage[0][0] = inputs[0]

    with pm.Model() as model:
        x = pm.Normal("x", 0, 1)
        pm.Normal("y", MyOwnOperation()(x), 1, observed=0.0)
    with pytest.raises(trustvi.InputError, match="MyOwnOperation"):
        from_pymc(model)

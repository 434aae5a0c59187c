"""NumPyro models: the density is NumPyro's own, and names, shapes and predictions are its."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
import pytest
from numpyro.infer.reparam import LocScaleReparam
from numpyro.infer.util import initialize_model

import trustvi
from trustvi.models import NumPyroModel, from_numpyro

RNG = np.random.default_rng(0)
Y = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
SIGMA = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])
X = RNG.normal(size=(30, 2))
COUNTY = np.arange(30) % 4
BINARY = (RNG.random(30) < 0.5).astype(int)
REAL = RNG.normal(size=30) + 2.0 * BINARY


def eight_schools(sigma, y=None):
    mu = numpyro.sample("mu", dist.Normal(0, 5))
    tau = numpyro.sample("tau", dist.HalfCauchy(5))
    with numpyro.plate("school", len(sigma)):
        theta = numpyro.sample("theta", dist.Normal(mu, tau))
        numpyro.sample("obs", dist.Normal(theta, sigma), obs=y)


reparametrised = numpyro.handlers.reparam(eight_schools, config={"theta": LocScaleReparam(0)})


def radon(county, x, y=None):
    mean = numpyro.sample("mean", dist.Normal(0, 1))
    spread = numpyro.sample("spread", dist.Exponential(1))
    with numpyro.plate("county", 4):
        level = numpyro.sample("level", dist.Normal(mean, spread))
        slope = numpyro.sample("slope", dist.Normal(0, 1))
    noise = numpyro.sample("noise", dist.HalfNormal(1))
    fitted = numpyro.deterministic("fitted", level[county] + slope[county] * x)
    with numpyro.plate("house", len(county)):
        numpyro.sample("y", dist.Normal(fitted, noise), obs=y)


def logistic(x, y=None):
    scales = numpyro.sample("scales", dist.Dirichlet(jnp.ones(2)))
    beta = numpyro.sample("beta", dist.Normal(jnp.zeros(2), scales).to_event(1))
    numpyro.factor("penalty", -jnp.sum(beta**4))
    with numpyro.handlers.mask(mask=np.arange(len(x)) < 20):
        numpyro.sample("y", dist.Bernoulli(logits=x @ beta), obs=y)


def gaussian_process(x, y=None):
    length = numpyro.sample("length", dist.LogNormal(0, 1))
    noise = numpyro.sample("noise", dist.HalfNormal(1))
    kernel = jnp.exp(-0.5 * ((x[:, None] - x) / length) ** 2) + noise * jnp.eye(len(x))
    numpyro.sample("y", dist.MultivariateNormal(jnp.zeros(len(x)), kernel), obs=y)


def mixture(y):
    """Assignments are discrete: NumPyro sums them out."""
    weights = numpyro.sample("weights", dist.Dirichlet(jnp.ones(2)))
    loc = numpyro.sample("loc", dist.Normal(jnp.array([0.0, 2.0]), 1.0).to_event(1))
    with numpyro.plate("n", len(y)):
        z = numpyro.sample("z", dist.Categorical(weights), infer={"enumerate": "parallel"})
        numpyro.sample("y", dist.Normal(loc[z], 1.0), obs=y)


def correlated(y):
    scale = numpyro.sample("scale", dist.HalfNormal(1).expand([2]).to_event(1))
    factor = numpyro.sample("factor", dist.LKJCholesky(2, 2.0))
    low = numpyro.sample("low", dist.Uniform(-3, 3))
    high = numpyro.sample("high", dist.Uniform(low, 4))
    with numpyro.plate("n", len(y)):
        root = scale[:, None] * factor
        numpyro.sample("y", dist.MultivariateNormal(jnp.stack([low, high]), scale_tril=root), obs=y)


MODELS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "eight schools": (eight_schools, (SIGMA,), {"y": Y}),
    "eight schools, reparametrised": (reparametrised, (SIGMA,), {"y": Y}),
    "radon": (radon, (COUNTY, X[:, 0]), {"y": REAL}),
    "logistic": (logistic, (X,), {"y": BINARY}),
    "gaussian process": (gaussian_process, (X[:10, 0],), {"y": REAL[:10]}),
    "mixture": (mixture, (REAL,), {}),
    "correlated": (correlated, (X,), {}),
}


def made(name: str) -> NumPyroModel:
    model, args, kwargs = MODELS[name]
    return from_numpyro(model, *args, **kwargs)


@pytest.mark.parametrize("name", MODELS)
def test_density_and_gradient_are_numpyros(name: str) -> None:
    function, args, kwargs = MODELS[name]
    ours = made(name)
    theirs = initialize_model(
        jax.random.key(1), function, model_args=args, model_kwargs=kwargs, validate_grad=False
    )
    assert {leaf.name for leaf in ours.leaves} == set(theirs.param_info.z)
    z = jnp.asarray(RNG.normal(size=(ours.param_unc_num(), 3)))

    def potential(z: jax.Array) -> jax.Array:
        return -jax.vmap(lambda t: theirs.potential_fn(ours.leaves.named(t)), in_axes=-1)(z)

    for ours_, theirs_ in zip(
        jax.vjp(ours.log_density_batch, z), jax.vjp(potential, z), strict=True
    ):
        a, b = (f(jnp.ones(3))[0] if callable(f) else f for f in (ours_, theirs_))
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)
    draws = ours.constrain_draws(np.asarray(z))
    for i in range(3):
        own = theirs.postprocess_fn(ours.leaves.named(z[:, i]))
        for leaf in ours.leaves:
            np.testing.assert_allclose(draws[leaf.name][i], own[leaf.name], rtol=1e-10)
    start = {leaf.name: draws[leaf.name][0] for leaf in ours.leaves}
    np.testing.assert_allclose(ours.unconstrain_init(start), z[:, 0], rtol=1e-8, atol=1e-10)


def test_plates_name_axes_and_deterministics_are_drawn() -> None:
    model = made("radon").with_labels(coords={"county": list("abcd")}, dims={"fitted": ["house"]})
    assert model.dims["level"] == ["county"]
    assert model.dims["y"] == ["house"]
    assert model.dims["fitted"] == ["house"]
    draws = model.constrain_draws(np.zeros((model.param_unc_num(), 2)))
    assert draws["fitted"].shape == (2, 30)
    assert "level.3" in model.param_unc_names()


@pytest.mark.parametrize("name", ["radon", "mixture"])
def test_predictions_have_the_datas_shape(name: str) -> None:
    model = made(name)
    rng = np.random.default_rng(1)
    groups = model.predict_draws(0.1 * rng.normal(size=(model.param_unc_num(), 5)), seed=3)
    np.testing.assert_array_equal(groups["observed_data"]["y"], REAL)
    replicated = groups["posterior_predictive"]["y"]
    assert replicated.shape == (5, 30)
    assert np.ptp(replicated, axis=0).min() > 0
    if name == "radon":
        z = model.constrain_draws(0.1 * rng.normal(size=(model.param_unc_num(), 5)))
        assert set(z) >= {"mean", "level", "fitted"}
        assert groups["log_likelihood"]["y"].shape == (5, 30)


def subsampled(y):
    mu = numpyro.sample("mu", dist.Normal(0, 1))
    with numpyro.plate("n", len(y), subsample_size=5):
        numpyro.sample("y", dist.Normal(mu, 1), obs=numpyro.subsample(y, event_dim=0))


def counted(y):
    rate = numpyro.sample("rate", dist.Poisson(3.0))
    numpyro.sample("y", dist.Normal(rate, 1), obs=y)


def fixed(y):
    numpyro.sample("y", dist.Normal(0, 1), obs=y)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (subsampled, "plate 'n' subsamples its data"),
        (counted, "site 'rate' is discrete and Poisson can't be enumerated"),
        (fixed, "'fixed' has no continuous latent site"),
        (7, "model must be a NumPyro model"),
    ],
)
def test_what_has_no_density_is_refused(model: Any, words: str) -> None:
    with pytest.raises(trustvi.InputError, match=words):
        from_numpyro(model, REAL)


def test_inits_that_do_not_fit_are_refused() -> None:
    model = made("gaussian process")
    for init in ({"length": 1.0}, {"length": np.ones(2), "noise": 1.0}, 3.0):
        with pytest.raises(trustvi.InputError, match="init"):
            model.unconstrain_init(init)

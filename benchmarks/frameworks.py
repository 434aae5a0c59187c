"""Each framework's own variational inference beside trustvi, on the same model in one run.

    python benchmarks/frameworks.py [--seconds 20] [--models schools,logistic,radon,mixture]

NumPyro: `SVI` with `AutoNormal`, `Trace_ELBO` and Adam, at 0.0005 as in its documentation and at
0.01. PyMC: `fit` with its defaults (mean-field ADVI). BlackJAX: `meanfield_vi` with Adam(0.01)
and 5 draws a step. *Once more* is trustvi with what it compiled before on disk, as in any later
process. Every path is judged afterwards on common draws. *seconds* and *calls*: from the start,
compiling included, until the path stays within one nat of the greatest ELBO of any method; *times*:
seconds divided by trustvi's; *gap*: nats short of that ELBO in the end. What isn't near in
`--seconds` seconds is stopped. Prints a table in Markdown; needs numpyro, pymc and blackjax, and
takes under 8 minutes on an idle machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist

import trustvi
from trustvi.models import NumPyroModel

NEAR = 1.0
JUDGE_DRAWS = 2000
STEPS_A_LOOK = 50
RNG = np.random.default_rng(0)


class Point(NamedTuple):
    """Where a method stood: seconds and oracle calls spent, and its approximation."""

    seconds: float
    calls: float
    loc: np.ndarray
    scale: np.ndarray


Path = Iterator[Point]


# ---------------------------------------------------------------------- models, twice each

Y = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
SIGMA = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])
X = RNG.normal(size=(1000, 5))
CLICKED = (RNG.random(1000) < 1 / (1 + np.exp(-X @ np.linspace(-1, 1, 5)))).astype(int)
COUNTY = RNG.integers(0, 40, size=800)
FLOOR = RNG.integers(0, 2, size=800).astype(float)
LEVEL = 1.3 + 0.4 * RNG.normal(size=40)[COUNTY] - 0.7 * FLOOR + 0.8 * RNG.normal(size=800)
MIXED = np.concatenate([RNG.normal(-2, 1, 100), RNG.normal(2, 0.5, 200)])


def schools() -> None:
    mu = numpyro.sample("mu", dist.Normal(0, 5))
    tau = numpyro.sample("tau", dist.HalfCauchy(5))
    with numpyro.plate("school", 8):
        z = numpyro.sample("z", dist.Normal(0, 1))
        numpyro.sample("y", dist.Normal(mu + tau * z, SIGMA), obs=Y)


def logistic() -> None:
    beta = numpyro.sample("beta", dist.Normal(0, 2).expand([5]).to_event(1))
    numpyro.sample("y", dist.Bernoulli(logits=X @ beta), obs=CLICKED)


def radon() -> None:
    mean = numpyro.sample("mean", dist.Normal(0, 5))
    spread = numpyro.sample("spread", dist.HalfNormal(1))
    slope = numpyro.sample("slope", dist.Normal(0, 5))
    noise = numpyro.sample("noise", dist.HalfNormal(1))
    with numpyro.plate("county", 40):
        level = numpyro.sample("level", dist.Normal(mean, spread))
    numpyro.sample("y", dist.Normal(level[COUNTY] + slope * FLOOR, noise), obs=LEVEL)


def mixture() -> None:
    weight = numpyro.sample("weight", dist.Beta(2, 2))
    low = numpyro.sample("low", dist.Normal(-2, 2))
    high = numpyro.sample("high", dist.Normal(2, 2))
    sd = numpyro.sample("sd", dist.HalfNormal(2).expand([2]).to_event(1))
    parts = dist.MixtureSameFamily(
        dist.Categorical(probs=jnp.stack([weight, 1 - weight])),
        dist.Normal(jnp.stack([low, high]), sd),
    )
    numpyro.sample("y", parts, obs=MIXED)


def in_pymc(name: str) -> Any:
    """The same model in PyMC, its variables declared in the same order."""
    import pymc as pm

    with pm.Model() as model:
        if name == "schools":
            mu, tau = pm.Normal("mu", 0, 5), pm.HalfCauchy("tau", 5)
            pm.Normal("y", mu + tau * pm.Normal("z", 0, 1, shape=8), SIGMA, observed=Y)
        elif name == "logistic":
            beta = pm.Normal("beta", 0, 2, shape=5)
            pm.Bernoulli("y", logit_p=pm.math.dot(X, beta), observed=CLICKED)
        elif name == "radon":
            mean, spread = pm.Normal("mean", 0, 5), pm.HalfNormal("spread", 1)
            slope, noise = pm.Normal("slope", 0, 5), pm.HalfNormal("noise", 1)
            level = pm.Normal("level", mean, spread, shape=40)
            pm.Normal("y", level[COUNTY] + slope * FLOOR, noise, observed=LEVEL)
        else:
            weight = pm.Beta("weight", 2, 2)
            low, high = pm.Normal("low", -2, 2), pm.Normal("high", 2, 2)
            sd = pm.HalfNormal("sd", 2, shape=2)
            pm.NormalMixture(
                "y", w=pm.math.stack([weight, 1 - weight]), mu=pm.math.stack([low, high]),
                sigma=sd, observed=MIXED,
            )  # fmt: skip
    return model


MODELS: dict[str, Callable[[], None]] = {f.__name__: f for f in (schools, logistic, radon, mixture)}


# ---------------------------------------------------------------------- methods


def by_trustvi(model: NumPyroModel, seconds: float) -> Path:
    began = time.perf_counter()
    post = trustvi.fit(model, keep_iterates=True, khat_draws=0)
    before = post.seconds.compile
    for (calls, loc, scale), info in zip(post.iterates, post.path, strict=True):
        yield Point(before + info.seconds, calls, loc, scale)
    yield Point(time.perf_counter() - began, post.oracle_calls, post.loc, post.scale_diag)


def by_numpyro(model: NumPyroModel, seconds: float, rate: float) -> Path:
    function = model.source.model
    guide = numpyro.infer.autoguide.AutoNormal(function)
    svi = numpyro.infer.SVI(function, guide, numpyro.optim.Adam(rate), numpyro.infer.Trace_ELBO())
    began = time.perf_counter()
    state = svi.init(jax.random.key(0))

    @jax.jit
    def steps(state: Any) -> Any:
        return jax.lax.scan(lambda s, _: svi.update(s), state, None, STEPS_A_LOOK)[0]

    calls = 0.0
    spent = 0.0
    while spent < seconds:
        state = jax.block_until_ready(steps(state))
        calls += STEPS_A_LOOK / 256
        params = svi.get_params(state)
        parts = [
            model.leaves.join([params[f"{leaf.name}_auto_{what}"] for leaf in model.leaves])
            for what in ("loc", "scale")
        ]
        spent = time.perf_counter() - began
        yield Point(spent, calls, parts[0], parts[1])


def by_blackjax(model: NumPyroModel, seconds: float) -> Path:
    import blackjax
    import optax

    draws = 5
    began = time.perf_counter()
    algorithm = blackjax.meanfield_vi(
        lambda theta: model.log_density_batch(theta[:, None])[0], optax.adam(1e-2), draws
    )
    state = algorithm.init(jnp.zeros(model.param_unc_num()))

    @jax.jit
    def steps(key: Any, state: Any) -> Any:
        keys = jax.random.split(key, STEPS_A_LOOK)
        return jax.lax.scan(lambda s, k: (algorithm.step(k, s)[0], None), state, keys)[0]

    key, calls, spent = jax.random.key(0), 0.0, 0.0
    while spent < seconds:
        key, own = jax.random.split(key)
        state = jax.block_until_ready(steps(own, state))
        calls += STEPS_A_LOOK * draws / 256
        spent = time.perf_counter() - began
        yield Point(spent, calls, np.asarray(state.mu), np.exp(np.asarray(state.rho)))


def by_pymc(name: str, model: NumPyroModel, seconds: float) -> Path:
    import pymc as pm

    source = in_pymc(name)
    began = time.perf_counter()
    path: list[Point] = []

    def look(approx: Any, losses: Any, step: int) -> None:
        if step % STEPS_A_LOOK == 0:
            spent = time.perf_counter() - began
            mean_field = approx.groups[0].params_dict
            loc, rho = (mean_field[name].get_value() for name in ("mu", "rho"))
            path.append(Point(spent, step / 256, loc, np.logaddexp(0.0, rho)))
            if spent > seconds:
                raise StopIteration

    with source:
        pm.fit(progressbar=False, random_seed=0, callbacks=[look])
    # PyMC lays value variables one behind the other in its own order.
    order = [var.name for var in source.value_vars]
    sizes = [leaf.size for leaf in model.leaves]
    names = [leaf.name for leaf in model.leaves]
    assert [each.split("_")[0] for each in order] == names
    assert sum(sizes) == path[0].loc.size
    yield from path


# ---------------------------------------------------------------------- judging


def judge(model: NumPyroModel, path: list[Point]) -> np.ndarray:
    """ELBO of each approximation on common draws."""
    e = np.random.default_rng(1).normal(size=(model.param_unc_num(), JUDGE_DRAWS))

    @jax.jit
    def elbo(loc: jax.Array, scale: jax.Array) -> jax.Array:
        value = model.log_density_batch(loc[:, None] + scale[:, None] * e).mean()
        return value + jnp.log(scale).sum() + 0.5 * loc.size * (1 + np.log(2 * np.pi))

    found = [float(elbo(jnp.asarray(p.loc), jnp.asarray(p.scale))) for p in path]
    return np.where(np.isfinite(found), found, -np.inf)


def thinned(path: list[Point], most: int = 150) -> list[Point]:
    """About `most` of the points, ever sparser, the last among them."""
    if len(path) <= most:
        return path
    chosen = np.unique(np.geomspace(1, len(path), most).astype(int)) - 1
    return [path[i] for i in chosen]


class Row(NamedTuple):
    """How one method did on one model."""

    method: str
    seconds: float
    calls: float
    gap: float


def rows(paths: dict[str, list[Point]], model: NumPyroModel) -> list[Row]:
    """Seconds and calls until each path stays near the greatest ELBO of all."""
    elbos = {label: judge(model, path) for label, path in paths.items()}
    best = max(values[-1] for values in elbos.values())
    found = []
    for label, path in paths.items():
        short = np.flatnonzero(elbos[label] < best - NEAR)
        first = short[-1] + 1 if short.size else 0
        arrived = first < len(path)
        seconds, calls = path[first][:2] if arrived else (np.inf, np.inf)
        found.append(Row(label, seconds, calls, best - elbos[label][-1]))
    return found


def compare(name: str, limit: float) -> list[Row]:
    model = trustvi.from_numpyro(MODELS[name])
    methods = {
        "trustvi": by_trustvi(model, limit),
        "trustvi, once more": by_trustvi(model, limit),
        "NumPyro, Adam(0.0005)": by_numpyro(model, limit, 0.0005),
        "NumPyro, Adam(0.01)": by_numpyro(model, limit, 0.01),
        "PyMC": by_pymc(name, model, limit),
        "BlackJAX": by_blackjax(model, limit),
    }
    return rows({label: thinned(list(path)) for label, path in methods.items()}, model)


def line(name: str, row: Row, ours: Row, limit: float) -> str:
    """A row of the table; a method that never was near took longer than the limit."""
    if row.seconds < np.inf:
        cells = f"{row.seconds:.2f}", f"{row.calls:.2f}", f"{row.seconds / ours.seconds:.1f}"
    else:
        cells = f"> {limit:.0f}", "-", f"> {limit / ours.seconds:.1f}"
    return f"| {' | '.join((name, row.method, *cells, f'{row.gap:.2f}'))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="for each method and model")
    parser.add_argument("--models", default=",".join(MODELS))
    settings = parser.parse_args()
    print("| model | method | seconds | calls | times | gap |\n|---|---|---|---|---|---|")
    ratios = []
    with (
        jax.enable_x64(True), warnings.catch_warnings(), tempfile.TemporaryDirectory() as cache
    ):  # fmt: skip
        # Every method compiles from scratch; trustvi's second fit finds what its first has made.
        os.environ["TRUSTVI_CACHE"] = cache
        trustvi.fit(trustvi.from_function(lambda x: -0.5 * x**2, 0.0))  # starts JAX, for all
        warnings.simplefilter("ignore")  # PyTensor's, of BLAS
        for name in settings.models.split(","):
            found = compare(name, settings.seconds)
            for row in found:
                print(line(name, row, found[0], settings.seconds), flush=True)
            ratios += [min(row.seconds, settings.seconds) / found[0].seconds for row in found[2:]]
    print(f"\nMedian of the times, at least: {np.median(ratios):.1f}; least: {min(ratios):.1f}.")


if __name__ == "__main__":
    main()

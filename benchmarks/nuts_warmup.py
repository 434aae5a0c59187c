"""Leapfrog steps that NUTS's warm-up takes from a fit and from scratch: docs/nuts.md has the table.

Usage: python benchmarks/nuts_warmup.py
"""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from numpyro.infer import MCMC, NUTS

import trustvi
from trustvi.problems import problem

EXAMPLES = Path(__file__).parents[1] / "examples"
STAN = ("eight_schools", "logistic", "hierarchical", "mixture")
BUNDLED = ("rats",)
WARMUP, CHAINS = 100, 4


def steps(model: trustvi.Model, starts: np.ndarray, metric: np.ndarray) -> float:
    """Leapfrog steps of warm-up, the mean over chains."""

    def potential(theta: jax.Array) -> jax.Array:
        return -model.log_density_batch(theta[:, None])[0]

    kernel = NUTS(potential_fn=potential, inverse_mass_matrix=jnp.asarray(metric))
    chain = MCMC(
        kernel, num_warmup=WARMUP, num_samples=1, num_chains=CHAINS, chain_method="vectorized",
        progress_bar=False,
    )  # fmt: skip
    chain.warmup(
        jax.random.key(1), init_params=jnp.asarray(starts.T), collect_warmup=True,
        extra_fields=("num_steps",),
    )  # fmt: skip
    return float(chain.get_extra_fields()["num_steps"].sum() / CHAINS)


def compare(name: str, model: trustvi.Model) -> None:
    post = trustvi.fit(model, progress=False)
    dim = model.param_unc_num()
    random = np.random.default_rng(2).uniform(-2, 2, (dim, CHAINS))
    fitted = post.draws_unconstrained(CHAINS, seed=2)
    with jax.enable_x64(True):
        scratch = steps(model, random, np.ones(dim))
        saved = steps(model, fitted, post.inv_metric())
    gradients = 256 * post.oracle_calls
    print(f"| {name} | {dim} | {scratch:.0f} | {saved:.0f} | {scratch / saved:.1f} | "
          f"{gradients:.0f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    for name in STAN:
        files = (EXAMPLES / f"{name}.stan", EXAMPLES / f"{name}.json")
        compare(name, trustvi.StanModel(*files))
    for name in BUNDLED:
        compare(name, problem(name).model())

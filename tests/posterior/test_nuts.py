"""NumPyro's NUTS, warmed up from a fit and from scratch."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from numpyro.infer import MCMC, NUTS

import trustvi
from trustvi.problems import problem

WARMUP = 100


def leapfrog_steps(model: trustvi.Model, start: np.ndarray, metric: np.ndarray) -> int:
    """Gradients that warm-up takes."""

    def potential(theta: jax.Array) -> jax.Array:
        return -model.log_density_batch(theta[:, None])[0]

    kernel = NUTS(potential_fn=potential, inverse_mass_matrix=jnp.asarray(metric))
    chain = MCMC(kernel, num_warmup=WARMUP, num_samples=1, progress_bar=False)
    chain.warmup(
        jax.random.key(1), init_params=jnp.asarray(start), collect_warmup=True,
        extra_fields=("num_steps",),
    )  # fmt: skip
    return int(chain.get_extra_fields()["num_steps"].sum())


def test_warm_up_takes_fewer_steps_from_a_fit() -> None:
    model = problem("rats").model()
    post = trustvi.fit(model, progress=False)
    assert post.converged
    dim = model.param_unc_num()
    scratch = leapfrog_steps(model, np.random.default_rng(2).uniform(-2, 2, dim), np.ones(dim))
    fitted = leapfrog_steps(model, post.draws_unconstrained(1, seed=2)[:, 0], post.inv_metric())
    assert 2 * fitted < scratch, f"{scratch} leapfrog steps from scratch, {fitted} from the fit"

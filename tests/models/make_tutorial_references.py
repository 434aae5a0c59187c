"""Posterior means and sds of the tutorials' models, by NumPyro's NUTS on their NumPyro form.

    python tests/models/make_tutorial_references.py

Writes `tutorial_references.json` beside this file: for every sampled or deterministic quantity its
mean and sd in 4 chains of 5000 draws after 1000 of warm-up, and the chains' greatest R-hat.
"""

from __future__ import annotations

import json
from pathlib import Path

import jax
import numpy as np
import numpyro
from numpyro.diagnostics import split_gelman_rubin
from numpyro.infer import MCMC, NUTS
from tutorials_numpyro import CASES, Case


def reference(case: Case) -> dict[str, object]:
    mcmc = MCMC(
        NUTS(case.function, target_accept_prob=0.95), num_warmup=1000, num_samples=5000,
        num_chains=4, chain_method="sequential", progress_bar=False,
    )  # fmt: skip
    mcmc.run(jax.random.key(0), *case.args, **case.kwargs)
    chains = {name: np.asarray(x) for name, x in mcmc.get_samples(group_by_chain=True).items()}
    chains.pop("theta_base", None)
    flat = {name: x.reshape(-1, *x.shape[2:]) for name, x in chains.items()}
    return {
        "rhat": round(max(float(np.max(split_gelman_rubin(x))) for x in chains.values()), 4),
        "mean": {name: np.round(x.mean(axis=0), 4).tolist() for name, x in flat.items()},
        "sd": {name: np.round(x.std(axis=0), 4).tolist() for name, x in flat.items()},
    }


if __name__ == "__main__":
    numpyro.enable_x64()
    found = {name: reference(case) for name, case in CASES.items()}
    for name, each in found.items():
        each["mean"].pop("estimate", None), each["sd"].pop("estimate", None)
        print(name, each["rhat"])
    target = Path(__file__).with_name("tutorial_references.json")
    target.write_text(json.dumps(found, indent=1) + "\n")

"""Means and standard deviations against long runs of NumPyro's NUTS, on problems of the package.

    python benchmarks/accuracy.py [NAME ...]

Writes `accuracy.json` beside this file and `docs/accuracy.md`. Parameters are those of the
unconstrained scale; differences are in posterior standard deviations as NUTS has them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import numpyro
from numpyro.diagnostics import effective_sample_size, split_gelman_rubin
from numpyro.infer import MCMC, NUTS

import trustvi
from trustvi import problems

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "accuracy.md"
# Posteriors with one mode, near normal once transformed, in which a Gaussian is well specified.
NAMES = (
    "logistic_wells", "linear_interaction", "log_regression_mesquite", "poisson_offset",
    "negative_binomial", "student_regression", "multinomial_logit", "raw_scales", "rats", "radon",
)  # fmt: skip
FAMILIES = ("meanfield", "fullrank")
CHAINS, WARMUP, DRAWS = 4, 1000, 4000


def nuts(problem: problems.Problem) -> dict[str, Any]:
    """Mean and sd of every parameter in a long run, and how far it can be trusted."""
    model = problem.model()
    with jax.enable_x64(True):
        kernel = NUTS(potential_fn=lambda theta: -problem.log_density(theta), dense_mass=True)
        mcmc = MCMC(
            kernel, num_warmup=WARMUP, num_samples=DRAWS, num_chains=CHAINS,
            chain_method="sequential", progress_bar=False,
        )  # fmt: skip
        rng = np.random.default_rng(0)
        start = {
            name: rng.uniform(-0.5, 0.5, (CHAINS, *np.shape(value)))
            for name, value in problem.example.items()
        }
        mcmc.run(jax.random.key(0), init_params=start)
        chains = mcmc.get_samples(group_by_chain=True)
    flat = np.concatenate(
        [np.asarray(chains[leaf.name]).reshape(CHAINS, DRAWS, -1) for leaf in model.leaves], axis=2
    )
    return {
        "mean": flat.mean(axis=(0, 1)).tolist(),
        "sd": flat.std(axis=(0, 1)).tolist(),
        "ess": float(np.min(effective_sample_size(flat))),
        "rhat": float(np.max(split_gelman_rubin(flat))),
    }


def compare(name: str) -> dict[str, Any]:
    """One problem under every family."""
    problem = problems.problem(name)
    truth = nuts(problem)
    mean, sd = np.array(truth["mean"]), np.array(truth["sd"])
    fits = {}
    for family in FAMILIES:
        post = trustvi.fit(problem.model(), family=family, progress=False)
        response = post.linear_response()
        fits[family] = {
            "verdict": post.verdict.value,
            "khat": post.khat.value,
            "oracle_calls": post.oracle_calls,
            "mean_error": float(np.max(np.abs(post.loc - mean) / sd)),
            "sd_ratio": _range(post.scale_diag / sd),
            "response_sd_ratio": _range(response.sd / sd),
            "response": response.sentence,
        }
    return {"dim": problem.dim, "nuts": {key: truth[key] for key in ("ess", "rhat")}, "fits": fits}


def _range(ratios: np.ndarray) -> list[float]:
    return [float(ratios.min()), float(ratios.max())]


EXPLAINED = (
    "## What the table says",
    "",
    "Where mean field's own standard deviations are far too small the posterior is correlated, and "
    "its means may be off as well if the posterior is skewed along those directions; linear "
    "response still finds most standard deviations. The full rank's means are what to rely on "
    "there.",
    "",
    "**Means more than 0.1 sd off** are mean field's own: with `tol=0.002` in place of 0.05, at "
    "four times the oracle calls and more, the greatest differences are still 0.17 "
    "(`student_regression`), 0.24 (`multinomial_logit`) and 0.15 sd (`rats`, `radon`), by "
    "importance sampling with 200,000 draws of the full-rank fit. They are those of "
    "scales and of correlated coefficients. The default tolerance adds to them: 0.05 nats may "
    "leave one direction up to sqrt(2 * 0.05) = 0.3 sds of the approximation from its optimum. "
    "That is why full rank has 0.1 for `radon`, and 0.05 to 0.07 with the smaller tolerance.",
    "",
    "**Linear response more than 10% off** happens twice, at one parameter each: `log_nu`, the "
    "degrees of freedom of `student_regression` (mean field: 18% too large), and `log_sigma_a`, "
    "the spread of the counties of `radon` (full rank: 19% too large). It isn't noise, nor an "
    "optimum missed: 16 times the draws, and a 25th of the tolerance, change either by a point at "
    "most. Linear response is exact where the posterior is Gaussian, and neither the posterior of "
    "such a scale is, nor is what depends on it linear in it. Importance weights on 4000 draws "
    "don't mend it: they make the sd of `log_nu` 19% too small, and the means of `radon` up to "
    "0.24 sd wrong. For `log_nu` full rank does (1.01); otherwise start NUTS from the fit.",
    "",
    "## The table",
    "",
)


def page(results: dict[str, Any]) -> str:
    """The table of the documentation."""
    lines = [
        "# Accuracy",
        "",
        f"Fits of {len(results)} problems of the package beside long runs of NumPyro's NUTS "
        f"({CHAINS} chains of {DRAWS} draws). *Mean* is the greatest difference of means, in "
        "posterior standard deviations; *sd* and *response* are the smallest and the greatest "
        "ratio of standard deviations, those of the family and those of linear response, to "
        "NUTS's. All parameters are on the unconstrained scale.",
        "",
        *EXPLAINED,
        "| problem | dim | family | verdict | k-hat | mean | sd | response | NUTS's ESS |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, result in results.items():
        for family, fit in result["fits"].items():
            ratios = (f"{low:.2f} to {high:.2f}" for low, high in
                      (fit["sd_ratio"], fit["response_sd_ratio"]))  # fmt: skip
            cells = (
                name, result["dim"], family, fit["verdict"], f"{fit['khat']:.2f}",
                f"{fit['mean_error']:.2f}", *ratios, f"{result['nuts']['ess']:.0f}",
            )  # fmt: skip
            lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += ["", "Made by `benchmarks/accuracy.py`; numbers in `benchmarks/accuracy.json`.", ""]
    return "\n".join(lines)


def main(names: tuple[str, ...]) -> None:
    numpyro.set_platform("cpu")
    file = HERE / "accuracy.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    for name in names:
        results[name] = compare(name)
        print(name, json.dumps(results[name]["fits"], indent=1), flush=True)
        file.write_text(json.dumps(results, indent=1) + "\n")
        PAGE.write_text(page(results))


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or NAMES)

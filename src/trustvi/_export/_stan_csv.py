"""Stan CSV as CmdStan's `variational` writes it, for cmdstanpy, cmdstanr and posterior."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from trustvi._errors import InputError
from trustvi._export._columns import columns

if TYPE_CHECKING:
    from trustvi._posterior import Posterior

METHOD_COLUMNS = ("lp__", "log_p__", "log_g__")


def stan_table(
    post: Posterior, n: int, *, seed: int
) -> tuple[list[str], Float[np.ndarray, "rows columns"]]:
    """Stan's columns; the constrained mean after three zeros, then draws with lp__ = 0.

    `log_p__` and `log_g__` are the log densities of posterior and approximation at the draw.
    Unlike Stan's, log_g__ is normalised.
    """
    names, values = columns(post.draws(n, seed=seed), "F")
    _, center = columns(post.at_mean(), "F")
    _refuse_arrays_of_tuples(post.known_model(), names)
    density = post.log_densities(n, seed=seed)
    stats = np.stack([np.zeros(n), density.lp, density.lp_approx], axis=1)
    return [*METHOD_COLUMNS, *names], np.block([[np.zeros((1, 3)), center], [stats, values]])


def write_stan_csv(post: Posterior, path: str | Path, n: int, *, seed: int, sig_figs: int) -> None:
    """The table between comments in CmdStan's form."""
    if not 1 <= sig_figs <= 18:
        raise InputError(f"sig_figs must be from 1 to 18; got {sig_figs}")
    names, rows = stan_table(post, n, seed=seed)
    with open(path, "w", encoding="utf-8") as file:
        file.write(_settings(post, n))
        file.write(",".join(names) + "\n")
        file.write("# Stepsize adaptation complete.\n# eta = 1\n")
        np.savetxt(file, rows, fmt=f"%.{sig_figs}g", delimiter=",")
        seconds = post.seconds.compile + post.seconds.run
        file.write(f"# \n#  Elapsed Time: {seconds:.3g} seconds (compiling included)\n")


def _settings(post: Posterior, n: int) -> str:
    """Comments in CmdStan's form. What only ADVI has is there because readers ask for it."""
    run = post.run
    last = post.path[-1] if post.path else None
    draws = max(1, last.gradient_draws) if last else 1
    # Readers know two algorithms only; the family's own name is in the line "written by".
    algorithm = "meanfield" if run["family"] == "meanfield" else "fullrank"
    settings = [
        f"model = {run['model']}_model",
        "method = variational",
        "  variational",
        f"    algorithm = {algorithm}",
        f"      {algorithm}",
        f"    iter = {max(1, last.iteration if last else 1)}",
        f"    grad_samples = {draws}",
        f"    elbo_samples = {max(1, last.judge_draws) if last else 1}",
        "    eta = 1",
        f"    tol_rel_obj = {run['tol']:g}",
        "    eval_elbo = 1",
        f"    output_samples = {n}",
        "id = 1",
        "random",
        f"  seed = {run['seed']}",
        f"written by trustvi {run['family']} {run['method']} {run['preset']}",
        f"verdict {post.verdict.value}; ELBO {post.elbo}; Pareto k-hat {post.khat}",
    ]
    return "".join(f"# {line}\n" for line in settings)


def _refuse_arrays_of_tuples(model: object, names: list[str]) -> None:
    """Their columns interleave in Stan's files, and draws by name no longer say how."""
    if hasattr(model, "param_names"):
        expected = model.param_names(include_tp=True, include_gq=True)  # pyright: ignore
        if list(expected) != names:
            raise InputError("a program with arrays of tuples can't be written as Stan CSV")

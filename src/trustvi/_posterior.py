"""Posterior: what a fit gives back, an exact function of its inputs and seed."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

import jax
import numpy as np
from jaxtyping import Float

from trustvi import _checkpoint, _export
from trustvi._cmdstan_names import CmdStanNames
from trustvi._errors import DiagnosticError, DiagnosticWarning, InputError
from trustvi._pictures import Pictures
from trustvi._response import LinearResponse, family_covariance, linear_response
from trustvi._summary import KHAT, LR_SD, Summary, summarize
from trustvi.diagnostics import (
    Agreement,
    KHat,
    Outcome,
    Solved,
    Verdict,
    agreement,
    khat_each,
    resample,
    smooth,
)
from trustvi.families import Family
from trustvi.models import Model, Staged
from trustvi.objective import DrawDensity, compile_all
from trustvi.optimize import Info

SUMMARY_DRAWS, LEAST_SUMMARY_DRAWS = 4000, 400
# Numbers that a summary's draws may hold, before it takes fewer: 160 MB.
SUMMARY_NUMBERS = 2e7
# Sets the draws that k-hat rests on apart from those of any seed that a user may give.
CHECK_SEED = 2**32
# Candidates for each draw of importance resampling.
CANDIDATES = 4


class Elbo(NamedTuple):
    """ELBO in nats with its own sign, constants kept, and its Monte-Carlo standard error."""

    value: float
    mcse: float

    def __str__(self) -> str:
        return f"{self.value:{'.2f' if abs(self.value) < 1e9 else '.6g'}} ± {self.mcse:.2g}"


class Seconds(NamedTuple):
    """Wall time: tracing and compiling, then running."""

    compile: float
    run: float


class LogDensities(NamedTuple):
    """Log densities of draws on the unconstrained scale: of the posterior, of the approximation."""

    lp: Float[np.ndarray, " draws"]
    lp_approx: Float[np.ndarray, " draws"]


def sample(q: Family, n: int, *seeds: int) -> Float[np.ndarray, "dim n"]:
    """`n` independent draws from `q`."""
    rng = np.random.default_rng(seeds)
    return q.sample(rng.standard_normal((n, q.base_dim)).T)


@dataclass(frozen=True, repr=False)
class Posterior(CmdStanNames, Pictures):
    """A Gaussian approximation on the unconstrained scale, with its verdict and its history."""

    model: Model | None = field(compare=False)
    """The model; None after `load` without it."""
    q: Family
    """The approximation itself."""
    verdict: Verdict
    """How the fit ended; `verdict.sentence` says it."""
    elbo: Elbo
    """ELBO on fresh draws, with its Monte-Carlo standard error."""
    oracle_calls: float
    """What the fit cost, as the paper counts: a gradient on 256 draws is one."""
    path: tuple[Info, ...]
    """A record of each iteration."""
    run: dict[str, Any]
    """The settings of the fit."""
    seconds: Seconds
    """Wall time, to compile and to run."""
    iterates: tuple[tuple[float, np.ndarray, np.ndarray], ...] = ()
    """(oracle calls, loc, scale) of every iteration, if the fit was asked to keep them."""
    checked_lp: Float[np.ndarray, " draws"] = field(default_factory=lambda: np.zeros(0))
    """Log densities of the posterior at the draws that k-hat rests on."""
    loc_mcse: Float[np.ndarray, " dim"] = field(default_factory=lambda: np.zeros(0))
    """Monte-Carlo standard errors of `loc`, of a method that estimates them (dadvi)."""
    log_scale_mcse: Float[np.ndarray, " dim"] = field(default_factory=lambda: np.zeros(0))
    """The same of the logarithms of `scale_diag`."""
    starts: tuple[Outcome, ...] = ()
    """How each start ended, if the fit had several."""
    density: DrawDensity | None = field(default=None, compare=False)
    """The model's density, compiled, if the fit left one."""

    @property
    def loc(self) -> Float[np.ndarray, " dim"]:
        """Means of the approximation, on the unconstrained scale."""
        return self.q.loc

    @property
    def scale_diag(self) -> Float[np.ndarray, " dim"]:
        """Marginal standard deviations of the approximation, on the unconstrained scale."""
        return self.q.scale

    def covariance(
        self, kind: str = "family", of: str | Sequence[str] | None = None, *, seed: int = 0
    ) -> Float[np.ndarray, "k k"]:
        """The covariance of the unconstrained parameters, or of the quantities named by `of`.

        `kind` is "family", the approximation's own, or "linear_response", which also sees the
        correlations that the family can't hold. The latter warns where it is imprecise and raises
        DiagnosticError where it doesn't exist; `linear_response` says more.
        """
        if kind == "family":
            return self.q.covariance() if of is None else family_covariance(self, of, seed)
        if kind != "linear_response":
            raise InputError(f"kind {kind!r} is unknown; there is family, linear_response")
        found = self.linear_response(of, seed=seed)
        if found.outcome not in (Solved.SOLVED, Solved.LIMIT):
            raise DiagnosticError(found.sentence)
        if not found.good:
            warnings.warn(found.sentence, DiagnosticWarning, stacklevel=2)
        return found.covariance

    def linear_response(
        self, of: str | Sequence[str] | None = None, *, draws: int | None = None, seed: int = 0
    ) -> LinearResponse:
        """Covariances from how the optimum answers to tilts of the density (Giordano et al. 2018).

        Of all unconstrained parameters, or of the quantities named by `of`, generated ones
        included, with Monte-Carlo errors and a sentence. `draws` (a multiple of 16) makes the
        Hessian; without it they are as many as a precision of 1% takes, at most 4096.
        """
        with jax.enable_x64(True):
            return linear_response(self, of, draws, seed)

    @property
    def converged(self) -> bool:
        """Whether the verdict is good."""
        return self.verdict.good

    def __repr__(self) -> str:
        return (
            f"Posterior({self.run['model']}, {self.run['family']}, dim {self.loc.size}: "
            f"{self.verdict.value}, ELBO {self.elbo}, k-hat {self.khat}, "
            f"{self.oracle_calls:.2f} oracle calls)"
        )

    def attributes(self) -> dict[str, Any]:
        """What there is to say of the fit, as plain numbers and texts."""
        return {
            "inference_library": "trustvi", "model": self.run["model"],
            "family": self.run["family"], "method": self.run["method"],
            "preset": self.run["preset"], "seed": self.run["seed"],
            "verdict": self.verdict.value, "verdict_sentence": self.verdict.sentence,
            "elbo": self.elbo.value, "elbo_mcse": self.elbo.mcse, "khat": self.khat.value,
            "khat_threshold": self.khat.threshold, "oracle_calls": self.oracle_calls,
            "seconds_to_compile": self.seconds.compile, "seconds_to_run": self.seconds.run,
        }  # fmt: skip

    # ------------------------------------------------------------------ diagnostics

    @cached_property
    def khat(self) -> KHat:
        """Whether importance sampling can correct the approximation (Vehtari et al. 2024)."""
        count = self.checked_lp.size
        return KHat(smooth(self._checked_ratios()).khat if count else math.nan, count)

    def _checked_ratios(self) -> Float[np.ndarray, " draws"]:
        return self.checked_lp - self.q.log_density(self._checked_draws())

    def _checked_draws(self) -> Float[np.ndarray, "dim draws"]:
        return sample(self.q, self.checked_lp.size, self.run["seed"], CHECK_SEED)

    @property
    def agreement(self) -> Agreement | None:
        """Whether several starts found the same, if the fit had several."""
        if not self.starts:
            return None
        best = self.starts[0]._replace(loc=self.loc, scale=self.scale_diag)
        return agreement(self.starts, best, self.run["tol"])

    def log_densities(self, n: int = 1000, *, seed: int = 0) -> LogDensities:
        """log p and log q of the draws that `draws` gives for the same `n` and `seed`."""
        return self._log_densities(self.draws_unconstrained(n, seed=seed))

    def _log_densities(self, z: Float[np.ndarray, "dim draws"]) -> LogDensities:
        with jax.enable_x64(True):
            return LogDensities(self._compiled_density(z), self.q.log_density(z))

    @cached_property
    def _compiled_density(self) -> DrawDensity:
        if self.density is not None:
            return self.density
        density = DrawDensity(self.known_model())
        compile_all([density])
        return density

    # ------------------------------------------------------------------ draws

    def known_model(self) -> Model:
        """The model, or an error that says how to have it."""
        if self.model is None:
            raise InputError(
                "this posterior was loaded without its model; use load(path, model=...)"
            )
        return self.model

    def draws_unconstrained(self, n: int = 1000, *, seed: int = 0) -> Float[np.ndarray, "dim n"]:
        """Independent draws from the approximation, on the unconstrained scale."""
        if n < 1:
            raise InputError(f"n must be at least 1; got {n}")
        return sample(self.q, n, self.run["seed"], seed)

    def draws(self, n: int = 1000, *, seed: int = 0) -> dict[str, np.ndarray]:
        """Draws by name on the model's own scale, each with the draws on its first axis.

        Transformed parameters and generated quantities are among them.
        """
        return self.constrained(self.draws_unconstrained(n, seed=seed), seed)

    def psis_draws(
        self, n: int = 1000, *, candidates: int | None = None, seed: int = 0
    ) -> dict[str, np.ndarray]:
        """Draws closer to the posterior: importance resampling with Pareto-smoothed weights.

        Each comes from `candidates` (four times `n` by default) draws of the approximation, some
        of which are taken more than once. Where k-hat is too large for that to help, it warns.
        """
        count = CANDIDATES * n if candidates is None else candidates
        if count < n:
            raise InputError(f"candidates must be at least n = {n}; got {count}")
        z = self.draws_unconstrained(count, seed=seed)
        density = self._log_densities(z)
        smoothed = smooth(density.lp - density.lp_approx)
        khat = KHat(smoothed.khat, count)
        if not khat.good:
            warnings.warn(khat.sentence, DiagnosticWarning, stacklevel=2)
        chosen = resample(smoothed.log_weights, n, np.random.default_rng([seed, count]))
        return self.constrained(np.ascontiguousarray(z[:, chosen]), seed)

    def constrained(
        self, z: Float[np.ndarray, "dim n"], seed: int, transformed: bool = True,
        generated: bool = True,
    ) -> dict[str, np.ndarray]:  # fmt: skip
        model = self.known_model()
        with jax.enable_x64(True):
            if isinstance(model, Staged):
                staged = cast(Staged, model)
                return dict(staged.constrain_draws(z, transformed, generated, seed=seed))
            return dict(model.constrain_draws(z, seed=seed))

    def at_mean(self) -> dict[str, np.ndarray]:
        """All quantities at the approximation's mean, with one draw on the first axis."""
        return self.constrained(self.loc[:, None], 0)

    def stan_variable(
        self, name: str, n: int = 1000, *, mean: bool = False, seed: int = 0
    ) -> np.ndarray:
        """Draws of one quantity, or with `mean` their mean."""
        draws = self.draws(n, seed=seed)
        if name not in draws:
            raise InputError(f"the model has no quantity {name!r}; it has {', '.join(draws)}")
        return draws[name].mean(axis=0) if mean else draws[name]

    # ------------------------------------------------------------------ summaries and exports

    def summary(
        self, draws: int | None = None, *, seed: int = 0, transformed: bool = True,
        generated: bool = True, linear_response: bool = False,
    ) -> Summary:  # fmt: skip
        """Mean, sd, quantiles and k-hat of every quantity on the model's own scale.

        With `linear_response` there is a column of its standard deviations, too.

        `draws` is 4000 by default, fewer where the model has thousands of parameters. Without
        transformed parameters or generated quantities there is less to compile and to read.
        """
        if draws is None:
            affordable = int(SUMMARY_NUMBERS / self.loc.size)
            draws = min(SUMMARY_DRAWS, max(LEAST_SUMMARY_DRAWS, affordable))
        parts = transformed, generated
        drawn = self.constrained(self.draws_unconstrained(draws, seed=seed), seed, *parts)
        table = summarize(drawn)
        if linear_response:
            sd = np.sqrt(np.diag(self.covariance("linear_response", list(drawn), seed=seed)))
            table = table.with_column(LR_SD, sd)
        if not self.checked_lp.size:
            return table
        _, checked = _export.columns(self.constrained(self._checked_draws(), 0, *parts), "C")
        return table.with_column(KHAT, khat_each(checked, self._checked_ratios()))

    def to_dataframe(self, draws: int = 1000, *, seed: int = 0) -> Any:
        """The draws as a pandas DataFrame, a column for each real number, as Stan names it."""
        return _export.to_dataframe(self.draws(draws, seed=seed))

    def to_xarray(
        self, draws: int = 1000, *, seed: int = 0,
        coords: Mapping[str, Sequence[Any]] | None = None,
        dims: Mapping[str, Sequence[str]] | None = None,
    ) -> Any:  # fmt: skip
        """The draws as an `xarray.Dataset` with dimensions (chain, draw, ...).

        `dims[name]` names the axes of a quantity, `coords[dim]` the positions along one.
        """
        named = _export.merged_labels(self.known_model(), coords, dims)
        return _export.to_dataset(self.draws(draws, seed=seed), named, self.attributes())

    def to_arviz(
        self,
        draws: int = 1000,
        *,
        seed: int = 0,
        log_likelihood: str | Sequence[str] = "log_lik",
        posterior_predictive: str | Sequence[str] = (),
        coords: Mapping[str, Sequence[Any]] | None = None,
        dims: Mapping[str, Sequence[str]] | None = None,
    ) -> Any:
        """What ArviZ works on: `InferenceData` in ArviZ 0.x, `DataTree` in 1.x.

        Groups: posterior, sample_stats (lp, lp_approx), unconstrained_posterior, fit (mean vector
        and covariance), optimizer_result (the path), and log_likelihood, posterior_predictive and
        observed_data where the model has them. Quantities of a Stan program belong to the first
        two of these by name. `coords` and `dims` are as in `to_xarray`.
        """
        return _export.to_arviz(
            self, draws, seed=seed, log_likelihood=log_likelihood,
            posterior_predictive=posterior_predictive,
            named=_export.merged_labels(self.known_model(), coords, dims),
        )  # fmt: skip

    def to_stan_csv(
        self, path: str | Path, draws: int = 1000, *, seed: int = 0, sig_figs: int = 8
    ) -> None:
        """Write draws as CmdStan's `variational` does; cmdstanpy's `from_csv` reads them."""
        _export.write_stan_csv(self, path, draws, seed=seed, sig_figs=sig_figs)

    def to_diagnostic_csv(self, path: str | Path, *, all_columns: bool = False) -> None:
        """Write the path as CmdStan's diagnostic file, or all that is known of each iteration."""
        _export.write_path(self, path, all_columns=all_columns)

    def create_inits(
        self, chains: int = 4, *, seed: int = 0
    ) -> list[dict[str, np.ndarray]] | dict[str, np.ndarray]:
        """Draws of the parameters as starting points for MCMC: one a chain, no list for one."""
        draws = _export.parameters_only(self.known_model(), self.draws(chains, seed=seed))
        inits = [{name: value[chain] for name, value in draws.items()} for chain in range(chains)]
        return inits[0] if chains == 1 else inits

    def inv_metric(self, *, dense: bool = False) -> np.ndarray:
        """The inverse metric that suits the posterior, for HMC and NUTS on the unconstrained scale:
        variances, or with `dense` the covariance."""
        return self.covariance() if dense else self.scale_diag**2

    def save(self, path: str | Path) -> None:
        """Write everything but the model to one file; `trustvi.load` reads it."""
        _checkpoint.write(
            path,
            {
                "q": self.q, "verdict": self.verdict.name,
                "elbo": tuple(self.elbo), "oracle_calls": self.oracle_calls, "path": self.path,
                "run": {"map": self.run}, "seconds": tuple(self.seconds), "iterates": self.iterates,
                "checked_lp": self.checked_lp,
                "loc_mcse": self.loc_mcse, "log_scale_mcse": self.log_scale_mcse,
                "starts": [tuple(each) for each in self.starts],
            },
        )  # fmt: skip


def load(path: str | Path, model: Model | None = None) -> Posterior:
    """The posterior saved at `path`. With its `model`, it can make draws again."""
    saved = _checkpoint.read(path, "posterior")
    run = saved["run"]["map"]
    if model is not None and model.param_unc_num() != run["dim"]:
        raise InputError(
            f"model has {model.param_unc_num()} unconstrained parameters; "
            f"the posterior has {run['dim']}"
        )
    try:
        return _restored(saved, run, model)
    except (KeyError, TypeError) as error:
        raise InputError(f"posterior {path} was written by another version of trustvi") from error


def _restored(saved: dict[str, Any], run: dict[str, Any], model: Model | None) -> Posterior:
    return Posterior(
        model=model,
        q=saved["q"],
        verdict=Verdict[saved["verdict"]],
        elbo=Elbo(*(math.nan if part is None else part for part in saved["elbo"])),
        oracle_calls=saved["oracle_calls"],
        path=saved["path"],
        run=run,
        seconds=Seconds(*saved["seconds"]),
        iterates=saved["iterates"],
        checked_lp=saved["checked_lp"],
        loc_mcse=saved["loc_mcse"],
        log_scale_mcse=saved["log_scale_mcse"],
        starts=tuple(Outcome(*each) for each in saved["starts"]),
    )

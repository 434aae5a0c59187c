"""Posterior: what a fit gives back, an exact function of its inputs and seed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from trustvi import _checkpoint
from trustvi._errors import InputError
from trustvi._summary import Summary, summarize
from trustvi.diagnostics import Verdict
from trustvi.families import Family
from trustvi.models import Model
from trustvi.optimize import Info

SUMMARY_DRAWS = 4000


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


@dataclass(frozen=True, repr=False)
class Posterior:
    """A Gaussian approximation on the unconstrained scale, with its verdict and its history."""

    model: Model | None = field(compare=False)
    q: Family
    verdict: Verdict
    elbo: Elbo
    oracle_calls: float
    path: tuple[Info, ...]
    run: dict[str, Any]
    seconds: Seconds
    iterates: tuple[tuple[float, np.ndarray, np.ndarray], ...] = ()
    """(oracle calls, loc, scale) of every iteration, if the fit was asked to keep them."""

    @property
    def loc(self) -> Float[np.ndarray, " dim"]:
        """Means of the approximation, on the unconstrained scale."""
        return self.q.loc

    @property
    def scale_diag(self) -> Float[np.ndarray, " dim"]:
        """Marginal standard deviations of the approximation, on the unconstrained scale."""
        return self.q.scale

    def covariance(self) -> Float[np.ndarray, "dim dim"]:
        """The covariance of the approximation, on the unconstrained scale."""
        return self.q.covariance()

    @property
    def converged(self) -> bool:
        """Whether the verdict is good."""
        return self.verdict.good

    def __repr__(self) -> str:
        return (
            f"Posterior({self.run['model']}, {self.run['family']}, dim {self.loc.size}: "
            f"{self.verdict.value}, ELBO {self.elbo}, {self.oracle_calls:.2f} oracle calls)"
        )

    def draws_unconstrained(self, n: int = 1000, *, seed: int = 0) -> Float[np.ndarray, "dim n"]:
        """Independent draws from the approximation, on the unconstrained scale."""
        if n < 1:
            raise InputError(f"n must be at least 1; got {n}")
        rng = np.random.default_rng([self.run["seed"], seed])
        return self.q.sample(rng.standard_normal((n, self.q.base_dim)).T)

    def draws(self, n: int = 1000, *, seed: int = 0) -> dict[str, np.ndarray]:
        """Draws by name on the model's own scale, each with the draws on its first axis."""
        if self.model is None:
            raise InputError(
                "this posterior was loaded without its model; use load(path, model=...)"
            )
        with jax.enable_x64(True):
            return dict(
                self.model.constrain_draws(self.draws_unconstrained(n, seed=seed), seed=seed)
            )

    def summary(self, draws: int = SUMMARY_DRAWS, *, seed: int = 0) -> Summary:
        """Mean, sd and quantiles of every quantity on the model's own scale."""
        return summarize(self.draws(draws, seed=seed))

    def to_arviz(self, draws: int = 1000, *, seed: int = 0) -> Any:
        """The draws as ArviZ has them: `InferenceData` in ArviZ 0.x, `DataTree` in 1.x."""
        try:
            import arviz  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            raise InputError("to_arviz needs ArviZ: pip install arviz") from error
        posterior = {name: value[None] for name, value in self.draws(draws, seed=seed).items()}
        if int(arviz.__version__.split(".")[0]) >= 1:
            return arviz.from_dict({"posterior": posterior})
        return arviz.from_dict(posterior=posterior)

    def save(self, path: str | Path) -> None:
        """Write everything but the model to one file; `trustvi.load` reads it."""
        _checkpoint.write(
            path,
            {
                "q": self.q, "verdict": self.verdict.name,
                "elbo": tuple(self.elbo), "oracle_calls": self.oracle_calls, "path": self.path,
                "run": {"map": self.run}, "seconds": tuple(self.seconds), "iterates": self.iterates,
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
    )

"""What the engine's tests share: targets with known answers, and fits on engines compiled once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi import from_function
from trustvi.families import Family, MeanField
from trustvi.models import FunctionModel
from trustvi.objective import Control, compile_all
from trustvi.optimize import Method, Progress, choose_preset, drive


@dataclass(frozen=True)
class Gaussian:
    """A normal target, whose ELBO and best approximation are known in closed form."""

    mean: np.ndarray
    precision: np.ndarray
    root: np.ndarray
    """precision = root' root, and the log density is -|root (z - mean)|^2 / 2."""

    @property
    def dim(self) -> int:
        return self.mean.size

    @property
    def scale(self) -> np.ndarray:
        """The best scales, 1 / sqrt(diag(precision))."""
        return 1 / np.sqrt(np.diag(self.precision))

    @property
    def sd(self) -> np.ndarray:
        """The target's own standard deviations."""
        inverse = np.linalg.inv(self.root)
        return np.sqrt(np.sum(inverse**2, axis=1))

    def model(self) -> FunctionModel:
        root, mean = self.root, self.mean
        return from_function(
            lambda z: -0.5 * jnp.sum((root @ (z - mean[:, None])) ** 2, axis=0),
            np.zeros(self.dim), batched=True, name="gaussian",
        )  # fmt: skip

    def elbo(self, q: MeanField) -> float:
        """E_q[log p] + H(q)."""
        away = self.root @ (q.loc - self.mean)
        return float(-0.5 * away @ away - 0.5 * q.scale**2 @ np.diag(self.precision)) + q.entropy()

    def errors(self, q: Family) -> tuple[float, float]:
        """The worst mean's error, in the target's sds, and the worst scale's, relative."""
        means = np.abs(q.loc - self.mean) / self.sd
        return float(means.max()), float(np.abs(q.scale / self.scale - 1).max())

    def best(self) -> MeanField:
        return MeanField(self.mean, np.log(self.scale))


def gaussian(dim: int, *, condition: float = 1.0, decades: float = 0.0, seed: int = 0) -> Gaussian:
    """A random rotation of eigenvalues over `condition`, its axes scaled over 2 * `decades`.

    The root of the precision is kept beside it, made without squaring the condition number.
    """
    rng = np.random.default_rng([dim, seed])
    basis = np.linalg.qr(rng.normal(size=(dim, dim)))[0]
    values = np.geomspace(1 / np.sqrt(condition), np.sqrt(condition), dim)
    units = rng.permutation(np.logspace(-decades, decades, dim))
    root = np.sqrt(values)[:, None] * basis.T / units
    return Gaussian(units * rng.normal(size=dim), root.T @ root, root)


def no_control(dim: int, columns: int = 0) -> Control:
    return Control.none(MeanField(np.zeros(dim), np.zeros(dim)).frame, columns)


def engine(model: Any, preset: str = "default", *, tol: float = 0.05, **options: Any) -> Method:
    """A compiled method over `model`, for as many fits as are wanted."""
    chosen = choose_preset("trustvi", preset, options)
    with jax.enable_x64(True):
        method = chosen.make(model, chosen.config, tol=tol)
        compile_all(method.parts)
    return method


def retarget(method: Method, target: Gaussian) -> None:
    """Put other data into a method that was compiled for a Gaussian of this dimension."""
    with jax.enable_x64(True):
        data: Any = jax.device_put((target.mean[:, None], target.root))
    for part in method.parts:
        part._consts = data  # pyright: ignore[reportAttributeAccessIssue]


def run(method: Method, seed: int, *, start: Any = None, budget: float = 2000.0) -> Progress:
    """One fit of a compiled method, without the final ELBO."""
    with jax.enable_x64(True), np.errstate(all="ignore"):
        state, info, verdict = method.init(start, seed)
        first = Progress(state, (info,), verdict)
        return drive(method, first, max_oracle_calls=budget, observe=lambda _: None)

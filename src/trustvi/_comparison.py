"""Fits side by side: how each ended, by how much their ELBOs differ, where their answers differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float

from trustvi._errors import InputError
from trustvi._summary import Summary

if TYPE_CHECKING:
    from trustvi._posterior import Posterior

# Standard errors by which two ELBOs must differ to be told apart.
ERRORS = 2.0
FACTS = ("family", "method", "verdict", "ELBO", "± error", "behind", "k-hat", "oracle calls",
         "seconds")  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """Several fits: `facts[i]` of the fit `names[i]`; means and sds of quantities that all have."""

    names: tuple[str, ...]
    facts: tuple[tuple[str | float, ...], ...]
    sentences: tuple[str, ...]
    quantities: tuple[str, ...]
    means: Float[np.ndarray, "fits quantities"]
    sds: Float[np.ndarray, "fits quantities"]

    @property
    def away(self) -> Float[np.ndarray, " quantities"]:
        """The greatest distance of a mean from the first fit's, in the first fit's sds."""
        scale = np.where(self.sds[0] > 0, self.sds[0], 1.0)
        return np.abs((self.means - self.means[0]) / scale).max(axis=0)

    def to_dict(self) -> dict[str, Any]:
        fits = {
            name: dict(zip(FACTS, row, strict=True))
            for name, row in zip(self.names, self.facts, strict=True)
        }
        rows = {
            quantity: {
                name: {"mean": float(self.means[fit, i]), "sd": float(self.sds[fit, i])}
                for fit, name in enumerate(self.names)
            }
            for i, quantity in enumerate(self.quantities)
        }
        return {"fits": fits, "sentences": list(self.sentences), "quantities": rows}


def compare(posts: Mapping[str, Posterior], *, seed: int = 0) -> Comparison:
    """Fits by name, each beside the first: ELBOs, diagnostics, costs, means and sds."""
    if len(posts) < 2:
        raise InputError(f"compare needs two fits at least; got {len(posts)}")
    names, fits = tuple(posts), list(posts.values())
    summaries = [post.summary(seed=seed, generated=False) for post in fits]
    common = [name for name in summaries[0].names if all(name in s.names for s in summaries)]
    means, sds = (_column(summaries, common, column) for column in ("mean", "sd"))
    best = max(range(len(fits)), key=lambda i: _ranked(fits[i]))
    found = Comparison(
        names, tuple(_facts(post, fits[best]) for post in fits), (), tuple(common), means, sds
    )
    sentences = (_on_elbos(posts, names[best]), *_on_means(found))
    return Comparison(names, found.facts, sentences, found.quantities, means, sds)


def _column(summaries: list[Summary], names: list[str], column: str) -> np.ndarray:
    at = [[s.names.index(name) for name in names] for s in summaries]
    return np.stack(
        [s.values[rows, s.columns.index(column)] for s, rows in zip(summaries, at, strict=True)]
    )


def _ranked(post: Posterior) -> float:
    return post.elbo.value if math.isfinite(post.elbo.value) else -math.inf


def _facts(post: Posterior, best: Posterior) -> tuple[str | float, ...]:
    method = post.run["method"]
    preset = post.run["preset"]
    return (
        post.run["family"],
        method if preset == "default" else f"{method} {preset}",
        post.verdict.value,
        post.elbo.value,
        post.elbo.mcse,
        best.elbo.value - post.elbo.value,
        post.khat.value,
        post.oracle_calls,
        post.seconds.compile + post.seconds.run,
    )


def _on_elbos(posts: Mapping[str, Posterior], best: str) -> str:
    if len({(post.run["model"], post.run["dim"]) for post in posts.values()}) > 1:
        return "The fits are of different models: their ELBOs bound different evidences."
    ahead = posts[best]
    near = [
        name
        for name, post in posts.items()
        if ahead.elbo.value - post.elbo.value
        <= ERRORS * math.hypot(ahead.elbo.mcse, post.elbo.mcse) + ahead.run["tol"]
    ]
    if len(near) == len(posts):
        return "The ELBOs are equal but for their errors and tolerances."
    equal = [name for name in near if name != best]
    beside = f" (equal within errors: {', '.join(equal)})" if equal else ""
    return f"{best} has the greatest ELBO{beside}."


def _on_means(found: Comparison) -> list[str]:
    if not found.quantities:
        return ["The fits have no quantity in common."]
    away, ratios = found.away, np.abs(np.log(found.sds / found.sds[0])).max(axis=0)
    sentence = (
        f"Means are within {away.max():.2g} sd of those of {found.names[0]} "
        f"(farthest: {found.quantities[int(away.argmax())]})"
    )
    if np.isfinite(ratios).any():
        most = int(np.nanargmax(np.where(np.isfinite(ratios), ratios, np.nan)))
        factor = math.exp(ratios[most])
        sentence += f", sds within a factor of {factor:.3g} ({found.quantities[most]})"
    return [sentence + "."]

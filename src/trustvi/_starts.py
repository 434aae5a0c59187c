"""Several starts of one fit: their seeds, their files, the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from trustvi._posterior import Posterior, Seconds
from trustvi.diagnostics import Outcome, best_of


def seed_of(seed: int, start: int) -> int:
    """The first start has the seed itself, the others seeds derived from it."""
    if start == 0:
        return seed
    return int(np.random.SeedSequence([seed, start]).generate_state(1)[0])


def file_of(path: str | Path | None, start: int) -> Path | None:
    """Where a start keeps its checkpoint: at `path` itself, at `path`.1, ..."""
    if path is None:
        return None
    return Path(path) if start == 0 else Path(f"{path}.{start}")


def keep_best(posts: Sequence[Posterior], seeds: Sequence[int], tol: float) -> Posterior:
    """The best posterior, with what became of all starts and what they cost together."""
    outcomes = tuple(
        Outcome(
            seed, p.verdict.value, p.elbo.value, p.elbo.mcse, p.oracle_calls, p.loc, p.scale_diag
        )
        for seed, p in zip(seeds, posts, strict=True)
    )
    best = posts[best_of(outcomes, tol, [p.converged for p in posts])]
    return replace(
        best,
        starts=outcomes if len(posts) > 1 else (),
        oracle_calls=sum(p.oracle_calls for p in posts),
        seconds=Seconds(best.seconds.compile, sum(p.seconds.run for p in posts)),
    )

"""Several starts of one fit: their seeds, their files, their threads, the best of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np

from trustvi._posterior import Posterior, Seconds
from trustvi.diagnostics import Outcome, best_of

# Some systems can't wake a thread that waits for others when Ctrl-C comes.
LOOK_SECONDS = 0.1


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


def side_by_side(starts: Sequence[Callable[[], Posterior]], stop: Event) -> dict[int, Posterior]:
    """What became of each start, in as many threads as there are cores.

    The starts share what was compiled, and XLA leaves Python's lock while it computes. Ctrl-C
    reaches the main thread alone: it sets `stop`, at which the starts that run end by a
    KeyboardInterrupt of their own, and the others are left out.
    """
    if len(starts) == 1:
        return {0: starts[0]()}
    found: dict[int, Posterior] = {}

    def keep(number: int) -> None:
        found[number] = starts[number]()

    with ThreadPoolExecutor(min(len(starts), os.cpu_count() or 1), "trustvi-start") as pool:
        futures: list[Future[None]] = []
        try:
            for number in range(len(starts)):
                futures.append(pool.submit(keep, number))
            while not _settled(futures):
                wait(futures, timeout=LOOK_SECONDS, return_when=FIRST_EXCEPTION)
        except KeyboardInterrupt:
            stop.set()
        if stop.is_set() or not all(future.done() for future in futures):
            stop.set()
            pool.shutdown(cancel_futures=True)
    for future in futures:
        if not future.cancelled() and not isinstance(future.exception(), KeyboardInterrupt):
            future.result()
    # A start that was stopped before its first iteration has nothing to tell.
    if not found:
        raise KeyboardInterrupt
    return dict(sorted(found.items()))


def _settled(futures: Sequence[Future[None]]) -> bool:
    """Whether all have ended, or one with an error."""
    done = [future for future in futures if future.done()]
    return len(done) == len(futures) or any(future.exception() for future in done)


def keep_best(
    posts: Sequence[Posterior], seeds: Sequence[int], tol: float, seconds: float
) -> Posterior:
    """The best posterior, with what became of all starts and what they cost together.

    `seconds` passed while they ran; one start knows its own, those before a checkpoint included.
    """
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
        seconds=Seconds(best.seconds.compile, max(best.seconds.run, seconds)),
    )

"""A fit in a process of its own: `child.py CHECKPOINT PACE`, one line of results to stdout.

It saves after every iteration and takes `PACE` seconds for each, so that it can be killed anywhere,
within a write as well.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import jax.numpy as jnp
import numpy as np

import trustvi
from trustvi import _fit
from trustvi._posterior import Posterior


def log_density(z: dict[str, jnp.ndarray]) -> jnp.ndarray:
    """A ridge that bends, and a tail that is heavier than normal."""
    bent = z["a"][0] ** 2 / 8 + (z["a"][1] - 0.3 * z["a"][0] ** 2) ** 2
    return -bent - jnp.sum(3 * jnp.log1p(z["b"] ** 2 / 5))


def fit(checkpoint: Path | None = None) -> Posterior:
    model = trustvi.from_function(log_density, {"a": np.zeros(2), "b": np.zeros(3)}, name="bent")
    return trustvi.fit(
        model, tol=1e-4, max_oracle_calls=150.0, seed=7, checkpoint=checkpoint, keep_iterates=True,
        progress=False,
    )  # fmt: skip


def fingerprint(post: Posterior) -> str:
    """Everything but wall times, to the last bit."""
    path = [tuple(info._replace(seconds=0.0)) for info in post.path]
    iterates = [(calls, loc.tolist(), scale.tolist()) for calls, loc, scale in post.iterates]
    numbers = [post.loc.tolist(), post.scale_diag.tolist(), tuple(post.elbo), post.oracle_calls]
    draws = post.draws(3)["b"].tolist()
    return repr([post.verdict.name, numbers, float(post.khat.value), draws, path, iterates])


if __name__ == "__main__":
    _fit.CHECKPOINT_SECONDS = 0.0
    save = _fit.save_progress

    def slow(*args: object) -> None:
        time.sleep(float(sys.argv[2]))
        save(*args)  # pyright: ignore[reportArgumentType]

    _fit.save_progress = slow
    print(fingerprint(fit(Path(sys.argv[1]))))

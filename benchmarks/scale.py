"""Time of an iteration and memory of mean field as the dimension grows.

    python benchmarks/scale.py [--dims 1000,10000,100000,1000000] [--draws 4096] [--plot scale.png]

Each dimension is a process of its own: a regression on sparse neighbours (two flops a parameter and
draw for each of three terms), one gradient and one paired difference of `--draws` draws. *bare*: a
loop over the same chunks of the density's gradient alone, no base draws and no sums; *peak*: the
greatest resident memory of the process.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

REPEATS = 2


def log_density(z: Any) -> Any:
    """A chain of neighbours with a log link: as dear as an exponential a parameter."""
    import jax.numpy as jnp

    steps = z[1:] - z[:-1]
    return jnp.sum(0.3 * z - jnp.exp(z), axis=0) - 0.5 * jnp.sum(steps * steps, axis=0)


def measure(dim: int, draws: int) -> dict[str, float]:
    """One dimension, in this process."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    import trustvi
    from trustvi.families import MeanField
    from trustvi.objective import DrawKind, Objective, compile_all, make_key
    from trustvi.optimize._curvature import unlearned

    with jax.enable_x64(True):
        model = trustvi.from_function(log_density, np.zeros(dim), batched=True)
        objective = Objective(model, kind=DrawKind.SOBOL, chunk=8, dense=False)
        compile_all([objective])
        q = MeanField(np.full(dim, -1.0), np.full(dim, -1.0))
        control = unlearned(q.scale**-2).control(q, np.zeros(dim))

        @jax.jit
        def bare(z: Any, chunks: Any) -> Any:
            def body(_: Any, total: Any) -> Any:
                value, pull = jax.vjp(log_density, z + 1e-9 * total[:, None])
                return total + pull(jnp.ones_like(value))[0].sum(axis=1)

            return jax.lax.fori_loop(0, chunks, body, jnp.zeros(dim))

        z = jnp.zeros((dim, 8))
        bare(z, 1).block_until_ready()
        objective.gradient(q, control, make_key(0), 8)
        seconds: dict[str, float] = {"bare": np.inf, "gradient": np.inf, "values": np.inf}
        key = make_key(1)
        works = {
            "bare": lambda: bare(z, draws // 8).block_until_ready(),
            "gradient": lambda: objective.gradient(q, control, key, draws),
            "values": lambda: objective.values(q, control, key, draws),
        }
        for _ in range(REPEATS):
            for name, work in works.items():
                began = time.process_time()
                work()
                seconds[name] = min(seconds[name], time.process_time() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return {"dim": dim, **seconds, "peak": peak}


def plot(rows: list[dict[str, float]], draws: int, file: Path) -> None:
    """Seconds and gigabytes against the dimension, on logarithmic axes."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    dims = [row["dim"] for row in rows]
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
    for name in ("gradient", "values", "bare"):
        left.loglog(dims, [row[name] for row in rows], "o-", label=name)
    left.loglog(
        dims, [rows[-1]["gradient"] * d / dims[-1] for d in dims], ":", c="0.5", label="linear"
    )
    left.set(xlabel="parameters", ylabel="processor seconds", title=f"{draws} draws")
    left.legend(frameon=False)
    right.loglog(dims, [row["peak"] for row in rows], "o-")
    right.axhline(6, color="0.5", ls=":")
    right.set(xlabel="parameters", ylabel="GiB", title="peak memory of the process")
    figure.savefig(file, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dims", default="1000,10000,100000,1000000")
    parser.add_argument("--draws", type=int, default=4096)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.one:
        print(json.dumps(measure(settings.one, settings.draws)))
        return
    rows = []
    heads = "gradient s   values s     bare s   gradient/bare   us per parameter   peak GiB"
    print(f"{'parameters':>10}   {heads}")
    for dim in settings.dims.split(","):
        command = [sys.executable, __file__, "--one", dim, "--draws", str(settings.draws)]
        row = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        rows.append(row)
        print(
            f"{row['dim']:10}{row['gradient']:13.3f}{row['values']:11.3f}{row['bare']:11.3f}"
            f"{row['gradient'] / row['bare']:16.2f}{1e6 * row['gradient'] / row['dim']:19.1f}"
            f"{row['peak']:11.2f}",
            flush=True,
        )
    if settings.plot:
        plot(rows, settings.draws, settings.plot)


if __name__ == "__main__":
    main()

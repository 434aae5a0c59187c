"""`trustvi draws`: more draws from a fit that was kept."""

from __future__ import annotations

import csv
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trustvi.cli._settings import ANY_PATH, NAMES, debug_option, seed_option

if TYPE_CHECKING:
    import numpy as np

FORMATS = ("csv", "stan-csv", "json", "npz")
SUFFIXES = {".csv": "csv", ".json": "json", ".npz": "npz"}


@click.command("draws", context_settings=NAMES)
@click.argument("fit", type=click.Path(exists=True, path_type=Path))
@click.option("-n", "--draws", type=click.IntRange(1), default=1000, show_default=True,
              metavar="N", help="How many.")  # fmt: skip
@seed_option(1, "Another seed gives other draws; 0 gives those that the fit has written.")
@click.option("--psis", is_flag=True,
              help="Importance resampling: nearer the posterior if k-hat is good.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMATS),
              help="[default: by the file's suffix, else csv]")  # fmt: skip
@click.option("--output", type=ANY_PATH, help="File to write.  [default: standard output]")
@click.option("--sig-figs", type=click.IntRange(1, 18), default=8, show_default=True, metavar="N",
              help="Digits in CSV.")  # fmt: skip
@debug_option
def command(
    fit: Path, draws: int, seed: int, psis: bool, form: str | None, output: Path | None,
    sig_figs: int,
) -> None:  # fmt: skip
    """Draws from FIT, a folder that `trustvi fit --output` has written.

    \b
    trustvi draws fit/ -n 4000 > draws.csv
    trustvi draws fit/ -n 4000 --psis --output draws.npz
    trustvi draws fit/ --format stan-csv --output draws.csv

    Transformed parameters and generated quantities are among them. A column is a real number,
    named as Stan names it; JSON and NPZ hold an array a variable, draws first.
    """
    form = form or SUFFIXES.get(output.suffix if output else "", "csv")
    if output is None and form in ("npz", "stan-csv"):
        raise click.UsageError(f"--format {form} needs --output FILE.")
    if psis and form == "stan-csv":
        raise click.UsageError(
            "Stan's CSV is of draws from the approximation; --psis gives others."
        )
    from trustvi.cli._files import read_fit

    post = read_fit(fit)
    if form == "stan-csv":
        assert output is not None
        post.to_stan_csv(output, draws, seed=seed, sig_figs=sig_figs)
        return
    named = post.psis_draws(draws, seed=seed) if psis else post.draws(draws, seed=seed)
    _write(named, form, output, sig_figs)


def _write(draws: dict[str, np.ndarray], form: str, output: Path | None, sig_figs: int) -> None:
    if form == "npz":
        import numpy as np

        assert output is not None
        with open(output, "wb") as binary:
            np.savez(binary, **draws)  # pyright: ignore[reportArgumentType]
        return
    with ExitStack() as stack:
        file = stack.enter_context(open(output, "w", encoding="utf-8")) if output else sys.stdout
        if form == "json":
            json.dump({name: _listed(value) for name, value in draws.items()}, file)
            file.write("\n")
        else:
            _write_csv(draws, file, sig_figs)


def _write_csv(draws: dict[str, np.ndarray], file: Any, sig_figs: int) -> None:
    import numpy as np

    from trustvi._export import columns

    names, values = columns(draws, "F")
    csv.writer(file, lineterminator="\n").writerow(names)
    np.savetxt(file, values, fmt=f"%.{sig_figs}g", delimiter=",")


def _listed(value: np.ndarray) -> Any:
    """Nested lists; a complex number is a pair, as in Stan's JSON, and no number is null."""
    import numpy as np

    from trustvi.cli._record import plain

    if np.iscomplexobj(value):
        value = np.stack([np.real(value), np.imag(value)], axis=-1)
    return plain(value.tolist())

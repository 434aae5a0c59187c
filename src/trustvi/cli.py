"""The command line: `trustvi fit`, `trustvi check`.

Exit status: 0 for a good verdict, 1 for a fit that ran and didn't converge, 2 for a usage error,
3 for a bad model, bad data or a bad argument value.
"""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import Any

import click

NOT_CONVERGED, BAD_INPUT = 1, 3
SUMMARY_ROWS = 60


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="trustvi")
def main() -> None:
    """Fast black-box variational inference for Stan programs.

    \b
    trustvi fit eight_schools.stan --data eight_schools.json
    trustvi check eight_schools.stan
    """


MODEL = click.argument("model", type=click.Path(exists=True, dir_okay=False, path_type=Path))
DATA = click.option(
    "--data", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON or R dump with the program's data.",
)  # fmt: skip
DEBUG = click.option("--debug", is_flag=True, help="Show the traceback of an error.")


@main.command()
@MODEL
@DATA
@click.option("--method", default="trustvi", show_default=True, help="The optimizer.")
@click.option("--family", default="meanfield", show_default=True, help="The approximating family.")
@click.option("--preset", default="default", show_default=True, help="default, or paper.")
@click.option("--seed", default=0, show_default=True, help="Of all random numbers.")
@click.option("--init", type=float, help="Start uniformly in [-r, r] on the unconstrained scale.")
@click.option("--tol", type=float, help="Gain in nats below which a fit has converged.")
@click.option("--max-oracle-calls", type=float, help="Budget, counted as in the paper.")
@click.option("--draws", default=1000, show_default=True, help="Draws written with --output.")
@click.option("--checkpoint", type=click.Path(path_type=Path), help="File to save to and resume.")
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), help="Folder to write.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@DEBUG
def fit(model: Path, data: Path | None, form: str, debug: bool, **settings: Any) -> None:
    """Fit MODEL (a Stan program) and print a summary and a verdict.

    \b
    trustvi fit model.stan --data data.json
    trustvi fit model.stan --data data.json --output fit/ --draws 4000
    trustvi fit model.stan --data data.json --format json | jq .verdict
    """
    draws, output = settings.pop("draws"), settings.pop("output")
    with _Friendly(debug):
        _use_compilation_cache()
        import trustvi

        compiled = trustvi.StanModel(model, data)
        post = trustvi.fit(compiled, **{k: v for k, v in settings.items() if v is not None})
        report = _report(post)
        if output is not None:
            _write(output, post, report, draws)
        if form == "json":
            click.echo(json.dumps(report, indent=2))
        else:
            _print(post)
    sys.exit(0 if post.converged else NOT_CONVERGED)


@main.command()
@MODEL
@DATA
@DEBUG
def check(model: Path, data: Path | None, debug: bool) -> None:
    """Check MODEL (a Stan program), and its data if given, without fitting.

    \b
    trustvi check model.stan
    trustvi check model.stan --data data.json
    """
    with _Friendly(debug):
        from trustvi.stan import StanModel, check_program

        checked = check_program(model.read_text(), str(model))
        for warning in checked.warnings:
            click.echo(str(warning), err=True)
        if data is not None:
            StanModel(model, data)
    click.echo(f"{model}: no errors")


class _Friendly:
    """Turns the package's own errors into one message and an exit status."""

    def __init__(self, debug: bool) -> None:
        self._debug = debug

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        from trustvi._errors import TrustviError
        from trustvi.stan import StanError

        if isinstance(error, (StanError, TrustviError)) and not self._debug:
            click.echo(f"{error}", err=True)
            sys.exit(BAD_INPUT)


def _use_compilation_cache() -> None:
    """Keep XLA's compiled programs between runs, in the user's cache folder."""
    import jax

    if os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        return
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    jax.config.update("jax_compilation_cache_dir", str(root / "trustvi"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)


def _report(post: Any) -> dict[str, Any]:
    """A fit as JSON: what the text says and the whole summary."""
    return {
        "model": post.run["model"],
        "verdict": post.verdict.value,
        "sentence": post.verdict.sentence,
        "converged": post.converged,
        "elbo": _number(post.elbo.value),
        "elbo_mcse": _number(post.elbo.mcse),
        "oracle_calls": post.oracle_calls,
        "seconds": {"compile": post.seconds.compile, "run": post.seconds.run},
        "summary": {
            name: {column: _number(value) for column, value in row.items()}
            for name, row in (post.summary().to_dict() if _usable(post) else {}).items()
        },
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _usable(post: Any) -> bool:
    return post.verdict.name != "NO_START"


def _write(folder: Path, post: Any, report: dict[str, Any], draws: int) -> None:
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    post.save(folder / "fit.npz")
    (folder / "summary.json").write_text(json.dumps(report, indent=2) + "\n")
    if _usable(post):
        np.savez(folder / "draws.npz", **post.draws(draws))


def _print(post: Any) -> None:
    from rich.console import Console

    console = Console()
    if _usable(post):
        summary = post.summary()
        shown = summary.head(SUMMARY_ROWS)
        console.print(shown)
        if len(summary.names) > SUMMARY_ROWS:
            rest = len(summary.names) - SUMMARY_ROWS
            console.print(f"... and {rest} more rows: --format json or --output has them all")
        console.print()
    console.print(f"ELBO {post.elbo}", highlight=False)
    style = "green" if post.converged else "yellow"
    console.print(f"[{style}]{post.verdict.value}[/]: {post.verdict.sentence}", highlight=False)
    console.print(
        f"{post.oracle_calls:.2f} oracle calls; {post.seconds.compile:.1f} s to compile, "
        f"{post.seconds.run:.1f} s to run",
        highlight=False,
    )

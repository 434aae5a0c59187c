"""`trustvi study run` and `trustvi study report`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

DEFAULT_METHODS = "trustvi,advi/paper,hfsgvi/paper"


@click.group("study")
def command() -> None:
    """Compare methods on a folder of models, as the paper does.

    \b
      trustvi study run gallery --out study/
      trustvi study report study/
    """


@command.command("run")
@click.argument("corpus")
@click.option(
    "--methods",
    default=DEFAULT_METHODS,
    show_default=True,
    help="Methods, each with /preset or by default.",
)
@click.option(
    "--seeds",
    default=5,
    show_default=True,
    type=click.IntRange(1),
    help="Fits of each model by each method.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the study; run again to go on with it.",
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of results, if studies are to share one.  [default: OUT/results.sqlite]",
)
@click.option("--include", multiple=True, metavar="GLOB", help="Models to take, by name.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Models to leave, by name.")
@click.option(
    "--max-dim",
    default=100_000,
    show_default=True,
    type=click.IntRange(1),
    help="Most parameters of a model.",
)
@click.option("--max-calls", default=11_000.0, show_default=True, help="Oracle calls of a fit.")
@click.option("--max-seconds", default=120.0, show_default=True, help="Seconds of a fit.")
@click.option(
    "--hang-seconds",
    default=300.0,
    show_default=True,
    help="Seconds beyond these, compiling included, after which a worker is killed.",
)
@click.option("--jobs", type=click.IntRange(1), help="Worker processes.  [default: the cores]")
@click.option("--dask", metavar="ADDRESS", help="Scheduler of a Dask cluster to run on instead.")
def run(corpus: str, **options: Any) -> None:  # fmt: skip
    """Fit every model of CORPUS by every method from every seed.

    CORPUS is a folder of Stan programs with their data beside them, a folder laid out as
    posteriordb, or the word gallery for ten models that come with trustvi.

    \b
      trustvi study run gallery --out study/
      trustvi study run models/ --methods trustvi,advi/stan --seeds 3 --out study/ --jobs 4
    """
    from trustvi.study import Dask, Processes, Store, run_study, save_plan
    from trustvi.study._screen import Screen

    plan = _plan(corpus, options)
    out = options["out"]
    out.mkdir(parents=True, exist_ok=True)
    for name, reason in plan.unusable:
        click.echo(f"left out: {name}: {reason}", err=True)
    hang = options["hang_seconds"]
    jobs = options["jobs"] or os.cpu_count() or 1
    pool = Dask(options["dask"], hang) if options["dask"] else Processes(jobs, hang)
    save_plan(out, plan)
    store = Store(plan.store)
    with Screen() as screen:
        tally = run_study(plan, store, pool, screen)
    for name, reason in tally.unusable[len(plan.unusable) :]:
        click.echo(f"left out: {name}: {reason}", err=True)
    click.echo(f"{tally.done} fits done, {tally.lost} lost; trustvi study report {out}")
    sys.exit(0 if tally.done else 1)


def _plan(corpus: str, options: dict[str, Any]) -> Any:
    from trustvi.optimize import choose_preset
    from trustvi.study import Limits, Plan, read_corpus

    methods = []
    for text in options["methods"].split(","):
        name, _, preset = text.strip().partition("/")
        choose_preset(name, preset or "default", {})
        methods.append(f"{name}/{preset or 'default'}")
    found = read_corpus(corpus, options["include"], options["exclude"])
    limits = Limits(max_calls=options["max_calls"], max_seconds=options["max_seconds"],
                    max_dim=options["max_dim"])  # fmt: skip
    return Plan(
        corpus, found.usable, tuple((e.name, e.reason) for e in found.unusable),
        tuple(dict.fromkeys(methods)), options["seeds"], limits,
        options["store"] or options["out"] / "results.sqlite",
    )  # fmt: skip


@command.command("report")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write.  [default: FOLDER/report]",
)
def report(folder: Path, out: Path | None) -> None:  # fmt: skip
    """Write the tables and pictures of the study in FOLDER: HTML, Markdown and CSV.

    \b
      trustvi study report study/
    """
    from trustvi.study import write_report

    for path in write_report(folder, out or folder / "report"):
        click.echo(path)

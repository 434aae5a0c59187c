"""`trustvi fit`: from a program and data to a summary, a verdict, and a folder of results."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from trustvi.cli._settings import (
    ANY_PATH,
    FOLDER,
    NAMES,
    Positive,
    data_option,
    debug_option,
    include_option,
    model_argument,
    number_of,
    seed_option,
)
from trustvi.cli._waiting import waiting
from trustvi.cli._words import translate

SETTINGS = ("family", "method", "preset", "seed", "tol", "max_oracle_calls", "starts", "checkpoint",
            "progress")  # fmt: skip


@click.command("fit", context_settings=NAMES)
@model_argument
@click.argument("words", nargs=-1, metavar="[WORD]...")
@data_option
@include_option
@click.option("--family", default="meanfield", show_default=True, help="The approximating family.")
@click.option("--method", default="trustvi", show_default=True, help="The optimizer.")
@click.option("--preset", default="default", show_default=True, help="default, or paper.")
@click.option("--set", "fields", multiple=True, metavar="NAME=VALUE",
              help="A field of the method's configuration; may be repeated.")  # fmt: skip
@seed_option(0, "Of all random numbers.")
@click.option("--init", metavar="NUMBER|FILE",
              help="Start uniformly in [-r, r] on the unconstrained scale, or at the parameters in "
              "a JSON or R dump file.  [default: 2]")  # fmt: skip
@click.option("--starts", type=click.IntRange(1), default=1, show_default=True, metavar="K",
              help="Fit from K starts, keep the best, say whether they agree.")  # fmt: skip
@click.option("--tol", type=Positive(), metavar="NATS",
              help="Gain below which a fit has converged.  [default: 0.05]")  # fmt: skip
@click.option("--max-oracle-calls", type=Positive(), metavar="CALLS",
              help="Budget; a call is a gradient on 256 draws.  [default: 2000]")  # fmt: skip
@click.option("--checkpoint", type=ANY_PATH, help="File to save the state to and resume from.")
@click.option("--transformed", is_flag=True, help="Summarise transformed parameters, too.")
@click.option("--generated", is_flag=True, help="Summarise generated quantities, too.")
@click.option("--all", "everything", is_flag=True, help="Both, and every row however many.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="What is printed.")  # fmt: skip
@click.option("--progress/--no-progress", default=None,
              help="A live line on standard error.  [default: on a terminal]")  # fmt: skip
@click.option("--output", type=FOLDER, help="Folder to write everything to.")
@click.option("--draws", type=click.IntRange(1), default=1000, show_default=True, metavar="N",
              help="Draws that are written.")  # fmt: skip
@click.option("--stan-csv", type=ANY_PATH, help="Write the draws to a file as CmdStan does.")
@click.option("--sig-figs", type=click.IntRange(1, 18), default=8, show_default=True, metavar="N",
              help="Digits in the files of draws.")  # fmt: skip
@click.option(
    "--diagnostic-file", type=ANY_PATH, help="Write the path of the ELBO as CmdStan does."
)
@debug_option
@click.pass_context
def command(ctx: click.Context, model: Path, words: tuple[str, ...], **given: Any) -> None:
    """Fit MODEL, a Stan program, and print a summary and a verdict.

    \b
    A fit, and one that keeps everything in a folder:
      trustvi fit model.stan --data data.json
      trustvi fit model.stan --data data.json --output fit/ --draws 4000
    For scripts:
      trustvi fit model.stan --data data.json --format json | jq .verdict
    Is there one mode?
      trustvi fit model.stan --data data.json --starts 5
    CmdStan's words, where they mean something here:
      trustvi fit model.stan data file=data.json random seed=1 output file=out.csv

    \b
    --output writes: summary.csv, fit.json (verdict, ELBO, settings, summary),
    draws.csv (Stan CSV), posterior.npz (read by trustvi draws, report, compare),
    report.html, path.csv, nuts/ (inits and metric for CmdStan), and copies of
    program and data.
    """
    given, fields = _merged(ctx, given, words)
    with waiting(f"{model.name}: loading"):
        _check_settings(given, fields)
        _check_places(given)
        from trustvi.cli import _files, _screen
        from trustvi.cli._run import fit_program

    post = fit_program(
        model, given["data"], given["include_paths"], _init(given["init"]),
        {name: given[name] for name in SETTINGS if given[name] is not None}, fields,
    )  # fmt: skip
    shown = given["everything"]
    wanted = {
        "transformed": given["transformed"] or shown,
        "generated": given["generated"] or shown,
    }
    if given["form"] == "json":
        _screen.print_json(post, **wanted)
    else:
        _screen.print_fit(post, **wanted, rows=None if shown else _screen.ROWS)
    _files.write_single(post, given)
    if given["output"] is not None:
        _files.write_folder(post, model, given)
    sys.exit(0 if post.converged else 1)


def _merged(
    ctx: click.Context, given: dict[str, Any], words: tuple[str, ...]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options with CmdStan's words among them, and the configuration's fields by name."""
    translated = translate(words, given["method"])
    for note in translated.notes:
        click.echo(f"note: {note}", err=True)
    typed = click.core.ParameterSource.COMMANDLINE
    for name in translated.options:
        if ctx.get_parameter_source(name) is typed:
            raise click.UsageError(f"--{name.replace('_', '-')} is given by a word, too.")
    fields = {**translated.fields, **_fields(given.pop("fields"))}
    return given | translated.options, fields


def _fields(texts: tuple[str, ...]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        try:
            fields[name] = number_of(value)
        except ValueError:
            equals = ""
        if not equals:
            raise click.UsageError(f"--set takes NAME=VALUE with a number or true or false: {text}")
    return fields


def _init(text: str | None) -> float | str | None:
    """A number, or a file's path."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        if not Path(text).is_file():
            raise click.UsageError(f"--init {text}: neither a number nor a file.") from None
        return text


def _check_settings(given: Mapping[str, Any], fields: dict[str, Any]) -> None:
    """Names and values that no model could make right are usage errors."""
    from trustvi._errors import InputError
    from trustvi.optimize import choose_preset

    try:
        choose_preset(given["method"], given["preset"], fields, given["family"])
    except InputError as error:
        raise click.UsageError(str(error)) from None
    if given["starts"] > 1 and given["init"] is not None and isinstance(_init(given["init"]), str):
        raise click.UsageError("--starts needs random starts; --init must be a number.")


def _check_places(given: Mapping[str, Any]) -> None:
    """Find out before the fit, not after it, that its results can't be written."""
    if given["output"] is not None:
        given["output"].mkdir(parents=True, exist_ok=True)
    for name in ("stan_csv", "diagnostic_file", "checkpoint"):
        if given[name] is not None and not given[name].parent.is_dir():
            raise click.UsageError(f"{given[name]}: there is no folder {given[name].parent}.")

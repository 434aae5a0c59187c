"""`trustvi check`: a program's mistakes, without a fit."""

from __future__ import annotations

from pathlib import Path

import click

from trustvi.cli._settings import NAMES, data_option, debug_option, include_option, model_argument


@click.command("check", context_settings=NAMES)
@model_argument
@data_option
@include_option
@debug_option
def command(model: Path, data: Path | None, include_paths: tuple[Path, ...]) -> None:
    """Check MODEL, a Stan program, and its data if given, without fitting.

    \b
    trustvi check model.stan
    trustvi check model.stan --data data.json

    Warnings go to standard error. With data, sizes and constraints are checked, too.
    """
    from trustvi.stan import StanModel, check_program

    text = model.read_text("utf-8", errors="replace")  # comments may be in other encodings
    checked = check_program(text, str(model), include_paths)
    for warning in checked.warnings:
        click.echo(warning.render(checked.program.source), err=True)
    if data is not None:
        StanModel(model, data, include_paths=include_paths)
    click.echo(f"{model}: no errors")

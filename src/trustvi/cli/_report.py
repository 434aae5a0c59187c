"""`trustvi report`: the page of a fit that was kept."""

from __future__ import annotations

from pathlib import Path

import click

from trustvi.cli._settings import ANY_PATH, NAMES, debug_option


@click.command("report", context_settings=NAMES)
@click.argument("fit", type=click.Path(exists=True, path_type=Path))
@click.option("--output", type=ANY_PATH, help="File to write.  [default: FIT/report.html]")
@debug_option
def command(fit: Path, output: Path | None) -> None:
    """A page of FIT, a folder that `trustvi fit --output` has written.

    \b
    trustvi report fit/
    trustvi report fit/ --output eight-schools.html

    The page is one file that works offline: verdict, tables that sort, pictures, settings.
    """
    from trustvi.cli._files import read_fit, read_text

    post = read_fit(fit)
    target = output or (fit if fit.is_dir() else fit.parent) / "report.html"
    post.to_html(target, program=read_text(fit))
    click.echo(f"written to {target}", err=True)

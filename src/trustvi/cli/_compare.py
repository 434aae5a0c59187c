"""`trustvi compare`: fits side by side, kept ones or several methods on one program."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trustvi.cli._settings import (
    NAMES,
    Positive,
    data_option,
    debug_option,
    include_option,
    seed_option,
)

if TYPE_CHECKING:
    import trustvi
    from trustvi._comparison import Comparison


@click.command("compare", context_settings=NAMES)
@click.argument("fits", nargs=-1, required=True, metavar="FIT... | MODEL",
                type=click.Path(exists=True, path_type=Path))  # fmt: skip
@data_option
@include_option
@click.option("--method", "methods", multiple=True, default=["trustvi"], show_default=True,
              help="Of fits of MODEL; may be repeated.")  # fmt: skip
@click.option("--family", "families", multiple=True, default=["meanfield"], show_default=True,
              help="Of fits of MODEL; may be repeated.")  # fmt: skip
@click.option("--preset", "presets", multiple=True, default=["default"], show_default=True,
              help="Of fits of MODEL; may be repeated.")  # fmt: skip
@seed_option(0, "Of fits of MODEL.")
@click.option("--max-oracle-calls", type=Positive(), metavar="CALLS",
              help="Budget of each fit of MODEL.  [default: 2000]")  # fmt: skip
@click.option("--rows", type=click.IntRange(1), default=30, show_default=True, metavar="N",
              help="Quantities shown: those that differ most.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="What is printed.")  # fmt: skip
@debug_option
def command(fits: tuple[Path, ...], rows: int, form: str, **given: Any) -> None:
    """Compare kept fits, or methods and families on one program.

    \b
    trustvi compare fit/ other-fit/
    trustvi compare model.stan --data data.json --family meanfield --family fullrank
    trustvi compare model.stan --data data.json --method trustvi --method advi

    Prints how each fit ended, which has the greatest ELBO, and the quantities whose means
    differ most, in standard deviations of the first fit.
    """
    from trustvi._comparison import compare
    from trustvi.cli._record import plain

    one_program = len(fits) == 1 and fits[0].is_file() and fits[0].suffix == ".stan"
    found = compare(_fitted(fits[0], given) if one_program else _kept(fits))
    if form == "json":
        click.echo(json.dumps(plain(found.to_dict()), indent=2))
    else:
        _print(found, rows)


def _kept(fits: tuple[Path, ...]) -> dict[str, trustvi.Posterior]:
    from trustvi.cli._files import read_fit, unique_names

    if len(fits) < 2:
        raise click.UsageError("two fits are needed, or one program (a .stan file).")
    return {name: read_fit(path) for name, path in unique_names(fits).items()}


def _fitted(program: Path, given: dict[str, Any]) -> dict[str, trustvi.Posterior]:
    import trustvi
    from trustvi.cli._run import read_program

    ways = list(product(given["methods"], given["presets"], given["families"]))
    if len(ways) < 2:
        raise click.UsageError("one program needs two methods, presets or families to compare.")
    model = read_program(program, given["data"], given["include_paths"])
    settings = {"seed": given["seed"], "max_oracle_calls": given["max_oracle_calls"]}
    return {
        _called(way, given): trustvi.fit(
            model, method=way[0], preset=way[1], family=way[2], **settings
        )
        for way in ways
    }


def _called(way: tuple[str, ...], given: dict[str, Any]) -> str:
    """The part of a way that tells it from the others."""
    several = [len(given[name]) > 1 for name in ("methods", "presets", "families")]
    return " ".join(part for part, differs in zip(way, several, strict=True) if differs)


def _print(found: Comparison, rows: int) -> None:
    from rich.table import Table

    from trustvi._comparison import FACTS
    from trustvi.cli._screen import console

    screen = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("fit", no_wrap=True)
    for column in FACTS:
        table.add_column(column, justify="left" if column in FACTS[:3] else "right", no_wrap=True)
    for name, facts in zip(found.names, found.facts, strict=True):
        table.add_row(name, *map(_text, FACTS, facts))
    screen.print(table)
    screen.print()
    for sentence in found.sentences:
        screen.print(sentence)
    if found.quantities:
        screen.print()
        screen.print(_quantities(found, rows))
    if len(found.quantities) > rows:
        screen.print(f"[dim]{len(found.quantities) - rows} quantities that differ less are left "
                     "out; --rows shows more.[/]")  # fmt: skip


def _text(column: str, fact: str | float) -> str:
    if isinstance(fact, str):
        return fact
    digits = {"± error": ".2g", "oracle calls": ".1f", "seconds": ".1f"}.get(column, ".2f")
    return f"{fact:{digits}}"


def _quantities(found: Comparison, rows: int) -> Any:
    """Those that differ most, in the model's own order."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("mean ± sd", no_wrap=True)
    for name in found.names:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("apart (sd)", justify="right", no_wrap=True)
    away = found.away
    for i in sorted(sorted(range(len(away)), key=lambda i: -away[i])[:rows]):
        cells = (
            f"{mean:.4g} ± {sd:.2g}"
            for mean, sd in zip(found.means[:, i], found.sds[:, i], strict=True)
        )
        table.add_row(found.quantities[i], *cells, f"{away[i]:.2f}")
    return table

"""Write docs/cli.md from the help texts of the command line: python docs/make_cli.py"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from trustvi.cli import main

INTRODUCTION = """# Command line reference

Written by `docs/make_cli.py` from what `--help` says. Options may be spelled with underscores, as
CmdStan spells them; its words (`data file=d.json`) are explained in
[Coming from other tools](coming-from.md#cmdstan-and-cmdstanpy).
"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *_sections(main, _context(main, "trustvi"))])


def _context(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    return click.Context(command, parent, name, **command.context_settings)


def _sections(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """A section for `command`, and one for each of its subcommands."""
    yield f"## {ctx.command_path}\n"
    yield f"```text\n{' '.join([ctx.command_path, *command.collect_usage_pieces(ctx)])}\n```\n"
    yield from _prose(command)
    rows = [record for each in command.get_params(ctx) if (record := each.get_help_record(ctx))]
    yield "| option | meaning |\n|---|---|"
    yield "".join(f"| `{_cell(name)}` | {_cell(text)} |\n" for name, text in rows if text)
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            assert below is not None
            yield from _sections(below, _context(below, name, ctx))


def _prose(command: click.Command) -> Iterator[str]:
    """Paragraphs of the help; those that click leaves as they are become code."""
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        first, _, rest = paragraph.partition("\n")
        yield f"```text\n{rest}\n```\n" if first.strip() == "\b" else f"{paragraph}\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    (Path(__file__).parent / "cli.md").write_text(page(), "utf-8")

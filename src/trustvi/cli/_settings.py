"""Options that several subcommands share."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

NAMES: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    # CmdStan's names have underscores where options have dashes: both will do.
    "token_normalize_func": lambda name: name.replace("_", "-"),
}
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
ANY_PATH = click.Path(path_type=Path)


class Positive(click.ParamType):
    """A finite number above 0."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number.", param, ctx)
        if not 0 < number < math.inf:
            self.fail(f"{value} is not a positive number.", param, ctx)
        return number


def _remember(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    del param
    ctx.find_root().meta["trustvi.debug"] = value


def wants_debug(ctx: click.Context) -> bool:
    """Whether the command that runs was given --debug."""
    return bool(ctx.find_root().meta.get("trustvi.debug"))


def model_argument(command: Any) -> Any:
    return click.argument("model", type=FILE)(command)


def data_option(command: Any) -> Any:
    return click.option("--data", type=FILE, help="The program's data: JSON or R dump.")(command)


def include_option(command: Any) -> Any:
    return click.option(
        "--include-path", "include_paths", multiple=True, type=click.Path(path_type=Path),
        metavar="DIR", help="Folder to look for #include files in; may be repeated.",
    )(command)  # fmt: skip


def debug_option(command: Any) -> Any:
    return click.option(
        "--debug", is_flag=True, expose_value=False, is_eager=True, callback=_remember,
        help="Show the traceback of an error.",
    )(command)  # fmt: skip


class Seed(click.ParamType):
    """An integer of 32 bits."""

    name = "integer"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if not str(value).isdecimal() or not int(value) < 2**32:
            self.fail(f"{value} is not an integer from 0 to 2^32 - 1.", param, ctx)
        return int(value)


def seed_option(default: int, text: str) -> Any:
    return click.option("--seed", type=Seed(), default=default, show_default=True, help=text)


def number_of(text: str) -> bool | int | float:
    """A value as a configuration has it: a switch, an integer or a real number."""
    switches = {"true": True, "false": False}
    if text.lower() in switches:
        return switches[text.lower()]
    try:
        return int(text)
    except ValueError:
        return float(text)

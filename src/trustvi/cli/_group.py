"""The command `trustvi`: its subcommands, loaded when asked for, and what becomes of errors."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import MappingProxyType
from typing import Any, NoReturn

import click

from trustvi._errors import DiagnosticWarning, PrecisionWarning, TrustviError
from trustvi.cli._settings import NAMES, wants_debug

NOT_CONVERGED, USAGE, BAD_INPUT, OURS, STOPPED = 1, 2, 3, 70, 130
OURS_TO_SAY = (DiagnosticWarning, PrecisionWarning)

# Name of a subcommand: the module that has it as `command`. Their order is that of the help.
_COMMANDS = MappingProxyType(
    {
        "fit": "trustvi.cli._fit",
        "check": "trustvi.cli._check",
        "draws": "trustvi.cli._draws",
        "report": "trustvi.cli._report",
        "compare": "trustvi.cli._compare",
        "study": "trustvi.study._cli",
        "completion": "trustvi.cli._completion",
    }
)


class Commands(click.Group):
    """Imports a subcommand when it is asked for, and turns errors into a sentence and a status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        home = _COMMANDS.get(cmd_name)
        return import_module(home).command if home else None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _spoken_warnings():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            _leave("stopped", STOPPED)
        except Exception as error:
            if wants_debug(ctx):
                traceback.print_exc()
                sys.exit(_status(error))
            _leave(_sentence(error), _status(error))


@contextmanager
def _spoken_warnings() -> Iterator[None]:
    """Our warnings as a sentence each on standard error, without the line of code they are from."""

    def speak(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, OURS_TO_SAY):
            click.echo(f"warning: {message}", err=True)
        else:
            show(message, category, *place, **more)

    with warnings.catch_warnings():
        show, warnings.showwarning = warnings.showwarning, speak
        for category in OURS_TO_SAY:
            warnings.simplefilter("always", category)
        yield


def _leave(message: str, status: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(status)


def _status(error: Exception) -> int:
    if _is_stan_error(error) or isinstance(error, TrustviError):
        return BAD_INPUT
    return USAGE if isinstance(error, OSError) else OURS


def _sentence(error: Exception) -> str:
    """What is at fault; of an error that nobody foresaw, where to look."""
    if _is_stan_error(error):
        return str(error)
    if isinstance(error, TrustviError):
        return f"Error: {error}"
    if isinstance(error, OSError):
        return f"Error: {error.filename or 'a file'}: {error.strerror or error}"
    what = " ".join(str(error).split())
    return f"Internal error: {type(error).__name__}: {what} (--debug shows where)"


def _is_stan_error(error: Exception) -> bool:
    """Asked without importing the compiler, which is loaded if there is such an error."""
    errors = sys.modules.get("trustvi.stan._diagnostics")
    return errors is not None and isinstance(error, errors.StanError)


@click.group(cls=Commands, context_settings=NAMES)
@click.version_option(package_name="trustvi")
def main() -> None:
    """Fast black-box variational inference for Stan programs.

    \b
    Fit a program, look at the summary, keep everything in a folder:
      trustvi fit model.stan --data data.json
      trustvi fit model.stan --data data.json --output fit/
    Work with what was kept:
      trustvi draws fit/ -n 4000 > draws.csv
      trustvi report fit/
      trustvi compare fit/ other-fit/
    Compare methods on a folder of models:
      trustvi study run gallery --out study/
    Find mistakes without fitting:
      trustvi check model.stan --data data.json

    \b
    Exit status: 0 good verdict, 1 ran but didn't converge, 2 usage error,
    3 bad model or data, 70 error of trustvi's own, 130 stopped by Ctrl-C.
    """

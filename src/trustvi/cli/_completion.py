"""`trustvi completion`: the script that a shell needs to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from trustvi.cli._settings import NAMES, debug_option


@click.command("completion", context_settings=NAMES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@debug_option
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    \b
    bash: trustvi completion bash > ~/.local/share/bash-completion/completions/trustvi
    zsh:  trustvi completion zsh > ~/.zfunc/_trustvi      (a folder of $fpath)
    fish: trustvi completion fish > ~/.config/fish/completions/trustvi.fish
    """
    complete = get_completion_class(shell)
    assert complete is not None
    click.echo(complete(ctx.find_root().command, {}, "trustvi", "_TRUSTVI_COMPLETE").source())

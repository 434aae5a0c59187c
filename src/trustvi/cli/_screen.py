"""What is on the screen after a fit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

import trustvi
from trustvi.cli._record import record, usable
from trustvi.models import Staged

ROWS = 60
NO_TERMINAL_WIDTH = 500


def console() -> Any:
    """Standard output; where that is no terminal, lines are not broken."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else NO_TERMINAL_WIDTH)


def print_json(post: trustvi.Posterior, *, transformed: bool, generated: bool) -> None:
    click.echo(json.dumps(record(post, transformed=transformed, generated=generated), indent=2))


def print_fit(
    post: trustvi.Posterior, *, transformed: bool, generated: bool, rows: int | None
) -> None:
    """The summary, then what can be said of the fit as a whole."""
    screen = console()
    screen.print(f"[bold]{post.run['model']}[/]: {_kind(post)}\n")
    if usable(post):
        summary = post.summary(transformed=transformed, generated=generated)
        screen.print(summary.rich(rows))
        hidden = summary.cut(rows).left_out
        for note in _notes(post, hidden, transformed=transformed, generated=generated):
            screen.print(f"[dim]{note}[/]")
        screen.print()
    print_verdict(screen, post)


def _kind(post: trustvi.Posterior) -> str:
    dim = post.run["dim"]
    return f"{post.run['family']} Gaussian over {dim} unconstrained parameter{'s' * (dim != 1)}"


def _notes(
    post: trustvi.Posterior, hidden: int, *, transformed: bool, generated: bool
) -> Iterable[str]:
    """What the table leaves out, and how to see it."""
    if hidden:
        yield f"{hidden} of the rows are left out; --all shows them."
    if isinstance(post.model, Staged):
        count = _counter(post.model)
        if not transformed and (left := count(True, True) - count(False, True)):
            what = "transformed parameter" if left == 1 else "transformed parameters"
            yield f"Not shown: {left} {what}; --transformed shows them."
        if not generated and (left := count(True, True) - count(True, False)):
            what = "generated quantity" if left == 1 else "generated quantities"
            yield f"Not shown: {left} {what}; --generated shows them."


def _counter(model: Staged) -> Callable[[bool, bool], int]:
    return lambda tp, gq: len(model.param_names(include_tp=tp, include_gq=gq))


def print_verdict(screen: Any, post: trustvi.Posterior) -> None:
    screen.print(f"ELBO {post.elbo} nats")
    if post.khat.draws:
        screen.print(post.khat.sentence)
    if post.agreement is not None:
        screen.print(post.agreement.sentence)
    style = "green" if post.converged else "yellow"
    screen.print(f"[bold {style}]{post.verdict.value}[/]: {post.verdict.sentence}")
    screen.print(
        f"{post.oracle_calls:.2f} oracle calls; {post.seconds.compile:.1f} s to compile, "
        f"{post.seconds.run:.1f} s to run"
    )

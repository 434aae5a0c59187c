"""A fit on one page of HTML, the verdict on top."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

from trustvi import _page, plots
from trustvi._export import stem
from trustvi._summary import KHAT, Summary, cell_text
from trustvi.models import Staged

if TYPE_CHECKING:
    from trustvi._posterior import Posterior

# Rows of one table and of the path: beyond, a page takes seconds to open.
MOST_ROWS = 2000
PAIRS = 5


def report(post: Posterior, *, program: str | None = None) -> str:
    """The whole page."""
    found = post.run["model"]
    return _page.page(f"Fit of {found}", list(_parts(post, program)))


def _parts(post: Posterior, program: str | None) -> Iterator[str]:
    usable = post.verdict.name != "NO_START"
    yield _page.verdict(post.verdict.value, _sentences(post), good=post.converged)
    yield _page.facts(_facts(post))
    if usable and post.model is not None:
        yield from _tables(post)
    yield from _pictures(post, usable=usable and post.model is not None)
    yield _page.section("Path", [_path(post)])
    yield _page.section("Settings", [_settings(post)])
    if program is not None:
        yield _page.section("Program", [_page.code(program)])


def _sentences(post: Posterior) -> list[str]:
    sentences = [post.verdict.sentence]
    if post.khat.draws:
        sentences.append(post.khat.sentence)
    if post.agreement is not None:
        sentences.append(post.agreement.sentence)
    return sentences


def _facts(post: Posterior) -> dict[str, str]:
    return {
        "ELBO (nats)": str(post.elbo),
        "Pareto k-hat": f"{post.khat} (below {post.khat.threshold:.2f} is good)"
        if post.khat.draws
        else "not computed",
        "Oracle calls": f"{post.oracle_calls:.2f}",
        "Seconds": f"{post.seconds.compile:.1f} to compile, {post.seconds.run:.1f} to run",
        "Family": post.run["family"],
        "Method": f"{post.run['method']}, preset {post.run['preset']}",
        "Parameters": f"{post.run['dim']} unconstrained",
        "Seed": str(post.run["seed"]),
    }


# ------------------------------------------------------------------------------ tables


def _tables(post: Posterior) -> Iterator[str]:
    summary = post.summary()
    for title, wanted in _blocks(post):
        rows = [row for row, name in enumerate(summary.names) if wanted(name)]
        if rows:
            yield _page.section(title, list(_table(post, summary, rows)))


def _blocks(post: Posterior) -> list[tuple[str, Callable[[str], bool]]]:
    """Titles of tables, and which quantities belong to each."""
    model = post.model
    if not isinstance(model, Staged):
        return [("Parameters", lambda name: True)]
    plain = {stem(name) for name in model.param_names()}
    upto = {stem(name) for name in model.param_names(include_tp=True)}
    return [
        ("Parameters", lambda name: stem(name) in plain),
        ("Transformed parameters", lambda name: stem(name) in upto - plain),
        ("Generated quantities", lambda name: stem(name) not in upto),
    ]


def _table(post: Posterior, summary: Summary, rows: list[int]) -> Iterator[str]:
    threshold = post.khat.threshold
    cells = (
        [
            summary.names[row],
            *(
                _page.Number(
                    float(value), "–" if math.isnan(value) else cell_text(column, value),
                    flag=column == KHAT and value >= threshold,
                )
                for column, value in zip(summary.columns, summary.values[row], strict=True)
            ),
        ]
        for row in rows[:MOST_ROWS]
    )  # fmt: skip
    yield _page.table(["quantity", *summary.columns], cells)
    if len(rows) > MOST_ROWS:
        yield _page.paragraph(
            f"{len(rows) - MOST_ROWS} more rows are left out; summary.csv or Posterior.summary() "
            "has them.", quiet=True,
        )  # fmt: skip


def _path(post: Posterior) -> str:
    columns = (
        "iteration", "oracle calls", "seconds", "ELBO", "error", "radius", "gradient draws",
        "judging draws", "predicted gain", "change", "error of change", "accepted", "note",
    )  # fmt: skip
    rows = [
        [*map(float, info[:-2]), "yes" if info.accepted else "no", info.note]
        for info in post.path[-MOST_ROWS:]
    ]
    return _page.table(columns, rows)


def _settings(post: Posterior) -> str:
    settings = {**post.run, **post.run.get("options", {})}
    settings.pop("options", None)
    return _page.table(["setting", "value"], [[name, str(v)] for name, v in settings.items()])


# ------------------------------------------------------------------------------ pictures


def _pictures(post: Posterior, *, usable: bool) -> Iterator[str]:
    if find_spec("matplotlib") is None:
        note = "Pictures need Matplotlib: pip install 'trustvi[plots]', then trustvi report."
        yield _page.section("Pictures", [_page.paragraph(note, quiet=True)])
        return
    drawn = []
    if usable:
        drawn = [
            _page.figure(
                _page.svg(plots.plot_marginals(post)),
                "Draws of the approximation, with means and 90% intervals. Where k-hat allows, the "
                "outline shows importance-resampled draws, which are closer to the posterior.",
            ),
            _page.figure(
                _page.svg(plots.plot_pairs(post, plots.first_elements(post, PAIRS))),
                "Pairs of parameters on their own scale, darker where there are more draws.",
            ),
        ]
    if len(post.path) > 1:
        drawn.append(
            _page.figure(
                _page.svg(plots.plot_path(post)),
                "The way to the optimum: the ELBO less its final value, linear within a nat of it "
                "and logarithmic beyond; the radius of the trust region; sample sizes.",
            )
        )
    if drawn:
        yield _page.section("Pictures", drawn)

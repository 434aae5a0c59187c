"""The report of a study: a page, Markdown and CSV files, every number computed from the store."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import NamedTuple

from trustvi._errors import InputError
from trustvi.study import _figures, _tables
from trustvi.study._analysis import (
    Quality,
    Runtime,
    best_known,
    by_model,
    pairs,
    profiles,
    quality,
    runtime,
)
from trustvi.study._plan import Plan, load_plan
from trustvi.study._runner import ATTEMPTS
from trustvi.study._store import Run, Store
from trustvi.study._svg import legend_key
from trustvi.study._tables import Sheet, Value, quartiles


class Report(NamedTuple):
    """What the page and the Markdown show, and what only the CSV files hold."""

    plan: Plan
    runs: tuple[Run, ...]
    sheets: tuple[Sheet, ...]
    raw: tuple[Sheet, ...]
    runtimes: tuple[Runtime, ...]


def write_report(folder: Path, out: Path) -> list[Path]:
    """Write the report of the study in `folder` into `out`; the files, page first."""
    plan = load_plan(folder)
    if not plan.store.exists():
        raise InputError(f"{folder} has no results yet: {plan.store.name} is missing")
    store = Store(plan.store)
    made = make_report(plan, store)
    store.close()
    out.mkdir(parents=True, exist_ok=True)
    texts = {"report.html": page(made), "report.md": markdown(made)}
    texts |= {f"{s.name}.csv": csv_text(s) for s in (*made.sheets, *made.raw)}
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
    return [out / name for name in texts]


def make_report(plan: Plan, store: Store) -> Report:
    """All numbers of the report."""
    cells = plan.cells()
    found = store.runs(cells)
    runs = tuple(found[key] for key in cells if key in found)
    if not runs:
        raise InputError("the study has no results yet; trustvi study run goes on with it")
    table, methods = by_model(runs), list(plan.methods)
    both = pairs(methods)
    runtimes = tuple(runtime(table, a, b) for a, b in both)
    lost = {k: f for k, f in store.lost().items() if k in cells and k not in found}
    gone = [(cells[k].entry.name, cells[k].method, cells[k].seed, f"{f[-1][0]}: {f[-1][1]}")
            for k, f in lost.items() if len(f) >= ATTEMPTS]  # fmt: skip
    by_method: dict[tuple[str, str], int] = {}
    for name, method, *_ in gone:
        by_method[name, method] = by_method.get((name, method), 0) + 1
    reasons = store.unusable()
    unusable = [(e.name, reasons[e.fingerprint]) for e in plan.entries if e.fingerprint in reasons]
    sheets = (
        _tables.quality_sheet([quality(table, a, b) for a, b in both]),
        _tables.runtime_sheet(runtimes, "calls", lambda cost: cost.calls),
        _tables.runtime_sheet(runtimes, "seconds", lambda cost: cost.seconds),
        _tables.failure_sheet(table, methods, by_method),
        _tables.model_sheet(table, methods),
        _tables.left_out_sheet([*plan.unusable, *unusable], gone),
    )
    raw = (_tables.run_sheet(runs), _tables.path_sheet(runs))
    return Report(plan, runs, sheets, raw, runtimes)


def csv_text(sheet: Sheet) -> str:
    """The table at full precision."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows(sheet.rows)
    return file.getvalue()


def shown(value: Value) -> str:
    """A value as people read it: three figures, a dash for nothing."""
    if value is None:
        return "–"
    if isinstance(value, float):
        if not math.isfinite(value):
            return "never" if value > 0 else str(value)
        if abs(value) < 0.005:
            return "0"
        if abs(value) >= 1e7:
            return f"{value:.1e}"
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return str(value)


def markdown(report: Report) -> str:
    """The tables as Markdown."""
    parts = [f"# Study of {report.plan.corpus}", "", *(f"{line}  " for line in facts(report)), ""]
    for sheet in report.sheets:
        parts += [f"## {sheet.title}", "", sheet.note, ""]
        if not sheet.rows:
            parts += ["Nothing.", ""]
            continue
        parts.append(f"| {' | '.join(sheet.columns)} |")
        parts.append(f"|{'---|' * len(sheet.columns)}")
        parts += [f"| {' | '.join(_cell(v) for v in row)} |" for row in sheet.rows]
        parts.append("")
    return "\n".join(parts)


def _cell(value: Value) -> str:
    return shown(value).replace("|", "\\|").replace("\n", " ")


def facts(report: Report) -> list[str]:
    """What the study consists of, in a few lines."""
    plan = report.plan
    models = {run.model for run in report.runs}
    total = len(plan.cells())
    return [
        f"{len(models)} models, {len(plan.methods)} methods ({', '.join(plan.methods)}), "
        f"{plan.seeds} seeds: {len(report.runs)} of {total} fits.",
        f"Budget of a fit: {plan.limits.max_calls:g} oracle calls, "
        f"{plan.limits.max_seconds:g} seconds. Every path is judged on "
        f"{plan.limits.judge_draws} draws that all fits of its model share.",
    ]


def page(report: Report) -> str:
    """The whole page: no file, font or script from elsewhere."""
    methods = list(report.plan.methods)
    template = Template((files("trustvi.study") / "page.html").read_text(encoding="utf-8"))
    sheets = {sheet.name: _section(sheet) for sheet in report.sheets}
    table, best = by_model(report.runs), best_known(report.runs)
    return template.substitute(
        sheets,
        corpus=escape(report.plan.corpus),
        facts="".join(f"<p>{escape(line)}</p>" for line in facts(report)),
        tiles=_tiles(report),
        legend=_legend(methods),
        panels=_panels(report, methods, best),
        profile=_figures.profile(profiles(table, methods, best)),
        ratios=_ratios(report.runtimes, methods),
    )


def _legend(methods: Sequence[str]) -> str:
    keys = (f"<span>{legend_key(i)}{escape(m)}</span>" for i, m in enumerate(methods))
    return f'<p class="legend">{"".join(keys)}</p>'


def _panels(report: Report, methods: Sequence[str], best: dict[str, float]) -> str:
    parts = []
    for model in sorted(best):
        runs = [run for run in report.runs if run.model == model]
        drawing = _figures.paths(runs, methods, best[model], model)
        about = f"{2 * runs[0].result.dim} dimensions"
        parts.append(f"<figure>{drawing}<figcaption><b>{escape(model)}</b> {about}</figcaption>"
                     "</figure>")  # fmt: skip
    return "".join(parts)


def _ratios(found: Sequence[Runtime], methods: Sequence[str]) -> str:
    return "".join(
        f"<figure>{_figures.cost_ratios(r, methods.index(r.b))}</figure>"
        for r in found
        if r.models and r.a == methods[0]
    )


def _tiles(report: Report) -> str:
    """The first method against each other one."""
    first, table = report.plan.methods[0], by_model(report.runs)
    return "".join(_tile(r, quality(table, r.a, r.b)) for r in report.runtimes if r.a == first)


def _tile(found: Runtime, optima: Quality) -> str:
    """The comparison of two methods in three numbers."""
    middle = quartiles(found.ratios(lambda cost: cost.calls))[1]
    known = middle is not None and math.isfinite(middle)
    return (
        f'<div class="tile"><h3>{escape(found.a)} against {escape(found.b)}</h3>'
        f'<p class="big">{shown(middle)}{"×" if known else ""}</p>'
        f"<p>median ratio of oracle calls; models compared: {len(found.models)}</p>"
        f"<p>optimum better on {optima.count(1)} models, same on {optima.count(0)}, "
        f"worse on {optima.count(-1)}; failed: {len(optima.failed)}</p></div>"
    )


def _section(sheet: Sheet) -> str:
    """A table whose columns sort at a click."""
    note = f"<p>{escape(sheet.note)}</p>" if sheet.note else ""
    if not sheet.rows:
        return f"<h2>{escape(sheet.title)}</h2>{note}<p>Nothing.</p>"
    head = "".join(f'<th scope="col"><button>{escape(c)}</button></th>' for c in sheet.columns)
    body = "".join(_row(row) for row in sheet.rows)
    return (
        f"<h2>{escape(sheet.title)}</h2>{note}<div class='scroll'><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(row: Sequence[Value]) -> str:
    cells = []
    for value in row:
        number = isinstance(value, (int, float)) or (isinstance(value, str) and value.endswith("%"))
        key = f' data-v="{value}"' if isinstance(value, (int, float)) else ""
        kind = ' class="n"' if number or value is None else ""
        cells.append(f"<td{kind}{key}>{escape(shown(value))}</td>")
    paper = ' class="paper"' if str(row[0]).startswith("paper: ") else ""
    return f"<tr{paper}>{''.join(cells)}</tr>"

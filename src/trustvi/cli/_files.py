"""The files that `trustvi fit` writes, and a folder of them read again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import trustvi
from trustvi._errors import InputError
from trustvi.cli._record import plain, record, usable
from trustvi.cli._run import read_program

POSTERIOR, RECORD, PROGRAM = "posterior.npz", "fit.json", "program"
CHAINS = 4


def write_single(post: trustvi.Posterior, given: Mapping[str, Any]) -> None:
    """The files that were asked for by name."""
    if given["diagnostic_file"] is not None:
        post.to_diagnostic_csv(given["diagnostic_file"])
    if given["stan_csv"] is not None and usable(post):
        post.to_stan_csv(given["stan_csv"], given["draws"], sig_figs=given["sig_figs"])


def write_folder(post: trustvi.Posterior, program: Path, given: Mapping[str, Any]) -> None:
    """Everything there is to a fit, in one folder that can be moved."""
    folder: Path = given["output"]
    post.save(folder / POSTERIOR)
    copies = _copy_program(folder / PROGRAM, program, given["data"], given["include_paths"])
    found = record(post, transformed=True, generated=True) | {"files": copies}
    (folder / RECORD).write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    post.to_diagnostic_csv(folder / "path.csv", all_columns=True)
    if usable(post):
        (folder / "summary.csv").write_text(post.summary().to_csv(), "utf-8")
        post.to_stan_csv(folder / "draws.csv", given["draws"], sig_figs=given["sig_figs"])
        _write_nuts(folder / "nuts", post)
    post.to_html(folder / "report.html", program=_text(program))
    click.echo(f"written to {folder}", err=True)


def _copy_program(
    folder: Path, program: Path, data: Path | None, include_paths: Sequence[Path]
) -> dict[str, str | None]:
    """The program with what it includes, and its data; where they are, within `folder`."""
    from trustvi.stan import check_program

    folder.mkdir(exist_ok=True)
    checked = check_program(_text(program), str(program), include_paths)
    _copy(program, folder / program.name)
    for included in checked.program.source.lines:
        for root in (*include_paths, program.parent):
            if Path(included) != program and Path(included).is_relative_to(root):
                target = folder / Path(included).relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                _copy(Path(included), target)
                break
    if data is None:
        return {"program": program.name, "data": None}
    name = data.name if data.name != program.name else f"data-{data.name}"
    _copy(data, folder / name)
    return {"program": program.name, "data": name}


def _copy(source: Path, target: Path) -> None:
    """A copy, unless it would be of a file onto itself."""
    if not (target.exists() and target.samefile(source)):
        shutil.copyfile(source, target)


def _write_nuts(folder: Path, post: trustvi.Posterior) -> None:
    """Starting points and the inverse metric for CmdStan: init=FILE, metric_file=FILE."""
    folder.mkdir(exist_ok=True)
    inits = post.create_inits(CHAINS)
    assert isinstance(inits, list)
    for chain, init in enumerate(inits, start=1):
        values = {name: plain(value.tolist()) for name, value in init.items()}
        (folder / f"init_{chain}.json").write_text(json.dumps(values) + "\n", "utf-8")
    metric = {"inv_metric": post.inv_metric().tolist()}
    (folder / "metric.json").write_text(json.dumps(metric) + "\n", "utf-8")


# ------------------------------------------------------------------------------ reading


def read_fit(path: Path) -> trustvi.Posterior:
    """The posterior that `trustvi fit --output` kept in the folder `path`, with its model."""
    folder, program, data = _contents(path)
    return trustvi.load(folder / POSTERIOR, read_program(program, data, ()))


def read_text(path: Path) -> str:
    """The program of the fit that is kept in the folder `path`."""
    return _text(_contents(path)[1])


def _text(program: Path) -> str:
    """The text of a program, whose comments may be in another encoding than UTF-8."""
    return program.read_text("utf-8", errors="replace")


def _contents(path: Path) -> tuple[Path, Path, Path | None]:
    """The folder, its program, and its data."""
    folder = path if path.is_dir() else path.parent
    kept = folder / RECORD
    if not kept.is_file() or not (folder / POSTERIOR).is_file():
        raise InputError(f"{path} is no folder that trustvi fit --output has written")
    files = json.loads(kept.read_text("utf-8"))["files"]
    data = folder / PROGRAM / files["data"] if files["data"] else None
    return folder, folder / PROGRAM / files["program"], data


def unique_names(paths: Iterable[Path]) -> dict[str, Path]:
    """Each path under its last part, or under the whole where last parts are equal."""
    paths = list(paths)
    last = [path.resolve().name for path in paths]
    return {
        (name if last.count(name) == 1 else str(path)): path
        for name, path in zip(last, paths, strict=True)
    }

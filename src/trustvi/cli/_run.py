"""Models and fits made from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trustvi
from trustvi.cli._waiting import waiting


def read_program(
    program: Path, data: Path | None, include_paths: Sequence[Path]
) -> trustvi.StanModel:
    """The model of a program and a data file."""
    with waiting(f"{program.name}: loading"):
        return trustvi.StanModel(program, data, include_paths=include_paths)


def fit_program(
    program: Path, data: Path | None, include_paths: Sequence[Path], init: float | str | None,
    settings: dict[str, Any], fields: dict[str, Any],
) -> trustvi.Posterior:  # fmt: skip
    model = read_program(program, data, include_paths)
    return trustvi.fit(model, init=init, **settings, **fields)

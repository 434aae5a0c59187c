"""The bundled Stan programs: where they are, their data, and what is special about some."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
REFERENCES = HERE / "references"


@dataclass(frozen=True)
class Bundled:
    """One program of the collection. The optional fields stand in `programs/index.toml`."""

    name: str
    """Its path below `programs`, without suffix: "models/linear_regression"."""
    rows: str = ""
    """The data variable that counts rows, where the work must not grow with it."""
    spread: float = 0.8
    """The standard deviation of the reference points on the unconstrained scale."""
    value_rtol: float = 1e-8
    gradient_rtol: float = 1e-6
    constrained_rtol: float = 1e-10
    wrong_gradient: tuple[int, ...] = ()
    """Parameters (from 0) where real Stan's gradient is not that of its own values."""

    @property
    def program(self) -> Path:
        return PROGRAMS / f"{self.name}.stan"

    @property
    def data_file(self) -> Path | None:
        """The data's file, None where the program has no data."""
        file = PROGRAMS / f"{self.name}.json"
        return file if file.exists() else None

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.data_file.read_text()) if self.data_file else {}

    @property
    def reference(self) -> Path:
        return REFERENCES / f"{self.name}.json"


@cache
def bundled() -> tuple[Bundled, ...]:
    """All programs, ordered by name."""
    remarks = tomllib.loads((PROGRAMS / "index.toml").read_text())
    names = sorted(
        path.relative_to(PROGRAMS).with_suffix("").as_posix() for path in PROGRAMS.rglob("*.stan")
    )
    unknown = remarks.keys() - set(names)
    assert not unknown, f"index.toml speaks of programs that don't exist: {sorted(unknown)}"
    known = {field.name for field in fields(Bundled)}
    assert all(entry.keys() <= known for entry in remarks.values())
    return tuple(Bundled(name, **_frozen(remarks.get(name, {}))) for name in names)


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(x) if isinstance(x, list) else x for key, x in entry.items()}

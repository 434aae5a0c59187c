"""What a study consists of, kept beside its store, and how its cells come one after another."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from trustvi._errors import InputError
from trustvi.study._corpus import Entry
from trustvi.study._store import cell_key
from trustvi.study._types import Cell, Limits

PLAN = "study.json"


class Plan(NamedTuple):
    """Models, methods, seeds and limits; `unusable` are the models that were left out."""

    corpus: str
    entries: tuple[Entry, ...]
    unusable: tuple[tuple[str, str], ...]
    methods: tuple[str, ...]
    seeds: int
    limits: Limits
    store: Path

    def cells(self) -> dict[str, Cell]:
        """All cells by their keys, those of a model together."""
        return {
            cell_key(cell, self.limits): cell
            for entry in self.entries
            for cell in (
                Cell(entry, method, seed) for method in self.methods for seed in range(self.seeds)
            )
        }


def save_plan(folder: Path, plan: Plan) -> None:
    """Write the plan into the study's folder, whole or not at all."""
    content = {
        "corpus": plan.corpus, "methods": plan.methods, "seeds": plan.seeds,
        "limits": plan.limits._asdict(), "store": os.path.relpath(plan.store, folder),
        "models": [_encoded(entry) for entry in plan.entries],
        "unusable": [{"name": name, "reason": reason} for name, reason in plan.unusable],
    }  # fmt: skip
    part = folder / f"{PLAN}.part"
    part.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(part, folder / PLAN)


def _encoded(entry: Entry) -> dict[str, Any]:
    data = str(entry.data.resolve()) if entry.data else None
    return {"name": entry.name, "program": str(entry.program.resolve()), "data": data,
            "fingerprint": entry.fingerprint}  # fmt: skip


def load_plan(folder: Path) -> Plan:
    """The plan in a study's folder."""
    try:
        said = json.loads((folder / PLAN).read_text())
        entries = [
            Entry(m["name"], Path(m["program"]), Path(m["data"]) if m["data"] else None)
            for m in said["models"]
        ]
        known = {m["name"]: m["fingerprint"] for m in said["models"]}
        return Plan(
            said["corpus"],
            tuple(entry._replace(known=known[entry.name]) for entry in entries),
            tuple((u["name"], u["reason"]) for u in said["unusable"]),
            tuple(said["methods"]), said["seeds"], Limits(**said["limits"]),
            folder / said["store"],
        )  # fmt: skip
    except FileNotFoundError:
        raise InputError(f"{folder} holds no study; trustvi study run makes one") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder / PLAN} is not a study's plan") from error


class Queue:
    """Cells still to be run; a worker keeps to a model, whose compiled functions it holds."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._by_model: dict[str, deque[Cell]] = {}
        for cell in cells:
            self._by_model.setdefault(cell.entry.name, deque()).append(cell)
        self._held: dict[int, str] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_model.values()))

    def next(self, worker: int, last: Cell | None) -> Cell | None:
        """A cell of the worker's model, or of one nobody works on, or of the one with most left."""
        name = self._held.pop(worker, None)
        left = {model: cells for model, cells in self._by_model.items() if cells}
        if not left:
            return None
        if name not in left:
            free = [model for model in left if model not in self._held.values()]
            name = free[0] if free else max(left, key=lambda model: len(left[model]))
        assert name is not None
        self._held[worker] = name
        same = [cell for cell in left[name] if last and cell.method == last.method]
        # One who comes to help takes from the end, which the other reaches last.
        shared = list(self._held.values()).count(name) > 1
        cell = same[0] if same else left[name][-1 if shared else 0]
        left[name].remove(cell)
        return cell

    def put_back(self, cell: Cell) -> None:
        self._by_model.setdefault(cell.entry.name, deque()).append(cell)

    def drop(self, name: str) -> int:
        """Forget a model's cells; how many there were."""
        return len(self._by_model.pop(name, ()))

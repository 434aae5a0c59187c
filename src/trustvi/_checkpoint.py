"""States and paths on disk: nested named tuples of numbers and arrays in one npz file."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trustvi._errors import InputError
from trustvi.diagnostics import Verdict
from trustvi.families import MEMBERS
from trustvi.objective import Ledger
from trustvi.optimize import Info, Progress, saved_types

FORMAT = 1
_TYPES = {kind.__name__: kind for kind in (*MEMBERS, Ledger, Info, *saved_types())}


def encode(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """`value` as JSON, with its arrays collected in `arrays` under names that stand for them."""
    if isinstance(value, np.ndarray):
        arrays[f"a{len(arrays)}"] = value
        return {"array": f"a{len(arrays) - 1}"}
    if hasattr(value, "_fields"):
        fields = {name: encode(part, arrays) for name, part in value._asdict().items()}
        return {"type": type(value).__name__, "fields": fields}
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [encode(part, arrays) for part in value]
    if isinstance(value, dict):
        return {"map": {name: encode(part, arrays) for name, part in value.items()}}
    return value


def decode(value: Any, arrays: Any) -> Any:
    """The inverse of `encode`; lists come back as tuples."""
    if isinstance(value, list):
        return tuple(decode(part, arrays) for part in value)
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return arrays[value["array"]]
    if "map" in value:
        return {name: decode(part, arrays) for name, part in value["map"].items()}
    fields = {name: decode(part, arrays) for name, part in value["fields"].items()}
    return _TYPES[value["type"]](**fields)


def write(path: str | Path, content: dict[str, Any]) -> None:
    """Write `content` to `path` in one step: a reader finds the old file or the new one."""
    arrays: dict[str, Any] = {}
    text = json.dumps({"format": FORMAT, **{k: encode(v, arrays) for k, v in content.items()}})
    path = Path(path)
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        np.savez(file, json=np.frombuffer(text.encode(), np.uint8), **arrays)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def read(path: str | Path, what: str) -> dict[str, Any]:
    """The content that `write` wrote."""
    try:
        # From memory: NumPy leaves a file open that it can't read.
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as arrays:
            content = json.loads(bytes(arrays["json"]))
            if content.pop("format") != FORMAT:
                raise InputError(f"{what} {path} was written by another version of trustvi")
            return {name: decode(value, arrays) for name, value in content.items()}
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, (FileNotFoundError, InputError)):
            raise
        raise InputError(f"{what} {path} is not a file that trustvi wrote") from error


def save_progress(
    path: str | Path, run: dict[str, Any], progress: Progress, iterates: Sequence[Any] = ()
) -> None:
    """A checkpoint: the run's settings, where it stands, and the iterates that were kept."""
    verdict = progress.verdict.name if progress.verdict else None
    write(
        path,
        {
            "run": run, "state": progress.state, "path": progress.path, "verdict": verdict,
            "iterates": list(iterates),
        },
    )  # fmt: skip


def load_progress(path: str | Path, run: dict[str, Any]) -> tuple[Progress, list[Any]] | None:
    """The checkpoint at `path` if there is one; it must be of the same run."""
    if not Path(path).exists():
        return None
    saved = read(path, "checkpoint")
    if "state" not in saved:
        raise InputError(f"checkpoint {path} is not a file that fit saved to; name another file")
    differing = [name for name in run if saved["run"].get(name) != run[name]]
    if differing:
        raise InputError(
            f"checkpoint {path} is of another fit: {', '.join(differing)} differ; "
            "remove it or name another file"
        )
    verdict = Verdict[saved["verdict"]] if saved["verdict"] else None
    if verdict in (Verdict.BUDGET, Verdict.INTERRUPTED):
        verdict = None
    return Progress(saved["state"], saved["path"], verdict), list(saved["iterates"])

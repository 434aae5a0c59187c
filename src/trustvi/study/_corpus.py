"""The models of a study: a folder of Stan programs with their data beside them, a folder laid out
as posteriordb, or the gallery that comes with the package."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from trustvi._errors import InputError

GALLERY = Path(__file__).parent / "gallery"
DATA_ENDINGS = (".data.json", ".json", ".data.R")
POSTERIORDB = Path("posterior_database")


class Entry(NamedTuple):
    """A model of a corpus: where its program and data are, or why it can't be used."""

    name: str
    program: Path
    data: Path | None = None
    reason: str = ""
    known: str = ""
    """The fingerprint, once it has been computed."""

    @property
    def fingerprint(self) -> str:
        """Of the program and the data: equal for equal contents, wherever they are."""
        if self.known:
            return self.known
        digest = hashlib.sha256()
        for path in (self.program, self.data):
            content = path.read_bytes() if path else b""
            digest.update(len(content).to_bytes(8, "big") + content)
        return digest.hexdigest()[:20]


class Corpus(NamedTuple):
    """What was found: models to run, and those that can't be, each with its reason."""

    usable: tuple[Entry, ...]
    unusable: tuple[Entry, ...]


def read_corpus(
    place: str | Path, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> Corpus:
    """The models of `place`: a folder, or "gallery" for the package's own.

    `include` and `exclude` are patterns of names; a name is the program's path without ending.
    """
    folder = GALLERY if str(place) == "gallery" and not Path(place).exists() else Path(place)
    if not folder.is_dir():
        raise InputError(f"corpus {str(place)!r} is neither a folder nor the word gallery")
    entries = sorted(_entries(folder))
    chosen = [e for e in entries if _matches(e.name, include, exclude)]
    if not chosen:
        found = (
            f"none of its {len(entries)} models is chosen" if entries else "it has no .stan file"
        )
        raise InputError(f"corpus {str(place)!r}: {found}")
    usable = [e._replace(known=e.fingerprint) for e in chosen if not e.reason]
    return Corpus(tuple(usable), tuple(e for e in chosen if e.reason))


def _entries(folder: Path) -> Iterator[Entry]:
    for root in (folder / POSTERIORDB, folder):
        if (root / "posteriors").is_dir() and (root / "models" / "stan").is_dir():
            return _posteriors(root)
    return (_beside(folder, path) for path in folder.rglob("*.stan"))


def _beside(folder: Path, program: Path) -> Entry:
    """A program with the data file of its stem, or none for an empty data block."""
    name = program.relative_to(folder).with_suffix("").as_posix()
    stem = program.name.removesuffix(".stan")
    found = (program.with_name(stem + ending) for ending in DATA_ENDINGS)
    data = next((path for path in found if path.is_file()), None)
    if data is None and _wants_data(program.read_text(errors="replace")):
        endings = ", ".join(DATA_ENDINGS)
        return Entry(name, program, None, f"no data file beside it ({endings})")
    return Entry(name, program, data)


def _wants_data(text: str) -> bool:
    """Whether the program's data block declares anything."""
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    plain = re.sub(r"\btransformed\s+data\b", "transformed_data", bare)
    block = re.search(r"\bdata\s*\{([^}]*)", plain)
    return bool(block and block.group(1).strip())


def _posteriors(root: Path) -> Iterator[Entry]:
    """Pairs of model and data as the files of `posteriors` name them."""
    for path in (root / "posteriors").glob("*.json"):
        try:
            said = json.loads(path.read_text())
            model, data = said["model_name"], said["data_name"]
        except (ValueError, KeyError, TypeError, UnicodeDecodeError):
            yield Entry(path.stem, path, None, "its posterior file names no model and data")
            continue
        program = root / "models" / "stan" / f"{model}.stan"
        files = [root / "data" / "data" / f"{data}.json{zipped}" for zipped in ("", ".zip")]
        found = next((file for file in files if file.is_file()), None)
        if not program.is_file():
            yield Entry(path.stem, path, None, f"no Stan program {model}.stan")
        elif found is None:
            yield Entry(path.stem, program, None, f"no data file {data}.json or {data}.json.zip")
        else:
            yield Entry(path.stem, program, found)


def _matches(name: str, include: Sequence[str], exclude: Sequence[str]) -> bool:
    wanted = not include or any(fnmatch.fnmatchcase(name, pattern) for pattern in include)
    return wanted and not any(fnmatch.fnmatchcase(name, pattern) for pattern in exclude)


def unpacked(data: Path, folder: Path) -> Path:
    """`data`, or if it is zipped the JSON file in it, unpacked into `folder`."""
    if data.suffix != ".zip":
        return data
    with zipfile.ZipFile(data) as archive:
        inside = [name for name in archive.namelist() if name.endswith(".json")]
        if len(inside) != 1:
            raise InputError(f"{data} holds {len(inside)} JSON files; it should hold one")
        target = folder / Path(inside[0]).name
        target.write_bytes(archive.read(inside[0]))
    return target

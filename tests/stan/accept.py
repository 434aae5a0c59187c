"""The messages for bad programs, as golden transcripts: one for each folder of `bad`.

`python -m tests.stan.accept` writes what is said today, to be read in the diff before committing.
"""

from __future__ import annotations

from pathlib import Path

from trustvi.stan import StanError, check_program

BAD = Path(__file__).with_name("bad")
_RULE = "-" * 80


def folders() -> list[Path]:
    """The folders of bad programs."""
    return sorted(path for path in BAD.iterdir() if path.is_dir())


def transcript_path(folder: Path) -> Path:
    return folder / "transcript.txt"


def transcript(folder: Path) -> str:
    """What is said of every program of a folder."""
    return "\n".join(f"{_RULE}\n{said_of(path)}\n" for path in sorted(folder.glob("*.stan")))


def said_of(path: Path) -> str:
    """The error of a program, with the names of files without their folder."""
    try:
        check_program(path.read_text(encoding="utf-8"), path.name, [path.parent])
    except StanError as error:
        return str(error).replace(f"{path.parent}/", "").replace(str(path.parent), ".")
    return f"nothing wrong in {path.name}"


def main() -> None:
    for folder in folders():
        transcript_path(folder).write_text(transcript(folder), encoding="utf-8")


if __name__ == "__main__":
    main()

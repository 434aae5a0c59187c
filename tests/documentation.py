"""Code on the documentation's pages: what it prints, and what the page says that it prints.

Python blocks of a page are one program. A `text` block right behind one is what it prints. Console
blocks are lines `$ command`, run by bash, with what they print below. Blocks of other languages
(`sh`, `py`) are only read. Write all that is printed anew with: python tests/documentation.py
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cli.transcripts import masked

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(
    r"^```python\n(?P<python>.*?)^```$(?:\n\n```text\n(?P<printed>.*?)^```$)?"
    r"|^```console\n(?P<console>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
DONE = "--- that was a command ---"


class Ran(NamedTuple):
    """Where in the page's text something printed stands, what stands there, what was printed."""

    start: int
    end: int
    said: str
    found: str


def has_code(page: Path) -> bool:
    return CODE.search(page.read_text("utf-8")) is not None


def run_page(page: Path, folder: Path) -> Iterator[Ran]:
    """Run the page's code from top to bottom in the current folder, `folder`."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in CODE.finditer(page.read_text("utf-8")):
        if block["console"] is not None:
            found = _run_console(block["console"], folder)
            yield Ran(*block.span("console"), block["console"], found)
            continue
        screen = io.StringIO()
        with contextlib.redirect_stdout(screen):
            exec(compile(block["python"], str(page), "exec"), names)
        if block["printed"] is not None:
            found = "\n".join(line.rstrip() for line in screen.getvalue().split("\n"))
            yield Ran(*block.span("printed"), block["printed"], found)


def _run_console(block: str, folder: Path) -> str:
    """The block with what its commands print now; the status of one is `$?` of the next."""
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)\n", block, re.MULTILINE)
    script = "".join(
        f"{command}\nstatus=$?; echo '{DONE}'; (exit $status)\n" for command in commands
    )
    env = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "100",
        "TRUSTVI_CACHE": str(folder / ".cache"),
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    printed = done.stdout.split(f"{DONE}\n")
    both = zip(commands, printed, strict=False)
    return "".join(f"$ {command}\n{_stripped(out)}" for command, out in both)


def _stripped(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def comparable(text: str) -> str:
    """Without times and costs."""
    return masked(text)


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder with the examples in it, where pages may write."""
    with TemporaryDirectory() as name:
        (Path(name) / "examples").symlink_to(ROOT / "examples")
        with contextlib.chdir(name):
            yield Path(name)


def _rewrite(page: Path) -> None:
    with scratch_folder() as folder:
        ran = list(run_page(page, folder))
    text = page.read_text("utf-8")
    for each in reversed(ran):
        if comparable(each.said) != comparable(each.found):
            text = text[: each.start] + each.found + text[each.end :]
    page.write_text(text, "utf-8")


if __name__ == "__main__":
    asked = [Path(name).resolve() for name in sys.argv[1:]]
    for path in asked or filter(has_code, PAGES):
        _rewrite(path)

"""Write stan-coverage.md: the functions of Stan that are here, read from the table itself.

python docs/make_coverage.py          # writes docs/stan-coverage.md
python docs/make_coverage.py --check  # fails if the page is not what would be written
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from trustvi.stan.library import _table as table

HERE = Path(__file__).parent
PAGE = HERE / "stan-coverage.md"
LISTING = HERE.parent / "tests" / "stan" / "signatures.json"
REASONS: dict[str, str] = {}
"""Why a function of Stan's is not here, by name."""

HEAD = """\
# What of Stan's function library is here

Written by `docs/make_coverage.py` from the table that the type checker and the evaluator read; a
test compares the table, signature by signature, with what the compiler of Stan 2.35 lists. The
number after a name is the number of its signatures. Functions without a number take any number of
arguments. A density is listed by its full name; its `_lupdf` or `_lupmf` form and the `~` statement
come with it.
"""

DIFFERENCES = (
    "The signs of eigenvectors and singular vectors (for complex ones, their phases) and the order "
    "of the eigenvalues of matrices that aren't symmetric are LAPACK's; Stan's may differ.",
    "`csr_extract` and its parts keep every element of a matrix of parameters: which are 0 isn't "
    "known before the parameters are.",
    "Where Stan's gradient is NaN at a kink (`norm2` at 0, `hypot` at (0, 0), `log_sum_exp` of "
    "negative infinities), it is 0.",
    "A violated requirement on an argument that depends on parameters makes the log density NaN or "
    "-infinity there; on data it is an error with Stan's words.",
)


def main(check: bool) -> int:
    page = "\n".join(lines()) + "\n"
    if check:
        return int(PAGE.read_text(encoding="utf-8") != page)
    PAGE.write_text(page, encoding="utf-8")
    return 0


def lines() -> Iterator[str]:
    """The page, line by line."""
    stan = json.loads(LISTING.read_text(encoding="utf-8"))
    here = table.names()
    yield HEAD
    yield f"Of the {len(stan)} names that Stan lists, {len(here & set(stan))} are here.\n"
    yield from missing(sorted(set(stan) - here))
    yield "## Where results differ\n"
    yield "\n".join(f"- {each}" for each in DIFFERENCES) + "\n"
    for module in table.MODULES:
        yield from section(importlib.import_module(f"trustvi.stan.library.{module}"))


def missing(names: list[str]) -> Iterator[str]:
    """What isn't here, and why."""
    yield "## Not here\n"
    yield "\n".join(f"- `{name}`: {REASONS[name]}" for name in names) if names else "Nothing."
    yield ""


def section(module: object) -> Iterator[str]:
    """The functions of one module under the first line of its docstring."""
    title = (module.__doc__ or "").splitlines()[0].rstrip(".")
    yield f"## {title}\n"
    names = sorted({row.name for row in module.ROWS} & table.names(), key=str.lower)
    yield ", ".join(f"`{name}`{number(name)}" for name in names) + ".\n"


def number(name: str) -> str:
    count = len(table.overloads(name))
    return f" {count}" if count else ""


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

"""Who imports whom: the table of docs/architecture.md, read, against the code's syntax trees."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "trustvi"
# More modules than the façade would mean that `import trustvi` loads an engine nobody asked for.
MODULES_OF_BARE_IMPORT = 3


class Import(NamedTuple):
    """One module named by an import statement, and where."""

    file: Path
    line: int
    module: str
    at_run_time_top: bool

    @property
    def unit(self) -> str:
        """The part of the package that holds the statement: `optimize`, `_fit`."""
        return self.file.relative_to(PACKAGE).parts[0].removesuffix(".py")

    @property
    def target(self) -> str | None:
        """The part of the package that is imported, if it is ours."""
        parts = self.module.split(".")
        return parts[1] if parts[0] == "trustvi" and len(parts) > 1 else None

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def imports(file: Path) -> Iterator[Import]:
    """Every import of a file, those in functions and under TYPE_CHECKING included."""

    def visit(node: ast.AST, top: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, name.name, top) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: imports are absolute"
            whole = node.module == "trustvi"
            names = [f"trustvi.{a.name}" for a in node.names] if whole else [node.module or ""]
            yield from (Import(file, node.lineno, name, top) for name in names)
        typing_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        deeper = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            yield from visit(child, top and not typing_only and not deeper)

    yield from visit(ast.parse(file.read_text()), True)


def allowed() -> dict[str, set[str]]:
    """The table: what each part may import of ours, itself and its row's other parts included."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    table = page.split("| package | holds | may import |\n")[1].split("\n\n")[0]
    result: dict[str, set[str]] = {}
    for row in table.splitlines()[1:]:
        names, _, rule = (cell.strip() for cell in row.strip("|").split("|"))
        units = re.findall(r"`(\w+)`", names)
        rules = {
            "nothing of ours": set[str](),
            "all of the above": set(result),
        }
        others = rules.get(rule, set(re.findall(r"`(\w+)`", rule)))
        assert others or rule in rules, f"row of {names}: {rule!r} isn't understood"
        result |= {unit: others | set(units) for unit in units}
    return result


FILES = sorted(PACKAGE.rglob("*.py"))
ALL = [found for file in FILES if file != PACKAGE / "__init__.py" for found in imports(file)]


def test_every_part_has_a_row() -> None:
    units = {path.name.removesuffix(".py") for path in PACKAGE.iterdir()}
    hidden = {"__init__", "__pycache__", "py.typed"}
    assert units - hidden == set(allowed())


@pytest.mark.parametrize("unit", sorted(allowed()))
def test_a_part_imports_what_its_row_allows(unit: str) -> None:
    mine = [found for found in ALL if found.unit == unit]
    wrong = [str(f) for f in mine if f.target is not None and f.target not in allowed()[unit]]
    assert not wrong


def test_parts_meet_at_their_facades() -> None:
    """`trustvi.objective._draws` is a name for `trustvi.objective` alone."""
    private = [
        str(found)
        for found in ALL
        if found.target not in (None, found.unit) and len(found.module.split(".")) > 2
    ]
    assert not private


def test_only_dependencies_are_imported_at_top_level() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {re.split(r"\W", text)[0] for text in project["dependencies"]}
    known = names | sys.stdlib_module_names | {"trustvi"}
    assert {"jax", "numpy"} < names
    wrong = [str(f) for f in ALL if f.at_run_time_top and f.module.split(".")[0] not in known]
    assert not wrong


def run(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.split()


def test_importing_adds_next_to_nothing_and_leaves_precision_alone() -> None:
    lines = run(
        "import jax, sys; before = set(sys.modules); import trustvi\n"
        "print(*set(sys.modules) - before); print(jax.config.jax_enable_x64)"
    )
    *modules, x64 = lines
    assert x64 == "False"
    assert "trustvi" in modules
    assert len(modules) <= MODULES_OF_BARE_IMPORT


def test_every_public_name_is_there() -> None:
    lines = run(
        "import jax, trustvi\n"
        "print(*[n for n in trustvi.__all__ if not hasattr(trustvi, n)], 'and', "
        "*set(trustvi.__all__) - set(dir(trustvi)), jax.config.jax_enable_x64)"
    )
    assert lines == ["and", "False"]

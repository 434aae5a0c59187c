"""Record what stanc says of programs and expressions: `make_check_reference.py path/to/stanc`.

What is recorded already stays, unless `--all` asks to record everything again.

Writes `check_reference.json`: for each program null, or the error's "line:column", from 1; for each
expression its type, with "data" before it where it depends on data alone, or null for an error.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from check_snippets import expressions, program_of, programs
from make_syntax_reference import read_lists

REFERENCE = Path(__file__).with_name("check_reference.json")
_ERROR = re.compile(r"Semantic error in .*?, line (\d+), column (\d+)", re.DOTALL)
_TYPES = {
    "UInt": "int",
    "UReal": "real",
    "UComplex": "complex",
    "UVector": "vector",
    "URowVector": "row_vector",
    "UMatrix": "matrix",
    "UComplexVector": "complex_vector",
    "UComplexRowVector": "complex_row_vector",
    "UComplexMatrix": "complex_matrix",
}
_BATCH = 64
Reference = dict[str, dict[str, str | None]]


def run(stanc: str, program: str, *flags: str) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.stan")
        path.write_text(program)
        command = [stanc, "--o", "/dev/null", *flags, str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def verdict(stanc: str, program: str) -> str | None:
    """None for a program that stanc accepts, else "line:column"."""
    done = run(stanc, program)
    if done.returncode == 0:
        return None
    found = _ERROR.search(done.stderr)
    if found is None:
        raise ValueError(f"no semantic error: {program}\n{done.stderr}")
    return f"{found[1]}:{int(found[2]) + 1}"


# --------------------------------------------------------------------------- types


def types(stanc: str, exprs: list[str]) -> Iterator[str | None]:
    """What stanc finds for each expression; a batch with an error is taken apart."""
    done = run(stanc, program_of(*exprs), "--debug-decorated-ast")
    if done.returncode == 0:
        yield from printed_types(read_lists(done.stdout))
    elif len(exprs) == 1:
        yield None
    else:
        half = len(exprs) // 2
        yield from types(stanc, exprs[:half])
        yield from types(stanc, exprs[half:])


def printed_types(tree) -> Iterator[str]:
    """The types of the expressions that are printed, in their order."""
    if not isinstance(tree, list):
        return
    if tree[:1] == ["PExpr"]:
        facts = dict(dict(tree[1])["emeta"])
        data = "data " if is_data(facts["ad_level"]) else ""
        yield data + spelled(facts["type_"])
        return
    for child in tree:
        yield from printed_types(child)


def is_data(level) -> bool:
    return level == "DataOnly" or (level[0] == "TupleAD" and all(map(is_data, level[1])))


def spelled(type) -> str:
    """A type as Stan programs spell it."""
    if isinstance(type, str):
        return _TYPES[type]
    if type[0] == "UTuple":
        return f"tuple({', '.join(map(spelled, type[1]))})"
    dims = 0
    while type[0] == "UArray":
        type, dims = type[1], dims + 1
    return f"array[{',' * (dims - 1)}] {spelled(type)}"


def main(stanc: str, known: Reference) -> None:
    exprs = [each for each in expressions() if each not in known["expressions"]]
    batches = [exprs[i : i + _BATCH] for i in range(0, len(exprs), _BATCH)]
    found = [each for batch in batches for each in types(stanc, batch)]
    new = [each for each in programs() if each not in known["programs"]]
    judged = {**known["programs"], **{program: verdict(stanc, program) for program in new}}
    typed = {**known["expressions"], **dict(zip(exprs, found, strict=True))}
    reference = {
        "programs": {program: judged[program] for program in programs()},
        "expressions": {text: typed[text] for text in expressions()},
    }
    REFERENCE.write_text(json.dumps(reference, indent=0, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    nothing: Reference = {"programs": {}, "expressions": {}}
    every = "--all" in sys.argv or not REFERENCE.exists()
    main(sys.argv[1], nothing if every else json.loads(REFERENCE.read_text(encoding="utf-8")))

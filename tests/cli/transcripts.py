"""Commands and what they put on the screen. Write it anew with: python tests/cli/transcripts.py

Times are masked, and oracle calls, which other tests count. Numbers of fits may differ between
processors in what noise decides, so that they are compared within limits (`differences`); all else
must be the same.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from trustvi.cli import main

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "transcripts"
OUT = "OUT"

SESSIONS: dict[str, list[str]] = {
    "eight_schools": [
        "trustvi check examples/eight_schools.stan --data examples/eight_schools.json",
        "trustvi fit examples/eight_schools.stan --data examples/eight_schools.json --transformed "
        "--output OUT/fit --draws 200",
        "trustvi draws OUT/fit -n 2 --sig-figs 2",
        "trustvi report OUT/fit --output OUT/page.html",
    ],
    "logistic": [
        "trustvi fit examples/logistic.stan data file=examples/logistic.json random seed=4 "
        "output file=OUT/draws.csv diagnostic_file=OUT/path.csv refresh=0",
        "trustvi fit examples/logistic.stan data file=examples/logistic.json eta=0.1 id=2",
    ],
    "hierarchical": [
        "trustvi fit examples/hierarchical.stan --data examples/hierarchical.json --generated",
    ],
    "mixture": [
        "trustvi fit examples/mixture.stan --data examples/mixture.json --starts 2",
        "trustvi fit examples/mixture.stan --data examples/mixture.json --max-oracle-calls 0.1",
    ],
    "mistakes": [
        "trustvi fit examples/mixture.stan",
        "trustvi fit examples/mixture.stan --data examples/eight_schools.json",
        "trustvi fit OUT/broken.stan",
        "trustvi check OUT/broken.stan",
        "trustvi check OUT/unused.stan",
        "trustvi fit examples/mixture.stan --tol -1",
        "trustvi fit examples/mixture.stan --set growth=3",
        "trustvi fit examples/mixture.stan --data nowhere.json",
        "trustvi fit examples/mixture.stan --stan-csv nowhere/draws.csv",
        "trustvi draws examples",
        "trustvi frobnicate",
    ],
    "help": [
        "trustvi --help",
        *(f"trustvi {name} --help"
          for name in ("fit", "check", "draws", "report", "compare", "completion")),
    ],
}  # fmt: skip

FILES = {
    "broken.stan": "parameters {\n  real x;\n}\nmodel {\n  x ~ nrmal(0, 1);\n}\n",
    "unused.stan": "parameters {\n  real x;\n}\nmodel {\n  real y = 1;\n  x ~ std_normal();\n}\n",
}


def run(name: str, out: Path) -> str:
    """The session as a reader would see it, with files in `out`."""
    for file, text in FILES.items():
        (out / file).write_text(text)
    lines: list[str] = []
    for command in SESSIONS[name]:
        given = command.replace(OUT, str(out)).split()[1:]
        env = {"COLUMNS": "100", "TRUSTVI_CACHE": str(out / "cache")}
        done = CliRunner(env=env).invoke(main, given, prog_name="trustvi")
        shown = masked(done.output.replace(str(out), OUT))
        lines += [f"$ {command}", shown.rstrip("\n"), f"[status {done.exit_code}]", ""]
    return "\n".join(lines)


def masked(text: str) -> str:
    """The text without times and costs."""
    text = re.sub(r"[\d.]+ (oracle calls|s to compile|s to run)", r"… \1", text)
    return "\n".join(line.rstrip() for line in text.split("\n"))


NUMBER = re.compile(r"^-?\d+(\.\d+)?(e[+-]?\d+)?$")
# What noise and another processor's rounding may change. Means and quantiles: this share of the
# sd; sds and what stands outside of tables: this share of themselves; k-hat: so much.
SHARE, KHAT = 0.15, 0.25


def differences(expected: str, found: str) -> list[str]:
    """Lines that differ in words, or in numbers by more than noise."""
    ours, theirs = expected.splitlines(), found.splitlines()
    if len(ours) != len(theirs):
        return [f"{len(theirs)} lines instead of {len(ours)}:\n{found}"]
    return [
        f"- {one}\n+ {two}" for one, two in zip(ours, theirs, strict=True) if not _same(one, two)
    ]


def _same(one: str, two: str) -> bool:
    left, right = (re.split(r"[\s,]+", line.rstrip(".")) for line in (one, two))
    if len(left) != len(right):
        return False
    if len(left) == 7 and all(map(NUMBER.match, left[1:])):
        sd = float(left[2])
        limits = [SHARE * sd] * 5 + [KHAT]
        pairs = zip(left[1:], right[1:], limits, strict=True)
        return left[0] == right[0] and all(abs(float(x) - float(y)) < at for x, y, at in pairs)
    return all(map(_close, left, right))


def _close(one: str, two: str) -> bool:
    if NUMBER.match(one) and NUMBER.match(two):
        x, y = float(one), float(two)
        return abs(x - y) <= max(SHARE, SHARE * abs(x))
    return one == two


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for session in SESSIONS:
        with TemporaryDirectory() as scratch:
            (FOLDER / f"{session}.txt").write_text(run(session, Path(scratch)), "utf-8")

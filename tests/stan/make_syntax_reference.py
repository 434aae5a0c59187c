"""Record what stanc says of snippets: `python make_syntax_reference.py path/to/stanc`.

What is recorded already stays, unless `--all` asks to record everything again.

Writes `syntax/reference.json`: for each program null, or the error's "line:column", from 1; and
for each expression the expression with all its parentheses. stanc counts columns from 0, and those
of characters that are no token from -1.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from syntax_snippets import expressions, snippets

REFERENCE = Path(__file__).parent / "syntax" / "reference.json"
_ERROR = re.compile(r"Syntax error in .*?, line (\d+), column (-?\d+).*?, (\w+) error:", re.DOTALL)
_FIRST_COLUMN = {"lexing": -1, "parsing": 0, "include": 0}
_OPERATORS = {
    "Or": "||",
    "And": "&&",
    "Equals": "==",
    "NEquals": "!=",
    "Less": "<",
    "Leq": "<=",
    "Greater": ">",
    "Geq": ">=",
    "Plus": "+",
    "Minus": "-",
    "Times": "*",
    "Divide": "/",
    "Modulo": "%",
    "LDivide": "\\",
    "IntDivide": "%/%",
    "EltTimes": ".*",
    "EltDivide": "./",
    "Pow": "^",
    "EltPow": ".^",
    "PNot": "!",
    "PMinus": "-",
    "PPlus": "+",
    "Transpose": "'",
}


def run(stanc: str, program: str) -> subprocess.CompletedProcess[str]:
    """stanc's syntax tree of a program on its standard output, or its errors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.stan")
        path.write_text(program, newline="")
        command = [stanc, "--debug-ast", str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def verdict(stanc: str, program: str) -> str | None:
    """None for a program without syntax errors, else "line:column"."""
    found = _ERROR.search(run(stanc, program).stderr)
    if found is None:
        return None
    line, column, kind = int(found[1]), int(found[2]), found[3]
    return f"{line}:{column - _FIRST_COLUMN[kind] + 1}"


def trees(stanc: str, texts: list[str]) -> dict[str, str]:
    """The expressions with all their parentheses, as stanc reads them."""
    program = "model {\n" + "".join(f"x = {text};\n" for text in texts) + "}"
    (tree,) = read_lists(run(stanc, program).stdout)
    values = [entry[1] for entry in find(tree, "assign_rhs")]
    return dict(zip(texts, map(written, values), strict=True))


def read_lists(text: str) -> list:
    """Nested lists from the text of an S-expression."""
    stack: list[list] = [[]]
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def find(tree, head: str):
    """All lists in the tree that start with this word, outermost first."""
    if isinstance(tree, list):
        if tree[:1] == [head]:
            yield tree
        for child in tree:
            yield from find(child, head)


def written(node) -> str:
    """An expression of stanc's tree with all its parentheses."""
    if isinstance(node[0], list):
        return written(node[0][1]) if node[0][0] == "expr" else node[0][1]
    match node:
        case ["Variable", name]:
            return written(name)
        case ["IntNumeral", text]:
            return text
        case ["BinOp", left, op, right]:
            return f"({written(left)} {_OPERATORS[op]} {written(right)})"
        case ["PrefixOp", op, operand]:
            return f"({_OPERATORS[op]}{written(operand)})"
        case ["PostfixOp", operand, op]:
            return f"({written(operand)}{_OPERATORS[op]})"
        case ["TernaryIf", *parts]:
            return "({} ? {} : {})".format(*map(written, parts))
        case ["Indexed", base, [["Single", index]]]:
            return f"{written(base)}[{written(index)}]"
        case ["TupleProjection", base, item]:
            return f"{written(base)}.{item}"
    raise ValueError(node)


def main(stanc: str, known: dict[str, str | None]) -> None:
    verdicts = {
        program: known[program] if program in known else verdict(stanc, program)
        for program in snippets()
    }
    reference = {"verdicts": verdicts, "trees": trees(stanc, list(expressions()))}
    REFERENCE.write_text(json.dumps(reference, indent=0, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    every = "--all" in sys.argv or not REFERENCE.exists()
    recorded = {} if every else json.loads(REFERENCE.read_text(encoding="utf-8"))["verdicts"]
    main(sys.argv[1], recorded)

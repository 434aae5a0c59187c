"""Digest the listing of `stanc --dump-stan-math-signatures`, which is too long to keep.

    python make_signatures.py LISTING > signatures.json

For every name: the number of its signatures and a hash of them, sorted, one on each line.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path


def digest(signatures: Iterable[str]) -> list[object]:
    """How many there are, and a hash of them that doesn't depend on their order."""
    lines = sorted(signatures)
    return [len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]]


def main(path: str) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for line in filter(None, map(str.strip, Path(path).read_text().splitlines())):
        name, parenthesis, rest = line.partition("(")
        found[name].add(parenthesis + rest)
    rows = (f"{json.dumps(name)}: {json.dumps(digest(found[name]))}" for name in sorted(found))
    print("{\n" + ",\n".join(rows) + "\n}")


if __name__ == "__main__":
    main(sys.argv[1])

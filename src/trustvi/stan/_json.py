"""Data in JSON, as Stan reads it: one object with a member for each variable.

Arrays are nested by rows, complex numbers pairs, tuples objects with members "1", "2", ...;
numbers that JSON has no word for are the strings "NaN", "Inf", "-Inf", "Infinity", "-Infinity".
"""

from __future__ import annotations

import json
from typing import Any

from trustvi.stan._ast import Source, Span
from trustvi.stan._diagnostics import StanDataError

SPECIAL = {
    "NaN": float("nan"),
    "Inf": float("inf"),
    "+Inf": float("inf"),
    "-Inf": float("-inf"),
    "Infinity": float("inf"),
    "+Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


def parse_json(text: str, file: str = "data") -> dict[str, Any]:
    """The members of the JSON object in `text`."""
    try:
        variables = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        span = Span(file, error.lineno, error.colno, error.lineno, error.colno + 1)
        source = Source(file=file, lines={file: text.split("\n")})
        raise StanDataError(f"the data are not valid JSON: {error.msg}", span, source) from None
    except RecursionError:
        raise StanDataError("the data are nested too deeply") from None
    except _Duplicate as error:
        raise StanDataError(f'the data define "{error}" twice') from None
    if not isinstance(variables, dict):
        kind = "an array" if isinstance(variables, list) else "a single value"
        raise StanDataError(f"the data should be one JSON object, but are {kind}")
    return variables


class _Duplicate(ValueError):
    pass


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(members)
    if len(result) < len(members):
        names = [name for name, _ in members]
        raise _Duplicate(next(name for name in names if names.count(name) > 1))
    return result

"""Data in JSON, as Stan reads it: one object with a member for each variable.

Arrays are nested by rows, complex numbers pairs, tuples objects with members "1", "2", ...;
numbers that JSON has no word for are the strings "NaN", "Inf", "-Inf", "Infinity", "-Infinity", or
these words without quotes.
"""

from __future__ import annotations

import json
import re
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
        variables = _read(_spelled_out(text))
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


_INFINITE = re.compile(r'"(?:[^"\\]|\\.)*+"|\bInf\b', re.DOTALL)


def _spelled_out(text: str) -> str:
    """`Inf` as the longer word, the only one that Python's reader knows."""
    if "Inf" not in text or not _BARE.search(text):
        return text
    return _INFINITE.sub(lambda found: "Infinity" if found[0] == "Inf" else found[0], text)


_BARE = re.compile(r"[\[,:\s-]Inf\b")


def _read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except (json.JSONDecodeError, _Duplicate):
        raise
    except ValueError:  # an int of more digits than Python reads is at best a real
        return json.loads(text, object_pairs_hook=_unique, parse_int=float)


class _Duplicate(ValueError):
    pass


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(members)
    if len(result) < len(members):
        names = [name for name, _ in members]
        raise _Duplicate(next(name for name in names if names.count(name) > 1))
    return result

"""Special functions of known arrays: the same names as in `_special`."""

from __future__ import annotations

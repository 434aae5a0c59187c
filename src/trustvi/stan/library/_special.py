"""Special functions of traced arrays, with right and finite derivatives."""

from __future__ import annotations

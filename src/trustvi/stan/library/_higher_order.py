"""Functions that apply a program's own function: the evaluator carries them out itself."""

from __future__ import annotations

from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Convention, Row

_MAP_RECT = spelled(
    "((vector, vector, data array[] real, data array[] int) => vector,"
    " vector, array[] vector, data array[,] real, data array[,] int) => vector"
)
_ANY = spelled()
"""Functions of any number of arguments have no signatures to list; the checker knows them."""

ROWS: tuple[Row, ...] = (
    Row("map_rect", _MAP_RECT, Convention.SPECIAL),
    Row("reduce_sum", _ANY, Convention.SPECIAL),
    Row("reduce_sum_static", _ANY, Convention.SPECIAL),
)

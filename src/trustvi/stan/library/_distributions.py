"""The rows of all univariate distributions."""

from __future__ import annotations

from trustvi.stan.library._distributions_count import CATEGORY_ROWS, COUNTS
from trustvi.stan.library._distributions_real import BOUNDED, HALF_LINE, WHOLE_LINE
from trustvi.stan.library._table import Row
from trustvi.stan.library._univariate import rows_of

DISTRIBUTIONS = WHOLE_LINE + HALF_LINE + BOUNDED + COUNTS

ROWS: tuple[Row, ...] = (*(row for each in DISTRIBUTIONS for row in rows_of(each)), *CATEGORY_ROWS)

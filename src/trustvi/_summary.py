"""A table of means, standard deviations and quantiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from trustvi._export import columns

QUANTILES = (0.05, 0.5, 0.95)
KHAT = "k-hat"
COLUMNS = ("mean", "sd", "5%", "50%", "95%")


@dataclass(frozen=True)
class Summary:
    """One row a scalar quantity: `names[i]` has `values[i]` under `columns`."""

    names: tuple[str, ...]
    values: Float[np.ndarray, "rows columns"]
    columns: tuple[str, ...] = COLUMNS

    def __getitem__(self, name: str) -> dict[str, float]:
        row = self.values[self.names.index(name)]
        return dict(zip(self.columns, map(float, row), strict=True))

    def head(self, rows: int) -> Summary:
        """The first rows."""
        return Summary(self.names[:rows], self.values[:rows], self.columns)

    def with_column(self, name: str, values: Float[np.ndarray, " rows"]) -> Summary:
        """This table with one more column."""
        table = np.concatenate([self.values, values[:, None]], axis=1)
        return Summary(self.names, table, (*self.columns, name))

    def to_dict(self) -> dict[str, dict[str, float]]:
        return {name: self[name] for name in self.names}

    def __rich__(self) -> Any:
        from rich.table import Table

        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("", no_wrap=True)
        for column in self.columns:
            table.add_column(column, justify="right", no_wrap=True)
        for name, row in zip(self.names, self.values, strict=True):
            texts = [_text(*cell) for cell in zip(self.columns, row, strict=True)]
            table.add_row(name, *texts)
        return table

    def __str__(self) -> str:
        from rich.console import Console

        width = max((len(name) for name in self.names), default=0) + 14 * len(self.columns)
        console = Console(width=width, no_color=True)
        with console.capture() as capture:
            console.print(self)
        return "\n".join(line.rstrip() for line in capture.get().rstrip("\n").split("\n"))


def _text(column: str, value: float) -> str:
    """Four digits; k-hat has noise in the second decimal."""
    return f"{value:.2f}" if column == KHAT else f"{value:.4g}"


def summarize(draws: Mapping[str, np.ndarray]) -> Summary:
    """Summarise draws by name; elements of arrays are named theta.1.2, counted from 1."""
    names, flat = columns(draws, "C")
    if not names:
        return Summary((), np.zeros((0, len(COLUMNS))))
    quantiles = np.quantile(flat, QUANTILES, axis=0)
    table = np.stack([flat.mean(axis=0), flat.std(axis=0, ddof=1), *quantiles], axis=1)
    return Summary(tuple(names), table)

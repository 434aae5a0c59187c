"""A table of means, standard deviations and quantiles."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from trustvi._export import columns, frame

QUANTILES = (0.05, 0.5, 0.95)
KHAT = "k-hat"
LR_SD = "lr sd"
COLUMNS = ("mean", "sd", "5%", "50%", "95%")


class Cut(NamedTuple):
    """Rows that stand for all: their positions, and how many are left out after some of them."""

    shown: tuple[int, ...]
    hidden: dict[int, int]

    @property
    def left_out(self) -> int:
        return sum(self.hidden.values())


@dataclass(frozen=True)
class Summary:
    """One row a scalar quantity: `names[i]` has `values[i]` under `columns`."""

    names: tuple[str, ...]
    values: Float[np.ndarray, "rows columns"]
    columns: tuple[str, ...] = COLUMNS

    def __getitem__(self, name: str) -> dict[str, float]:
        row = self.values[self.names.index(name)]
        return dict(zip(self.columns, map(float, row), strict=True))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def head(self, rows: int) -> Summary:
        """The first rows."""
        return Summary(self.names[:rows], self.values[:rows], self.columns)

    def with_column(self, name: str, values: Float[np.ndarray, " rows"]) -> Summary:
        """This table with one more column."""
        table = np.concatenate([self.values, values[:, None]], axis=1)
        return Summary(self.names, table, (*self.columns, name))

    def cut(self, rows: int | None) -> Cut:
        """About `rows` rows: the first of each array, as many as there is room for all to have."""
        arrays = [list(at) for _, at in groupby(range(len(self)), lambda i: _array(self.names[i]))]
        if rows is None or len(self) <= rows:
            return Cut(tuple(range(len(self))), {})
        arrays, rest = arrays[:rows], arrays[rows:]
        room = max(n for n in range(1, rows + 1) if n == 1 or _taken(arrays, n) <= rows)
        shown = [i for array in arrays for i in array[:room]]
        hidden = {array[:room][-1]: len(array) - room for array in arrays if len(array) > room}
        if rest:
            hidden[shown[-1]] = hidden.get(shown[-1], 0) + sum(map(len, rest))
        return Cut(tuple(shown), hidden)

    def to_dict(self) -> dict[str, dict[str, float]]:
        rows = [map(float, row) for row in self.values]
        return {
            name: dict(zip(self.columns, row, strict=True))
            for name, row in zip(self.names, rows, strict=True)
        }

    def to_dataframe(self) -> Any:
        """A pandas DataFrame, a row a quantity."""
        return frame(self.values, list(self.columns), list(self.names))

    def to_csv(self) -> str:
        """Comma-separated values, all digits kept."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["name", *self.columns])
        writer.writerows(
            [name, *map(float, row)] for name, row in zip(self.names, self.values, strict=True)
        )
        return text.getvalue()

    def texts(self, row: int) -> list[str]:
        """The numbers of a row as they are shown."""
        return [cell_text(*cell) for cell in zip(self.columns, self.values[row], strict=True)]

    def rich(self, rows: int | None = None) -> Any:
        """A table for the terminal, cut to about `rows` rows."""
        from rich.table import Table

        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("", no_wrap=True)
        for column in self.columns:
            table.add_column(column, justify="right", no_wrap=True)
        cut = self.cut(rows)
        for row in cut.shown:
            table.add_row(self.names[row], *self.texts(row))
            if row in cut.hidden:
                table.add_row(f"… {cut.hidden[row]} more", style="dim")
        return table

    def __rich__(self) -> Any:
        return self.rich()

    def __str__(self) -> str:
        from rich.console import Console

        width = max((len(name) for name in self.names), default=0) + 14 * len(self.columns)
        console = Console(width=width, no_color=True)
        with console.capture() as capture:
            console.print(self)
        return "\n".join(line.rstrip() for line in capture.get().rstrip("\n").split("\n"))

    def _repr_html_(self) -> str:
        """What notebooks show."""
        head = "".join(f"<th>{escape(column)}</th>" for column in ("", *self.columns))
        rows = (
            f"<tr><th>{escape(self.names[row])}</th>"
            + "".join(f"<td>{text}</td>" for text in self.texts(row))
            + "</tr>"
            for row in range(len(self))
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _array(name: str) -> str:
    return name.split(".")[0]


def _taken(arrays: list[list[int]], room: int) -> int:
    """Lines of a table that shows the first `room` of each array, and a line for what it hides."""
    return sum(min(len(array), room) + (len(array) > room) for array in arrays)


def cell_text(column: str, value: float) -> str:
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

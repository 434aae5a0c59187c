"""The path of a fit as comma-separated values."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trustvi._posterior import Posterior


def write_path(post: Posterior, path: str | Path, *, all_columns: bool) -> None:
    """CmdStan's diagnostic file (iter, time_in_seconds, ELBO), or a column for each field."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if all_columns:
            writer.writerow(post.path[0]._fields if post.path else [])
            writer.writerows(post.path)
        else:
            file.write("# iter,time_in_seconds,ELBO\n")
            writer.writerows((info.iteration, info.seconds, info.elbo) for info in post.path)

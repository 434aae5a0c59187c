"""The store of a study: one SQLite file in WAL mode, to which rows are only ever added.

A cell's key is a digest of all that its result depends on: contents of program and data, method,
seed, limits, version of the package. So a study that was killed finds what it had finished, and
studies that share a store share the cells that they have in common.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from trustvi._errors import InputError
from trustvi.study._types import Cell, Limits, Result, Trace

FORMAT = 1
BUSY_SECONDS = 60.0

SCHEMA = """
create table if not exists about (format integer not null);
create table if not exists attempts (
  id integer primary key, cell text not null, kind text not null, reason text not null,
  at real not null);
create table if not exists unusable (fingerprint text primary key, reason text not null);
create table if not exists results (
  cell text primary key, fingerprint text not null, model text not null, method text not null,
  seed integer not null, verdict text not null, dim integer not null, calls real not null,
  seconds real not null, compile_seconds real not null, elbo real, elbo_se real,
  path text not null, at real not null);
create index if not exists attempts_of_cell on attempts (cell);
"""


class Run(NamedTuple):
    """A cell's result as the report sees it."""

    model: str
    method: str
    seed: int
    result: Result


def cell_key(cell: Cell, limits: Limits) -> str:
    """A digest of all that the cell's result depends on."""
    parts = (version("trustvi"), cell.entry.fingerprint, cell.method, cell.seed, *limits)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


class Store:
    """Results and failed attempts, each added in a transaction of its own."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            self._db.executescript(SCHEMA)
        except sqlite3.DatabaseError as error:
            raise InputError(f"{path} is not a study's store: {error}") from error
        self._check_format()

    def _check_format(self) -> None:
        with self._transaction():
            found = self._db.execute("select format from about").fetchone()
            if found is None:
                self._db.execute("insert into about values (?)", (FORMAT,))
            elif found[0] != FORMAT:
                raise InputError(f"{self.path} was written by another version of trustvi")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    def close(self) -> None:
        self._db.close()

    def add_result(self, key: str, cell: Cell, result: Result) -> None:
        """Keep a result; the first of a cell stays."""
        path = json.dumps(result.path._asdict(), separators=(",", ":"))
        row = (
            key, cell.entry.fingerprint, cell.entry.name, cell.method, cell.seed, result.verdict,
            result.dim, result.calls, result.seconds, result.compile_seconds, result.elbo,
            result.elbo_se, path, time.time(),
        )  # fmt: skip
        with self._transaction():
            self._db.execute(f"insert or ignore into results values ({','.join('?' * 14)})", row)

    def add_attempt(self, key: str, kind: str, reason: str) -> None:
        """Keep that a cell was tried and lost."""
        with self._transaction():
            self._db.execute(
                "insert into attempts (cell, kind, reason, at) values (?, ?, ?, ?)",
                (key, kind, reason, time.time()),
            )

    def add_unusable(self, fingerprint: str, reason: str) -> None:
        with self._transaction():
            self._db.execute("insert or ignore into unusable values (?, ?)", (fingerprint, reason))

    def unusable(self) -> dict[str, str]:
        """Fingerprints of models that no method can be run on, with the reasons."""
        return dict(self._db.execute("select fingerprint, reason from unusable"))

    def finished(self) -> set[str]:
        return {key for (key,) in self._db.execute("select cell from results")}

    def lost(self) -> dict[str, list[tuple[str, str]]]:
        """Kinds and reasons of the failed attempts, by cell, in their order."""
        rows = self._db.execute("select cell, kind, reason from attempts order by id")
        found: dict[str, list[tuple[str, str]]] = {}
        for key, kind, reason in rows:
            found.setdefault(key, []).append((kind, reason))
        return found

    def runs(self, keys: Iterable[str]) -> dict[str, Run]:
        """The results of these cells."""
        wanted = set(keys)
        rows = self._db.execute(
            "select cell, model, method, seed, verdict, dim, calls, seconds, compile_seconds, "
            "elbo, elbo_se, path from results"
        )
        return {row[0]: _run(*row[1:]) for row in rows if row[0] in wanted}


def _run(
    model: str, method: str, seed: int, verdict: str, dim: int, calls: float, seconds: float,
    compile_seconds: float, elbo: float, elbo_se: float, path: str,
) -> Run:  # fmt: skip
    trace = Trace(**{name: tuple(values) for name, values in json.loads(path).items()})
    result = Result(verdict, dim, calls, seconds, compile_seconds, elbo, elbo_se, trace)
    return Run(model, method, seed, result)

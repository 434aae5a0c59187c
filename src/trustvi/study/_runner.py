"""Runs the cells of a study that its store lacks, on worker processes or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing.connection import wait
from typing import NamedTuple, Protocol

from trustvi.study._plan import Plan, Queue
from trustvi.study._store import Store, cell_key
from trustvi.study._types import Cell, Limits
from trustvi.study._worker import Answer, Runner, Worker, answer

# A cell is run once more after it crashed or hung.
ATTEMPTS = 2
POLL_SECONDS = 0.5


class Event(NamedTuple):
    """A cell that came to an end, or none where time just went by."""

    cell: Cell | None
    reply: Answer | None


class Pool(Protocol):
    """Where cells are run: yields what comes back, and asks the queue for more."""

    def run(self, queue: Queue, limits: Limits) -> Iterator[Event]: ...


class Watcher(Protocol):
    """Who wants to know how a study goes."""

    def begin(self, total: int, done: int) -> None: ...

    def tick(self, done: int, lost: int, reply: Answer | None) -> None: ...


class Tally(NamedTuple):
    """How a study ended: cells with a result, cells lost for good, models that can't be used."""

    done: int
    lost: int
    unusable: tuple[tuple[str, str], ...]


class _Book:
    """Where a study stands: what the store holds of it, and what has been added since."""

    def __init__(self, plan: Plan, store: Store) -> None:
        self.plan, self.store, self.cells = plan, store, plan.cells()
        reasons = store.unusable()
        self.bad = {e.name: r for e in plan.entries if (r := reasons.get(e.fingerprint))}
        self.tried = {key: len(failures) for key, failures in store.lost().items()}
        self.finished = store.finished() & set(self.cells)

    def waiting(self) -> list[Cell]:
        return [
            cell for key, cell in self.cells.items()
            if key not in self.finished and self.tried.get(key, 0) < ATTEMPTS
            and cell.entry.name not in self.bad
        ]  # fmt: skip

    def lost(self) -> int:
        """Cells that won't be run again, nor were."""
        return len(self.cells) - len(self.finished) - len(self.waiting())

    def keep(self, cell: Cell, reply: Answer, queue: Queue) -> None:
        """Into the store with it; a cell lost for the first time goes back into the queue."""
        key = cell_key(cell, self.plan.limits)
        if reply.result is not None:
            self.store.add_result(key, cell, reply.result)
            self.finished.add(key)
        elif reply.kind == "unusable":
            self.store.add_unusable(cell.entry.fingerprint, reply.reason)
            self.bad[cell.entry.name] = reply.reason
            queue.drop(cell.entry.name)
        else:
            self.store.add_attempt(key, reply.kind, reply.reason)
            self.tried[key] = self.tried.get(key, 0) + 1
            if self.tried[key] < ATTEMPTS:
                queue.put_back(cell)


def run_study(plan: Plan, store: Store, pool: Pool, watcher: Watcher) -> Tally:
    """Run what is unfinished; every result is in the store before the next cell begins."""
    book = _Book(plan, store)
    queue = Queue(book.waiting())
    watcher.begin(len(book.cells), len(book.finished) + book.lost())
    for cell, reply in pool.run(queue, plan.limits):
        if cell is not None and reply is not None:
            book.keep(cell, reply, queue)
        watcher.tick(len(book.finished), book.lost(), reply)
    return Tally(len(book.finished), book.lost(), (*plan.unusable, *sorted(book.bad.items())))


class Processes:
    """So many worker processes on this machine; one that dies or hangs costs its cell."""

    def __init__(self, jobs: int, hang_seconds: float, run: Runner = answer) -> None:
        self._jobs, self._hang, self._run = jobs, hang_seconds, run

    def run(self, queue: Queue, limits: Limits) -> Iterator[Event]:
        workers: dict[int, Worker] = {}
        last: dict[int, Cell] = {}
        try:
            while True:
                self._hand_out(workers, last, queue, limits)
                busy = {w.line: i for i, w in workers.items() if w.cell is not None}
                if not busy:
                    return
                for line in wait(list(busy), timeout=POLL_SECONDS):
                    yield from self._collect(workers, busy[line])  # type: ignore[index]
                yield from self._end_hung(workers, limits)
                yield Event(None, None)
        finally:
            for worker in workers.values():
                worker.kill()

    def _hand_out(
        self, workers: dict[int, Worker], last: dict[int, Cell], queue: Queue, limits: Limits
    ) -> None:
        for number in range(self._jobs):
            if number in workers and workers[number].cell is not None:
                continue
            cell = queue.next(number, last.get(number))
            if cell is None:
                continue
            if number not in workers:
                workers[number] = Worker(limits, self._run)
            last[number] = cell
            workers[number].give(cell)

    def _collect(self, workers: dict[int, Worker], number: int) -> Iterator[Event]:
        worker = workers[number]
        reply = worker.take()
        if reply is None:
            return
        if reply.kind == "crashed":
            del workers[number]
        cell, worker.cell = worker.cell, None
        yield Event(cell, reply)

    def _end_hung(self, workers: dict[int, Worker], limits: Limits) -> Iterator[Event]:
        """Workers far beyond the budget of seconds, which is looked at between iterations only."""
        allowed = limits.max_seconds + self._hang
        for number, worker in list(workers.items()):
            if worker.late(allowed):
                workers.pop(number).kill()
                yield Event(worker.cell, Answer("hung", None, f"no end after {allowed:.0f} s"))

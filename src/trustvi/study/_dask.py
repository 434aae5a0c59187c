"""The same cells on a Dask cluster. Its workers must see the corpus under the same paths."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from trustvi._errors import InputError
from trustvi.study._plan import Queue
from trustvi.study._runner import POLL_SECONDS, Event
from trustvi.study._types import Cell, Limits
from trustvi.study._worker import Answer, Runner, answer, sentence

CONNECT_SECONDS = RESTART_SECONDS = 30


class Dask:
    """A cluster by the address of its scheduler; as many cells at once as it has threads.

    A worker that dies costs its cell, as it does on one machine. A worker that hangs is started
    anew, if the cluster has a nanny for it, and else left alone; its cell is given up after the
    budget of seconds and `hang_seconds`.
    """

    def __init__(self, address: str, hang_seconds: float, run: Runner = answer) -> None:
        self._address, self._hang, self._run = address, hang_seconds, run

    def run(self, queue: Queue, limits: Limits) -> Iterator[Event]:
        try:
            from distributed import Client
        except ImportError as error:
            raise InputError("--dask needs the extra: pip install 'trustvi[study]'") from error
        try:
            client = Client(self._address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(f"no Dask scheduler at {self._address}: {error}") from error
        with client:
            yield from self._drive(client, queue, limits)

    def _drive(self, client: Any, queue: Queue, limits: Limits) -> Iterator[Event]:
        from distributed import wait

        running: dict[Any, tuple[int, Cell, float]] = {}
        last: dict[int, Cell] = {}
        while True:
            places = max(1, sum(client.nthreads().values()))
            for place in set(range(places)) - {p for p, _, _ in running.values()}:
                cell = queue.next(place, last.get(place))
                if cell is not None:
                    last[place] = cell
                    future = client.submit(self._run, cell, limits, pure=False, retries=0)
                    running[future] = (place, cell, time.monotonic())
            if not running:
                return
            try:
                wait(list(running), timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
            except TimeoutError:
                yield Event(None, None)
            for future, (_, cell, since) in list(running.items()):
                if future.done():
                    del running[future]
                    yield Event(cell, _answered(future))
                elif time.monotonic() - since > limits.max_seconds + self._hang:
                    del running[future]
                    for other in _end(client, future, running):
                        running[other] = (*running[other][:2], time.monotonic())
                    yield Event(cell, Answer("hung", None, "no end within the budget of seconds"))


def _end(client: Any, future: Any, running: Iterable[Any]) -> list[Any]:
    """Take a cell from the cluster, and its process with it where a nanny can start another.

    What else ran in that process begins again there: those futures are returned.
    """
    homes = {home: keys for home, keys in client.processing().items() if future.key in keys}
    future.cancel(force=True)
    # Without a nanny that is refused, and a worker may be gone by now.
    with suppress(ValueError, TimeoutError, OSError, KeyError):
        client.restart_workers(list(homes), timeout=RESTART_SECONDS, raise_for_error=False)
    beside = {key for keys in homes.values() for key in keys}
    return [each for each in running if each.key in beside]


def _answered(future: Any) -> Answer:
    if future.status == "finished":
        return future.result()
    return Answer("crashed", None, sentence(future.exception()))

"""Taking back what a statement did before it turned out that it must be run otherwise."""

from __future__ import annotations

from collections.abc import Callable

from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._lanes import Node


def undoable(frame: Frame) -> Callable[[], None]:
    """Note the state of the logs and the target; the function returned goes back to it.

    Variables need no more: a statement that is given up has not assigned to any but those of
    functions it called, which are gone.
    """
    machine = frame.machine
    printed = len(machine.printed)
    target = machine.target.state()
    lengths = [
        (node, store, len(log.entries), len(log.reads))
        for node in _ancestors(frame.node)
        for store, log in node.logs.items()
    ]
    known = {(id(node), store) for node, store, _, _ in lengths}

    def undo() -> None:
        del machine.printed[printed:]
        machine.target.restore(target)
        for node in _ancestors(frame.node):
            for store in [s for s in node.logs if (id(node), s) not in known]:
                del node.logs[store]
        for node, store, entries, reads in lengths:
            node.logs[store].truncate(entries, reads)

    return undo


def _ancestors(node: Node | None) -> list[Node]:
    found = []
    while node is not None:
        found.append(node)
        node = node.parent
    return found

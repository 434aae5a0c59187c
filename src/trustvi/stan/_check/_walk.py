"""All nodes of a tree."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import fields

from trustvi.stan import _ast as ast

_NODES = (
    ast.Expr,
    ast.Index,
    ast.Stmt,
    ast.Declared,
    ast.SizedType,
    ast.Truncation,
    ast.FunctionDef,
    ast.Program,
)
_DERIVED = frozenset({"density", "lcdf", "lccdf"})
"""Fields that the checker makes from others of the same node."""


@functools.cache
def _fields_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in _DERIVED)


def children(node: object) -> Iterator[object]:
    """The nodes directly below `node`, as they stand in the text."""
    for name in _fields_of(type(node)):
        value = getattr(node, name)
        if isinstance(value, _NODES):
            yield value
        elif isinstance(value, tuple):
            yield from (each for each in value if isinstance(each, _NODES))


def nodes(*trees: object) -> Iterator[object]:
    """`trees` and all nodes below them, from left to right, each before what it contains."""
    pending = list(reversed(trees))
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(list(children(node))))


def deepest(tree: object) -> ast.Span | None:
    """The place of the node with the most others around it, the first of several."""
    pending, found, most = [(tree, 0)], None, -1
    while pending:
        node, depth = pending.pop()
        if depth > most and isinstance(span := getattr(node, "span", None), ast.Span):
            found, most = span, depth
        pending.extend((child, depth + 1) for child in reversed(list(children(node))))
    return found

"""The part of a loop's body that some of its variables depend on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from trustvi.stan import _ast as ast
from trustvi.stan._eval._facts import Facts, walk

Names = frozenset[str]


def slice_of(
    body: Sequence[ast.Stmt], names: Names, facts: Facts
) -> tuple[tuple[ast.Stmt, ...], Names]:
    """The statements that decide the values of `names`, and all variables assigned in them."""
    assigned = facts.assigned(tuple(body))
    wanted = names
    while True:
        kept = _kept_all(body, wanted)
        needed = (
            frozenset(node.name for node in walk(kept) if isinstance(node, ast.Variable)) & assigned
        )
        if needed <= wanted:
            return kept, wanted
        wanted |= needed


def _kept_all(statements: Sequence[ast.Stmt], names: Names) -> tuple[ast.Stmt, ...]:
    return tuple(each for statement in statements for each in _kept(statement, names))


def _kept(statement: ast.Stmt, names: Names) -> Iterator[ast.Stmt]:
    """The statement, without what `names` don't depend on; nothing if that is all of it."""
    match statement:
        case ast.Declaration():
            if statement.name in names:
                yield statement
        case ast.Assign():
            if any(isinstance(n, ast.Variable) and n.name in names for n in walk(statement.target)):
                yield statement
        case ast.Break() | ast.Continue() | ast.Return():
            yield statement
        case ast.Block() | ast.Profile():
            body = _kept_all(statement.body, names)
            if body:
                yield dataclasses.replace(statement, body=body)
        case ast.For() | ast.ForEach() | ast.While():
            body = _kept_all((statement.body,), names)
            if body and not _only_leaves(body):
                yield dataclasses.replace(statement, body=body[0])
        case ast.If():
            yield from _kept_if(statement, names)


def _kept_if(statement: ast.If, names: Names) -> Iterator[ast.Stmt]:
    then = _kept_all((statement.then,), names)
    otherwise = _kept_all((statement.otherwise,), names) if statement.otherwise else ()
    if then or otherwise:
        nothing = ast.Skip(span=statement.span)
        yield dataclasses.replace(
            statement,
            then=then[0] if then else nothing,
            otherwise=otherwise[0] if otherwise else None,
        )


def _only_leaves(body: Sequence[ast.Stmt]) -> bool:
    """Whether nothing is assigned in an inner loop, so that it doesn't matter."""
    return not any(
        isinstance(n, ast.Assign | ast.Declaration | ast.Return) for n in walk(tuple(body))
    )

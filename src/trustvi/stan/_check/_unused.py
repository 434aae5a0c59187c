"""Variables that are declared, and perhaps assigned to, but never read."""

from __future__ import annotations

from collections.abc import Iterator

from trustvi.stan import _ast as ast
from trustvi.stan._check._walk import nodes
from trustvi.stan._diagnostics import StanWarning


def unused_parameters(program: ast.Program) -> Iterator[StanWarning]:
    """A parameter that no later block of the density reads has no effect on it."""
    blocks = (program.parameters, program.transformed_parameters, program.model)
    read = names_read(*(stmt for block in blocks for stmt in block or ()))
    for stmt in program.parameters or ():
        if isinstance(stmt, ast.Declaration) and stmt.name not in read:
            yield StanWarning(
                f'the parameter "{stmt.name}" is declared, but the density doesn\'t use it',
                stmt.name_span,
            )


def unused_variables(program: ast.Program) -> Iterator[StanWarning]:
    """Local variables that their block or function doesn't read, and transformed data that no
    block does. What other blocks declare is read by whoever gives data and looks at results."""
    for function in program.functions or ():
        yield from _unread(nodes(function), names_read(function))
    for statements in (program.transformed_parameters, program.generated_quantities):
        inner = (each for each in statements or () if not isinstance(each, ast.Declaration))
        yield from _unread(nodes(*inner), names_read(*(statements or ())))
    yield from _unread(nodes(*(program.model or ())), names_read(*(program.model or ())))
    if program.transformed_data:
        yield from _unread(nodes(*program.transformed_data), names_read(program))


def _unread(found: Iterator[object], read: frozenset[str]) -> Iterator[StanWarning]:
    for node in found:
        if isinstance(node, ast.Declaration) and node.name not in read:
            yield StanWarning(f'the variable "{node.name}" is never read', node.name_span)


def names_read(*trees: object) -> frozenset[str]:
    """The variables whose values are used somewhere in `trees`; to be assigned to is no use."""
    every = list(nodes(*trees))
    written = {id(base) for node in every if isinstance(node, ast.Assign) for base in _bases(node)}
    return frozenset(
        node.name for node in every if isinstance(node, ast.Variable) and id(node) not in written
    )


def _bases(stmt: ast.Assign) -> Iterator[ast.Expr]:
    """The variables that a statement assigns to."""
    pending = [stmt.target]
    while pending:
        target = pending.pop()
        while isinstance(target, ast.Indexed | ast.TupleItem):
            target = target.base
        if isinstance(target, ast.TupleLiteral):
            pending.extend(target.elements)
        else:
            yield target

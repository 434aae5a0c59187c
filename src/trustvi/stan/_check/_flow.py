"""Whether control can reach the end of statements."""

from __future__ import annotations

from collections.abc import Iterator

from trustvi.stan import _ast as ast


def always_returns(statements: tuple[ast.Stmt, ...]) -> bool:
    """Whether the last of the statements returns, rejects or goes on for ever, on every path.

    As in Stan, the last is the first that leaves them, if there is one, and the body of a loop
    counts as executed at least once.
    """
    last = next(filter(leaves, statements), statements[-1] if statements else None)
    return last is not None and _returns(last)


def _returns(stmt: ast.Stmt) -> bool:
    match stmt:
        case ast.Return() | ast.Reject():
            return True
        case ast.Block() | ast.Profile():
            return always_returns(stmt.body)
        case ast.If():
            branches = tuple(_branches(stmt))
            return branches[-1] is not None and all(map(_returns, filter(None, branches)))
        case ast.For() | ast.ForEach():
            return _returns(stmt.body) and not _breaks(stmt.body)
        case ast.While():
            endless = isinstance(stmt.condition, ast.IntLiteral) and stmt.condition.value != 0
            return (endless or _returns(stmt.body)) and not _breaks(stmt.body)
        case _:
            return False


def _branches(stmt: ast.If) -> Iterator[ast.Stmt | None]:
    """The branches of a chain of `else if`, whose last is None without an `else`."""
    otherwise: ast.Stmt | None = stmt
    while isinstance(otherwise, ast.If):
        yield otherwise.then
        otherwise = otherwise.otherwise
    yield otherwise


def _breaks(stmt: ast.Stmt) -> bool:
    """Whether a `break` in `stmt` can end the loop around it."""
    match stmt:
        case ast.Break():
            return True
        case ast.Block() | ast.Profile():
            for each in stmt.body:
                if _breaks(each):
                    return True
                if leaves(each):
                    return False
            return False
        case ast.If():
            return any(map(_breaks, filter(None, _branches(stmt))))
        case _:
            return False


def leaves(stmt: ast.Stmt) -> bool:
    """Whether what stands behind `stmt` is never reached."""
    return isinstance(stmt, ast.Return | ast.Reject | ast.Break | ast.Continue)

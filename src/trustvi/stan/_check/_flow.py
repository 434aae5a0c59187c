"""Whether control can reach the end of statements."""

from __future__ import annotations

from trustvi.stan import _ast as ast


def always_returns(statements: tuple[ast.Stmt, ...]) -> bool:
    """Whether the statements return, reject or go on for ever, on every path.

    As in Stan, the body of a loop counts as executed at least once.
    """
    return any(map(_returns, statements))


def _returns(stmt: ast.Stmt) -> bool:
    match stmt:
        case ast.Return() | ast.Reject():
            return True
        case ast.Block() | ast.Profile():
            return always_returns(stmt.body)
        case ast.If():
            return stmt.otherwise is not None and _returns(stmt.then) and _returns(stmt.otherwise)
        case ast.For() | ast.ForEach():
            return _returns(stmt.body) and not _breaks(stmt.body)
        case ast.While():
            endless = isinstance(stmt.condition, ast.IntLiteral) and stmt.condition.value != 0
            return (endless or _returns(stmt.body)) and not _breaks(stmt.body)
        case _:
            return False


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
            return _breaks(stmt.then) or (stmt.otherwise is not None and _breaks(stmt.otherwise))
        case _:
            return False


def leaves(stmt: ast.Stmt) -> bool:
    """Whether what stands behind `stmt` is never reached."""
    return isinstance(stmt, ast.Return | ast.Reject | ast.Break | ast.Continue)

"""Statements."""

from __future__ import annotations

from collections.abc import Callable

from trustvi.stan import _ast as ast
from trustvi.stan._ast import Op
from trustvi.stan._diagnostics import did_you_mean
from trustvi.stan._lexer import BLOCKS, END, STRING
from trustvi.stan._parse_core import Cursor, comma_separated, name, open_block_hints
from trustvi.stan._parse_decl import declaration
from trustvi.stan._parse_expr import (
    LOOSEST,
    arguments,
    conditional,
    expression,
    operators,
    subscripts,
)
from trustvi.stan._parse_type import (
    BLOCK_TYPES,
    LOCAL_TYPES,
    STRUCTURED,
    recognise_newer_type,
    starts_newer_declaration,
)

ASSIGNMENTS: dict[str, Op | None] = {
    "=": None,
    "+=": Op.ADD,
    "-=": Op.SUB,
    "*=": Op.MUL,
    "/=": Op.DIV,
    ".*=": Op.ELT_MUL,
    "./=": Op.ELT_DIV,
}


# --------------------------------------------------------------------------- sequences


def body(c: Cursor, *, constrained: bool = False) -> tuple[ast.Stmt, ...]:
    """Declarations and statements up to and with the closing brace."""
    statements: list[ast.Stmt] = []
    while not c.accept("}"):
        statements.extend(_declarations_or_statement(c, constrained))
    return tuple(statements)


def _declarations_or_statement(c: Cursor, constrained: bool) -> list[ast.Stmt]:
    if constrained and starts_newer_declaration(c):
        recognise_newer_type(c)
    if c.kinds[c.at] in (BLOCK_TYPES if constrained else LOCAL_TYPES):
        return declaration(c, constrained=constrained)
    return [statement(c, 'a declaration, a statement or "}"')]


def _nested(c: Cursor, expected: str) -> ast.Stmt:
    """The one statement or declaration that a branch or a loop governs."""
    if c.kinds[c.at] not in LOCAL_TYPES:
        return statement(c, expected)
    start = c.at
    found = declaration(c, constrained=False)
    return found[0] if len(found) == 1 else ast.Block(span=c.span_from(start), body=tuple(found))


# --------------------------------------------------------------------------- statements


def statement(c: Cursor, expected: str = "a statement") -> ast.Stmt:
    """One statement."""
    start = c.at
    kind = c.kinds[start]
    if kind == "{":
        found = _braces(c)
        return found if isinstance(found, ast.Stmt) else _from_expression(c, start, found)
    if _starts_statement(c):
        c.at += 1
        return _STATEMENTS[kind](c, start)
    if kind in STRUCTURED:
        hint = "constrained types are only for variables declared in a block itself"
        return c.fail(f"expected {expected}", hint)
    if kind in BLOCKS:
        return c.fail(f"expected {expected}", *open_block_hints(c))
    return _from_expression(c, start, expression(c, expected))


def _starts_statement(c: Cursor) -> bool:
    """Whether the word starts a statement of its own; `target()` and `jacobian` may be values."""
    kind = c.kinds[c.at]
    if kind == "target":
        return c.next_kind() != "("
    if kind == "jacobian":
        return c.next_kind() == "+="
    return kind in _STATEMENTS


def _braces(c: Cursor) -> ast.Stmt | ast.Expr:
    """A block, or an array literal at the start of an assignment or a `~` statement.

    `{ x` may go on in either way: after the first expression, a comma or a closing brace means an
    array, all else that this expression started the first statement of a block. An array comes
    back with the operators after it.
    """
    start = c.at
    c.at += 1
    first_at, kind = c.at, c.kinds[c.at]
    if kind == "}" or kind in LOCAL_TYPES or _starts_statement(c):
        return ast.Block(body=body(c), span=c.span_from(start))
    first = _braces(c) if kind == "{" else expression(c, 'a declaration, a statement or "}"')
    if isinstance(first, ast.Expr) and c.kinds[c.at] in {",", "}"}:
        return _array_expression(c, start, first)
    if isinstance(first, ast.Expr):
        first = _from_expression(c, first_at, first)
    rest = body(c)
    return ast.Block(body=(first, *rest), span=c.span_from(start))


def _array_expression(c: Cursor, start: int, first: ast.Expr) -> ast.Expr:
    """The array literal that starts with `first`, and what is computed with it."""
    elements = [first]
    while c.accept(","):
        elements.append(expression(c))
    c.expect("}", "or a comma in the array")
    array = ast.ArrayLiteral(span=c.span_from(start), elements=tuple(elements))
    value = operators(c, start, subscripts(c, start, array), LOOSEST)
    return conditional(c, start, value)


def _from_expression(c: Cursor, start: int, left: ast.Expr) -> ast.Stmt:
    """The statement that starts with the expression `left`, which has been read."""
    kind = c.kinds[c.at]
    if kind == "~":
        return _sample(c, start, left)
    if kind in ASSIGNMENTS and not isinstance(left, ast.Binary | ast.Unary | ast.Ternary):
        return _assignment(c, start, left)
    if isinstance(left, ast.Call) and not left.bar and c.accept(";"):
        return ast.CallStmt(span=c.span_from(start), call=left)
    return c.fail(_not_a_statement(left), *_expression_hints(c, start, left))


def _not_a_statement(left: ast.Expr) -> str:
    if isinstance(left, ast.Call):
        return 'expected ";" after the function call'
    if isinstance(left, ast.Binary | ast.Unary | ast.Ternary):
        return "expected a statement; an expression alone is none"
    return 'expected "=", "~" or another way to go on from an expression to a statement'


def _expression_hints(c: Cursor, start: int, left: ast.Expr) -> tuple[str, ...]:
    pairs = zip(c.kinds[start : c.at], c.tokens[start + 1 : c.at], strict=False)
    if any(kind == "<" and after.text == "-" for kind, after in pairs):
        return ('assignment is "=", not "<-"',)
    if isinstance(left, ast.Indexed):
        left = left.base
    if isinstance(left, ast.Variable | ast.Call):
        return _word_hints(left.name, c.kinds[c.at])
    return ()


def _word_hints(word: str, next_kind: str) -> tuple[str, ...]:
    if next_kind == ":":
        return ('assignment is "="',)
    if word in {"elif", "elseif", "elsif"}:
        return ('alternatives are written "else if"',)
    return () if next_kind in {END, "}"} else did_you_mean(word, _STARTS)


def _assignment(c: Cursor, start: int, left: ast.Expr) -> ast.Stmt:
    symbol = c.advance().text
    value = expression(c, f'the value after "{symbol}"')
    c.expect(";", f'after the value of "{symbol}"')
    span = c.span_from(start)
    if not _is_assignable(left):
        c.fail_at(f'the left side of "{symbol}" is nothing that can be assigned to', span)
    return ast.Assign(span=span, target=left, value=value, op=ASSIGNMENTS[symbol])


def _is_assignable(left: ast.Expr) -> bool:
    """A variable, perhaps with indices and items, or a tuple of such."""
    if isinstance(left, ast.TupleLiteral):
        return all(map(_is_assignable, left.elements))
    while isinstance(left, ast.Indexed | ast.TupleItem):
        left = left.base
    return isinstance(left, ast.Variable)


def _sample(c: Cursor, start: int, variate: ast.Expr) -> ast.Stmt:
    c.expect("~", "after the variate")
    distribution = name(c, 'the name of a distribution after "~"')
    c.expect("(", f'and the arguments of the distribution "{distribution.text}"')
    args = arguments(c)
    truncation = _truncation(c) if c.kinds[c.at] == "T" else None
    c.expect(";", "after the distribution" + ("" if truncation else ", or a truncation T[,]"))
    return ast.Sample(
        span=c.span_from(start),
        variate=variate,
        distribution=distribution.text,
        args=args,
        truncation=truncation,
        name_span=distribution.span(),
    )


def _truncation(c: Cursor) -> ast.Truncation:
    """`T[lower, upper]`; either may be missing, the comma may not."""
    start = c.at
    c.at += 1
    c.expect("[", 'after the "T" of a truncation')
    lower = None if c.kinds[c.at] == "," else expression(c, "a lower bound or a comma")
    c.expect(",", "in the truncation T[lower, upper], where each bound may be left out")
    upper = None if c.kinds[c.at] == "]" else expression(c, 'an upper bound or "]"')
    c.expect("]", "after the bounds of the truncation")
    return ast.Truncation(span=c.span_from(start), lower=lower, upper=upper)


# --------------------------------------------------------------------------- by first word


def _increment(c: Cursor, start: int) -> ast.Stmt:
    word = c.tokens[start].text
    c.expect("+=", f'after "{word}"')
    value = expression(c, 'the value after "+="')
    c.expect(";", 'after the value of "+="')
    return ast.TargetIncrement(span=c.span_from(start), value=value, jacobian=word == "jacobian")


def _if(c: Cursor, start: int) -> ast.Stmt:
    """A chain of `else if` is read in a loop: it may be longer than the stack."""
    links: list[tuple[int, ast.Expr, ast.Stmt]] = []
    otherwise: ast.Stmt | None = None
    while True:
        condition = _condition(c, "if")
        links.append((start, condition, _nested(c, "a statement for the true branch")))
        if not c.accept("else"):
            break
        start = c.at
        if not c.accept("if"):
            otherwise = _nested(c, 'a statement after "else"')
            break
    for start, condition, then in reversed(links):
        span = c.span_from(start)
        otherwise = ast.If(span=span, condition=condition, then=then, otherwise=otherwise)
    assert otherwise is not None
    return otherwise


def _while(c: Cursor, start: int) -> ast.Stmt:
    condition = _condition(c, "while")
    governed = _nested(c, "a statement as the loop's body")
    return ast.While(span=c.span_from(start), condition=condition, body=governed)


def _condition(c: Cursor, word: str) -> ast.Expr:
    c.expect("(", f'and a condition after "{word}"')
    condition = expression(c, "a condition")
    hints = ('comparison is "=="',) if c.kinds[c.at] == "=" else ()
    c.expect(")", "or an operator: the condition's parenthesis is open", *hints)
    return condition


def _for(c: Cursor, start: int) -> ast.Stmt:
    c.expect("(", 'after "for"')
    hints = ("a loop variable is not declared",) if c.kinds[c.at] in BLOCK_TYPES else ()
    variable = name(c, "the name of the loop variable", *hints)
    c.expect("in", f'after the loop variable "{variable.text}"')
    first = expression(c, "a range or a container to loop over")
    last = expression(c, "the end of the range") if c.accept(":") else None
    c.expect(")", "after what is looped over" if last else 'or ":" after what is looped over')
    governed = _nested(c, "a statement as the loop's body")
    span, at = c.span_from(start), variable.span()
    if last is None:
        return ast.ForEach(
            span=span, name=variable.text, name_span=at, container=first, body=governed
        )
    return ast.For(
        span=span, name=variable.text, name_span=at, lower=first, upper=last, body=governed
    )


def _profile(c: Cursor, start: int) -> ast.Stmt:
    c.expect("(", 'after "profile"')
    title = c.expect(STRING, "as the profile's name").text[1:-1]
    c.expect(")", "after the profile's name")
    c.expect("{", "after the profile's name")
    return ast.Profile(name=title, body=body(c), span=c.span_from(start))


def _print(c: Cursor, start: int) -> ast.Stmt:
    args = _printables(c, "print")
    return ast.Print(span=c.span_from(start), args=args)


def _reject(c: Cursor, start: int) -> ast.Stmt:
    word = c.tokens[start].text
    args = _printables(c, word)
    return ast.Reject(span=c.span_from(start), args=args, fatal=word == "fatal_error")


def _printables(c: Cursor, word: str) -> tuple[ast.Expr, ...]:
    c.expect("(", f'after "{word}"')
    args = tuple(comma_separated(c, _printable))
    c.expect(")", "or a comma after the argument")
    c.expect(";", f'after "{word}(...)"')
    return args


def _printable(c: Cursor) -> ast.Expr:
    if c.kinds[c.at] == STRING:
        token = c.advance()
        return ast.StringLiteral(span=token.span(), value=token.text[1:-1])
    return expression(c, "an expression or a string")


def _break(c: Cursor, start: int) -> ast.Stmt:
    c.expect(";", 'after "break"')
    return ast.Break(span=c.span_from(start))


def _continue(c: Cursor, start: int) -> ast.Stmt:
    c.expect(";", 'after "continue"')
    return ast.Continue(span=c.span_from(start))


def _return(c: Cursor, start: int) -> ast.Stmt:
    value = None if c.kinds[c.at] == ";" else expression(c, 'a value or ";" after "return"')
    c.expect(";", 'after "return"')
    return ast.Return(span=c.span_from(start), value=value)


def _skip(c: Cursor, start: int) -> ast.Stmt:
    return ast.Skip(span=c.span_from(start))


_STATEMENTS: dict[str, Callable[[Cursor, int], ast.Stmt]] = {
    "target": _increment,
    "jacobian": _increment,
    "if": _if,
    "while": _while,
    "for": _for,
    "profile": _profile,
    "print": _print,
    "reject": _reject,
    "fatal_error": _reject,
    "break": _break,
    "continue": _continue,
    "return": _return,
    ";": _skip,
}
_STARTS = frozenset({*_STATEMENTS, *BLOCK_TYPES, "else"}) - {";"}

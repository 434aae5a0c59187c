"""Expressions: a precedence table and one loop for the operators, functions for the rest."""

from __future__ import annotations

from collections.abc import Callable

from trustvi.stan import _ast as ast
from trustvi.stan._ast import Op
from trustvi.stan._lexer import DOT_INTEGER, IMAGINARY, INTEGER, REAL, STRING
from trustvi.stan._parse_core import NAMES, Cursor, comma_separated

BINARY: dict[str, tuple[int, Op]] = {
    "||": (1, Op.OR),
    "&&": (2, Op.AND),
    "==": (3, Op.EQ),
    "!=": (3, Op.NE),
    "<": (4, Op.LT),
    "<=": (4, Op.LE),
    ">": (4, Op.GT),
    ">=": (4, Op.GE),
    "+": (5, Op.ADD),
    "-": (5, Op.SUB),
    "*": (6, Op.MUL),
    "/": (6, Op.DIV),
    "%": (6, Op.MOD),
    ".*": (6, Op.ELT_MUL),
    "./": (6, Op.ELT_DIV),
    "\\": (7, Op.LDIV),
    "%/%": (7, Op.INT_DIV),
    "^": (9, Op.POW),
    ".^": (9, Op.ELT_POW),
}
"""How tightly the binary operators bind; all are left associative but the powers."""
PREFIX: dict[str, Op] = {"-": Op.NEG, "+": Op.POS, "!": Op.NOT}
LOOSEST, ARITHMETIC, PREFIXED, POWER = 1, 5, 8, 9


def expression(c: Cursor, expected: str = "an expression") -> ast.Expr:
    """Any expression, with `condition ? a : b`, which is right associative."""
    start = c.at
    left = operators(c, start, operand(c, expected), LOOSEST)
    return conditional(c, start, left) if c.kinds[c.at] == "?" else left


def bound(c: Cursor) -> ast.Expr:
    """A bound in a declaration's `<...>`: `>` ends it, so no comparison and nothing looser."""
    return binary(c, ARITHMETIC, "an expression")


def binary(c: Cursor, tightness: int, expected: str) -> ast.Expr:
    """An expression of operators that bind at least so tightly."""
    return operators(c, c.at, operand(c, expected), tightness)


def operators(c: Cursor, start: int, left: ast.Expr, tightness: int) -> ast.Expr:
    """The operators after `left`, which starts at the token with index `start`."""
    kinds = c.kinds
    while True:
        kind = kinds[c.at]
        if kind == "'":
            c.at += 1
            left = ast.Unary(span=c.span_from(start), op=Op.TRANSPOSE, operand=left)
            continue
        precedence, op = BINARY.get(kind, _NO_OPERATOR)
        if precedence < tightness:
            return left
        c.at += 1
        inner = precedence if precedence == POWER else precedence + 1
        right = binary(c, inner, f'an expression after "{kind}"')
        left = ast.Binary(span=c.span_from(start), op=op, left=left, right=right)


_NO_OPERATOR = (0, Op.ADD)


def conditional(c: Cursor, start: int, condition: ast.Expr) -> ast.Expr:
    """The rest of `condition ? a : b`, if a question mark follows."""
    if not c.accept("?"):
        return condition
    if_true = expression(c, 'an expression after "?"')
    c.expect(":", "and the value for a false condition, as in condition ? a : b")
    if_false = expression(c, 'an expression after ":"')
    return ast.Ternary(
        span=c.span_from(start), condition=condition, if_true=if_true, if_false=if_false
    )


def operand(c: Cursor, expected: str) -> ast.Expr:
    """A prefix operator with its operand, or what needs no operator, with its subscripts."""
    start = c.at
    kind = c.kinds[start]
    if kind in NAMES:
        base = _name_or_call(c)
    elif kind in PREFIX:
        return _prefixed(c, start)
    elif kind in _ATOMS:
        c.at += 1
        base = _ATOMS[kind](c, start)
    else:
        return c.fail(f"expected {expected}", *_operand_hints(c))
    return subscripts(c, start, base)


def _operand_hints(c: Cursor) -> tuple[str, ...]:
    kind, before = c.kinds[c.at], c.kinds[c.at - 1]
    if kind == STRING:
        return ("strings are only for print, reject, fatal_error and profile",)
    if kind == before == "*":
        return ('the power of a number is "^"',)
    return ()


def _prefixed(c: Cursor, start: int) -> ast.Expr:
    symbol = c.advance().text
    inner = binary(c, PREFIXED, f'an expression after "{symbol}"')
    return ast.Unary(span=c.span_from(start), op=PREFIX[symbol], operand=inner)


def subscripts(c: Cursor, start: int, base: ast.Expr) -> ast.Expr:
    """`[...]` and `.1` after `base`, any number of them."""
    while True:
        kind = c.kinds[c.at]
        if kind == "[":
            c.at += 1
            indices = tuple(comma_separated(c, _index))
            c.expect("]", "or a comma after the index")
            base = ast.Indexed(span=c.span_from(start), base=base, indices=indices)
        elif kind == DOT_INTEGER:
            base = _tuple_item(c, start, base)
        else:
            return base


def _tuple_item(c: Cursor, start: int, base: ast.Expr) -> ast.Expr:
    token = c.advance()
    item = _whole(token.text[1:])
    if item > _LARGEST_ITEM:
        c.fail_at(f"the tuple index {token.text} is too large", c.span_from(start))
    return ast.TupleItem(span=c.span_from(start), base=base, item=item)


_LARGEST_ITEM = 2**62 - 1
"""What stanc can hold."""


def _index(c: Cursor) -> ast.Index:
    """`i`, `a:b`, `a:`, `:b`, `:` or nothing."""
    start = c.at
    lower = None
    if c.kinds[start] in _ENDS_INDEX:
        return ast.AllIndex(span=c.tokens[start].span())
    if c.kinds[start] != ":":
        lower = expression(c, "an index")
        if c.kinds[c.at] != ":":
            return ast.SingleIndex(span=c.span_from(start), value=lower)
    c.expect(":", "in a range")
    upper = None
    if c.kinds[c.at] not in _ENDS_INDEX:
        upper = expression(c, 'the end of the range, "," or "]"')
    span = c.span_from(start)
    if lower is None and upper is None:
        return ast.AllIndex(span=span)
    return ast.RangeIndex(span=span, lower=lower, upper=upper)


_ENDS_INDEX = frozenset({",", "]"})


def _name_or_call(c: Cursor) -> ast.Expr:
    start = c.at
    token = c.advance()
    if c.kinds[c.at] != "(":
        return ast.Variable(span=token.span(), name=token.text)
    c.at += 1
    args, bar = call_arguments(c)
    return ast.Call(
        span=c.span_from(start), name=token.text, args=args, bar=bar, name_span=token.span()
    )


def call_arguments(c: Cursor) -> tuple[tuple[ast.Expr, ...], bool]:
    """The arguments after `f(`: `a, b)`, or `y | a, b)` of a conditional density."""
    if c.accept(")"):
        return (), False
    args = [expression(c, 'an argument or ")"')]
    bar = c.accept("|")
    if bar and c.kinds[c.at] != ")":
        args.append(expression(c, 'an argument or ")" after "|"'))
    while (not bar or len(args) > 1) and c.accept(","):
        args.append(expression(c, 'an argument after ","'))
    hints = ("only the first argument stands before the bar: f(y | a, b)",)
    c.expect(")", "or a comma after the argument", *(hints if c.kinds[c.at] == "|" else ()))
    return tuple(args), bar


def arguments(c: Cursor) -> tuple[ast.Expr, ...]:
    """The arguments of a distribution, after the opening parenthesis: `a, b)`."""
    if c.accept(")"):
        return ()
    args = tuple(comma_separated(c, expression))
    c.expect(")", "or a comma after the argument")
    return args


# --------------------------------------------------------------------------- atoms, by first token


def _integer(c: Cursor, start: int) -> ast.Expr:
    token = c.tokens[start]
    return ast.IntLiteral(span=token.span(), value=_whole(token.text))


def _whole(digits: str) -> int:
    """The value of an integer literal; twenty digits suffice to be too large for any use."""
    return int(digits.replace("_", "").lstrip("0")[:20] or "0")


def _real(c: Cursor, start: int) -> ast.Expr:
    token = c.tokens[start]
    return ast.RealLiteral(span=token.span(), text=token.text.replace("_", ""))


def _imaginary(c: Cursor, start: int) -> ast.Expr:
    token = c.tokens[start]
    return ast.ImagLiteral(span=token.span(), text=token.text[:-1].replace("_", ""))


def _target(c: Cursor, start: int) -> ast.Expr:
    c.expect("(", 'after "target"; its value is target()')
    c.expect(")", 'after "target("')
    return ast.TargetValue(span=c.span_from(start))


def _parenthesis(c: Cursor, start: int) -> ast.Expr:
    elements = tuple(comma_separated(c, expression))
    c.expect(")", 'or an operator: the "(" is still open')
    span = c.span_from(start)
    if len(elements) == 1:
        return ast.Paren(span=span, inner=elements[0])
    return ast.TupleLiteral(span=span, elements=elements)


def _row_literal(c: Cursor, start: int) -> ast.Expr:
    elements = () if c.kinds[c.at] == "]" else tuple(comma_separated(c, expression))
    c.expect("]", "or a comma in the row vector")
    return ast.RowLiteral(span=c.span_from(start), elements=elements)


def _array_literal(c: Cursor, start: int) -> ast.Expr:
    elements = tuple(comma_separated(c, expression))
    c.expect("}", "or a comma in the array")
    return ast.ArrayLiteral(span=c.span_from(start), elements=elements)


_ATOMS: dict[str, Callable[[Cursor, int], ast.Expr]] = {
    INTEGER: _integer,
    REAL: _real,
    DOT_INTEGER: _real,
    IMAGINARY: _imaginary,
    "target": _target,
    "(": _parenthesis,
    "[": _row_literal,
    "{": _array_literal,
}

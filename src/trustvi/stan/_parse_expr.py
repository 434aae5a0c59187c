"""Expressions: a precedence table and one loop for the operators, functions for the rest."""

from __future__ import annotations

from trustvi.stan import _ast as ast
from trustvi.stan._ast import Op
from trustvi.stan._lexer import DOT_INTEGER, IMAGINARY, INTEGER, REAL
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


def expression(c: Cursor, expected: str = "an expression", *hints: str) -> ast.Expr:
    """Any expression, with `condition ? a : b`, which is right associative."""
    start = c.at
    return conditional(c, start, binary(c, LOOSEST, expected, *hints))


def bound(c: Cursor) -> ast.Expr:
    """A bound in a declaration's `<...>`: `>` ends it, so no comparison and nothing looser."""
    return binary(c, ARITHMETIC, "an expression")


def binary(c: Cursor, tightness: int, expected: str, *hints: str) -> ast.Expr:
    """An expression of operators that bind at least so tightly."""
    start = c.at
    return operators(c, start, operand(c, expected, *hints), tightness)


def operators(c: Cursor, start: int, left: ast.Expr, tightness: int) -> ast.Expr:
    """The operators behind `left`, which starts at the token with index `start`."""
    kinds = c.kinds
    while True:
        kind = kinds[c.at]
        if kind == "'":
            c.at += 1
            left = ast.Unary(span=c.span_from(start), op=Op.TRANSPOSE, operand=left)
            continue
        found = BINARY.get(kind)
        if found is None or found[0] < tightness:
            return left
        c.at += 1
        precedence, op = found
        inner = precedence if precedence == POWER else precedence + 1
        right = binary(c, inner, f'an expression behind "{kind}"')
        left = ast.Binary(span=c.span_from(start), op=op, left=left, right=right)


def conditional(c: Cursor, start: int, condition: ast.Expr) -> ast.Expr:
    """`condition ? a : b` if a question mark follows, else the condition itself."""
    if not c.accept("?"):
        return condition
    if_true = expression(c, 'an expression behind "?"')
    c.expect(":", "and the value for a false condition, as in condition ? a : b")
    if_false = expression(c, 'an expression behind ":"')
    return ast.Ternary(
        span=c.span_from(start), condition=condition, if_true=if_true, if_false=if_false
    )


def operand(c: Cursor, expected: str, *hints: str) -> ast.Expr:
    """A prefix operator with its operand, or a primary."""
    start = c.at
    op = PREFIX.get(c.kinds[start])
    if op is None:
        return primary(c, expected, *hints)
    symbol = c.advance().text
    inner = binary(c, PREFIXED, f'an expression behind "{symbol}"')
    return ast.Unary(span=c.span_from(start), op=op, operand=inner)


def primary(c: Cursor, expected: str, *hints: str) -> ast.Expr:
    """What needs no operator, with the indices and tuple items behind it."""
    start = c.at
    return subscripts(c, start, _atom(c, expected, *hints))


def subscripts(c: Cursor, start: int, base: ast.Expr) -> ast.Expr:
    """`[...]` and `.1` behind `base`, any number of them."""
    while True:
        kind = c.kinds[c.at]
        if kind == "[":
            c.at += 1
            indices = tuple(comma_separated(c, _index))
            c.expect("]", "or a comma behind the index")
            base = ast.Indexed(span=c.span_from(start), base=base, indices=indices)
        elif kind == DOT_INTEGER:
            item = int(c.advance().text[1:])
            base = ast.TupleItem(span=c.span_from(start), base=base, item=item)
        else:
            return base


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


def _atom(c: Cursor, expected: str, *hints: str) -> ast.Expr:
    start = c.at
    kind = c.kinds[start]
    if kind in NAMES:
        return _name_or_call(c)
    reader = _ATOMS.get(kind)
    if reader is None:
        c.fail(f"expected {expected}", *hints)
    c.at += 1
    return reader(c, start)


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
    """The arguments behind `f(`: `a, b)`, or `y | a, b)` of a conditional density."""
    if c.accept(")"):
        return (), False
    args = [expression(c, 'an argument or ")"')]
    bar = c.accept("|")
    if bar and c.kinds[c.at] != ")":
        args.append(expression(c, 'an argument or ")" behind "|"'))
    while (not bar or len(args) > 1) and c.accept(","):
        args.append(expression(c, 'an argument behind ","'))
    c.expect(")", "or a comma behind the argument")
    return tuple(args), bar


def arguments(c: Cursor) -> tuple[ast.Expr, ...]:
    """The arguments of a distribution, behind the opening parenthesis: `a, b)`."""
    if c.accept(")"):
        return ()
    args = tuple(comma_separated(c, expression))
    c.expect(")", "or a comma behind the argument")
    return args


# --------------------------------------------------------------------------- atoms, by first token


def _integer(c: Cursor, start: int) -> ast.Expr:
    token = c.tokens[start]
    return ast.IntLiteral(span=token.span(), value=int(token.text))


def _real(c: Cursor, start: int) -> ast.Expr:
    token = c.tokens[start]
    return ast.RealLiteral(span=token.span(), text=token.text.replace("_", ""))


def _imaginary(c: Cursor, start: int) -> ast.Expr:
    token = c.tokens[start]
    return ast.ImagLiteral(span=token.span(), text=token.text[:-1].replace("_", ""))


def _target(c: Cursor, start: int) -> ast.Expr:
    c.expect("(", 'behind "target"; its value is target()')
    c.expect(")", 'behind "target("')
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


_ATOMS = {
    INTEGER: _integer,
    REAL: _real,
    DOT_INTEGER: _real,
    IMAGINARY: _imaginary,
    "target": _target,
    "(": _parenthesis,
    "[": _row_literal,
    "{": _array_literal,
}

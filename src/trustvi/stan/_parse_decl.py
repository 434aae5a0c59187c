"""Declarations of variables."""

from __future__ import annotations

from trustvi.stan import _ast as ast
from trustvi.stan import _lexer
from trustvi.stan._lexer import Token
from trustvi.stan._parse_core import Cursor, comma_separated, name, open_block_hints
from trustvi.stan._parse_expr import expression
from trustvi.stan._parse_type import BLOCK_TYPES, declared_type, recognise_newer_type


def declarations(c: Cursor, block: str) -> tuple[ast.Stmt, ...]:
    """Declarations without values, up to and with the closing brace: data and parameters."""
    found: list[ast.Stmt] = []
    while not c.accept("}"):
        if c.accept(";"):
            continue
        recognise_newer_type(c)
        if c.kinds[c.at] not in BLOCK_TYPES:
            c.fail(f'expected a declaration or "}}" in the {block} block', *open_block_hints(c))
        found.extend(declaration(c, constrained=True, valueless=block))
    return tuple(found)


def declaration(c: Cursor, *, constrained: bool, valueless: str | None = None) -> list[ast.Stmt]:
    """`type a = 1, b;`; `valueless` names a block where no values may be given."""
    start = c.at
    declared = declared_type(c, constrained=constrained)
    found: list[ast.Stmt] = []
    while True:
        where = "another name after the comma" if found else "a name after the type"
        new = name(c, where, *_type_hints(c, declared, constrained))
        if c.kinds[c.at] == "[" and not found and _has_old_array_form(declared):
            _refuse_old_array(c, start, new)
        value = _initial_value(c, valueless)
        found.append(
            ast.Declaration(
                span=c.span_from(start),
                declared=declared,
                name=new.text,
                name_span=new.span(),
                value=value,
            )
        )
        if not c.accept(","):
            break
    c.expect(";", f'after the declaration of "{new.text}"', *_end_hints(c, declared, value))
    return found


def _has_old_array_form(declared: ast.Declared) -> bool:
    """Arrays of arrays and of tuples never had the form with the sizes after the name."""
    return not declared.sized.array_sizes and declared.sized.name != "tuple"


_ARRAY_HINT = "arrays are declared array[2, 3] type name"
_COMPARISON_HINT = "a comparison in a constraint needs parentheses around it"


def _type_hints(c: Cursor, declared: ast.Declared, constrained: bool) -> tuple[str, ...]:
    """What may be meant where a name should follow a type."""
    match c.kinds[c.at]:
        case "<" if constrained:
            return ("a constraint stands before the sizes: vector<lower=0>[3] x",)
        case "<":
            return ("constraints are only for variables declared in a block itself",)
        case "[":
            return (_ARRAY_HINT,)
        case "(" | _lexer.INTEGER | _lexer.REAL if declared.arguments:
            return (_COMPARISON_HINT,)
    return ()


def _end_hints(c: Cursor, declared: ast.Declared, value: ast.Expr | None) -> tuple[str, ...]:
    """What may be meant where a declaration should end."""
    if c.kinds[c.at] == "[" and value is None:
        return (_ARRAY_HINT,)
    if c.kinds[c.at] in {">", ","} and declared.arguments:
        return (_COMPARISON_HINT,)
    return ()


def _initial_value(c: Cursor, valueless: str | None) -> ast.Expr | None:
    if not c.accept("="):
        return None
    if valueless:
        c.fail(f'expected ";": a declaration in the {valueless} block gives no value')
    return expression(c, "the value of the variable")


def _refuse_old_array(c: Cursor, start: int, new: Token) -> None:
    """`real x[3]` was `array[3] real x` until 2.32."""
    type_text = _text(c, start, c.at - 1)
    c.at += 1
    first = c.at
    if c.kinds[first] != "]":
        comma_separated(c, expression)
        sizes = _text(c, first, c.at)
        span = c.span_from(first)
    else:
        sizes, span = "...", c.tokens[first].span()
    c.expect("]", "or a comma after the size")
    c.fail_at(
        f'expected ";" after the declaration of "{new.text}"',
        span,
        f"arrays are declared array[{sizes}] {type_text} {new.text}",
    )


def _text(c: Cursor, start: int, end: int) -> str:
    """The words from one token up to another, as written where they stand in one line."""
    first, last = c.tokens[start], c.tokens[end - 1]
    if first.origin is last.origin and first.line == last.line:
        line = c.source.lines[first.origin.file][first.line - 1]
        return line[first.column - 1 : last.column - 1 + len(last.text)]
    return " ".join(token.text for token in c.tokens[start:end])

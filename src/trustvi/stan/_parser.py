"""The parser: the text of a Stan program to its syntax tree.

Recursive descent over the tokens, with one precedence table for the operators. Every function
fails at the first token that no Stan program could have there, which is where Stan's own parser
fails. Statements, expressions and types have modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanSyntaxError, did_you_mean
from trustvi.stan._include import read_tokens
from trustvi.stan._lexer import BLOCKS, END
from trustvi.stan._parse_core import Cursor, comma_separated, name, quoted
from trustvi.stan._parse_decl import declarations
from trustvi.stan._parse_stmt import body, statement
from trustvi.stan._parse_type import PLAIN, unsized_type
from trustvi.stan._recursion import NESTING, room_for

FUNCTIONS_SUFFIX = ".stanfunctions"
"""What the names of files that hold nothing but functions end in."""


def parse(
    text: str, filename: str | None = None, include_paths: Sequence[str | Path] = ()
) -> ast.Program:
    """The syntax tree of a program, or a `StanSyntaxError` with its place.

    `filename` is for messages; if it is a file, its folder is searched for included files after
    `include_paths`. If it ends in `.stanfunctions`, the text is what stands between the braces of
    a functions block.
    """
    tokens, source = read_tokens(text, filename or ast.UNNAMED, include_paths)
    cursor = Cursor(tokens, source)
    read = functions_file if source.file.endswith(FUNCTIONS_SUFFIX) else program
    try:
        with room_for(NESTING):
            return read(cursor)
    except RecursionError:
        span = tokens[min(cursor.at, len(tokens) - 1)].span()
        raise StanSyntaxError("the program is nested too deeply", span, source) from None


def program(c: Cursor) -> ast.Program:
    """The blocks, each at most once and in their order."""
    found: dict[str, Any] = {}
    remaining = list(BLOCKS)
    while c.kinds[c.at] in remaining:
        block = c.advance().kind
        remaining = remaining[remaining.index(block) + 1 :]
        c.expect("{", f'after "{block}"')
        found[block.replace(" ", "_")] = _READERS[block](c)
    if c.kinds[c.at] != END:
        c.fail(_expected_blocks(remaining), *_block_hints(c, remaining))
    return ast.Program(source=c.source, **found)


def _expected_blocks(remaining: Sequence[str]) -> str:
    if not remaining:
        return "expected the end of the file"
    return f"expected {', '.join(map(quoted, remaining))} or the end of the file"


def _block_hints(c: Cursor, remaining: Sequence[str]) -> tuple[str, ...]:
    word = c.tokens[c.at].text
    if word == "}":
        return ('there is one "}" too many',)
    if word in BLOCKS:
        return (f"the blocks stand in this order, each at most once: {', '.join(BLOCKS)}",)
    starting = tuple(f'did you mean "{block}"?' for block in remaining if block.split()[0] == word)
    return starting or did_you_mean(word, remaining)


def _data_block(c: Cursor) -> tuple[ast.Stmt, ...]:
    return declarations(c, "data")


def _parameters_block(c: Cursor) -> tuple[ast.Stmt, ...]:
    return declarations(c, "parameters")


def _block(c: Cursor) -> tuple[ast.Stmt, ...]:
    return body(c, constrained=True)


def _functions_block(c: Cursor) -> tuple[ast.FunctionDef, ...]:
    found: list[ast.FunctionDef] = []
    while not c.accept("}"):
        found.append(_function(c))
    return tuple(found)


_READERS: dict[str, Callable[[Cursor], object]] = {
    "functions": _functions_block,
    "data": _data_block,
    "transformed data": _block,
    "parameters": _parameters_block,
    "transformed parameters": _block,
    "model": body,
    "generated quantities": _block,
}


# --------------------------------------------------------------------------- functions


def functions_file(c: Cursor) -> ast.Program:
    """Functions up to the end of the file, without a block around them."""
    found: list[ast.FunctionDef] = []
    while c.kinds[c.at] != END:
        found.append(_function(c, "the end of the file"))
    return ast.Program(source=c.source, functions=tuple(found))


def _function(c: Cursor, end: str = quoted("}")) -> ast.FunctionDef:
    """`type name(arguments) statement`; a lone semicolon for the body declares it in advance.

    `end` is what may stand there instead of a function.
    """
    start = c.at
    if c.accept("void"):
        result: t.Type = t.VOID
    elif c.kinds[c.at] in _RESULT_STARTS:
        result = unsized_type(c, "the type of the result")
    else:
        c.fail(f"expected a function, which starts with the type of its result, or {end}")
    new = name(c, "the function's name after the type of its result")
    c.expect("(", f'and the arguments of the function "{new.text}"')
    parameters = () if c.kinds[c.at] == ")" else tuple(comma_separated(c, _parameter))
    hints = ("arrays are declared array[] type name",) if c.kinds[c.at] == "[" else ()
    c.expect(")", "or a comma after the argument", *hints)
    block = _function_body(c, new.text)
    return ast.FunctionDef(
        span=c.span_from(start),
        name=new.text,
        name_span=new.span(),
        result=result,
        parameters=parameters,
        body=block,
    )


_RESULT_STARTS = frozenset({*PLAIN, "array", "tuple"})


def _function_body(c: Cursor, function: str) -> ast.Block | None:
    found = statement(c, f'the body of the function "{function}" in braces, or ";"')
    if isinstance(found, ast.Skip):
        return None
    return found if isinstance(found, ast.Block) else ast.Block(span=found.span, body=(found,))


def _parameter(c: Cursor) -> ast.Parameter:
    start = c.at
    data_only = c.accept("data")
    type = unsized_type(c, "the type of an argument")
    new = name(c, "the argument's name after its type")
    return ast.Parameter(
        span=c.span_from(start),
        name=new.text,
        type=type,
        data_only=data_only,
        name_span=new.span(),
    )

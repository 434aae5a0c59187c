"""Types: sized and constrained in declarations, unsized in the signatures of functions."""

from __future__ import annotations

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._ast import Transform
from trustvi.stan._lexer import IDENTIFIER, KEYWORDS
from trustvi.stan._parse_core import NAMES, Cursor, comma_separated, quoted
from trustvi.stan._parse_expr import bound, expression

PLAIN: dict[str, tuple[t.Type, int]] = {
    "int": (t.INT, 0),
    "real": (t.REAL, 0),
    "complex": (t.COMPLEX, 0),
    "vector": (t.VECTOR, 1),
    "row_vector": (t.ROW_VECTOR, 1),
    "matrix": (t.MATRIX, 2),
    "complex_vector": (t.COMPLEX_VECTOR, 1),
    "complex_row_vector": (t.COMPLEX_ROW_VECTOR, 1),
    "complex_matrix": (t.COMPLEX_MATRIX, 2),
}
"""The types that may stand anywhere, and how many sizes each takes."""

STRUCTURED: dict[str, tuple[Transform, tuple[int, ...]]] = {
    "ordered": (Transform.ORDERED, (1,)),
    "positive_ordered": (Transform.POSITIVE_ORDERED, (1,)),
    "simplex": (Transform.SIMPLEX, (1,)),
    "unit_vector": (Transform.UNIT_VECTOR, (1,)),
    "cov_matrix": (Transform.COVARIANCE, (1,)),
    "corr_matrix": (Transform.CORRELATION, (1,)),
    "cholesky_factor_corr": (Transform.CHOLESKY_CORR, (1,)),
    "cholesky_factor_cov": (Transform.CHOLESKY_COV, (1, 2)),
    "sum_to_zero_vector": (Transform.SUM_TO_ZERO_VECTOR, (1,)),
    "sum_to_zero_matrix": (Transform.SUM_TO_ZERO_MATRIX, (2,)),
    "column_stochastic_matrix": (Transform.COLUMN_STOCHASTIC, (2,)),
    "row_stochastic_matrix": (Transform.ROW_STOCHASTIC, (2,)),
}
"""The constrained types of the blocks' own variables, and how many sizes each may take."""

NEWER = frozenset(STRUCTURED) - KEYWORDS
"""Types of Stan 2.36 and 2.37; in 2.35 these words are names."""

LOCAL_TYPES = frozenset({*PLAIN, "array", "tuple"})
BLOCK_TYPES = frozenset({*LOCAL_TYPES, *STRUCTURED})

_BOUNDS = {"lower": "upper", "upper": "lower"}
_SCALING = {"offset": "multiplier", "multiplier": "offset"}
_TRANSFORMS = {
    ("lower",): Transform.LOWER,
    ("upper",): Transform.UPPER,
    ("lower", "upper"): Transform.LOWER_UPPER,
    ("offset",): Transform.OFFSET,
    ("multiplier",): Transform.MULTIPLIER,
    ("multiplier", "offset"): Transform.OFFSET_MULTIPLIER,
}


# --------------------------------------------------------------------------- declared types


def recognise_newer_type(c: Cursor) -> None:
    """Make a keyword of a name that only a newer type can be: it stands in front of `[`."""
    if c.kinds[c.at] == IDENTIFIER and c.tokens[c.at].text in NEWER and c.next_kind() == "[":
        c.kinds[c.at] = c.tokens[c.at].text


def starts_newer_declaration(c: Cursor) -> bool:
    """Whether a newer type and a name stand here, not a variable `sum_to_zero_vector[1] = 2`."""
    if c.kinds[c.at] != IDENTIFIER or c.tokens[c.at].text not in NEWER or c.next_kind() != "[":
        return False
    at, depth = c.at + 1, 0
    while at < len(c.kinds) - 1:
        depth += (c.kinds[at] == "[") - (c.kinds[at] == "]")
        at += 1
        if depth == 0:
            break
    return c.kinds[at] in NAMES


def declared_type(c: Cursor, *, constrained: bool) -> ast.Declared:
    """The type of a declaration; `constrained` in the blocks themselves, not in local scopes."""
    start = c.at
    if not c.accept("array"):
        return _element(c, start, (), constrained)
    c.expect("[", 'and the array\'s sizes after "array"')
    sizes = tuple(comma_separated(c, _size))
    c.expect("]", "or a comma after the array's size")
    if constrained:
        recognise_newer_type(c)
    if c.kinds[c.at] not in (BLOCK_TYPES if constrained else LOCAL_TYPES) - {"array"}:
        c.fail("expected the type of the array's elements", *_element_hints(c))
    return _element(c, start, sizes, constrained)


def _size(c: Cursor) -> ast.Expr:
    return expression(c, "a size")


def _element_hints(c: Cursor) -> tuple[str, ...]:
    if c.kind() == "array":
        return ("several dimensions stand in one pair of brackets: array[2, 3] real",)
    return _local_hints(c)


def _local_hints(c: Cursor) -> tuple[str, ...]:
    if c.kind() in STRUCTURED:
        return ("constrained types are only for variables declared in a block itself",)
    return ()


def _element(
    c: Cursor, start: int, array_sizes: tuple[ast.Expr, ...], constrained: bool
) -> ast.Declared:
    keyword = c.advance().text
    if keyword == "tuple":
        return _tuple(c, start, array_sizes, constrained)
    transform, arguments = Transform.IDENTITY, ()
    if keyword in STRUCTURED:
        transform, counts = STRUCTURED[keyword]
    else:
        counts = (PLAIN[keyword][1],)
        if constrained and c.kinds[c.at] == "<":
            transform, arguments = _constraint(c, keyword)
    sizes = _sizes(c, keyword, counts)
    sized = ast.SizedType(
        span=c.span_from(start), name=keyword, sizes=sizes, array_sizes=array_sizes
    )
    return ast.Declared(sized=sized, transform=transform, arguments=arguments)


def _sizes(c: Cursor, keyword: str, counts: tuple[int, ...]) -> tuple[ast.Expr, ...]:
    """The bracketed sizes of a vector or matrix, of a number that the keyword allows."""
    if counts == (0,):
        return ()
    wanted = " or ".join("one size" if count == 1 else "two sizes" for count in counts)
    hints = _unconstrained_hints(c)
    if c.kinds[c.at] != "[":
        c.fail(f'expected "[" and {wanted} after "{keyword}"', *hints)
    c.at += 1
    sizes = [_size(c)]
    while len(sizes) < max(counts) and c.accept(","):
        sizes.append(_size(c))
    if len(sizes) not in counts:
        c.fail(f'expected "," and a second size: {keyword} takes {wanted}')
    c.expect("]", f"after the size: {keyword} takes {wanted}")
    return tuple(sizes)


def _unconstrained_hints(c: Cursor) -> tuple[str, ...]:
    if c.kind() == "<":
        return ("no constraint can stand here",)
    return ()


def _tuple(
    c: Cursor, start: int, array_sizes: tuple[ast.Expr, ...], constrained: bool
) -> ast.Declared:
    c.expect("(", 'and the types of the items after "tuple"')
    elements = [_item(c, constrained)]
    c.expect(",", "and another type: a tuple has two items or more")
    elements.append(_item(c, constrained))
    while c.accept(","):
        elements.append(_item(c, constrained))
    c.expect(")", "or a comma after the type of an item")
    sized = ast.SizedType(
        span=c.span_from(start), name="tuple", array_sizes=array_sizes, elements=tuple(elements)
    )
    return ast.Declared(sized=sized, transform=Transform.TUPLE)


def _item(c: Cursor, constrained: bool) -> ast.Declared:
    if constrained:
        recognise_newer_type(c)
    if c.kinds[c.at] not in (BLOCK_TYPES if constrained else LOCAL_TYPES):
        c.fail("expected the type of a tuple's item", *_local_hints(c))
    return declared_type(c, constrained=constrained)


def _constraint(c: Cursor, keyword: str) -> tuple[Transform, tuple[ast.Expr, ...]]:
    """`<lower=a, upper=b>`, `<offset=a, multiplier=b>`: one or both, in either order."""
    c.expect("<", "in front of the constraint")
    partners = _BOUNDS if keyword == "int" else {**_BOUNDS, **_SCALING}
    first = c.kind()
    if first not in partners:
        c.fail(f"expected {' or '.join(map(quoted, partners))} in the constraint")
    found = {first: _bound(c)}
    if c.accept(","):
        second = partners[first]
        if c.kinds[c.at] != second:
            c.fail(f'expected "{second}" after "{first}" in the constraint')
        found[second] = _bound(c)
    c.expect(">", "or an operator that binds tighter than a comparison in the constraint")
    names = tuple(sorted(found))
    transform = _TRANSFORMS[names]
    order = ("offset", "multiplier") if transform is Transform.OFFSET_MULTIPLIER else names
    return transform, tuple(found[name] for name in order)


def _bound(c: Cursor) -> ast.Expr:
    keyword = c.advance().text
    c.expect("=", f'after "{keyword}"')
    return bound(c)


# --------------------------------------------------------------------------- unsized types


def unsized_type(c: Cursor, expected: str) -> t.Type:
    """The type of a function's argument or result."""
    if c.accept("array"):
        c.expect("[", 'and "]" after "array" of an argument\'s or a result\'s type')
        dims = 1
        while c.accept(","):
            dims += 1
        c.expect("]", 'or a comma: the arrays of a function have no sizes, as in "array[,] real"')
        if c.kinds[c.at] == "array":
            c.fail("expected the type of the array's elements", *_element_hints(c))
        element = _unsized_element(c, "the type of the array's elements")
        if c.kinds[c.at] == "[":
            hint = "the types of a function's arguments and result have no sizes"
            c.fail("expected a name after the type of the array's elements", hint)
        return t.array_of(element, dims)
    keyword, found = c.kind(), _unsized_element(c, expected)
    if keyword in PLAIN:
        _refuse_old_array(c, keyword)
    return found


def _unsized_element(c: Cursor, expected: str) -> t.Type:
    keyword = c.kind()
    if keyword in PLAIN:
        c.at += 1
        return PLAIN[keyword][0]
    if keyword != "tuple":
        c.fail(f"expected {expected}", *_unsized_hints(keyword))
    c.at += 1
    c.expect("(", 'and the types of the items after "tuple"')
    elements = [unsized_type(c, "the type of an item")]
    c.expect(",", "and another type: a tuple has two items or more")
    elements.append(unsized_type(c, "the type of an item"))
    while c.accept(","):
        elements.append(unsized_type(c, "the type of an item"))
    c.expect(")", "or a comma after the type of an item")
    return t.Tuple(tuple(elements))


def _unsized_hints(keyword: str) -> tuple[str, ...]:
    if keyword in STRUCTURED:
        plain = "matrix" if STRUCTURED[keyword][0].value.endswith(_MATRICES) else "vector"
        return (f"functions know no constraints; the type is {plain}",)
    return ()


_MATRICES = ("matrix", "_corr", "_cov")


def _refuse_old_array(c: Cursor, keyword: str) -> None:
    """`real[,] x` was `array[,] real x` until 2.32."""
    if c.kinds[c.at] != "[":
        return
    start = c.at
    c.at += 1
    commas = 0
    while c.accept(","):
        commas += 1
    c.expect("]", f'without a size after "{keyword}": types of functions have no sizes')
    c.fail_at(
        f'expected a name after the type "{keyword}"',
        c.span_from(start),
        f"arrays are declared array[{',' * commas}] {keyword}",
    )

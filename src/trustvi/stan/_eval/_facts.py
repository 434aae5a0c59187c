"""What the text of a program tells: which variables statements assign to, how, and how deep."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._walk import nodes
from trustvi.stan._eval._log import ADD, MULTIPLY

RESULT, TARGET = "return", "target"
"""The names under which a function's result and the target are kept; both are reserved words."""

R = TypeVar("R")


class Facts:
    """Answers about parts of one program, each found out once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Any], tuple[Any, Any]] = {}

    def once(self, question: str, node: Any, answer: Callable[[Any], R]) -> R:
        """The answer to a question about a node, found out the first time it is asked."""
        key = (question, tuple(map(id, node)) if isinstance(node, tuple) else id(node))
        if key not in self._known:
            self._known[key] = (answer(node), node)
        return self._known[key][0]

    def assigned(self, statement: Any) -> frozenset[str]:
        """The names of the variables that a statement (or several) may assign to."""
        return self.once("assigned", statement, _assigned)

    def sums(self, statement: Any) -> frozenset[str]:
        """The variables that occur only where they are added to, or multiplied."""
        return self.once("sums", statement, _sums)

    def leaves(self, statement: Any) -> frozenset[type[ast.Stmt]]:
        """Which of break, continue and return lead out of a statement."""
        return self.once("leaves", statement, _leaves)

    def depths(self, statements: Any) -> dict[str, int]:
        """The largest number of indices that each variable occurs with."""
        return self.once("depths", statements, _depths)

    def accumulation(self, statement: ast.Assign) -> Accumulation | None:
        return self.once("accumulation", statement, _accumulation)

    def mentions(self, statement: Any, kind: type) -> bool:
        """Whether a node of this type occurs."""

        def has(tree: Any) -> bool:
            return any(isinstance(each, kind) for each in walk(tree))

        return self.once(kind.__name__, statement, has)


_DERIVED = frozenset({"density", "lcdf", "lccdf", "callee", "type", "span", "name_span"})
_SKIPPED = _DERIVED | {"data_only", "bar", "user_defined"}


@functools.cache
def _compared(kind: type) -> tuple[str, ...]:
    """The fields in which two expressions that say the same agree."""
    return tuple(each.name for each in dataclasses.fields(kind) if each.name not in _SKIPPED)


def walk(tree: Any) -> Iterator[Any]:
    """All syntax in `tree`, which may be a tuple of nodes."""
    return nodes(*tree) if isinstance(tree, tuple) else nodes(tree)


# --------------------------------------------------------------------------- assignments


def base_name(target: ast.Expr) -> str:
    """The variable that an assignment's left-hand side is a part of."""
    while not isinstance(target, ast.Variable):
        assert isinstance(target, ast.Indexed | ast.TupleItem | ast.Paren)
        target = target.inner if isinstance(target, ast.Paren) else target.base
    return target.name


def _targets(target: ast.Expr) -> Iterator[str]:
    if isinstance(target, ast.TupleLiteral):
        for element in target.elements:
            yield from _targets(element)
    else:
        yield base_name(target)


def _assigned(statement: Any) -> frozenset[str]:
    names = {TARGET}
    for node in walk(statement):
        match node:
            case ast.Assign():
                names.update(_targets(node.target))
            case ast.Declaration():
                names.add(node.name)
            case ast.Return():
                names.add(RESULT)
    return frozenset(names)


def _leaves(statement: Any) -> frozenset[type[ast.Stmt]]:
    if isinstance(statement, tuple):
        return frozenset().union(*map(_leaves, statement))
    match statement:
        case ast.Break() | ast.Continue() | ast.Return():
            return frozenset({type(statement)})
        case ast.Block() | ast.Profile():
            return _leaves(statement.body)
        case ast.If():
            return _leaves(statement.then) | _leaves(statement.otherwise)
        case ast.For() | ast.ForEach() | ast.While():
            return _leaves(statement.body) - {ast.Break, ast.Continue}
        case _:
            return frozenset()


# --------------------------------------------------------------------------- sums and products


@dataclasses.dataclass(frozen=True, slots=True)
class Accumulation:
    """`target += terms`, or `*=`; a term with a False sign is subtracted."""

    kind: str
    terms: tuple[tuple[bool, ast.Expr], ...]


_SUMS = {ast.Op.ADD: True, ast.Op.SUB: False}
_PRODUCTS = (ast.Op.MUL, ast.Op.ELT_MUL)


def _accumulation(statement: ast.Assign) -> Accumulation | None:
    """How a statement accumulates in its target, if that is all it does."""
    if isinstance(statement.target, ast.TupleLiteral):
        return None
    if statement.op is None:
        found = _spelled_out(statement)
    elif statement.op in _SUMS:
        found = Accumulation(ADD, ((_SUMS[statement.op], statement.value),))
    elif statement.op in _PRODUCTS:
        found = Accumulation(MULTIPLY, ((True, statement.value),))
    else:
        return None
    return found if found and _fits(statement.target, found) else None


def _fits(target: ast.Expr, found: Accumulation) -> bool:
    """Whether the terms have the target's shape, and products go element by element."""
    if target.type is None:
        return False
    inner, dims = t.unwind(target.type)
    if found.kind == MULTIPLY and (dims or not isinstance(inner, t.Int | t.Real)):
        return False
    kind = type(inner)
    for _, term in found.terms:
        other = term.type and t.unwind(term.type)
        if not other or other[1] != dims:
            return False
        if not isinstance(other[0], kind) and not _promotes(other[0], inner):
            return False
    return not isinstance(inner, t.Tuple)


def _promotes(given: t.Type, wanted: t.Type) -> bool:
    order: dict[type, int] = {t.Int: 0, t.Real: 1, t.Complex: 2}
    return order.get(type(given), 3) < order.get(type(wanted), -1)


def _spelled_out(statement: ast.Assign) -> Accumulation | None:
    """`s = s + a - b`, `s = a + s`, `p = p * a`."""
    terms: list[tuple[bool, ast.Expr]] = []
    value = _bare(statement.value)
    while isinstance(value, ast.Binary) and value.op in _SUMS:
        if same(statement.target, value.left):
            return Accumulation(ADD, ((_SUMS[value.op], value.right), *reversed(terms)))
        if value.op is ast.Op.ADD and same(statement.target, value.right):
            return Accumulation(ADD, ((True, value.left), *reversed(terms)))
        terms.append((_SUMS[value.op], value.right))
        value = _bare(value.left)
    if terms or not isinstance(value, ast.Binary) or value.op not in _PRODUCTS:
        return None
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if same(statement.target, one):
            return Accumulation(MULTIPLY, ((True, other),))
    return None


def _bare(expr: ast.Expr) -> ast.Expr:
    while isinstance(expr, ast.Paren):
        expr = expr.inner
    return expr


def same(left: Any, right: Any) -> bool:
    """Whether two expressions say the same, and would do so again."""
    left, right = _bare(left), _bare(right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if type(left) is not type(right):
        return False
    if isinstance(left, ast.Call) and left.name.endswith("_rng"):
        return False
    if not isinstance(left, ast.Expr | ast.Index):
        return left == right
    return all(same(getattr(left, name), getattr(right, name)) for name in _compared(type(left)))


def _sums(statement: Any) -> frozenset[str]:
    """Names all of whose occurrences are as the target of an accumulation of one kind."""
    occurrences: Counter[str] = Counter()
    accumulated: Counter[tuple[str, str]] = Counter()
    for node in walk(statement):
        if isinstance(node, ast.Variable):
            occurrences[node.name] += 1
        elif isinstance(node, ast.Assign):
            found = _accumulation(node)
            if found is not None:
                own = 1 if node.op is not None else 2
                accumulated[base_name(node.target), found.kind] += own
    return frozenset(name for (name, _), count in accumulated.items() if count == occurrences[name])


# --------------------------------------------------------------------------- indices


def _depths(statements: Any) -> dict[str, int]:
    depths: dict[str, int] = {}
    for node in walk(statements):
        if isinstance(node, ast.Indexed | ast.Variable | ast.TupleItem):
            name, depth = _indexed_depth(node)
            if name is not None:
                depths[name] = max(depths.get(name, 0), depth)
    return depths


def _indexed_depth(expr: ast.Expr) -> tuple[str | None, int]:
    depth = 0
    while True:
        match expr:
            case ast.Indexed():
                depth += _reach(expr.indices)
                expr = expr.base
            case ast.TupleItem():
                expr = expr.base
            case ast.Paren():
                expr = expr.inner
            case ast.Variable():
                return expr.name, depth
            case _:
                return None, 0


def _reach(indices: tuple[ast.Index, ...]) -> int:
    """The number of indices up to the last that doesn't take everything."""
    picking = [i for i, index in enumerate(indices, 1) if not isinstance(index, ast.AllIndex)]
    return max(picking, default=0)

"""The syntax tree of a Stan program, parentheses included.

One shape for the untyped and the typed tree: the parser leaves `type` as None,
the checker returns new nodes with it filled in. Every node has a span.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from trustvi.stan import _types as t


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text. Lines and columns count from 1; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    included_from: Span | None = None


class Op(enum.Enum):
    """The operators, by their spelling."""

    OR = "||"
    AND = "&&"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    MOD = "%"
    LDIV = "\\"
    INT_DIV = "%/%"
    ELT_MUL = ".*"
    ELT_DIV = "./"
    POW = "^"
    ELT_POW = ".^"
    NOT = "!"
    NEG = "-u"
    POS = "+u"
    TRANSPOSE = "'"


# --------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    span: Span
    type: t.Type | None = None
    data_only: bool = True
    """Whether the value depends on data alone (set by the checker)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntLiteral(Expr):
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RealLiteral(Expr):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagLiteral(Expr):
    """`3.4i`; `text` is without the i."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StringLiteral(Expr):
    """Only as an argument of print, reject and fatal_error, and as a profile's name."""

    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable(Expr):
    """A variable, or a function's name passed to a higher-order function."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paren(Expr):
    inner: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(Expr):
    """Prefix `-`, `+`, `!` and postfix `'`."""

    op: Op
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Expr):
    op: Op
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Ternary(Expr):
    condition: Expr
    if_true: Expr
    if_false: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Expr):
    """A function applied to arguments.

    `bar` tells `f_lpdf(y | mu)` from `f(y, mu)`. The checker fills `callee`: the index of the
    overload chosen, as a `Function` type, and `user_defined`.
    """

    name: str
    args: tuple[Expr, ...]
    bar: bool = False
    callee: t.Function | None = None
    user_defined: bool = False
    name_span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetValue(Expr):
    """`target()`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayLiteral(Expr):
    """`{a, b}`."""

    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLiteral(Expr):
    """`[a, b]`: a row vector of scalars, or a matrix of row vectors."""

    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleLiteral(Expr):
    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleItem(Expr):
    """`x.2`; `item` counts from 1."""

    base: Expr
    item: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed(Expr):
    base: Expr
    indices: tuple[Index, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class AllIndex(Index):
    """`:` or nothing between commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleIndex(Index):
    """One expression: an int, or an array of ints (the checker's type of `value` tells)."""

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeIndex(Index):
    """`lower:upper`, either end may be missing."""

    lower: Expr | None
    upper: Expr | None


# --------------------------------------------------------------------------- declared types


@dataclass(frozen=True, slots=True, kw_only=True)
class SizedType:
    """A type with its sizes as they stand in a declaration.

    `sizes` are the element's own (none for scalars, one for vectors, one or two for
    square/other matrices), `array_sizes` those of the arrays around it, outermost first.
    `name` is the keyword as written: "vector", "simplex", "cholesky_factor_cov", "tuple", ...
    """

    span: Span
    name: str
    sizes: tuple[Expr, ...] = ()
    array_sizes: tuple[Expr, ...] = ()
    elements: tuple[Declared, ...] = ()
    """For a tuple: its elements' declared types."""


class Transform(enum.Enum):
    """How a constrained variable is laid over the reals."""

    IDENTITY = "identity"
    LOWER = "lower"
    UPPER = "upper"
    LOWER_UPPER = "lower_upper"
    OFFSET = "offset"
    MULTIPLIER = "multiplier"
    OFFSET_MULTIPLIER = "offset_multiplier"
    ORDERED = "ordered"
    POSITIVE_ORDERED = "positive_ordered"
    SIMPLEX = "simplex"
    UNIT_VECTOR = "unit_vector"
    SUM_TO_ZERO_VECTOR = "sum_to_zero_vector"
    SUM_TO_ZERO_MATRIX = "sum_to_zero_matrix"
    CHOLESKY_CORR = "cholesky_factor_corr"
    CHOLESKY_COV = "cholesky_factor_cov"
    CORRELATION = "corr_matrix"
    COVARIANCE = "cov_matrix"
    COLUMN_STOCHASTIC = "column_stochastic_matrix"
    ROW_STOCHASTIC = "row_stochastic_matrix"
    TUPLE = "tuple"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A sized type with its transform. `arguments` are the transform's, in the order of its name:
    (lower,), (upper,), (lower, upper), (offset,), (multiplier,), (offset, multiplier)."""

    sized: SizedType
    transform: Transform = Transform.IDENTITY
    arguments: tuple[Expr, ...] = ()


# --------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Stmt:
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration(Stmt):
    """One declared name; `real a, b = 2;` makes two of these that share `declared`."""

    declared: Declared
    name: str
    name_span: Span
    value: Expr | None = None
    type: t.Type | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Stmt):
    """`lhs = value` and, with `op`, `lhs += value` and its kin.

    `target` is a Variable, an Indexed or TupleItem over one, or a TupleLiteral of such (which
    unpacks).
    """

    target: Expr
    value: Expr
    op: Op | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetIncrement(Stmt):
    """`target += value`, or `jacobian += value`.

    The parser makes this of every `jacobian += value`; where a variable of that name is in scope,
    which is allowed, though deprecated, the checker makes an Assign of it.
    """

    value: Expr
    jacobian: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Stmt):
    """`variate ~ distribution(args) T[lower, upper]`.

    The checker resolves `distribution` into `density`, a Call of the `_lupdf`/`_lupmf` function,
    and the truncation's functions into `lcdf`, `lccdf` names.
    """

    variate: Expr
    distribution: str
    args: tuple[Expr, ...]
    truncation: Truncation | None = None
    density: Call | None = None
    name_span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncation:
    """`T[lower, upper]`.

    Where there is a bound, the checker fills in `lcdf`, a call at the upper bound (else at the
    lower), and `lccdf`, a call at the lower bound (else at the upper).
    """

    span: Span
    lower: Expr | None
    upper: Expr | None
    lcdf: Call | None = None
    lccdf: Call | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStmt(Stmt):
    """A void function called for its effect."""

    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Print(Stmt):
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject(Stmt):
    """`reject(...)`, or `fatal_error(...)` with `fatal`."""

    args: tuple[Expr, ...]
    fatal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Stmt):
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Stmt):
    name: str
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Stmt):
    condition: Expr
    then: Stmt
    otherwise: Stmt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class While(Stmt):
    condition: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, kw_only=True)
class For(Stmt):
    """`for (name in lower:upper)`."""

    name: str
    lower: Expr
    upper: Expr
    body: Stmt
    name_span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEach(Stmt):
    """`for (name in container)`."""

    name: str
    container: Expr
    body: Stmt
    name_span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Break(Stmt):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue(Stmt):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Stmt):
    value: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip(Stmt):
    """A lone semicolon."""


# --------------------------------------------------------------------------- programs


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument of a user-defined function."""

    span: Span
    name: str
    type: t.Type
    data_only: bool = False
    name_span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDef:
    """A user-defined function; `body` is None for a forward declaration."""

    span: Span
    name: str
    name_span: Span
    result: t.Type
    parameters: tuple[Parameter, ...]
    body: Block | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A whole program: one tuple of statements for each block, None where it doesn't stand."""

    functions: tuple[FunctionDef, ...] | None = None
    data: tuple[Stmt, ...] | None = None
    transformed_data: tuple[Stmt, ...] | None = None
    parameters: tuple[Stmt, ...] | None = None
    transformed_parameters: tuple[Stmt, ...] | None = None
    model: tuple[Stmt, ...] | None = None
    generated_quantities: tuple[Stmt, ...] | None = None
    source: Source


UNNAMED = "program.stan"
"""What a program without a file is called in messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The text a program came from, for error messages: lines by file name."""

    file: str
    lines: dict[str, Sequence[str]]

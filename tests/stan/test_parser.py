"""The parser: verdicts and trees as stanc's, forms as expected trees, spans by parsing again."""

import dataclasses
import enum
import json

import pytest
from make_syntax_reference import REFERENCE
from syntax_snippets import BINARY, expressions, snippets

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanSyntaxError
from trustvi.stan._parser import parse

RECORDED = json.loads(REFERENCE.read_text())


# --------------------------------------------------------------------------- as stanc


def verdict(text):
    """None for what parses, else "line:column" of the error."""
    try:
        parse(text)
    except StanSyntaxError as error:
        return f"{error.line}:{error.column}"
    return None


def test_the_reference_covers_the_snippets():
    assert list(RECORDED["verdicts"]) == list(snippets())
    assert list(RECORDED["trees"]) == list(dict.fromkeys(expressions()))


def test_verdicts_and_places_are_those_of_stanc():
    recorded = RECORDED["verdicts"]
    ours = {text: verdict(text) for text in recorded}
    assert {text: found for text, found in ours.items() if found != recorded[text]} == {}
    assert sum(found is None for found in ours.values()) > 400


def with_parentheses(expr):
    match expr:
        case ast.Variable(name=name):
            return name
        case ast.IntLiteral(value=value):
            return str(value)
        case ast.Binary(op=op, left=left, right=right):
            return f"({with_parentheses(left)} {op.value} {with_parentheses(right)})"
        case ast.Unary(op=ast.Op.TRANSPOSE, operand=operand):
            return f"({with_parentheses(operand)}')"
        case ast.Unary(op=op, operand=operand):
            return f"({op.value[0]}{with_parentheses(operand)})"
        case ast.Ternary(condition=a, if_true=b, if_false=c):
            return "({} ? {} : {})".format(*map(with_parentheses, (a, b, c)))
        case ast.Indexed(base=base, indices=(index,)):
            return f"{with_parentheses(base)}[{with_parentheses(index.value)}]"
        case ast.TupleItem(base=base, item=item):
            return f"{with_parentheses(base)}.{item}"


def value_of(text):
    (statement,) = parse(f"model {{ x = {text}; }}").model
    return statement.value


def test_precedence_and_associativity_are_those_of_stanc():
    recorded = RECORDED["trees"]
    assert {e: with_parentheses(value_of(e)) for e in recorded} == recorded


# --------------------------------------------------------------------------- forms

IGNORED = {"span", "name_span", "source", "type", "data_only"}


def show(node):
    """A tree in one line: the node's name with the fields that are not at their defaults."""
    match node:
        case tuple():
            return f"[{', '.join(map(show, node))}]"
        case enum.Enum():
            return node.value if isinstance(node, ast.Op) else node.name
        case ast.Parameter(name=name, type=declared, data_only=data_only):
            return f"{'data ' * data_only}{declared} {name}"
        case t.Int() | t.Real() | t.Array() | t.Tuple() | t.Void() | t.Vector() | t.Matrix():
            return str(node)
        case str() | int() | None:
            return str(node)
    fields = [f for f in dataclasses.fields(node) if f.name not in IGNORED]
    parts = [getattr(node, f.name) for f in fields if getattr(node, f.name) != f.default]
    return f"{type(node).__name__}({', '.join(map(show, parts))})"


X, Y = "Variable(x)", "Variable(y)"
EXPRESSIONS = {
    "1_000": "IntLiteral(1000)",
    "007": "IntLiteral(7)",
    "1_0.5e-1_0": "RealLiteral(10.5e-10)",
    ".5": "RealLiteral(.5)",
    "1.": "RealLiteral(1.)",
    "2.5i": "ImagLiteral(2.5)",
    "x": X,
    "T": "Variable(T)",
    "jacobian": "Variable(jacobian)",
    "(x)": f"Paren({X})",
    "(x, y)": f"TupleLiteral([{X}, {Y}])",
    "{x, y}": f"ArrayLiteral([{X}, {Y}])",
    "[x, y]": f"RowLiteral([{X}, {Y}])",
    "[]": "RowLiteral([])",
    "x'": f"Unary(', {X})",
    "!x": f"Unary(!, {X})",
    "+x": f"Unary(+u, {X})",
    "x ? y : 1": f"Ternary({X}, {Y}, IntLiteral(1))",
    "target()": "TargetValue()",
    "x.2": f"TupleItem({X}, 2)",
    "x.1.2": f"TupleItem(TupleItem({X}, 1), 2)",
    "x[1]": f"Indexed({X}, [SingleIndex(IntLiteral(1))])",
    "x[]": f"Indexed({X}, [AllIndex()])",
    "x[, :, y:, :y, 1:y]": (
        f"Indexed({X}, [AllIndex(), AllIndex(), RangeIndex({Y}, None), RangeIndex(None, {Y}), "
        f"RangeIndex(IntLiteral(1), {Y})])"
    ),
    "f()": "Call(f, [])",
    "f(x, y)": f"Call(f, [{X}, {Y}])",
    "f_lpdf(x | y, 1)": f"Call(f_lpdf, [{X}, {Y}, IntLiteral(1)], True)",
    "f_lpdf(x |)": f"Call(f_lpdf, [{X}], True)",
} | {f"x {op} y": f"Binary({op}, {X}, {Y})" for op in BINARY}

STATEMENTS = {
    ";": "Skip()",
    "x = y;": f"Assign({X}, {Y})",
    "x[1].2 = y;": f"Assign(TupleItem(Indexed({X}, [SingleIndex(IntLiteral(1))]), 2), {Y})",
    "(x, y) = 1;": f"Assign(TupleLiteral([{X}, {Y}]), IntLiteral(1))",
    "target += x;": f"TargetIncrement({X})",
    "jacobian += x;": f"TargetIncrement({X}, True)",
    "jacobian -= x;": f"Assign(Variable(jacobian), {X}, -)",
    "f(x);": f"CallStmt(Call(f, [{X}]))",
    "x ~ f();": f"Sample({X}, f, [])",
    "x + y ~ f(1);": f"Sample(Binary(+, {X}, {Y}), f, [IntLiteral(1)])",
    "{x, y} ~ f();": f"Sample(ArrayLiteral([{X}, {Y}]), f, [])",
    "{x}[1]' + y ? 1 : y ~ f();": (
        f"Sample(Ternary(Binary(+, Unary(', Indexed(ArrayLiteral([{X}]), "
        f"[SingleIndex(IntLiteral(1))])), {Y}), IntLiteral(1), {Y}), f, [])"
    ),
    "x ~ f(y) T[1, 2];": (f"Sample({X}, f, [{Y}], Truncation(IntLiteral(1), IntLiteral(2)))"),
    "x ~ f(y) T[, ];": f"Sample({X}, f, [{Y}], Truncation(None, None))",
    'print("a ", x);': f"Print([StringLiteral(a ), {X}])",
    "reject(x);": f"Reject([{X}])",
    "fatal_error(x);": f"Reject([{X}], True)",
    "{ x = y; }": f"Block([Assign({X}, {Y})])",
    "{ { x = y; } ; }": f"Block([Block([Assign({X}, {Y})]), Skip()])",
    'profile("p q") { ; }': "Profile(p q, [Skip()])",
    "if (x) ;": f"If({X}, Skip())",
    "if (x) if (y) ; else break;": f"If({X}, If({Y}, Skip(), Break()))",
    "if (x) real y, z;": (
        f"If({X}, Block([Declaration(Declared(SizedType(real)), y), "
        "Declaration(Declared(SizedType(real)), z)]))"
    ),
    "while (x) continue;": f"While({X}, Continue())",
    "for (i in x:y) ;": f"For(i, {X}, {Y}, Skip())",
    "for (i in x ? 1 : y) ;": f"ForEach(i, Ternary({X}, IntLiteral(1), {Y}), Skip())",
    "for (i in x) int y;": f"ForEach(i, {X}, Declaration(Declared(SizedType(int)), y))",
    "return;": "Return()",
    "return x;": f"Return({X})",
} | {f"x {op}= y;": f"Assign({X}, {Y}, {op})" for op in ["+", "-", "*", "/", ".*", "./"]}

DECLARATIONS = {
    "int x;": "SizedType(int)",
    "vector[y] x;": f"SizedType(vector, [{Y}])",
    "complex_matrix[1, y] x;": f"SizedType(complex_matrix, [IntLiteral(1), {Y}])",
    "array[1, y] row_vector[2] x;": (
        f"SizedType(row_vector, [IntLiteral(2)], [IntLiteral(1), {Y}])"
    ),
    "real<lower=1> x;": "SizedType(real), LOWER, [IntLiteral(1)]",
    "real<upper=1> x;": "SizedType(real), UPPER, [IntLiteral(1)]",
    "real<upper=1, lower=y> x;": f"SizedType(real), LOWER_UPPER, [{Y}, IntLiteral(1)]",
    "real<lower=y, upper=1> x;": f"SizedType(real), LOWER_UPPER, [{Y}, IntLiteral(1)]",
    "real<offset=1> x;": "SizedType(real), OFFSET, [IntLiteral(1)]",
    "real<multiplier=1> x;": "SizedType(real), MULTIPLIER, [IntLiteral(1)]",
    "real<multiplier=1, offset=y> x;": (
        f"SizedType(real), OFFSET_MULTIPLIER, [{Y}, IntLiteral(1)]"
    ),
    "array[2] vector<offset=y, multiplier=1>[3] x;": (
        "SizedType(vector, [IntLiteral(3)], [IntLiteral(2)]), "
        f"OFFSET_MULTIPLIER, [{Y}, IntLiteral(1)]"
    ),
    "ordered[y] x;": f"SizedType(ordered, [{Y}]), ORDERED",
    "positive_ordered[y] x;": f"SizedType(positive_ordered, [{Y}]), POSITIVE_ORDERED",
    "simplex[y] x;": f"SizedType(simplex, [{Y}]), SIMPLEX",
    "unit_vector[y] x;": f"SizedType(unit_vector, [{Y}]), UNIT_VECTOR",
    "cov_matrix[y] x;": f"SizedType(cov_matrix, [{Y}]), COVARIANCE",
    "corr_matrix[y] x;": f"SizedType(corr_matrix, [{Y}]), CORRELATION",
    "cholesky_factor_corr[y] x;": f"SizedType(cholesky_factor_corr, [{Y}]), CHOLESKY_CORR",
    "cholesky_factor_cov[y] x;": f"SizedType(cholesky_factor_cov, [{Y}]), CHOLESKY_COV",
    "cholesky_factor_cov[y, 2] x;": (
        f"SizedType(cholesky_factor_cov, [{Y}, IntLiteral(2)]), CHOLESKY_COV"
    ),
    "sum_to_zero_vector[y] x;": f"SizedType(sum_to_zero_vector, [{Y}]), SUM_TO_ZERO_VECTOR",
    "array[2] tuple(sum_to_zero_matrix[y, 2], array[3] row_stochastic_matrix[1, y]) x;": (
        "SizedType(tuple, [IntLiteral(2)], "
        f"[Declared(SizedType(sum_to_zero_matrix, [{Y}, IntLiteral(2)]), SUM_TO_ZERO_MATRIX), "
        f"Declared(SizedType(row_stochastic_matrix, [IntLiteral(1), {Y}], [IntLiteral(3)]), "
        "ROW_STOCHASTIC)]), TUPLE"
    ),
    "column_stochastic_matrix[y[1], 2] x;": (
        f"SizedType(column_stochastic_matrix, [Indexed({Y}, [SingleIndex(IntLiteral(1))]), "
        "IntLiteral(2)]), COLUMN_STOCHASTIC"
    ),
    "array[2] tuple(int<lower=0>, tuple(real, simplex[3])) x;": (
        "SizedType(tuple, [IntLiteral(2)], "
        "[Declared(SizedType(int), LOWER, [IntLiteral(0)]), "
        "Declared(SizedType(tuple, [Declared(SizedType(real)), "
        "Declared(SizedType(simplex, [IntLiteral(3)]), SIMPLEX)]), TUPLE)]), TUPLE"
    ),
}

FUNCTIONS = {
    "void f();": "FunctionDef(f, void, [], None)",
    "real f(data real x, array[,] int y) { return x; }": (
        f"FunctionDef(f, real, [data real x, array[,] int y], Block([Return({X})]))"
    ),
    "array[] tuple(int, array[,] vector) f(tuple(matrix, real) x) return x;": (
        "FunctionDef(f, array[] tuple(int, array[,] vector), [tuple(matrix, real) x], "
        f"Block([Return({X})]))"
    ),
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(text):
    assert show(value_of(text)) == EXPRESSIONS[text]


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements(text):
    (statement,) = parse(f"model {{ {text} }}").model
    assert show(statement) == STATEMENTS[text]


@pytest.mark.parametrize("text", DECLARATIONS)
@pytest.mark.parametrize("block", ["data", "parameters", "transformed parameters"])
def test_declarations(block, text):
    (declaration,) = getattr(parse(f"{block} {{ {text} }}"), block.replace(" ", "_"))
    assert show(declaration) == f"Declaration(Declared({DECLARATIONS[text]}), x)"


@pytest.mark.parametrize("text", FUNCTIONS)
def test_functions(text):
    (function,) = parse(f"functions {{ {text} }}").functions
    assert show(function) == FUNCTIONS[text]


@pytest.mark.parametrize(
    "text",
    [
        "sum_to_zero_vector = y;",
        "sum_to_zero_vector[1] = y;",
        "sum_to_zero_vector[sum_to_zero_vector[1]] = y;",
        "f(sum_to_zero_vector[2]);",
        "sum_to_zero_vector(y);",
        "real sum_to_zero_vector = y;",
    ],
)
def test_the_names_of_newer_types_are_free_elsewhere(text):
    for block in ["transformed_data", "model"]:
        (statement,) = getattr(parse(f"{block.replace('_', ' ')} {{ {text} }}"), block)
        assert "sum_to_zero_vector" in show(statement)
        assert "SizedType(sum_to_zero_vector" not in show(statement)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("model { sum_to_zero_vector[2] x; }", 31),
        ("parameters { sum_to_zero_vector x; }", 14),
        ("parameters { sum_to_zero_matrix[2] x; }", 34),
        ("transformed data { sum_to_zero_vector[2; }", 40),
        ("transformed data { sum_to_zero_vector[2", 40),
    ],
)
def test_newer_types_fail_as_others_do(text, column):
    assert verdict(text) == f"1:{column}"


def test_declarations_of_several_variables_share_their_type():
    first, second, third = parse("model { vector[2] a = x, b, c = y; }").model
    assert first.declared is second.declared is third.declared
    assert [show(d.value) for d in (first, second, third)] == [X, "None", Y]


def test_blocks_that_do_not_stand_are_none():
    names = [f.name for f in dataclasses.fields(ast.Program) if f.name != "source"]
    empty = parse("")
    assert all(getattr(empty, name) is None for name in names)
    headers = [name.replace("_", " ") for name in names]
    full = parse(" {}\n".join([*headers, ""]))
    assert all(getattr(full, name) == () for name in names)


# --------------------------------------------------------------------------- spans

RICH = """functions {
  real f_lpdf(real x, data array[,] tuple(int, real) y) { return x; }
}
data { int<lower=0> N; array[N] vector<lower=-1, upper=f(2)>[3 + N] y; }
transformed data { tuple(real, int) t = (1.5, 2); }
parameters { real mu; real<lower=0> sigma; }
model {
  target += f_lpdf(mu | {t}) * -sigma ^ 2' / (3 ? 1i : [1, 2][1, , 2:]);
  y[1] ~ normal(mu, sigma) T[0, N];
  for (n in 1:N) if (y[n, 1] > 0) { y[n].1 *= 2; } else print("a", 3);
  while (!mu) break;
  for (v in y) reject(v);
  profile("p") { (a, b) = g({1}, y); h(target()); }
}
"""


def nodes(tree):
    """Every node below, itself included."""
    if isinstance(tree, tuple):
        for child in tree:
            yield from nodes(child)
    elif dataclasses.is_dataclass(tree) and not isinstance(tree, ast.Span | ast.Source):
        yield tree
        for field in dataclasses.fields(tree):
            yield from nodes(getattr(tree, field.name))


def slice_of(span, lines):
    assert span.file == "program.stan"
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, *middle, last = lines[span.line - 1 : span.end_line]
    return "\n".join([first[span.column - 1 :], *middle, last[: span.end_column - 1]])


def test_the_text_under_an_expression_or_statement_parses_to_it():
    program = parse(RICH)
    lines = program.source.lines["program.stan"]
    kinds = set()
    for node in nodes(program):
        match node:
            case ast.StringLiteral():
                assert slice_of(node.span, lines) == f'"{node.value}"'
            case ast.Expr():
                assert show(value_of(slice_of(node.span, lines))) == show(node)
            case ast.Declaration():
                text = f"generated quantities {{ {slice_of(node.span, lines)}; }}"
                (again,) = parse(text).generated_quantities
                assert show(again) == show(node)
            case ast.Stmt():
                text = slice_of(node.span, lines)
                (again,) = parse(f"model {{ {text} }}").model
                assert show(again) == show(node)
            case _:
                continue
        kinds.add(type(node))
    statements = {ast.Sample, ast.For, ast.ForEach, ast.While, ast.If, ast.Assign, ast.CallStmt}
    assert kinds > statements | {ast.Ternary, ast.Indexed, ast.TupleItem, ast.Unary, ast.Paren}


def test_spans_of_names():
    program = parse(RICH)
    lines = program.source.lines["program.stan"]
    named = [node for node in nodes(program) if getattr(node, "name_span", None)]
    for node in named:
        name = node.distribution if isinstance(node, ast.Sample) else node.name
        assert slice_of(node.name_span, lines) == name
    kinds = {ast.Call, ast.Declaration, ast.FunctionDef, ast.Parameter, ast.For, ast.ForEach}
    assert {type(node) for node in named} == kinds | {ast.Sample}


# --------------------------------------------------------------------------- files of functions


def test_a_file_of_functions_is_the_inside_of_their_block():
    text = "real f(real x) {\n  return x;\n}\nvoid g(int i);"
    alone = parse(text, "lib.stanfunctions")
    inside = parse(f"functions {{\n{text}\n}}")
    assert show(alone.functions) == show(inside.functions)
    assert alone.model is None
    assert parse("", "lib.stanfunctions").functions == ()


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("functions { }", 1),
        ("model { }", 1),
        ("real f() { return 1; } }", 24),
        ("real f() { return 1; } model { }", 24),
    ],
)
def test_a_file_of_functions_holds_nothing_else(text, column):
    with pytest.raises(StanSyntaxError, match="or the end of the file") as caught:
        parse(text, "lib.stanfunctions")
    assert (caught.value.line, caught.value.column) == (1, column)

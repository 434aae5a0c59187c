"""The typed tree: the same program, everything typed, whatever the program says."""

import dataclasses
import random
import re
import time

import pytest
from bundled import PROGRAMS
from hypothesis import given, settings
from hypothesis import strategies as st

from trustvi.stan import StanError, check_program
from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check import check
from trustvi.stan._check._walk import nodes
from trustvi.stan._overloads import promotion_cost
from trustvi.stan._parser import parse

FILES = sorted(PROGRAMS.rglob("*.stan"))
FILLED_IN = {"type", "data_only", "callee", "user_defined", "density", "lcdf", "lccdf"}
"""What the checker adds to nodes."""


def erased(node):
    """The tree with what the checker adds taken away."""
    if isinstance(node, tuple):
        return tuple(map(erased, node))
    if not dataclasses.is_dataclass(node) or isinstance(node, ast.Span | ast.Source | t.Type):
        return node
    keeps_type = isinstance(node, ast.Parameter)
    return dataclasses.replace(
        node,
        **{
            field.name: field.default
            if field.name in FILLED_IN and not keeps_type
            else erased(getattr(node, field.name))
            for field in dataclasses.fields(node)
        },
    )


@pytest.fixture(scope="module")
def checked():
    """Every bundled program, parsed and checked."""
    parsed = {path: parse(path.read_text(encoding="utf-8"), str(path)) for path in FILES}
    return {path: (program, check(program)) for path, program in parsed.items()}


def test_erasing_the_types_gives_the_program_back(checked):
    for program, found in checked.values():
        assert erased(found.program) == program


def test_everything_is_typed(checked):
    kinds = set()
    for _, found in checked.values():
        for node in nodes(found.program):
            kinds.add(type(node))
            if isinstance(node, ast.Expr) and not isinstance(node, ast.StringLiteral):
                assert node.type is not None, node
            if isinstance(node, ast.Call):
                assert node.callee is not None, node
            if isinstance(node, ast.Declaration):
                assert node.type is not None, node
            if isinstance(node, ast.Sample):
                assert node.density is not None, node
    assert {ast.Sample, ast.TupleItem, ast.Ternary, ast.Truncation, ast.ForEach} <= kinds


def test_callees_take_their_arguments(checked):
    calls = [
        node
        for _, found in checked.values()
        for node in nodes(found.program)
        if isinstance(node, ast.Call)
    ]
    for call in calls:
        assert len(call.callee.arguments) == len(call.args)
        for wanted, arg in zip(call.callee.arguments, call.args, strict=True):
            if isinstance(wanted.type, t.Function):
                assert isinstance(arg.type, t.Function)
            else:
                assert promotion_cost(arg.type, wanted.type) is not None
        assert call.type == call.callee.result
    assert {call.user_defined for call in calls} == {True, False}


def test_functions_are_those_with_a_body(checked):
    for program, found in checked.values():
        bodies = [each for each in program.functions or () if each.body is not None]
        assert sum(map(len, found.functions.values())) == len(bodies)
        assert all(each.name == name for name, group in found.functions.items() for each in group)


def test_the_second_check_equals_the_first(checked):
    for program, found in list(checked.values())[:20]:
        again = check(program)
        assert (again.program, again.warnings) == (found.program, found.warnings)


# --------------------------------------------------------------------------- what is resolved


def statements(text, block="model"):
    return getattr(check_program(text).program, block)


@pytest.mark.parametrize(
    ("statement", "density", "callee"),
    [
        ("1 ~ normal(0, 1);", "normal_lupdf", "(real, real, real) => real"),
        ("3 ~ poisson(2.5);", "poisson_lupmf", "(int, real) => real"),
        ("{1, 2} ~ poisson([1, 2]');", "poisson_lupmf", "(array[] int, vector) => real"),
        ("1 ~ both();", "both_lupmf", "(int) => real"),
        ("1.5 ~ both();", "both_lupdf", "(real) => real"),
    ],
)
def test_a_distribution_becomes_its_unnormalised_density(statement, density, callee):
    functions = """functions {
      real both_lpdf(real x) { return x; }
      real both_lpmf(int x) { return x; }
    }
    """
    (sample,) = statements(f"{functions}model {{ {statement} }}")
    assert sample.density.name == density
    assert str(sample.density.callee) == callee
    assert sample.density.args == (sample.variate, *sample.args)
    assert sample.density.user_defined == ("both" in statement)


@pytest.mark.parametrize(
    ("bounds", "lcdf_at", "lccdf_at"), [("1,", 1, 1), (", 2", 2, 2), ("1, 2", 2, 1)]
)
def test_a_truncation_has_both_distribution_functions(bounds, lcdf_at, lccdf_at):
    (sample,) = statements(f"model {{ 1 ~ normal(0, 1) T[{bounds}]; }}")
    truncation = sample.truncation
    assert (truncation.lcdf.name, truncation.lccdf.name) == ("normal_lcdf", "normal_lccdf")
    assert truncation.lcdf.args[0].value == lcdf_at
    assert truncation.lccdf.args[0].value == lccdf_at
    assert truncation.lcdf.args[1:] == sample.args


def test_a_truncation_without_bounds_needs_nothing():
    (sample,) = statements("model { [1, 1]' ~ multi_normal([1, 2]', [[1, 0], [0, 1]]) T[,]; }")
    assert sample.truncation.lcdf is None is sample.truncation.lccdf


def test_a_callback_is_typed_as_the_overload_that_is_called():
    text = """functions {
      vector f(real t, vector y, int a) { return y; }
      vector f(real t, vector y, real a, data real b) { return y; }
    }
    transformed data {
      print(ode_rk45(f, [1]', 0, {1.0}, 3), ode_rk45_tol(f, [1]', 0, {1}, 1e-3, 1e-3, 9, 3, 4));
    }
    """
    (printed,) = statements(text, "transformed_data")
    first, second = printed.args
    assert str(first.args[0].type) == "(real, vector, int) => vector"
    assert str(second.args[0].type) == "(real, vector, real, data real) => vector"
    assert first.callee.arguments[0].type == first.args[0].type
    assert [str(each) for each in second.callee.arguments[1:]] == [
        *("vector", "real", "array[] real", "data real", "data real", "data int"),
        *("real", "data real"),
    ]
    assert first.type == t.Array(t.VECTOR)


@pytest.mark.parametrize("element", ["int", "real", "vector", "row_vector", "matrix"])
@pytest.mark.parametrize("commas", ["", ",", ",,"])
def test_reduce_sum_takes_arrays_apart(element, commas):
    sizes = {"vector": "[2]", "row_vector": "[2]", "matrix": "[2, 2]"}.get(element, "")
    dims = ", ".join("2" for _ in range(len(commas) + 1))
    text = f"""functions {{
      real f(array[{commas}] {element} x, int start, int end, real a) {{ return a; }}
    }}
    model {{ array[{dims}] {element}{sizes} x; target += reduce_sum(f, x, 1, 2); }}
    """
    call = statements(text)[1].value
    assert str(call.callee.arguments[1]) == f"array[{commas}] {element}"
    assert call.type == t.REAL


def test_jacobian_is_a_statement_unless_it_is_a_variable():
    found = statements("transformed parameters { jacobian += 1; }", "transformed_parameters")
    assert isinstance(found[0], ast.TargetIncrement)
    _, found = statements("model { real jacobian = 0; jacobian += 1; }")
    assert isinstance(found, ast.Assign)
    for text in ("model { jacobian += 1; }", "functions { void f_lp() { jacobian += 1; } }"):
        with pytest.raises(StanError, match="jacobian") as caught:
            check_program(text)
        assert caught.value.column == text.index("jacobian") + 1
    check_program("functions { void f_jacobian(real x) { jacobian += x; } }")


# --------------------------------------------------------------------------- any text


def error_of(text):
    """What is wrong with a program, or None."""
    try:
        check_program(text)
    except StanError as error:
        return error
    return None


WORDS = re.compile(r"[A-Za-z]\w*|\d+\.?\d*|\s+|.", re.DOTALL)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_only_errors_of_ours_come_out(chance: random.Random):
    text = chance.choice(FILES).read_text(encoding="utf-8")
    words = WORDS.findall(text)
    places = [i for i, word in enumerate(words) if word[0].isalnum()]
    for place in chance.sample(places, 3):
        words[place] = words[chance.choice(places)]
    found = error_of("".join(words))
    assert found is None or 1 <= found.line <= text.count("\n") + 1


@pytest.mark.parametrize("text", ["+".join(["x"] * 5000), "{" * 3000 + "x" + "}" * 3000])
def test_long_and_deep_expressions(text):
    found = error_of(f"transformed data {{ real x; print({text}); }}")
    assert found is None if "+" in text else "nested too deeply" in str(found)


def test_a_program_of_100_lines_is_checked_in_150_milliseconds():
    densities = {
        "normal": 2,
        "cauchy": 2,
        "gamma": 2,
        "weibull": 2,
        "student_t": 3,
        "skew_normal": 3,
    }
    arguments = ["y", "s", "mu[g]", "1", "to_vector(z)", "X * beta", "tau"] * 2
    lines = [
        f"  y ~ {name}({', '.join(arguments[start : start + count])});"
        for start in range(7)
        for name, count in densities.items()
    ]
    data = "int N; array[N] int g; vector[N] y; array[N] real z; matrix[N, 3] X;"
    parameters = "real s; vector[N] mu; vector[3] beta; vector[N] tau;"
    text = (
        f"data {{ {data} }}\nparameters {{ {parameters} }}\nmodel {{\n"
        + "\n".join(2 * lines)
        + "\n}"
    )
    assert text.count("\n") > 84
    check_program("model { 1 ~ normal(0, 1); }")
    seconds = []
    for _ in range(3):
        start = time.process_time()
        check_program(text)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.15


def test_long_chains_of_alternatives_are_no_deep_nesting():
    tests = "".join(f"if (x > {i}) return {i}; else " for i in range(1000))
    assert check_program(f"functions {{ real f(real x) {{ {tests} return 0; }} }}")
    text = f"functions {{ real f(real x) {{ {tests} {{ }} }} }}"
    with pytest.raises(StanError, match="on every path"):
        check_program(text)


@pytest.mark.parametrize("value", ["(f, 1)", "{f}", "{(1, f)}", "(f, 1).2", "i ? (f, 1) : (f, 2)"])
@pytest.mark.parametrize("use", ["print({});", "reject(1, {});"])
def test_no_array_and_no_tuple_holds_a_function(value, use):
    text = "functions { real f(real x) { return x; } } model { int i; " + use.format(value) + " }"
    with pytest.raises(StanError, match="name of a function") as caught:
        check_program(text)
    assert text[caught.value.column - 1 :].startswith("f")

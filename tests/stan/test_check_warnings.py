"""Warnings: what each is for, where it stands, and what is left alone."""

import pytest

from trustvi.stan import check_program


def warned(text):
    """The columns and messages of the warnings of a program of one line."""
    return [(each.span.column, each.message) for each in check_program(text).warnings]


CASES = [
    ("print(7 / 2);", "7 / 2", "rounds towards zero"),
    ("int N; print(1.0 * (N / 3));", "N / 3", "rounds towards zero"),
    ("matrix[2, 2] m; print(m ^ 2);", "m ^ 2", "each element of the matrix"),
    ("print(1 < 2 < 3);", "1 < 2 < 3", "compares the outcome"),
    ("print(1 == 2 == 3);", "1 == 2 == 3", "compares the outcome"),
    ("real x = x;", "real x = x", "computed from itself"),
    ("vector[2] x = 2 * x;", "vector[2] x", "computed from itself"),
    ("real jacobian = 1; print(jacobian);", "jacobian", "reserved word"),
    ("real y;", "y;", "never read"),
    ("real y; y = 2; y += 1;", "y;", "never read"),
    ("tuple(int, real) y; (y.1, y.2) = (1, 2);", "y;", "never read"),
    ("{ int i = 2; vector[2] y; y[i] = 1; }", "y;", "never read"),
    ("real x; x = x;", "x = x", "assigned to itself"),
    ("vector[2] x; x[1] = x[1];", "x[1] = x[1]", "assigned to itself"),
    ('reject("no"); print(1);', "print(1)", "never reached"),
    ('reject("no"); reject("no"); print(1);', 'reject("no"); print', "never reached"),
    ("while (1) { break; print(1); }", "print(1)", "never reached"),
    ("[[1]] ~ lkj_cov([1]', [1]', 1);", "lkj_cov", "deprecated"),
    ("print(lkj_cov_lpdf([[1]] | [1]', [1]', 1));", "lkj_cov_lpdf", "deprecated"),
]


@pytest.mark.parametrize(("body", "place", "message"), CASES)
def test_a_warning_stands_where_the_slip_is(body, place, message):
    text = f"model {{ {body} }}"
    (found,) = warned(text)
    assert found[0] == text.index(place) + 1
    assert message in found[1]


@pytest.mark.parametrize(
    "body",
    [
        "print(7.0 / 2);",
        "print(7 %/% 2);",
        "matrix[2, 2] m; print(m .^ 2, matrix_power(m, 2), m ^ m);",
        "real x = 1; vector[2] y; y[1] = x; target += sum(y);",
        "int n = 2; array[n] real x; for (i in 1:n) x[i] = i; print(x);",
        "if (1) { real x = 2; print(x); } else { int x = 3; print(x); }",
        "tuple(int, real) y; y.1 = 1; print(y);",
        "print((1 < 2) < 3, 1 < 2 && 2 < 3);",
        "real x; real y; x = y; x += x;",
        "vector[2] x; x[1] = x[2];",
        "while (1) { if (1) break; print(1); }",
    ],
)
def test_what_is_meant_is_left_alone(body):
    assert warned(f"model {{ {body} }}") == []


def test_forward_declarations_are_superfluous():
    text = "functions { real f(real x); real f(real x) { return x; } }"
    assert warned(text) == [(18, '"f" need not be declared before it is defined')]


def test_old_solvers_name_their_successors():
    text = """functions {
      array[] real f(real t, array[] real y, array[] real p, array[] real x, array[] int n) {
        return y;
      }
      vector g(vector y, vector p, array[] real x, array[] int n) { return y; }
    }
    transformed data {
      print(integrate_ode_bdf(f, {1}, 0, {1}, {1}, {1}, {1}));
      print(algebra_solver(g, [1]', [1]', {1}, {1}));
    }
    """
    hints = [hint for each in check_program(text).warnings for hint in each.hints]
    assert ["ode_bdf" in hints[0], "solve_powell" in hints[1]] == [True, True]


def test_parameters_without_effect_are_told():
    text = "parameters { real a; real b; real c; } transformed parameters { real d = b; } "
    text += "model { a ~ normal(0, 1); } generated quantities { real e = c; }"
    assert [message for _, message in warned(text)] == [
        'the parameter "c" is declared, but the density doesn\'t use it'
    ]


def test_a_function_of_the_program_is_not_deprecated():
    text = "functions { real lkj_cov_lpdf(real x) { return x; } } model { 1.0 ~ lkj_cov(); }"
    assert warned(text) == []


def test_warnings_come_in_the_order_of_the_text():
    text = "parameters { real a; } model { while (1) { break; print(1 / 2); } print(3 / 4); }"
    columns = [column for column, _ in warned(text)]
    assert columns == sorted(columns)
    assert len(columns) == 4


def test_a_warning_renders_like_an_error():
    checked = check_program("model {\n  print(1 / 2);\n}\n", "slip.stan")
    (warning,) = checked.warnings
    assert warning.render(checked.program.source).splitlines()[:4] == [
        "warning in slip.stan, line 2, column 9",
        "1 | model {",
        "2 |   print(1 / 2);",
        "  |         ^^^^^",
    ]


def test_variables_that_nobody_reads_are_told():
    text = "functions { real f(real a) { real b = a; int c = 2; return b; } } "
    text += "data { int n; } transformed data { int kept = n; int lost = n; } "
    text += "transformed parameters { real shown = kept; { real local = shown; } } "
    text += "generated quantities { real g = 1; for (i in 1:2) { real inner = i; } }"
    found = [message for _, message in warned(text)]
    names = ["c", "lost", "local", "inner"]
    assert found == [f'the variable "{name}" is never read' for name in names]


@pytest.mark.parametrize("text", ["", "  \n", "// nothing yet\n", "/* a */"])
def test_a_program_without_blocks_is_told(text):
    (warning,) = check_program(text, "empty.stan").warnings
    assert "no blocks" in warning.message
    assert warning.render(check_program(text).program.source).startswith("warning in empty.stan")


def test_one_empty_block_is_no_empty_program():
    assert warned("model { }") == []

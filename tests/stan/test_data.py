"""Data: formats, types, shapes and constraints, against what R and JSON say a text means."""

import contextlib
import json
import math
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trustvi.stan import _ast as ast
from trustvi.stan._ast import Transform as T
from trustvi.stan._data import load_data, read_variable, value_of
from trustvi.stan._diagnostics import StanDataError, StanError, StanRuntimeError
from trustvi.stan._parser import parse
from trustvi.stan._rdump import Other, parse_rdump
from trustvi.stan._transforms import Layout

NAN, INF = math.nan, math.inf


def read(declarations, source):
    """All data variables of a program, squeezed; the oracle for sizes is a dictionary."""
    program = parse(f"data {{\n{declarations}\n}}")
    data, known = load_data(source), {}
    names = [declaration.name for declaration in program.data]

    def evaluate(expr):
        match expr:
            case ast.Variable(name=name):
                return known[name]
            case ast.IntLiteral(value=value):
                return np.full((1, 1), value)
            case ast.RealLiteral(text=text):
                return np.full((1, 1), float(text))
            case ast.Unary(operand=operand):
                return -evaluate(operand)

    for declaration in program.data:
        try:
            known[declaration.name] = read_variable(data, declaration, evaluate, names)[1]
        except StanError as error:
            raise error.locate(source=program.source) from None
    return {name: plain(value) for name, value in known.items()}


def plain(value):
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    assert value.shape[0] == value.shape[-1] == 1
    return value[0, ..., 0]


def one(declaration, value):
    name = declaration.split()[-1].rstrip(";")
    return read(declaration, {name: value})[name]


# --------------------------------------------------------------------------- R dump

DUMP = """# made by hand
N <- 3
"y" <- c(1.5, NA, -2e-3)
`odd name` <-
  c(1L, 2L,
    -3L)   # over two lines
X <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(2L, 3L))
up <- 1:3; down = 3:1
across <- -2:2
none <- integer(0)
no_reals <- double(0)
zeros <- integer(2)
named <- c(a = 1, b = 2)
strings <- c("a", "b)")
listed <- list(a = 1, b = "x")
large <- 1e+05
infinite <- c(Inf, -Inf, NaN)
ranged <- structure(1:6, .Dim = 2:3, .Dimnames = list(c("a", "b"), NULL))
frame <- structure(list(a = c(1, 2)), .Names = "a", row.names = c(NA, -2L), class = "data.frame")
mixed <- c(1:3, 5, -1)
factor <- structure(c(1L, 2L), .Label = c("x", "y"), class = "factor")
empty <- structure(integer(0), .Dim = c(0L, 3L))
cube <- structure(c(1, 2, 3, 4, 5, 6, 7, 8), .Dim = c(2, 2, 2))
short <- .5
negative <- -4
true <- TRUE
'single' <- 5L
nothing <- c()
copy = N
gaps <- c(NA, 1L, 2L)
counted <- 1:N
hexadecimal <- 0x1F
"""
EXPECTED = {
    "N": 3,
    "y": [1.5, NAN, -0.002],
    "odd name": [1, 2, -3],
    "X": [[1, 3, 5], [2, 4, 6]],
    "up": [1, 2, 3],
    "down": [3, 2, 1],
    "across": [-2, -1, 0, 1, 2],
    "none": [],
    "no_reals": [],
    "zeros": [0, 0],
    "named": [1, 2],
    "large": 100000,
    "infinite": [INF, -INF, NAN],
    "ranged": [[1, 3, 5], [2, 4, 6]],
    "mixed": [1, 2, 3, 5, -1],
    "factor": [1, 2],
    "empty": np.zeros((0, 3)),
    "cube": [[[1, 5], [3, 7]], [[2, 6], [4, 8]]],
    "short": 0.5,
    "negative": -4,
    "true": 1,
    "single": 5,
    "nothing": [],
    "copy": 3,
    "gaps": [NAN, 1, 2],
    "counted": [1, 2, 3],
    "hexadecimal": 31,
}
INTEGERS = {"N", "odd name", "up", "none", "ranged", "factor", "single", "counted", "empty"}


def test_dump_is_read_as_r_would():
    found = parse_rdump(DUMP)
    numbers = {name: value for name, value in found.items() if not isinstance(value, Other)}
    assert list(numbers) == list(EXPECTED)
    for name, expected in EXPECTED.items():
        np.testing.assert_array_equal(numbers[name], expected, err_msg=name)
    assert {name for name in INTEGERS if numbers[name].dtype.kind == "i"} == INTEGERS
    assert numbers["large"].dtype.kind == "f"


def test_dump_matters_only_where_it_is_used():
    found = read("array[2, 3] int X; int<lower=1> N; real large;", DUMP)
    assert found["X"].tolist() == [[1, 3, 5], [2, 4, 6]]
    with pytest.raises(StanDataError, match='"strings" should be numbers, but its value is a str'):
        read("array[2] int strings;", DUMP)
    with pytest.raises(StanDataError, match="its value is list"):
        read("array[2] int frame;", DUMP)


def test_dump_knows_no_scalars_and_no_types():
    text = "a <- 3\nb <- 1e5\nc <- structure(2, .Dim = c(1L, 1L))\nd <- c(1, 2.5)"
    found = read("array[1] int a; int b; matrix[1, 1] c;", text)
    assert [found[k].tolist() for k in "abc"] == [[3], 100000, [[2]]]
    with pytest.raises(StanDataError, match=r'"d"\[2\] is declared int, but its value is 2.5'):
        read("array[2] int d;", text)


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("N <- ", 6, "a value"),
        ("N 3", 3, "an assignment"),
        ("x <- c(1,2", 11, '")"'),
        ("x <- c(1,,2)", 10, "a value"),
        ("y <- 3 4", 8, "the end of the value"),
        ('x <- "abc', 6, "a value"),
        ("<- 3", 1, "a variable's name"),
        ("x <- 1:c(2)", 12, "a range of two numbers"),
    ],
)
def test_broken_dump_is_an_error_with_its_place(text, column, expected):
    with pytest.raises(StanDataError, match=re.escape(f"expected {expected}")) as caught:
        parse_rdump(f"N <- 1\n{text}")
    assert (caught.value.line, caught.value.column) == (2, column)


def test_large_dump_and_json_are_fast():
    rng = np.random.default_rng(5)
    reals, ints = rng.normal(size=80_000), rng.integers(0, 99, size=(40_000, 2))
    dump = f"x <- c({', '.join(map(repr, reals.tolist()))})\n"
    whole = ", ".join(f"{i}L" for i in ints.T.ravel())
    dump += f"k <- structure(c({whole}), .Dim = c(40000L, 2L))\n"
    dump += "gaps <- c(" + ", ".join(["NA", "1.5", "2L"] * 20_000) + ")\n"
    declarations = "vector[80000] x; array[40000, 2] int<lower=0> k;"
    text = json.dumps({"x": reals.tolist(), "k": ints.tolist()})
    started = time.perf_counter()
    results = read(declarations, dump), read(declarations, text)
    assert time.perf_counter() - started < 3.0
    for found in results:
        np.testing.assert_array_equal(found["x"], reals)
        np.testing.assert_array_equal(found["k"], ints)


# --------------------------------------------------------------------------- JSON and dict

DECLARATIONS = """int<lower=1> N;
vector[N] y;
array[N] int<lower=0> k;
matrix[N, 2] X;
tuple(real<lower=0>, array[2] int) t;
array[2] tuple(real, vector[3]) at;
complex z;
array[2] complex_vector[1] zs;
array[0, 3] real e;
row_vector[2] extreme;"""
VALUES = {
    "N": 2,
    "y": [1, 2.5],
    "k": [1, 2],
    "X": [[1, 2], [3, 4]],
    "t": {"1": 1.5, "2": [1, 2]},
    "at": [{"1": 1, "2": [1, 2, 3]}, {"1": 2, "2": [4, 5, 6]}],
    "z": [1, 2],
    "zs": [[[1, 0]], [[0, 1]]],
    "e": [],
    "extreme": ["-Inf", "Infinity"],
    "unused": {"anything": ["at all", None]},
}


def assert_values(found):
    assert found["N"].dtype == found["k"].dtype == np.int64
    assert found["y"].dtype == found["X"].dtype == np.float64
    np.testing.assert_array_equal(found["y"], [1, 2.5])
    np.testing.assert_array_equal(found["X"], [[1, 2], [3, 4]])
    np.testing.assert_array_equal(found["t"][0], 1.5)
    np.testing.assert_array_equal(found["t"][1], [1, 2])
    np.testing.assert_array_equal(found["at"][0], [1, 2])
    np.testing.assert_array_equal(found["at"][1], [[1, 2, 3], [4, 5, 6]])
    assert found["z"] == 1 + 2j
    np.testing.assert_array_equal(found["zs"], [[1], [1j]])
    assert found["e"].shape == (0, 3)
    np.testing.assert_array_equal(found["extreme"], [-INF, INF])


def test_formats_agree(tmp_path):
    """The same variables as JSON text, a JSON file, and a dict of what Python users have."""
    file = tmp_path / "observed.json"
    file.write_text(json.dumps(VALUES))

    class Series:
        """What matters of a pandas object."""

        def to_numpy(self):
            return np.array([1.0, 2.5])

    python = VALUES | {
        "N": np.int32(2),
        "y": Series(),
        "k": np.array([1.0, 2.0]),
        "X": np.array([[1, 2], [3, 4]], dtype=np.uint8),
        "t": (1.5, np.array([1, 2])),
        "at": [(1, [1, 2, 3]), (2, [4, 5, 6])],
        "z": 1 + 2j,
        "zs": np.array([[1], [1j]]),
        "e": np.zeros((0, 3)),
        "extreme": [-INF, INF],
    }
    whole = {"at": {"1": [1, 2], "2": [[1, 2, 3], [4, 5, 6]]}}
    for source in (json.dumps(VALUES), file, str(file), python, python | whole):
        assert_values(read(DECLARATIONS, source))


def test_booleans_are_integers_in_python():
    assert one("array[2] int flags;", np.array([True, False])).tolist() == [1, 0]


def test_no_data():
    assert read("", None) == read("", "") == read("", {"x": 1}) == {}
    with pytest.raises(StanDataError, match='"N" is missing: no data were given'):
        read("int N;", None)


BAD = [
    ("int<lower=1> N;", 0, "N is 0, but must be greater than or equal to 1"),
    ("int N;", 2.5, '"N" is declared int, but its value is 2.5'),
    ("int N;", NAN, '"N" is declared int, but its value is nan'),
    ("int N;", 3_000_000_000, '"N" is 3000000000, beyond the range of int'),
    ("int N;", [2], '"N" should be a single number, but the data have an array of 1 number'),
    ("int N;", "two", '"N" should be numbers, but it holds the string "two"'),
    ("int N;", None, '"N" should be numbers, but it holds null (None)'),
    ("array[2] int k;", [1, 2.5], '"k"[2] is declared int, but its value is 2.5'),
    ("real y;", 1j, '"y" is declared real, but its values are complex'),
    ("real y;", [], '"y" should be a single number, but the data have an array of 0 numbers'),
    ("vector[2] y;", [1, 2, 3],
     '"y" should be an array of 2 numbers, but the data have an array of 3 numbers'),
    ("vector[2] y;", [1, None], '"y" should be numbers, but it holds null (None)'),
    ("vector[2] y;", [1, [2]], '"y" is not rectangular: its rows differ in length'),
    ("vector<lower=0>[2] y;", [1, NAN], "y[2] is nan, but must be greater than or equal to 0"),
    ("matrix[2, 3] X;", [[1, 2], [3, 4], [5, 6]],
     '"X" should be an array of 2 x 3 numbers, but the data have an array of 3 x 2 numbers'),
    ("complex z;", [1, 2, 3],
     '"z" should be a single number, but the data have an array of 3 numbers'),
    ("tuple(real, int) t;", 5, '"t" is declared as a tuple, but its value is not'),
    ("tuple(real, int) t;", {"1": 5}, '"t" is a tuple, but its item 2 is missing'),
    ("tuple(real, int) t;", (5, 1.5), '"t.2" is declared int, but its value is 1.5'),
    ("array[2] tuple(real<upper=1>, int) t;", [(0, 1), (2, 1)],
     "t[2].1 is 2, but must be less than or equal to 1"),
    ("simplex[2] s;", [0.5, 0.6], "s is not a valid simplex. sum(s) = 1.1, but should be 1"),
]  # fmt: skip


@pytest.mark.parametrize("case", BAD, ids=lambda case: f"{case[0]} {case[1]}")
def test_bad_values_are_named_with_the_place_of_their_declaration(case):
    declaration, value, said = case
    with pytest.raises(StanDataError) as caught:
        one(f"\n\n {declaration}", value)
    assert caught.value.message == said
    assert caught.value.line == 4
    assert caught.value.column == 2 + declaration.index(declaration.split()[-1])
    assert declaration in str(caught.value)


def test_shape_errors_tell_the_sizes():
    with pytest.raises(StanDataError) as caught:
        read("int N;\nint K;\narray[2] matrix[N, K] X;", {"N": 3, "K": 2, "X": np.zeros((2, 3, 3))})
    assert caught.value.diagnostic.hints == ("N is 3", "K is 2")
    assert caught.value.line == 4
    with pytest.raises(StanDataError) as caught:
        read("int N; matrix[N, 2] X;", {"N": 3, "X": np.zeros((2, 3))})
    transposed = "the dimensions are the other way round: transpose the data"
    assert caught.value.diagnostic.hints == (transposed, "N is 3")


def test_json_tells_integers_from_reals_as_stan_does():
    with pytest.raises(StanDataError, match=r"declared int, but its value is 3\.0") as caught:
        read("int N;", '{"N": 3.0}')
    assert "write 3" in str(caught.value)
    assert read("int N;", {"N": 3.0})["N"] == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"N": 3,\n "y": [1, }', "not valid JSON"),
        ("[1, 2]", "should be one JSON object, but are an array"),
        ('{"N": 1, "N": 2}', 'define "N" twice'),
    ],
)
def test_broken_json(text, said, tmp_path):
    file = tmp_path / "data.json"
    file.write_text(text)
    with pytest.raises(StanDataError, match=said) as caught:
        read("int N;", file)
    if "\n" in text:
        assert (caught.value.line, caught.value.column) == (2, 11)
        assert str(file) in str(caught.value)


def test_missing_variables_come_with_a_guess():
    cases = {"y": "Y", "weights": "wieghts", "n_obs": None}
    for name, guess in cases.items():
        given = {"N": 1} | ({guess: [1]} if guess else {})
        with pytest.raises(StanDataError, match=f'"{name}" is missing from the data') as caught:
            read(f"int N; vector[N] {name};", given)
        hints = caught.value.diagnostic.hints
        assert hints == ((f'did you mean "{guess}"?',) if guess else ())


def test_data_of_another_kind():
    with pytest.raises(StanDataError, match="should be a mapping, a path, text or None, but are"):
        read("int N;", [1, 2])


def test_missing_file():
    with pytest.raises(StanDataError, match="can't be read"):
        read("int N;", "no/such/file.json")


def test_sizes_are_checked():
    for declaration, said in {
        "vector[N] y;": "Found negative dimension size in variable declaration; variable=y",
        "simplex[0] y;": "Found dimension size less than one in simplex declaration",
        "unit_vector[1] y;": "Found dimension size less than two in unit_vector declaration",
        "cholesky_factor_cov[2, 3] y;": "num rows .must be greater or equal to num cols. is 2",
    }.items():
        with pytest.raises(StanRuntimeError, match=said) as caught:
            read(f"int N; \n{declaration}", {"N": -1, "y": []})
        assert caught.value.line == 3


# --------------------------------------------------------------------------- as Stan's readers


EMPTY = [
    "array[0] int x;",
    "vector[0] x;",
    "matrix[2, 0] x;",
    "array[2, 0] complex x;",
    "array[0] tuple(int, vector[2]) x;",
    "tuple(array[0] real, matrix[0, 3]) x;",
]


@pytest.mark.parametrize("source", [{}, "{}", "y <- 1\n", "x <- NULL\n", '{"y": 1}'])
@pytest.mark.parametrize("declaration", EMPTY)
def test_what_has_no_elements_need_not_be_given(declaration, source):
    leaves = read(declaration, source)["x"]
    for leaf in leaves if isinstance(leaves, tuple) else (leaves,):
        assert leaf.size == 0
    assert ("int" in declaration) == any(
        each.dtype.kind == "i" for each in (leaves if isinstance(leaves, tuple) else (leaves,))
    )


@pytest.mark.parametrize("declaration", ["int x;", "array[1] int x;", "tuple(int, vector[0]) x;"])
def test_what_has_elements_must_be_given(declaration):
    with pytest.raises(StanDataError, match='"x" is missing'):
        read(declaration, "{}")
    if "tuple" in declaration:
        assert read(declaration, {"x": {"1": 3}})["x"][0] == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"x": [Inf, -Inf, NaN]}', [INF, -INF, NAN]),
        ('{"x": [Infinity, -Infinity, 1], "Inf": "Inf, \\" Inf"}', [INF, -INF, 1]),
        ('{"x": ["Inf", "-Inf", "NaN"]}', [INF, -INF, NAN]),
        ('{"x": ["Infinity", "-Infinity", 2e0]}', [INF, -INF, 2]),
        ('\ufeff{"x": [1, 2, 3]}', [1, 2, 3]),
        ('{"x": [12345678901234567890123, 1.5, -2]}', [12345678901234567890123.0, 1.5, -2]),
        (f'{{"x": [1, 2, 3], "long": {"9" * 5000}}}', [1, 2, 3]),
        ("\ufeffx <- c(1, 2, 3)\n", [1, 2, 3]),
        ("x <- structure(.Data = c(1, 2, 3), .Dim = 3L)", [1, 2, 3]),
    ],
)
def test_numbers_are_spelled_in_many_ways(text, expected):
    np.testing.assert_array_equal(read("vector[3] x;", text)["x"], expected)


@pytest.mark.parametrize(
    "number", ["2147483648", "1e10", "12345678901234567890123", "9" * 5000], ids=len
)
def test_no_int_is_beyond_its_range(number):
    with pytest.raises(StanDataError, match=r'"N" is .*, beyond the range of int'):
        read("int N;", f'{{"N": {number}}}')


@pytest.mark.parametrize(
    "given",
    [
        b"1",
        [b"x", 1],
        np.array([b"x"]),
        np.datetime64("2020-01-01"),
        {1},
        object(),
        ["NaN", object()],
    ],
    ids=lambda each: type(each).__name__,
)
@pytest.mark.parametrize("declaration", ["real x;", "vector[2] x;", "array[2] int x;"])
def test_what_is_no_number_is_named(declaration, given):
    with pytest.raises(StanDataError, match='"x" should be numbers'):
        one(declaration, given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c(as.integer(3), 4)", [3, 4]),
        ("c(as.integer(2.7), as.numeric(1))", [2, 1]),
        ("c(0x10, 0XfL)", [16, 15]),
        (f"c(0x{'f' * 300}, 1)", [INF, 1]),
        ("c(99999999999999999999, 0xffffffffffffffffff)", [1e20, 16.0**18 - 1]),
    ],
)
def test_numbers_of_a_dump_in_odd_forms(text, expected):
    np.testing.assert_array_equal(read("vector[2] x;", f"x <- {text}\n")["x"], expected)


@pytest.mark.parametrize(
    "text",
    [
        f"1:0x{'f' * 40}",
        f"1:0x{'f' * 400}",
        "structure(c(), .Dim = c(0, 1e30))",
        "structure(integer(0), .Dim = c(0L, 99999999999L))",
    ],
)
def test_dumps_of_what_no_memory_holds(text):
    with pytest.raises(StanDataError):
        read("vector[2] x;", f"x <- {text}\n")


@pytest.mark.parametrize("text", ['{"x": [1, Inf}', '{"x": Inf Inf}', '{"x": "Inf}', "{Inf: 1}"])
def test_words_out_of_place_are_no_json(text):
    with pytest.raises(StanDataError, match="not valid JSON"):
        read("real x;", text)


# --------------------------------------------------------------------------- any text at all

PIECES = [
    *("x", "c(", "(", ")", ",", "1", "2.5", "-", "+", "1e5", "1e999", "L", "NA", "Inf", ":"),
    *("structure(", ".Dim", "=", "integer(", "double(", "list(", '"a"', "'b'", "`c`", ";", "TRUE"),
    *("NULL", "as.integer(", "array(", "dim", "0x1F", ".", "99999999999999999999", "matrix("),
    *("<-", "#", "\n"),
]
LAYOUTS = [
    Layout(),
    Layout(integer=True),
    Layout(T.IDENTITY, (), (2,)),
    Layout(T.IDENTITY, (2,), (), integer=True),
    Layout(complex=True),
    Layout(T.TUPLE, (2,), elements=(Layout(), Layout(integer=True))),
]
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["NaN", "Inf", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["1", "2", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


def read_as_everything(source):
    """Whatever happens is a value of the right shape or an error of ours."""
    try:
        data = load_data(source)
    except StanDataError:
        return
    for layout in LAYOUTS:
        with contextlib.suppress(StanDataError):
            value = value_of(data, "x", layout)
            first = value[0] if layout.is_tuple else value
            assert first.shape == (1, *layout.shape, 1)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_any_dump_gives_a_value_or_our_error(pieces):
    read_as_everything("x <- " + "".join(pieces))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(TREES)
def test_any_value_gives_a_value_or_our_error(tree):
    read_as_everything({"x": tree})
    read_as_everything(json.dumps({"x": tree}))


@pytest.mark.parametrize("text", ["x <- " + "c(" * 9000, '{"x": ' + "[" * 100_000])
def test_bottomless_data(text):
    with pytest.raises(StanDataError, match="nested too deeply"):
        load_data(text)

"""Sizes, construction, slices, reshaping, reductions and sorting against plain NumPy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from library_cases import Case, check_derivatives, check_known, check_traced

INTS = "array[] int"


def vectors(*sizes):
    return lambda rng: [rng.normal(size=size) for size in sizes]


def complexes(*sizes):
    return lambda rng: [rng.normal(size=n) + 1j * rng.normal(size=n) for n in sizes]


def with_ints(sample, *ints):
    """A sample, then integers: each a constant or the bounds of a random one."""

    def draw(rng):
        drawn = [rng.integers(*i) if isinstance(i, tuple) else i for i in ints]
        return [*sample(rng), *drawn]

    return draw


def int_array(low, high, *size):
    return lambda rng: [rng.integers(low, high, size)]


def before(*values):
    return lambda rng: list(values)


def by_columns(matrix):
    return np.ravel(matrix, order="F")


# ------------------------------------------------------------------------------------- sizes

M, N, K = 3, 4, 2
SHAPES = {
    "int": ((), ()),
    "real": ((), ()),
    "complex": ((), ()),
    "vector": ((N,), (N, 1)),
    "row_vector": ((N,), (1, N)),
    "matrix": ((M, N), (M, N)),
    "complex_vector": ((N,), (N, 1)),
    "complex_row_vector": ((N,), (1, N)),
    "complex_matrix": ((M, N), (M, N)),
    "array[] int": ((K,), (K,)),
    "array[,] vector": ((K, M, N), (K, M, N, 1)),
    "array[] row_vector": ((K, N), (K, 1, N)),
    "array[,] complex_matrix": ((2, K, M, N), (2, K, M, N)),
}


def _filled(type, shape):
    def sample(rng):
        if "int" in type:
            return [rng.integers(9, size=shape)]
        return [rng.normal(size=shape) * (1j if "complex" in type else 1)]

    return sample


def size_cases():
    for type, (shape, dims) in SHAPES.items():
        sample = _filled(type, shape)
        size = shape[0] if type.startswith("array") else math.prod(shape)
        known = {"size": size}
        if type not in ("complex_vector", "complex_row_vector", "complex_matrix"):
            known["dims"] = np.array(dims, np.int64)
        if shape:
            known["num_elements"] = math.prod(shape)
        if shape and "array" not in type:
            known |= {"rows": dims[0], "cols": dims[1]}
        for name, value in known.items():
            result = INTS if name == "dims" else "int"
            yield Case(name, f"({type}) => {result}", lambda x, v=value: v, sample)


# ------------------------------------------------------------------------------ construction


def one_hot(size, place):
    return np.eye(size)[place - 1]


def built_cases():
    for kind, type in (
        ("vector", "vector"),
        ("row_vector", "row_vector"),
        ("array", "array[] real"),
        ("int_array", INTS),
    ):
        yield Case(f"zeros_{kind}", f"(int) => {type}", np.zeros, before(4))
        yield Case(f"ones_{kind}", f"(int) => {type}", np.ones, before(4))
        hot = with_ints(before(5), (1, 6))
        yield Case(f"one_hot_{kind}", f"(int, int) => {type}", one_hot, hot)
        if kind != "int_array":
            yield Case(
                f"linspaced_{kind}",
                f"(data int, data real, data real) => {type}",
                lambda n, low, high: np.linspace(low, high, n),
                lambda rng: [5, rng.uniform(-4, 0), rng.uniform(1, 4)],
            )
    for size, low, high, expected in (
        (5, 1, 3, [1, 1, 2, 2, 3]),
        (4, -2, 4, [-2, 0, 2, 4]),
        (4, 1, 9, [1, 3, 5, 7]),
        (1, 2, 7, [7]),
    ):
        yield Case(
            "linspaced_int_array",
            f"(data int, data int, data int) => {INTS}",
            lambda *_, e=expected: np.array(e),
            before(size, low, high),
        )
    yield Case("identity_matrix", "(int) => matrix", np.eye, before(3))
    yield Case("uniform_simplex", "(int) => vector", lambda n: np.full(n, 1 / n), before(4))
    yield Case("rep_vector", "(real, int) => vector", np.repeat, with_ints(vectors(()), 4))
    yield Case("rep_row_vector", "(real, int) => row_vector", np.repeat, with_ints(vectors(()), 4))
    yield Case(
        "rep_matrix",
        "(complex, int, int) => complex_matrix",
        lambda x, m, n: np.full((m, n), x),
        with_ints(complexes(()), 2, 3),
    )
    yield Case(
        "rep_matrix",
        "(vector, int) => matrix",
        lambda x, n: np.outer(x, np.ones(n)),
        with_ints(vectors(2), 3),
    )
    yield Case(
        "rep_matrix",
        "(row_vector, int) => matrix",
        lambda x, n: np.outer(np.ones(n), x),
        with_ints(vectors(2), 3),
    )
    yield Case(
        "rep_array",
        "(vector, int, int) => array[,] vector",
        lambda x, m, n: np.tile(x, (m, n, 1)),
        with_ints(vectors(2), 3, 4),
    )
    yield Case("rep_array", "(int, int) => array[] int", np.repeat, with_ints(int_array(0, 9), 3))
    yield Case(
        "rep_array",
        "(array[] real, int, int, int) => array[,,,] real",
        lambda x, *n: np.tile(x, (*n, 1)),
        with_ints(vectors(2), 3, 4, 2),
    )


# ------------------------------------------------------------------------ slices, put together


def slice_cases():
    for type, shape in (
        ("vector", (6,)),
        ("row_vector", (6,)),
        ("array[,] matrix", (6, 2, 2, 3)),
    ):
        sample = vectors(shape)
        one, two = f"({type}, int) => {type}", f"({type}, int, int) => {type}"
        yield Case("head", one, lambda x, n: x[:n], with_ints(sample, 2))
        yield Case("tail", one, lambda x, n: x[len(x) - n :], with_ints(sample, 2))
        yield Case("tail", one, lambda x, n: x[len(x) :], with_ints(sample, 0))
        window = with_ints(sample, (1, 5), 2)
        yield Case("segment", two, lambda x, i, n: x[i - 1 : i - 1 + n], window)
        yield Case("reverse", f"({type}) => {type}", lambda x: x[::-1], sample)
    matrix = vectors((5, 4))
    yield Case(
        "row", "(matrix, int) => row_vector", lambda m, i: m[i - 1], with_ints(matrix, (1, 6))
    )
    yield Case(
        "col", "(matrix, int) => vector", lambda m, i: m[:, i - 1], with_ints(matrix, (1, 5))
    )
    yield Case(
        "sub_row",
        "(matrix, int, int, int) => row_vector",
        lambda m, i, j, n: m[i - 1, j - 1 : j - 1 + n],
        with_ints(matrix, (1, 6), (1, 4), 2),
    )
    yield Case(
        "sub_col",
        "(matrix, int, int, int) => vector",
        lambda m, i, j, n: m[i - 1 : i - 1 + n, j - 1],
        with_ints(matrix, (1, 4), (1, 5), 3),
    )
    yield Case(
        "block",
        "(matrix, int, int, int, int) => matrix",
        lambda m, i, j, r, c: m[i - 1 : i - 1 + r, j - 1 : j - 1 + c],
        with_ints(matrix, (1, 4), (1, 4), 3, 2),
    )


def append_cases():
    shapes = {"real": (), "vector": (3,), "row_vector": (3,), "matrix": (3, 3)}
    rows = {("vector", "vector"), ("real", "vector"), ("vector", "real")}
    rows |= set(itertools.product(("row_vector", "matrix"), repeat=2))
    for x, y in sorted(rows):
        result = "vector" if "vector" in (x, y) else "matrix"
        stack = np.hstack if result == "vector" else np.vstack
        yield Case(
            "append_row",
            f"({x}, {y}) => {result}",
            lambda a, b, stack=stack: stack([a, b]),
            vectors(shapes[x], shapes[y]),
        )
        turn = {"vector": "row_vector", "row_vector": "vector"}
        x, y, result = (turn.get(each, each) for each in (x, y, result))
        stack = np.hstack if result == "row_vector" else np.column_stack
        yield Case(
            "append_col",
            f"({x}, {y}) => {result}",
            lambda a, b, stack=stack: stack([a, b]),
            vectors(shapes[x], shapes[y]),
        )
    yield Case(
        "append_array",
        "(array[] vector, array[] vector) => array[] vector",
        lambda x, y: np.concatenate([x, y]),
        vectors((2, 3), (4, 3)),
    )
    yield Case(
        "append_array",
        f"({INTS}, {INTS}) => {INTS}",
        lambda x, y: np.concatenate([x, y]),
        lambda rng: [rng.integers(9, size=2), rng.integers(9, size=0)],
    )


# ---------------------------------------------------------------------------------- reshaping


def reshape_cases():
    matrix, vector = vectors((2, 3)), vectors(6)
    yield Case("to_vector", "(matrix) => vector", by_columns, matrix)
    yield Case("to_row_vector", "(matrix) => row_vector", by_columns, matrix)
    yield Case("to_vector", f"({INTS}) => vector", np.array, int_array(0, 9, 4))
    yield Case("to_row_vector", "(vector) => row_vector", np.array, vector)
    yield Case("to_array_1d", "(matrix) => array[] real", by_columns, matrix)
    yield Case("to_array_1d", "(array[,,] real) => array[] real", np.ravel, vectors((2, 3, 2)))
    yield Case("to_array_2d", "(matrix) => array[,] real", np.array, matrix)
    yield Case("to_matrix", "(vector) => matrix", lambda v: v[:, None], vector)
    yield Case("to_matrix", "(row_vector) => matrix", lambda v: v[None], vector)
    yield Case("to_matrix", "(array[] row_vector) => matrix", np.array, matrix)
    yield Case("to_matrix", "(array[,] int) => matrix", np.array, int_array(0, 9, 2, 3))
    for type, sample, flat in (
        ("vector", vector, np.ravel),
        ("array[] real", vector, np.ravel),
        ("matrix", matrix, by_columns),
    ):
        yield Case(
            "to_matrix",
            f"({type}, int, int) => matrix",
            lambda x, m, n, flat=flat: flat(x).reshape((m, n), order="F"),
            with_ints(sample, 3, 2),
        )
        for by_column in (0, 1):
            yield Case(
                "to_matrix",
                f"({type}, int, int, int) => matrix",
                lambda x, m, n, c, flat=flat: flat(x).reshape((m, n), order="F" if c else "C"),
                with_ints(sample, 3, 2, by_column),
            )
    yield Case("to_int", "(data real) => int", int, lambda rng: [rng.uniform(-9, 9)])
    yield Case("to_int", "(data int) => int", int, int_array(0, 9))


# --------------------------------------------------------------------------------- reductions


def soft(v):
    return np.exp(v) / np.exp(v).sum()


def log_mix(p, v):
    return math.log(p @ np.exp(v))


def reduction_cases():
    real = {
        "sum": np.sum,
        "prod": np.prod,
        "mean": np.mean,
        "variance": lambda x: np.var(x, ddof=1),
        "sd": lambda x: np.std(x, ddof=1),
        "min": np.min,
        "max": np.max,
        "log_sum_exp": lambda x: math.log(np.exp(x).sum()),
    }
    for name, oracle in real.items():
        yield Case(name, "(vector) => real", oracle, vectors(5))
        yield Case(name, "(matrix) => real", oracle, vectors((2, 3)))
        if name in ("sum", "prod", "min", "max"):
            yield Case(name, f"({INTS}) => int", oracle, int_array(-5, 5, 4))
        if name in ("sum", "prod"):
            yield Case(name, "(complex_matrix) => complex", oracle, complexes((2, 3)))
    for name, oracle in (("min", min), ("max", max)):
        ints = lambda rng: list(rng.integers(9, size=2))  # noqa: E731
        yield Case(name, "(int, int) => int", oracle, ints)
    yield Case("norm1", "(row_vector) => real", lambda x: abs(x).sum(), vectors(4))
    yield Case("norm2", "(array[] real) => real", np.linalg.norm, vectors(4))
    yield Case("softmax", "(vector) => vector", soft, vectors(4))
    yield Case("log_softmax", "(vector) => vector", lambda v: np.log(soft(v)), vectors(4))
    weights = lambda rng: rng.dirichlet(np.ones(3))  # noqa: E731
    yield Case(
        "log_mix",
        "(vector, row_vector) => real",
        log_mix,
        lambda rng: [weights(rng), rng.normal(size=3)],
    )
    yield Case(
        "log_mix",
        "(array[] real, array[] vector) => real",
        lambda p, v: sum(log_mix(p, each) for each in v),
        lambda rng: [weights(rng), rng.normal(size=(4, 3))],
    )
    yield Case(
        "quantile",
        "(data vector, data real) => real",
        np.quantile,
        lambda rng: [rng.normal(size=7), rng.uniform()],
    )
    yield Case(
        "quantile",
        "(data array[] real, data array[] real) => array[] real",
        np.quantile,
        lambda rng: [rng.normal(size=7), rng.uniform(size=2)],
    )


def product_cases():
    pair, complex_pair = vectors(4, 4), complexes(4, 4)
    matrices = vectors((3, 4), (3, 4))
    yield Case("dot_product", "(vector, row_vector) => real", np.dot, pair)
    yield Case("dot_product", "(array[] real, array[] real) => real", np.dot, pair)
    yield Case("dot_product", "(complex_vector, complex_vector) => complex", np.vdot, complex_pair)
    yield Case("dot_self", "(vector) => real", lambda x: x @ x, vectors(4))
    yield Case("dot_self", "(complex_row_vector) => complex", lambda x: np.vdot(x, x), complexes(4))
    yield Case("distance", "(vector, vector) => real", math.dist, pair)
    yield Case(
        "squared_distance", "(row_vector, vector) => real", lambda x, y: math.dist(x, y) ** 2, pair
    )
    yield Case("cumulative_sum", "(vector) => vector", np.cumsum, vectors(4))
    yield Case("cumulative_sum", f"({INTS}) => {INTS}", np.cumsum, int_array(0, 9, 4))
    for which, axis, line, across in (
        ("rows", 1, "vector", "row_vector"),
        ("columns", 0, "row_vector", "vector"),
    ):
        product, square = f"{which}_dot_product", f"{which}_dot_self"
        yield Case(
            product,
            f"(matrix, matrix) => {line}",
            lambda x, y, axis=axis: (x * y).sum(axis),
            matrices,
        )
        yield Case(product, f"({line}, {line}) => {line}", lambda x, y: x * y, pair)
        yield Case(product, f"({across}, {across}) => {line}", lambda x, y: np.array([x @ y]), pair)
        yield Case(
            square,
            f"(complex_matrix) => complex_{line}",
            lambda x, axis=axis: (abs(x) ** 2).sum(axis) + 0j,
            complexes((3, 4)),
        )
        yield Case(square, f"({line}) => {line}", np.square, vectors(4))
        yield Case(square, f"({across}) => {line}", lambda x: np.array([x @ x]), vectors(4))


def sort_cases():
    for type, sample in (("vector", vectors(5)), (INTS, int_array(0, 6, 5))):
        same, places = f"({type}) => {type}", f"({type}) => {INTS}"
        yield Case("sort_asc", same, np.sort, sample)
        yield Case("sort_desc", same, lambda x: np.sort(x)[::-1], sample)
        yield Case("sort_indices_asc", places, lambda x: np.argsort(x, kind="stable") + 1, sample)
        yield Case("sort_indices_desc", places, lambda x: np.argsort(-x, kind="stable") + 1, sample)
        yield Case(
            "rank",
            f"({type}, int) => int",
            lambda x, i: sum(x < x[i - 1]),
            with_ints(sample, (1, 6)),
        )


CASES = [
    *size_cases(),
    *built_cases(),
    *slice_cases(),
    *append_cases(),
    *reshape_cases(),
    *reduction_cases(),
    *product_cases(),
    *sort_cases(),
]


@pytest.mark.parametrize("mode", ["known", "lanes"])
def test_known(mode):
    check_known(CASES, mode)


def test_traced():
    check_traced(CASES)


def test_places_and_parts_that_both_have_lanes():
    check_traced(list(slice_cases()), "both")


def test_derivatives():
    check_derivatives(CASES)

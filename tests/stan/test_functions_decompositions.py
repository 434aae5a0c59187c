"""Decompositions: the parts multiply to the whole, have their shapes, and the right derivatives."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from library_cases import FIRST, OFFSETS, STEP, compiled

from trustvi.stan.library import _table as table
from trustvi.stan.library._signatures import parse_function

LANES, DRAWS = 2, 3
REAL, COMPLEX = "matrix", "complex_matrix"


def general(rng, rows, columns, kind):
    m = rng.normal(size=(rows, columns)) + 0.0
    return m + 1j * rng.normal(size=m.shape) if kind == COMPLEX else m


def hermitian(rng, rows, columns, kind):
    m = general(rng, rows, columns, kind)
    return m + m.conj().T


def adjoint(m):
    return m.conj().T


def check_qr(m, q, r):
    np.testing.assert_allclose(q @ r, m, atol=1e-12)
    np.testing.assert_allclose(adjoint(q) @ q, np.eye(q.shape[1]), atol=1e-12)
    np.testing.assert_allclose(r, np.triu(r), atol=1e-12)
    assert np.all(np.diagonal(r) >= 0)


def check_svd(m, u, s, v):
    np.testing.assert_allclose(u @ np.diag(s) @ adjoint(v), m, atol=1e-12)
    for each in (u, v):
        np.testing.assert_allclose(adjoint(each) @ each, np.eye(len(s)), atol=1e-12)
    assert np.all(np.diff(s) <= 0)
    assert np.all(s >= 0)


def check_eigen(m, vectors, values):
    np.testing.assert_allclose(m @ vectors, vectors * values, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=0), 1, atol=1e-12)


def check_eigen_sym(m, vectors, values):
    check_eigen(m, vectors, values)
    np.testing.assert_allclose(adjoint(vectors) @ vectors, np.eye(len(m)), atol=1e-12)
    assert np.all(np.diff(values.real) >= 0)


def check_schur(m, u, t):
    np.testing.assert_allclose(u @ t @ adjoint(u), m, atol=1e-12)
    np.testing.assert_allclose(adjoint(u) @ u, np.eye(len(m)), atol=1e-12)
    np.testing.assert_allclose(t, np.triu(t), atol=1e-12)


# name, kind of matrix, result, sample, sizes, property, names of the parts alone
DECOMPOSITIONS = [
    ("qr", REAL, "tuple(matrix, matrix)", general, (4, 3), check_qr, ("qr_Q", "qr_R")),
    ("qr", REAL, "tuple(matrix, matrix)", general, (2, 3), check_qr, ("qr_Q", "qr_R")),
    (
        "qr_thin",
        REAL,
        "tuple(matrix, matrix)",
        general,
        (4, 3),
        check_qr,
        ("qr_thin_Q", "qr_thin_R"),
    ),
    (
        "svd",
        REAL,
        "tuple(matrix, vector, matrix)",
        general,
        (4, 3),
        check_svd,
        ("svd_U", "", "svd_V"),
    ),
    (
        "svd",
        REAL,
        "tuple(matrix, vector, matrix)",
        general,
        (2, 3),
        check_svd,
        ("svd_U", "", "svd_V"),
    ),
    (
        "svd",
        COMPLEX,
        "tuple(complex_matrix, vector, complex_matrix)",
        general,
        (2, 3),
        check_svd,
        ("svd_U", "singular_values", "svd_V"),
    ),
    (
        "eigendecompose_sym",
        REAL,
        "tuple(matrix, vector)",
        hermitian,
        (3, 3),
        check_eigen_sym,
        ("eigenvectors_sym", "eigenvalues_sym"),
    ),
    (
        "eigendecompose_sym",
        COMPLEX,
        "tuple(complex_matrix, complex_vector)",
        hermitian,
        (3, 3),
        check_eigen_sym,
        ("eigenvectors_sym", "eigenvalues_sym"),
    ),
    *(
        (
            name,
            kind,
            f"tuple(complex_matrix, {second})",
            general,
            (3, 3),
            check,
            parts,
        )
        for kind in (REAL, COMPLEX)
        for name, second, check, parts in (
            ("eigendecompose", "complex_vector", check_eigen, ("eigenvectors", "eigenvalues")),
            (
                "complex_schur_decompose",
                "complex_matrix",
                check_schur,
                ("complex_schur_decompose_u", "complex_schur_decompose_t"),
            ),
        )
    ),
]
IDS = [f"{each[0]}-{each[1]}-{each[4][0]}x{each[4][1]}" for each in DECOMPOSITIONS]


def implementation(name, signature):
    return table.overloads(name)[parse_function(signature)].implementation


def part_results(result):
    return result.removeprefix("tuple(").removesuffix(")").split(", ")


def matrices(sample, sizes, kind, seed=5):
    rng = np.random.default_rng(seed)
    stack = [[sample(rng, *sizes, kind) for _ in range(DRAWS)] for _ in range(LANES)]
    return np.moveaxis(np.array(stack), 1, -1)


@pytest.mark.parametrize("decomposition", DECOMPOSITIONS, ids=IDS)
def test_parts_make_the_whole(decomposition):
    name, kind, result, sample, sizes, check, parts = decomposition
    stack = matrices(sample, sizes, kind)
    decompose = implementation(name, f"({kind}) => {result}")
    for found in (decompose(stack), compiled(decompose, jnp.asarray(stack))):
        for lane in range(LANES):
            for draw in range(DRAWS):
                check(stack[lane, ..., draw], *(np.asarray(x)[lane, ..., draw] for x in found))
    known = decompose(stack)
    for part, one, type in zip(parts, known, part_results(result), strict=True):
        assert isinstance(one, np.ndarray)
        if part:
            alone = implementation(part, f"({kind}) => {type}")(stack)
            np.testing.assert_allclose(alone, one, atol=1e-12)


def invariants(name, found):
    """What doesn't depend on the phases of vectors, as numbers with weights."""
    weights = np.cos(np.arange(1, 10)).reshape(3, 3)
    if name in ("qr", "qr_thin"):
        return [found[0], found[1]]
    if name == "svd":
        u, s, v = found
        return [abs(u) ** 2, s, abs(v) ** 2, u @ (weights[0, : len(s)] * v.conj()).T]
    if name == "complex_schur_decompose":
        u, t = found
        return [abs(u) ** 2, jnp.diagonal(t), abs(t) ** 2]
    vectors, values = found
    return [values, abs(vectors) ** 2, (vectors * weights[0]) @ vectors.conj().T]


def summed(name, found):
    """The invariants as one number."""
    parts = invariants(name, [x[0, ..., 0] for x in found])
    return sum((jnp.sin(jnp.arange(x.size) + 1.0).reshape(x.shape) * x).sum().real for x in parts)


def test_derivatives():
    """First and second ones, against differences of values and of gradients."""
    rng = np.random.default_rng(8)
    functions, points, directions = [], [], []
    for name, kind, result, sample, sizes, *_ in DECOMPOSITIONS:
        decompose = implementation(name, f"({kind}) => {result}")
        functions.append(lambda m, f=decompose, name=name: summed(name, f(m[None, ..., None])))
        points.append(jnp.asarray(sample(rng, *sizes, kind)))
        directions.append(jnp.asarray(sample(rng, *sizes, kind)))

    def values(step):
        return [f(x + step * e) for f, x, e in zip(functions, points, directions, strict=True)]

    def slopes(step):
        gradients = [
            jax.grad(f)(x + step * e) for f, x, e in zip(functions, points, directions, strict=True)
        ]
        return [(g * e).sum().real for g, e in zip(gradients, directions, strict=True)]

    def everything(step):
        return jnp.array([values(step), *jax.jvp(slopes, (step,), (1.0,))])

    steps = jnp.asarray(OFFSETS * STEP)
    found = np.array(compiled(lambda steps: jax.lax.map(everything, steps), steps))
    _, first, second = found[len(steps) // 2]
    differences = np.einsum("s,swc->wc", FIRST, found[:, :2]) / STEP
    for identity, one, two, d1, d2 in zip(IDS, first, second, *differences, strict=True):
        assert one == pytest.approx(d1, rel=1e-6, abs=1e-6), identity
        assert two == pytest.approx(d2, rel=1e-5, abs=1e-5), identity


def test_derivatives_of_equal_eigenvalues():
    values = implementation("eigenvalues_sym", "(matrix) => vector")
    slope = jax.grad(lambda x: values(jnp.diag(x)[None, :, :, None]).sum())(jnp.ones(3))
    np.testing.assert_allclose(slope, 1.0)

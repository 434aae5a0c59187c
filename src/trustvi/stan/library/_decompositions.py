"""Orthogonal and spectral decompositions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan.library import _eigen as eigen
from trustvi.stan.library._namespace import namespace
from trustvi.stan.library._rows import Signatures, batched
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._stack import hermitian, stacked, unstacked
from trustvi.stan.library._table import Row

_ONE = spelled("(matrix) => matrix")

# --------------------------------------------------------------------------------------- QR


def _qr(mode: str, matrix: Any) -> tuple[Any, Any]:
    """Q and R, signs chosen so that the diagonal of R is not negative."""
    if 0 in matrix.shape[1:3]:
        empty = np.zeros((1, 0, 0, 1))
        return empty, empty
    xp = namespace(matrix)
    q, r = xp.linalg.qr(stacked(matrix), mode=mode)
    shorter = min(matrix.shape[1:3])
    signs = xp.where(xp.einsum("...ii->...i", r[..., :shorter, :shorter]) < 0, -1.0, 1.0)
    ones = np.ones((*signs.shape[:-1], q.shape[-1] - shorter))
    signs = xp.concatenate([signs, ones], axis=-1)
    return unstacked(q * signs[..., None, :]), unstacked(r * signs[..., :, None])


def _qr_rows(name: str, mode: str) -> tuple[Row, ...]:
    return (
        batched(name, spelled("(matrix) => tuple(matrix, matrix)"), lambda m: _qr(mode, m)),
        batched(f"{name}_Q", _ONE, lambda m: _qr(mode, m)[0]),
        batched(f"{name}_R", _ONE, lambda m: _qr(mode, m)[1]),
    )


# ------------------------------------------------------------------------- singular values


def _svd(matrix: Any) -> tuple[Any, Any, Any]:
    """U, descending singular values and V of matrix = U diag(s) V*, as thin as possible."""
    stack = stacked(matrix)
    if 0 in matrix.shape[1:3]:
        rows, columns = matrix.shape[1:3]
        return np.zeros((1, rows, 0, 1)), np.zeros((1, 0, 1)), np.zeros((1, columns, 0, 1))
    u, values, v = namespace(matrix).linalg.svd(stack, full_matrices=False)
    return unstacked(u), unstacked(values), unstacked(hermitian(v))


def _singular_values(matrix: Any) -> Any:
    if 0 in matrix.shape[1:3]:
        return np.zeros((1, 0, 1))
    return unstacked(namespace(matrix).linalg.svd(stacked(matrix), compute_uv=False))


# ------------------------------------------------------------------------------------- rows

_COMPLEX = "(complex_matrix) => "


def _both(real: str, complex_result: str) -> Signatures:
    """The signatures for a real and for a complex matrix."""
    return spelled(f"(matrix) => {real}", f"{_COMPLEX}{complex_result}")


_TO_COMPLEX_MATRIX = _both("complex_matrix", "complex_matrix")
_SAME_KIND = _both("matrix", "complex_matrix")


def _eigen_rows() -> tuple[Row, ...]:
    functions: dict[str, tuple[Signatures, Callable[[Any], Any]]] = {
        "eigendecompose": (
            _both("tuple(complex_matrix, complex_vector)", "tuple(complex_matrix, complex_vector)"),
            eigen.eigendecompose,
        ),
        "eigenvalues": (_both("complex_vector", "complex_vector"), eigen.eigenvalues),
        "eigenvectors": (_TO_COMPLEX_MATRIX, eigen.eigenvectors),
        "eigendecompose_sym": (
            _both("tuple(matrix, vector)", "tuple(complex_matrix, complex_vector)"),
            eigen.eigendecompose_sym,
        ),
        "eigenvalues_sym": (_both("vector", "complex_vector"), eigen.eigenvalues_sym),
        "eigenvectors_sym": (_SAME_KIND, eigen.eigenvectors_sym),
        "complex_schur_decompose": (
            _both("tuple(complex_matrix, complex_matrix)", "tuple(complex_matrix, complex_matrix)"),
            eigen.complex_schur_decompose,
        ),
        "complex_schur_decompose_u": (_TO_COMPLEX_MATRIX, eigen.complex_schur_decompose_u),
        "complex_schur_decompose_t": (_TO_COMPLEX_MATRIX, eigen.complex_schur_decompose_t),
    }
    return tuple(
        batched(name, signatures, function) for name, (signatures, function) in functions.items()
    )


ROWS: tuple[Row, ...] = (
    *_qr_rows("qr", "complete"),
    *_qr_rows("qr_thin", "reduced"),
    *_eigen_rows(),
    batched(
        "svd",
        _both("tuple(matrix, vector, matrix)", "tuple(complex_matrix, vector, complex_matrix)"),
        _svd,
    ),
    batched("svd_U", _SAME_KIND, lambda m: _svd(m)[0]),
    batched("svd_V", _SAME_KIND, lambda m: _svd(m)[2]),
    batched("singular_values", _both("vector", "vector"), _singular_values),
)

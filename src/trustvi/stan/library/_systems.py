"""Cholesky factors, triangular and general systems, inverses and determinants.

A matrix that is the same in all lanes and draws is factored once, when that is possible already
while tracing, and all right-hand sides are solved together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import scipy.linalg

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._stack import (
    columns_of,
    from_columns,
    is_single,
    stacked,
    unstacked,
)

SYMMETRY_TOLERANCE = 1e-8
"""Stan's CONSTRAINT_TOLERANCE."""


# ----------------------------------------------------------------------------- requirements


def require_square(function: str, name: str, matrix: Any) -> None:
    rows, columns = matrix.shape[1:3]
    if rows != columns:
        raise StanRuntimeError(
            f"{function}: Expecting a square matrix; rows of {name} ({rows}) and columns of "
            f"{name} ({columns}) must match in size"
        )


def require_multiplicable(function: str, left: Any, right: Any) -> None:
    columns, rows = left.shape[2], right.shape[1]
    if columns != rows:
        raise StanRuntimeError(
            f"{function}: Columns of A ({columns}) and Rows of B ({rows}) must match in size"
        )


def require_symmetric(function: str, name: str, matrix: Any) -> None:
    """A known matrix must be square and symmetric; a complex one may be Hermitian."""
    require_square(function, name, matrix)
    if is_traced(matrix) or np.allclose(matrix, matrix.swapaxes(1, 2).conj()):
        return
    wrong = ~(abs(matrix - matrix.swapaxes(1, 2)) <= SYMMETRY_TOLERANCE)
    if wrong.any() and not np.isnan(matrix).any():
        lane, row, column, draw = np.argwhere(wrong)[0]
        there, here = matrix[lane, row, column, draw], matrix[lane, column, row, draw]
        raise StanRuntimeError(
            f"{function}: {name} is not symmetric. {name}[{row + 1},{column + 1}] = {there:g}, "
            f"but {name}[{column + 1},{row + 1}] = {here:g}"
        )


# --------------------------------------------------------------------------------- Cholesky


def cholesky(function: str, name: str, matrix: Any) -> Any:
    """The lower factor L of L L' = matrix; NaN where a traced matrix has none."""
    require_symmetric(function, name, matrix)
    if is_traced(matrix):
        return unstacked(jsl.cholesky(stacked(matrix), lower=True))
    try:
        return unstacked(np.linalg.cholesky(stacked(matrix)))
    except np.linalg.LinAlgError:
        raise StanRuntimeError(f"{function}: Matrix {name} is not positive definite") from None


def cholesky_decompose(matrix: Any) -> Any:
    if not is_traced(matrix) and np.isnan(matrix).any():
        raise StanRuntimeError("cholesky_decompose: m is nan, but must not be nan!")
    return cholesky("cholesky_decompose", "m", matrix)


# ------------------------------------------------------------------------------ A x = B


def solve_lower(factor: Any, right: Any, transposed: bool = False) -> Any:
    """x of L x = right (or L' x = right), L the lower triangle of `factor`, `right` a matrix."""
    if is_single(factor):
        lanes, _, columns, draws = right.shape
        solved = _triangular(factor[0, :, :, 0], columns_of(right), transposed)
        return from_columns(solved, lanes, columns, draws)
    stack, stacked_right = stacked(factor), stacked(right)
    return unstacked(_triangular(*_matched(stack, stacked_right), transposed))


def _matched(left: Any, right: Any) -> tuple[Any, Any]:
    """Both stacks with the lanes and draws of both together."""
    batch = np.broadcast_shapes(left.shape[:2], right.shape[:2])
    return tuple(
        namespace(each).broadcast_to(each, batch + each.shape[2:]) for each in (left, right)
    )


def _triangular(factor: Any, right: Any, transposed: bool) -> Any:
    trans = 1 if transposed else 0
    if is_traced(factor, right):
        return jsl.solve_triangular(factor, right, lower=True, trans=trans)
    return _known_triangular(factor, right, trans)


def _known_triangular(factor: np.ndarray, right: np.ndarray, trans: int) -> np.ndarray:
    if factor.ndim == 2:
        if not np.all(np.diagonal(factor)):
            return np.full(right.shape, np.inf)
        return scipy.linalg.solve_triangular(factor, right, lower=True, trans=trans)
    solved = [
        _known_triangular(one, other, trans) for one, other in zip(factor, right, strict=True)
    ]
    return np.stack(solved)


def solve(matrix: Any, right: Any) -> Any:
    """x of matrix x = right, both matrices."""
    if not is_single(matrix):
        return unstacked(_general(*_matched(stacked(matrix), stacked(right))))
    lanes, _, columns, draws = right.shape
    single = matrix[0, :, :, 0]
    if is_traced(right) and not is_traced(matrix):
        (getrf,) = scipy.linalg.get_lapack_funcs(("getrf",), (single,))
        factors, pivots, _ = getrf(single)
        solved = jsl.lu_solve((factors, pivots), columns_of(right))
    else:
        solved = _general(single, columns_of(right))
    return from_columns(solved, lanes, columns, draws)


def _general(matrix: Any, right: Any) -> Any:
    if is_traced(matrix, right):
        return jnp.linalg.solve(matrix, right)
    try:
        return np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return np.full(right.shape, np.nan)


def solve_spd(function: str, matrix: Any, right: Any) -> Any:
    """x of matrix x = right for a symmetric positive definite matrix."""
    factor = cholesky(function, "A", matrix)
    return solve_lower(factor, solve_lower(factor, right), transposed=True)


def flipped(solver: Callable[..., Any]) -> Callable[..., Any]:
    """B / A from a solver of A x = B, by transposing everything."""

    def divide(left: Any, matrix: Any) -> Any:
        return solver(matrix.swapaxes(1, 2), left.swapaxes(1, 2)).swapaxes(1, 2)

    return divide


# ------------------------------------------------------------------- inverses, determinants


def inverse(matrix: Any) -> Any:
    """The inverse; without finite elements for a singular matrix."""
    require_square("inverse", "m", matrix)
    if is_traced(matrix):
        return unstacked(jnp.linalg.inv(stacked(matrix)))
    try:
        return unstacked(np.linalg.inv(stacked(matrix)))
    except np.linalg.LinAlgError:
        return np.full(matrix.shape, np.inf)


def _identity(size: int) -> np.ndarray:
    return np.eye(size)[None, :, :, None]


def inverse_spd(matrix: Any) -> Any:
    """The inverse of a symmetric positive definite matrix, symmetric itself."""
    require_symmetric("inverse_spd", "m", matrix)
    if not is_traced(matrix):
        _require_positive("inverse_spd", matrix)
    solved = solve_spd("inverse_spd", matrix, _identity(matrix.shape[1]))
    return 0.5 * (solved + solved.swapaxes(1, 2))


def _require_positive(function: str, matrix: np.ndarray) -> None:
    try:
        np.linalg.cholesky(stacked(matrix))
    except np.linalg.LinAlgError:
        raise StanRuntimeError(f"{function}: matrix not positive definite") from None


def chol2inv(factor: Any) -> Any:
    """The inverse of L L'."""
    require_square("chol2inv", "L", factor)
    root = solve_lower(factor, _identity(factor.shape[1]))
    xp = namespace(root)
    return xp.einsum("lkid,lkjd->lijd", root, root)


def determinant(matrix: Any) -> Any:
    require_square("determinant", "m", matrix)
    return unstacked(namespace(matrix).linalg.det(stacked(matrix)))


def log_determinant(matrix: Any) -> Any:
    """The logarithm of the determinant's absolute value."""
    require_square("log_determinant", "m", matrix)
    return unstacked(namespace(matrix).linalg.slogdet(stacked(matrix))[1])


def log_determinant_spd(matrix: Any) -> Any:
    """Twice the sum of the logarithms on the diagonal of the Cholesky factor."""
    factor = cholesky("log_determinant_spd", "m", matrix)
    xp = namespace(factor)
    return 2.0 * xp.log(xp.einsum("liid->lid", factor)).sum(axis=1)


def generalized_inverse(matrix: Any) -> Any:
    """The Moore-Penrose inverse."""
    if 0 in matrix.shape[1:3]:
        return matrix.swapaxes(1, 2)
    stack = stacked(matrix)
    if is_traced(matrix):
        return unstacked(jnp.linalg.pinv(stack))
    return unstacked(np.linalg.pinv(stack))


def with_vector(solver: Callable[..., Any]) -> Callable[..., Any]:
    """A solver for one right-hand side from a solver for matrices of them."""
    return lambda matrix, right: solver(matrix, right[:, :, None])[:, :, 0]


def from_vector(solver: Callable[..., Any]) -> Callable[..., Any]:
    """A solver of x A = b for a row b from a solver for matrices."""
    return lambda left, matrix: solver(left[:, None], matrix)[:, 0]


def triangle(matrix: Any) -> Any:
    """The lower triangle of a matrix, zeros above."""
    inside = np.tri(*matrix.shape[1:3], dtype=bool)[None, :, :, None]
    return namespace(matrix).where(inside, matrix, 0.0)

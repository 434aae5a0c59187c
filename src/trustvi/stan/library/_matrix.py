"""Matrix arithmetic beyond the operators: diagonals, quadratic forms, powers."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from trustvi.stan.library._checks import require_match, require_size
from trustvi.stan.library._contract import contract
from trustvi.stan.library._exponential import matrix_exp
from trustvi.stan.library._namespace import namespace
from trustvi.stan.library._rows import Signatures, batched
from trustvi.stan.library._signatures import expanded, joined, spelled
from trustvi.stan.library._systems import (
    require_multiplicable,
    require_square,
    require_symmetric,
    triangle,
)
from trustvi.stan.library._table import Row

_KINDS = ("", "complex_")


def _of(template: str, **choices: Any) -> Signatures:
    """`template` for real types and for complex ones, {c} and {e} the prefix and the element."""
    kinds = (("", "real"), ("complex_", "complex"))
    return joined(
        *(expanded(template.replace("{c}", c).replace("{e}", e), **choices) for c, e in kinds)
    )


_LISTS = ("vector", "row_vector")


# --------------------------------------------------------------------------------- diagonals


def _diagonal(matrix: Any) -> Any:
    """The elements (i, i), as many as the shorter side has."""
    return namespace(matrix).diagonal(matrix, axis1=1, axis2=2).swapaxes(1, 2)


def _diag_matrix(vector: Any) -> Any:
    return vector[:, :, None] * np.eye(vector.shape[1])[None, :, :, None]


def _on_diagonal(matrix: Any) -> np.ndarray:
    return np.eye(*matrix.shape[1:3])[None, :, :, None]


def _add_scalar_diagonal(matrix: Any, value: Any) -> Any:
    return matrix + value[:, None, None] * _on_diagonal(matrix)


def _add_diagonal(matrix: Any, vector: Any) -> Any:
    require_match(
        "add_diag", "number of elements of to_add", vector.shape[1], "m", min(matrix.shape[1:3])
    )
    size = vector.shape[1]
    columns = np.eye(size, matrix.shape[2])[None, :, :, None]
    added = vector[:, :, None] * columns
    rest = matrix.shape[1] - size
    if rest:
        xp = namespace(added)
        added = xp.pad(added, ((0, 0), (0, rest), (0, 0), (0, 0)))
    return matrix + added


def _diag_pre_multiply(vector: Any, matrix: Any) -> Any:
    require_match("diag_pre_multiply", "m1.size()", vector.shape[1], "m2.rows()", matrix.shape[1])
    return vector[:, :, None] * matrix


def _diag_post_multiply(matrix: Any, vector: Any) -> Any:
    require_match("diag_post_multiply", "m2.size()", vector.shape[1], "m1.cols()", matrix.shape[2])
    return matrix * vector[:, None]


def _quad_form_diag(matrix: Any, vector: Any) -> Any:
    require_square("quad_form_diag", "mat", matrix)
    require_match("quad_form_diag", "rows of mat", matrix.shape[1], "size of vec", vector.shape[1])
    return vector[:, :, None] * matrix * vector[:, None]


def _trace(matrix: Any) -> Any:
    return _diagonal(matrix).sum(axis=1)


# --------------------------------------------------------------------------- quadratic forms

_multiply = functools.partial(contract, "ij,jk->ik")
_transposed_multiply = functools.partial(contract, "ji,jk->ik")


def _crossprod(matrix: Any) -> Any:
    return contract("ki,kj->ij", matrix, matrix)


def _tcrossprod(matrix: Any) -> Any:
    return contract("ik,jk->ij", matrix, matrix)


def _lower_tri_self_transpose(matrix: Any) -> Any:
    return _tcrossprod(triangle(matrix))


def _require_form(function: str, matrix: Any, sides: Any, symmetric: bool) -> None:
    if symmetric:
        require_symmetric(function, "A", matrix)
    require_square(function, "A", matrix)
    require_multiplicable(function, matrix, sides)


def _quad_form(matrix: Any, sides: Any) -> Any:
    """B' A B."""
    _require_form("quad_form", matrix, sides, symmetric=False)
    return _transposed_multiply(sides, _multiply(matrix, sides))


def _quad_form_sym(matrix: Any, sides: Any) -> Any:
    """B' A B, symmetric to the last digit."""
    _require_form("quad_form_sym", matrix, sides, symmetric=True)
    form = _transposed_multiply(sides, _multiply(matrix, sides))
    return 0.5 * (form + form.swapaxes(1, 2))


def _vector_form(function: str, symmetric: bool = False) -> Any:
    """b' A b."""

    def form(matrix: Any, side: Any) -> Any:
        _require_form(function, matrix, side[:, :, None], symmetric)
        return contract("i,i->", side, contract("ij,j->i", matrix, side))

    return form


def _trace_quad_form(matrix: Any, sides: Any) -> Any:
    """trace(B' A B)."""
    _require_form("trace_quad_form", matrix, sides, symmetric=False)
    return contract("ij,ij->", sides, _multiply(matrix, sides))


def _trace_gen_quad_form(weights: Any, matrix: Any, sides: Any) -> Any:
    """trace(D B' A B)."""
    require_square("trace_gen_quad_form", "D", weights)
    _require_form("trace_gen_quad_form", matrix, sides, symmetric=False)
    require_multiplicable("trace_gen_quad_form", sides, weights)
    weighted = contract("ij,kj->ik", sides, weights)
    return contract("ij,ij->", weighted, _multiply(matrix, sides))


# ------------------------------------------------------------------------------ other things


def _symmetrize_from_lower_tri(matrix: Any) -> Any:
    require_square("symmetrize_from_lower_tri", "m", matrix)
    lower = np.tri(matrix.shape[1], dtype=bool)[None, :, :, None]
    return namespace(matrix).where(lower, matrix, matrix.swapaxes(1, 2))


def _matrix_power(matrix: Any, exponent: int) -> Any:
    """The matrix multiplied with itself, by repeated squaring."""
    require_square("matrix_power", "M", matrix)
    require_size("matrix_power", "n", exponent)
    power = np.eye(matrix.shape[1])[None, :, :, None]
    while exponent:
        if exponent & 1:
            power = _multiply(power, matrix)
        exponent >>= 1
        matrix = _multiply(matrix, matrix) if exponent else matrix
    return power


def _matrix_exp_multiply(exponent: Any, right: Any) -> Any:
    require_square("matrix_exp_multiply", "input matrix", exponent)
    require_multiplicable("matrix_exp_multiply", exponent, right)
    return _multiply(matrix_exp(exponent), right)


def _scale_matrix_exp_multiply(scale: Any, exponent: Any, right: Any) -> Any:
    require_square("scale_matrix_exp_multiply", "input matrix", exponent)
    require_multiplicable("scale_matrix_exp_multiply", exponent, right)
    return _multiply(matrix_exp(scale[:, None, None] * exponent), right)


_ONE = spelled("(matrix) => matrix")
_TWO = spelled("(matrix, matrix) => matrix")

ROWS: tuple[Row, ...] = (
    batched("diagonal", _of("({c}matrix) => {c}vector"), _diagonal),
    batched("diag_matrix", _of("({c}vector) => {c}matrix"), _diag_matrix),
    batched("add_diag", _of("({c}matrix, {e}) => {c}matrix"), _add_scalar_diagonal),
    batched("add_diag", _of("({c}matrix, {c}{x}) => {c}matrix", x=_LISTS), _add_diagonal),
    batched(
        "diag_pre_multiply",
        _of("({c}{x}, {c}matrix) => {c}matrix", x=_LISTS),
        _diag_pre_multiply,
    ),
    batched(
        "diag_post_multiply",
        _of("({c}matrix, {c}{x}) => {c}matrix", x=_LISTS),
        _diag_post_multiply,
    ),
    batched("quad_form_diag", expanded("(matrix, {x}) => matrix", x=_LISTS), _quad_form_diag),
    batched("trace", _of("({c}matrix) => {e}"), _trace),
    batched("crossprod", _ONE, _crossprod),
    batched("tcrossprod", _ONE, _tcrossprod),
    batched("multiply_lower_tri_self_transpose", _ONE, _lower_tri_self_transpose),
    batched("quad_form", _TWO, _quad_form),
    batched("quad_form", spelled("(matrix, vector) => real"), _vector_form("quad_form")),
    batched("quad_form_sym", _TWO, _quad_form_sym),
    batched(
        "quad_form_sym", spelled("(matrix, vector) => real"), _vector_form("quad_form_sym", True)
    ),
    batched("trace_quad_form", spelled("(matrix, matrix) => real"), _trace_quad_form),
    batched(
        "trace_quad_form", spelled("(matrix, vector) => real"), _vector_form("trace_quad_form")
    ),
    batched(
        "trace_gen_quad_form", spelled("(matrix, matrix, matrix) => real"), _trace_gen_quad_form
    ),
    batched(
        "symmetrize_from_lower_tri", _of("({c}matrix) => {c}matrix"), _symmetrize_from_lower_tri
    ),
    batched("matrix_power", spelled("(matrix, int) => matrix"), _matrix_power, static=(1,)),
    batched("matrix_exp", _ONE, matrix_exp),
    batched("matrix_exp_multiply", _TWO, _matrix_exp_multiply),
    batched(
        "scale_matrix_exp_multiply",
        spelled("(real, matrix, matrix) => matrix"),
        _scale_matrix_exp_multiply,
    ),
)

"""Complex numbers: made, taken apart, transformed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan import _types as t
from trustvi.stan.library import _elementary as elementary
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._rows import Signatures, batched, elementwise
from trustvi.stan.library._signatures import (
    COMPLEX_CONTAINERS,
    CONTAINERS,
    binary,
    depths,
    expanded,
    joined,
    spelled,
)
from trustvi.stan.library._stack import on_stacks
from trustvi.stan.library._table import Row

_COMPLEX = ("complex", *COMPLEX_CONTAINERS)
_REAL = ("real", *CONTAINERS)


def _complex_of(type: t.Type) -> t.Type:
    """The complex type of the same shape."""
    match type:
        case t.Array(element):
            return t.Array(_complex_of(element))
        case t.Vector() | t.RowVector() | t.Matrix():
            return type.__class__(True)
        case _:
            return t.COMPLEX


def _makers() -> Signatures:
    pairs = binary(("real",))
    return lambda: tuple(t.Function(each.arguments, _complex_of(each.result)) for each in pairs())


def _at_depths(sources: tuple[str, ...], results: tuple[str, ...]) -> Signatures:
    return joined(
        *(
            expanded("({x[0]}) => {x[1]}", x=list(zip(depths(a), depths(b), strict=True)))
            for a, b in zip(sources, results, strict=True)
        )
    )


def _to_complex(real: Any, imaginary: Any) -> Any:
    """Not by real + i imaginary, which is NaN where the imaginary part is infinite."""
    real, imaginary = namespace(real, imaginary).broadcast_arrays(real, imaginary)
    if is_traced(real, imaginary):
        return jax.lax.complex(jnp.asarray(real), jnp.asarray(imaginary))
    made = np.empty(real.shape, complex)
    made.real, made.imag = real, imaginary
    return made


def _polar(length: Any, angle: Any) -> Any:
    xp = namespace(length, angle)
    return _to_complex(length * xp.cos(angle), length * xp.sin(angle))


def _proj(z: Any) -> Any:
    """z on the Riemann sphere: one infinity only, with the sign of the imaginary part kept."""
    xp = namespace(z)
    infinite = xp.isinf(z.real) | xp.isinf(z.imag)
    at_infinity = _to_complex(xp.full_like(z.real, np.inf), xp.copysign(0.0, z.imag))
    return xp.where(infinite, at_infinity, z)


def _fourier(ufunc: str, *axes: int) -> Callable[[Any], Any]:
    """NumPy's and JAX's transform of that name; only the inverse is divided by the size."""

    def transform(stack: Any) -> Any:
        return getattr(namespace(stack).fft, ufunc)(stack, axes=axes) if stack.size else stack

    return on_stacks(transform)


_OF_COMPLEX = spelled("(complex) => real")

ROWS: tuple[Row, ...] = (
    elementwise("to_complex", _makers(), _to_complex),
    elementwise("to_complex", spelled("(real) => complex"), lambda x: x + 0j),
    batched("to_complex", spelled("() => complex"), lambda: np.zeros((1, 1), complex)),
    elementwise("get_real", _at_depths(_COMPLEX, _REAL), lambda z: z.real),
    elementwise("get_imag", _at_depths(_COMPLEX, _REAL), lambda z: z.imag),
    elementwise("conj", _at_depths(_COMPLEX, _COMPLEX), lambda z: z.conj()),
    elementwise("arg", _OF_COMPLEX, lambda z: elementary.atan2(z.imag, z.real)),
    elementwise("norm", _OF_COMPLEX, lambda z: z.real**2 + z.imag**2),
    elementwise("polar", spelled("(real, real) => complex"), _polar),
    elementwise("proj", spelled("(complex) => complex"), _proj),
    batched("fft", spelled("(complex_vector) => complex_vector"), _fourier("fftn", -1)),
    batched("inv_fft", spelled("(complex_vector) => complex_vector"), _fourier("ifftn", -1)),
    batched("fft2", spelled("(complex_matrix) => complex_matrix"), _fourier("fftn", -2, -1)),
    batched("inv_fft2", spelled("(complex_matrix) => complex_matrix"), _fourier("ifftn", -2, -1)),
)

"""Functions of scalars, elementwise on containers, and constants."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan.library import _elementary as elementary
from trustvi.stan.library import _factorials as factorials
from trustvi.stan.library._checks import NOT_NAN, require
from trustvi.stan.library._namespace import is_traced, namespace, special
from trustvi.stan.library._rows import Signatures, batched, elementwise, on_reals
from trustvi.stan.library._signatures import (
    COMPLEX_CONTAINERS,
    CONTAINERS,
    ELEMENTS,
    binary,
    binary_int,
    binary_real,
    depths,
    expanded,
    joined,
    spelled,
    unary_real,
)
from trustvi.stan.library._table import Row

Function = Callable[..., Any]
_COMPLEX = spelled("(complex) => complex")

REQUIRED: dict[str, tuple[tuple[int, str, Callable[[Any], Any], str], ...]] = {
    "acosh": ((0, "x", lambda x: ~(x < 1), "greater than or equal to 1"),),
    "atanh": ((0, "x", lambda x: ~(abs(x) > 1), "in the interval [-1, 1]"),),
    "log1m": ((0, "x", lambda x: ~(x > 1), "less than or equal to 1"),),
    "log1p": ((0, "x", lambda x: ~(x < -1), "greater than or equal to -1"),),
    "inv_Phi": (
        (0, "Probability variable", lambda x: (x >= 0) & (x <= 1), "in the interval [0, 1]"),
    ),
    "Phi": ((0, "x", lambda x: x == x, NOT_NAN),),
    "gamma_p": (
        (0, "first argument (z)", lambda x: x > 0, "positive!"),
        (1, "second argument (a)", lambda x: x >= 0, "nonnegative!"),
    ),
    "lbeta": (
        (0, "first argument", lambda x: ~(x < 0), "nonnegative!"),
        (1, "second argument", lambda x: ~(x < 0), "nonnegative!"),
    ),
    "lchoose": (
        (0, "first argument", lambda x: ~(x < -1), "greater than or equal to -1"),
        (1, "second argument", lambda x: ~(x < -1), "greater than or equal to -1"),
    ),
    "log_falling_factorial": ((0, "first argument", lambda x: ~(x <= 0), "positive!"),),
    "log_rising_factorial": ((0, "first argument", lambda x: ~(x <= 0), "positive!"),),
    "bessel_first_kind": ((1, "z", lambda x: x == x, NOT_NAN),),
    "modified_bessel_first_kind": ((1, "z", lambda x: x == x, NOT_NAN),),
    "log_modified_bessel_first_kind": (
        (0, "first argument (order)", lambda x: x >= -1, "greater than or equal to -1"),
        (1, "second argument (variable)", lambda x: x >= 0, "nonnegative!"),
    ),
    "inv_inc_beta": (
        (0, "a", lambda x: x > 0, "positive!"),
        (1, "b", lambda x: x > 0, "positive!"),
        (2, "p", lambda x: (x >= 0) & (x <= 1), "in the interval [0, 1]"),
    ),
    "log_mix": (
        (1, "lambda1", lambda x: x == x, NOT_NAN),
        (2, "lambda2", lambda x: x == x, NOT_NAN),
        (0, "theta", lambda x: (x >= 0) & (x <= 1), "in the interval [0, 1]"),
    ),
}
"""What Stan requires of arguments: the argument, its name in the message, the test, the words."""


def _required(name: str, function: Function) -> Function:
    """`function` with the requirements on its known real arguments."""
    rules = REQUIRED.get(name, ())

    def checked(*arrays: Any) -> Any:
        for position, argument, holds, must in rules:
            value = arrays[position]
            if not is_traced(value) and not np.iscomplexobj(value):
                require(name, argument, value, holds(value), must)
        return function(*arrays)

    return checked if rules else function


def _common(name: str) -> Function:
    """The function that NumPy and JAX both call `name`."""
    return lambda *arrays: getattr(namespace(*arrays), name)(*arrays)


def special_function(name: str) -> Function:
    """The function `name` of the modules of special functions."""
    return lambda *arrays: getattr(special(*arrays), name)(*arrays)


def _row(name: str, signatures: Signatures, function: Function) -> Row:
    return elementwise(name, signatures, on_reals(_required(name, function)))


_UNARY: dict[str, Function] = {
    "Phi": special_function("Phi"),
    "Phi_approx": special_function("Phi_approx"),
    "cbrt": _common("cbrt"),
    "ceil": _common("ceil"),
    "digamma": special_function("digamma"),
    "erf": special_function("erf"),
    "erfc": special_function("erfc"),
    "exp2": _common("exp2"),
    "expm1": _common("expm1"),
    "floor": _common("floor"),
    "inv": elementary.inv,
    "inv_Phi": special_function("inv_Phi"),
    "inv_cloglog": special_function("inv_cloglog"),
    "inv_erfc": special_function("inv_erfc"),
    "inv_logit": special_function("inv_logit"),
    "inv_sqrt": elementary.inv_sqrt,
    "inv_square": elementary.inv_square,
    "lambert_w0": special_function("lambert_w0"),
    "lambert_wm1": special_function("lambert_wm1"),
    "lgamma": special_function("lgamma"),
    "log1m": elementary.log1m,
    "log1m_exp": special_function("log1m_exp"),
    "log1m_inv_logit": special_function("log1m_inv_logit"),
    "log1p": _common("log1p"),
    "log1p_exp": special_function("log1p_exp"),
    "log2": _common("log2"),
    "log_inv_logit": special_function("log_inv_logit"),
    "logit": special_function("logit"),
    "round": elementary.round_away,
    "square": elementary.square,
    "std_normal_log_qf": special_function("std_normal_log_qf"),
    "std_normal_qf": special_function("inv_Phi"),
    "tgamma": special_function("tgamma"),
    "trigamma": special_function("trigamma"),
    "trunc": _common("trunc"),
}
"""Functions of one real."""

_UNARY_COMPLEX: dict[str, Function] = {
    "acos": _common("arccos"),
    "acosh": elementary.acosh,
    "asin": _common("arcsin"),
    "asinh": _common("arcsinh"),
    "atan": _common("arctan"),
    "atanh": _common("arctanh"),
    "cos": _common("cos"),
    "cosh": _common("cosh"),
    "exp": _common("exp"),
    "log": _common("log"),
    "log10": elementary.log10,
    "sin": _common("sin"),
    "sinh": _common("sinh"),
    "sqrt": elementary.sqrt,
    "tan": _common("tan"),
    "tanh": _common("tanh"),
}
"""Functions of one real, or of one complex number."""

_BINARY: dict[str, Function] = {
    "atan2": elementary.atan2,
    "beta": special_function("beta"),
    "fdim": elementary.fdim,
    "fmax": elementary.fmax,
    "fmin": elementary.fmin,
    "fmod": _common("fmod"),
    "hypot": elementary.hypot,
    "lbeta": special_function("lbeta"),
    "lchoose": special_function("lchoose"),
    "lmultiply": special_function("multiply_log"),
    "log_diff_exp": special_function("log_diff_exp"),
    "log_falling_factorial": special_function("log_falling_factorial"),
    "log_inv_logit_diff": special_function("log_inv_logit_diff"),
    "log_modified_bessel_first_kind": special_function("log_modified_bessel_first_kind"),
    "log_rising_factorial": special_function("log_rising_factorial"),
    "log_sum_exp": special_function("log_sum_exp"),
}
"""Functions of two reals that also take integers as they are."""

_BINARY_REAL = ("gamma_p", "gamma_q", "owens_t")
"""Functions of two reals whose signatures don't mention integers."""

_INT_FIRST = (
    "bessel_first_kind",
    "bessel_second_kind",
    "binary_log_loss",
    "lmgamma",
    "modified_bessel_first_kind",
    "modified_bessel_second_kind",
)
"""Functions of an integer and a real."""


def _absolute_values() -> Signatures:
    pairs = [("complex", "real"), *zip(COMPLEX_CONTAINERS, CONTAINERS, strict=True)]
    pairs += [(each, each) for each in ELEMENTS if "complex" not in each]
    return joined(
        *(
            expanded("({x[0]}) => {x[1]}", x=list(zip(depths(a), depths(b), strict=True)))
            for a, b in pairs
        )
    )


def _integer_triples() -> Signatures:
    arrays = depths("int", 1)
    return joined(
        spelled("(int, int) => int"),
        expanded("({x}, int) => {x}", x=arrays),
        expanded("(int, {x}) => {x}", x=arrays),
        expanded("({x}, {x}) => {x}", x=arrays),
    )


def _multiply_adds() -> Signatures:
    """All three real, or any of them a container of one type."""
    return joined(
        spelled("(real, real, real) => real"),
        *(
            spelled(
                *(
                    f"({x}, {y}, {z}) => {container}"
                    for x in ("real", container)
                    for y in ("real", container)
                    for z in ("real", container)
                    if container in (x, y, z)
                )
            )
            for container in CONTAINERS
        ),
    )


def _constant(value: float) -> Function:
    return lambda: np.full((1, 1), value)


CONSTANTS = {
    "e": math.e,
    "log10": math.log(10.0),
    "log2": math.log(2.0),
    "machine_precision": sys.float_info.epsilon,
    "negative_infinity": -math.inf,
    "not_a_number": math.nan,
    "pi": math.pi,
    "positive_infinity": math.inf,
    "sqrt2": math.sqrt(2.0),
}

_THREE_REALS = spelled("(real, real, real) => real")
_FACTORIALS = joined(_integer_triples(), binary_int(int_first=False))

ROWS: tuple[Row, ...] = (
    *(_row(name, unary_real, function) for name, function in _UNARY.items()),
    *(
        _row(name, joined(unary_real, _COMPLEX), function)
        for name, function in _UNARY_COMPLEX.items()
    ),
    *(_row(name, binary_real, function) for name, function in _BINARY.items()),
    *(_row(name, binary(("real",)), special_function(name)) for name in _BINARY_REAL),
    *(_row(name, binary_int(int_first=True), special_function(name)) for name in _INT_FIRST),
    elementwise("abs", _absolute_values(), elementary.absolute),
    elementwise("ldexp", binary_int(int_first=False), elementary.ldexp),
    elementwise("choose", _integer_triples(), factorials.choose),
    elementwise("falling_factorial", _FACTORIALS, factorials.falling_factorial),
    elementwise("rising_factorial", _FACTORIALS, factorials.rising_factorial),
    _row("fma", _multiply_adds(), elementary.fma),
    _row("inc_beta", _THREE_REALS, special_function("inc_beta")),
    _row("inv_inc_beta", _THREE_REALS, special_function("inv_inc_beta")),
    _row("log_mix", _THREE_REALS, special_function("log_mix")),
    _row("step", spelled("(real) => real"), elementary.step),
    elementwise("int_step", spelled("(int) => int", "(real) => int"), elementary.int_step),
    _row("is_inf", spelled("(real) => int"), elementary.is_inf),
    _row("is_nan", spelled("(real) => int"), elementary.is_nan),
    *(batched(name, spelled("() => real"), _constant(value)) for name, value in CONSTANTS.items()),
)

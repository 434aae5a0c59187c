"""Functions by name, what their suffixes allow, and names nobody knows."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NoReturn

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._errors import fail
from trustvi.stan._check._scope import Scope, Section, normalized, suffix_of
from trustvi.stan._diagnostics import did_you_mean
from trustvi.stan._overloads import library_overloads
from trustvi.stan.library import _table as table


def function_named(scope: Scope, name: str) -> t.Function | None:
    """The function that `name` means as a value: the last one defined, if there are several."""
    plain = normalized(name)
    if plain in scope.functions:
        return scope.functions[plain][-1]
    library = library_overloads(plain)
    return library.signatures[0] if library else None


def refuse_unknown(scope: Scope, variable: ast.Variable) -> NoReturn:
    """Nothing of this name is in scope."""
    known = (*scope.variables, *scope.functions, *table.names())
    fail(f'"{variable.name}" is not declared here', variable.span, *_guess(variable.name, known))


def refuse_unknown_function(scope: Scope, call: ast.Call) -> NoReturn:
    """No function of this name is known."""
    renamed = _REPLACEMENTS.get(call.name)
    hints = (
        (f"use {renamed} instead",)
        if renamed
        else _guess(call.name, (*scope.functions, *table.names()))
    )
    fail(f'there is no function "{call.name}"', call.span, *hints)


def _guess(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """A hint at the nearest name; the shortest names are near to everything."""
    return did_you_mean(name, known) if len(name) > 2 else ()


_REPLACEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "binomial_coefficient_log": "lchoose",
        "cov_exp_quad": "gp_exp_quad_cov",
        "fabs": "abs",
        "get_lp": "target()",
        "if_else": "the operator ?:",
        "increment_log_prob": "target +=",
        "multiply_log": "lmultiply",
    }
)
"""Functions of older versions of Stan, with what stands for them now."""


# --------------------------------------------------------------------------- reserved words


RESERVED = frozenset(
    {
        *("auto", "export", "extern", "false", "static", "struct", "true", "typedef", "var"),
        *("repeat", "until", "then", "quantities", "transformed", "generated"),
    }
)
"""Words that Stan keeps for itself beyond those that its grammar uses."""


def verify_not_reserved(name: str, span: ast.Span) -> None:
    if name in RESERVED:
        fail(f'"{name}" is a reserved word', span)
    if name.endswith("__"):
        fail(f'"{name}" ends with two underscores, which is reserved for Stan itself', span)
    if name.endswith(_MODEL) and name == _model_name(_program_file(span)):
        fail(f'"{name}" is the name that Stan gives to the model of this file', span)


_MODEL = "_model"


def _program_file(span: ast.Span) -> str:
    """The file of the program, whichever file it includes this place from."""
    while span.included_from is not None:
        span = span.included_from
    return span.file


def _model_name(file: str) -> str | None:
    """`reg_model` for the file `reg.stan`; characters that no name can have are spelled out."""
    if file == ast.UNNAMED or not file.endswith(".stan"):
        return None
    stem = file.replace("\\", "/").rpartition("/")[2].removesuffix(".stan").replace("-", "_")
    spelled = (chr(b) if chr(b) in _NAME else f"x{b}" for b in stem.encode(errors="replace"))
    return "".join(spelled) + _MODEL


_NAME = frozenset(f"{string.ascii_letters}{string.digits}_")


# --------------------------------------------------------------------------- suffixes


def verify_suffix(
    scope: Scope, name: str, span: ast.Span, only: Collection[str] | None = None
) -> None:
    """A function whose name ends in `_rng`, `_lp`, `_lupdf` or `_lupmf` may be called here.

    `only` restricts the question to some suffixes.
    """
    suffix = suffix_of(name)
    if suffix not in _ALLOWED or (only is not None and suffix not in only):
        return
    if suffix == "rng" and scope.sizing:
        fail("the size of a variable declared here must not be random", span)
    sections, suffixes, message = _ALLOWED[suffix]
    if scope.section not in sections and scope.suffix not in suffixes:
        fail(message, span)


_DENSITY = (Section.TRANSFORMED_PARAMETERS, Section.MODEL)
_UNNORMALIZED = (
    frozenset({Section.MODEL}),
    frozenset({"lpdf", "lpmf"}),
    "functions with names that end in _lupdf or _lupmf may be called only in the model block "
    "and in functions with names that end in _lpdf or _lpmf",
)
_ALLOWED: Mapping[str, tuple[frozenset[Section], frozenset[str], str]] = MappingProxyType(
    {
        "rng": (
            frozenset(Section) - {Section.FUNCTIONS, *_DENSITY},
            frozenset({"rng"}),
            "random numbers may be drawn only in the transformed data and generated quantities "
            "blocks and in functions with names that end in _rng",
        ),
        "lp": (
            frozenset({Section.MODEL, Section.TRANSFORMED_PARAMETERS}),
            frozenset({"lp"}),
            "the target may be used only in the model block and in functions with names that "
            "end in _lp, and read in the transformed parameters block",
        ),
        "lupdf": _UNNORMALIZED,
        "lupmf": _UNNORMALIZED,
    }
)
"""By suffix: the blocks and the functions it may be called in, and what is said elsewhere."""


def verify_target(scope: Scope, span: ast.Span) -> None:
    """`target +=` and `~` are allowed here."""
    if scope.section != Section.MODEL and scope.suffix != "lp":
        fail(
            "the target may be changed only in the model block and in functions with names that "
            "end in _lp",
            span,
        )

"""Constraints of a function's parameters, through NumPyro's bijections."""

from __future__ import annotations

from typing import Any

from trustvi._errors import InputError

# Names that Stan or plain English have for what NumPyro calls otherwise.
SYNONYMS = {
    "ordered": "ordered_vector",
    "positive_ordered": "positive_ordered_vector",
    "covariance": "positive_definite",
    "cholesky": "lower_cholesky",
}
NAMES = (
    "real", "positive", "nonnegative", "unit_interval", "simplex", "ordered_vector",
    "positive_ordered_vector", "corr_cholesky", "corr_matrix", "lower_cholesky",
    "positive_definite", "zero_sum",
)  # fmt: skip


def transform_of(parameter: str, constraint: Any) -> Any:
    """NumPyro's bijection from the reals to `constraint`: a name, (lower, upper) or its own."""
    distributions = _numpyro()
    constraints = distributions.constraints
    if isinstance(constraint, tuple):
        constraint = _interval(parameter, constraint, constraints)
    elif isinstance(constraint, str):
        name = SYNONYMS.get(constraint, constraint)
        if name not in NAMES:
            known = ", ".join(sorted({*NAMES, *SYNONYMS}))
            raise InputError(
                f"constraint {constraint!r} of {parameter!r} is unknown; there is {known}, or a "
                "pair (lower, upper)"
            )
        constraint = getattr(constraints, name)
    if not isinstance(constraint, constraints.Constraint):
        raise InputError(
            f"the constraint of {parameter!r} must be a name, a pair (lower, upper) or one of "
            f"NumPyro's constraints; got {constraint!r}"
        )
    try:
        return distributions.biject_to(constraint)
    except NotImplementedError as error:
        raise InputError(f"NumPyro has no bijection to {constraint} of {parameter!r}") from error


def _interval(parameter: str, ends: tuple[Any, ...], constraints: Any) -> Any:
    if len(ends) != 2:
        raise InputError(f"bounds of {parameter!r} must be a pair (lower, upper); got {ends!r}")
    lower, upper = ends
    if lower is None and upper is None:
        return constraints.real
    if upper is None:
        return constraints.greater_than(lower)
    if lower is None:
        return constraints.less_than(upper)
    return constraints.interval(lower, upper)


def _numpyro() -> Any:
    try:
        import numpyro.distributions  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError("constraints need NumPyro: pip install 'trustvi[numpyro]'") from error
    return numpyro.distributions

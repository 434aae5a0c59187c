"""A posterior as xarray has it, in ArviZ's groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from trustvi._errors import InputError
from trustvi.models import Model, labels, predictions

if TYPE_CHECKING:
    from trustvi._posterior import Posterior

# Above this many parameters their covariance matrix (8 bytes an entry) is left out: 32 MB.
COVARIANCE_DIM = 2000
SAMPLE_DIMS = ("chain", "draw")
Labels = tuple[dict[str, list[Any]], dict[str, list[str]]]


def to_arviz(
    post: Posterior,
    n: int,
    *,
    seed: int,
    log_likelihood: str | Sequence[str],
    posterior_predictive: str | Sequence[str],
    named: Labels,
) -> Any:
    """`InferenceData` in ArviZ 0.x, `xarray.DataTree` in 1.x, with all groups that there are."""
    try:
        import arviz  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError("to_arviz needs ArviZ: pip install arviz") from error
    groups = _groups(post, n, seed, _tuple(log_likelihood), _tuple(posterior_predictive), named)
    if int(arviz.__version__.split(".")[0]) >= 1:
        return _xarray().DataTree.from_dict({f"/{name}": group for name, group in groups.items()})
    return arviz.InferenceData(**groups)


def to_dataset(
    draws: Mapping[str, np.ndarray], named: Labels, attrs: Mapping[str, Any] | None = None
) -> Any:
    """An `xarray.Dataset` of draws, with dimensions (chain, draw, ...)."""
    coords, dims = named
    arrays = {name: value[None] for name, value in draws.items()}
    return _dataset(arrays, {n: [*SAMPLE_DIMS, *_axes(n, v, dims)] for n, v in draws.items()},
                    coords, attrs)  # fmt: skip


def merged_labels(
    model: Model,
    coords: Mapping[str, Sequence[Any]] | None,
    dims: Mapping[str, Sequence[str]] | None,
) -> Labels:
    """The model's own labels, with those given in their place or beside them."""
    own_coords, own_dims = labels(model)
    given = {name: list(axes) for name, axes in (dims or {}).items()}
    return own_coords | {k: list(v) for k, v in (coords or {}).items()}, own_dims | given


def _groups(
    post: Posterior, n: int, seed: int, log_likelihood: tuple[str, ...],
    predictive: tuple[str, ...], named: Labels,
) -> dict[str, Any]:  # fmt: skip
    model = post.known_model()
    z = post.draws_unconstrained(n, seed=seed)
    draws = post.draws(n, seed=seed)
    computed = predictions(model, z, seed=seed)
    likelihood = _take(draws, log_likelihood, required=log_likelihood != ("log_lik",))
    replicated = _take(draws, predictive, required=True)
    sampled = {
        "posterior": draws,
        "log_likelihood": likelihood | computed.get("log_likelihood", {}),
        "posterior_predictive": replicated | computed.get("posterior_predictive", {}),
        "sample_stats": post.log_densities(n, seed=seed)._asdict(),
    }
    groups = {
        name: to_dataset(
            content,
            _without_event_axes(content, named) if name == "log_likelihood" else named,
            post.attributes() if name == "posterior" else None,
        )
        for name, content in sampled.items()
        if content
    }
    if observed := computed.get("observed_data", {}):
        axes = {name: _axes(name, value[None], named[1]) for name, value in observed.items()}
        groups["observed_data"] = _dataset(observed, axes, named[0], None)
    names = list(model.param_unc_names())
    groups["unconstrained_posterior"] = _dataset(
        {"theta_unc": z.T[None]}, {"theta_unc": [*SAMPLE_DIMS, "unconstrained_parameter"]},
        {"unconstrained_parameter": names}, None,
    )  # fmt: skip
    return groups | {"fit": _fit_group(post, names), "optimizer_result": _path_group(post)}


def _without_event_axes(likelihood: Mapping[str, np.ndarray], named: Labels) -> Labels:
    """Names for log likelihoods: one number an event, whose axes are the last of the data's."""
    own = {
        name: list(named[1].get(name, ()))[: value.ndim - 1] for name, value in likelihood.items()
    }
    return named[0], {**named[1], **own}


def _fit_group(post: Posterior, names: list[str]) -> Any:
    """Mean and covariance on the unconstrained scale."""
    arrays = {"mean_vector": post.loc, "sd_vector": post.scale_diag}
    dims = {"mean_vector": ["rows"], "sd_vector": ["rows"]}
    coords = {"rows": names}
    attrs = post.attributes()
    if post.loc.size <= COVARIANCE_DIM:
        arrays["covariance_matrix"] = post.q.covariance()
        dims["covariance_matrix"] = ["rows", "columns"]
        coords["columns"] = names
    else:
        attrs["covariance_matrix"] = f"left out: more than {COVARIANCE_DIM} parameters"
    return _dataset(arrays, dims, coords, attrs)


def _path_group(post: Posterior) -> Any:
    """The optimizer's path, a number a field and iteration."""
    fields = post.path[0]._fields if post.path else ()
    arrays = {
        name: np.array([getattr(info, name) for info in post.path])
        for name in fields
        if name != "iteration"
    }
    coords = {"iteration": [info.iteration for info in post.path]}
    return _dataset(arrays, {name: ["iteration"] for name in arrays}, coords, None)


def _take(
    draws: dict[str, np.ndarray], wanted: tuple[str, ...], *, required: bool
) -> dict[str, np.ndarray]:
    """Take `wanted` out of `draws`; a name that isn't there is an error if `required`."""
    missing = [name for name in wanted if name not in draws]
    if missing and required:
        raise InputError(f"the model has no quantity {missing[0]!r}; it has {', '.join(draws)}")
    return {name: draws.pop(name) for name in wanted if name in draws}


def _axes(name: str, value: np.ndarray, dims: Mapping[str, Sequence[str]]) -> list[str]:
    """The names of the axes behind the first, or ArviZ's defaults."""
    own = list(dims.get(name, ()))
    if own and len(own) != value.ndim - 1:
        raise InputError(f"dims names {len(own)} axes of {name!r}, which has {value.ndim - 1}")
    return own or [f"{name}_dim_{axis}" for axis in range(value.ndim - 1)]


def _dataset(
    arrays: Mapping[str, np.ndarray],
    dims: Mapping[str, Sequence[str]],
    coords: Mapping[str, Sequence[Any]],
    attrs: Mapping[str, Any] | None,
) -> Any:
    used: dict[str, Any] = {}
    for name, value in arrays.items():
        for axis, size in zip(dims[name], value.shape, strict=True):
            used[axis] = coords.get(axis, np.arange(size))
            if len(used[axis]) != size:
                raise InputError(
                    f"coords has {len(used[axis])} labels of {axis!r}; {name!r} has {size}"
                )
    contents = {name: (list(dims[name]), value) for name, value in arrays.items()}
    return _xarray().Dataset(contents, coords=used, attrs=dict(attrs or {}))


def _tuple(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _xarray() -> Any:
    try:
        import xarray  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError("this needs xarray: pip install xarray") from error
    return xarray

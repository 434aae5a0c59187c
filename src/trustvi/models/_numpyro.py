"""NumPyro models: the density that NumPyro's own samplers see, and its predictions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi._errors import InputError
from trustvi.models._each_draw import EachDraw
from trustvi.models._leaves import Leaves

Constrained = Callable[[Float[np.ndarray, "dim draws"]], dict[str, np.ndarray]]


def from_numpyro(model: Any, *args: Any, **kwargs: Any) -> NumPyroModel:
    """Make a model of the NumPyro model `model(*args, **kwargs)`.

    The density is that of `numpyro.infer.util.initialize_model`: latent sites go to the reals by
    `biject_to(support)`, discrete ones are summed out (which needs funsor). Plates name the axes
    of what stands in them; `with_labels` names more.
    """
    tools = _tools()
    if not callable(model):
        raise InputError(f"model must be a NumPyro model, a function; got {type(model).__name__}")
    with jax.enable_x64(True):
        trace = _trace(tools, model, args, kwargs)
        prepared = _Prepared(_without_parameters(tools, model, trace), args, kwargs)
        latent = {name: site for name, site in trace.items() if _is_latent(site)}
        discrete = [name for name, site in latent.items() if site["fn"].support.is_discrete]
        reals = {name: site for name, site in latent.items() if name not in discrete}
        if not reals:
            raise InputError(f"the NumPyro model {_name(model)!r} has no continuous latent site")
        values = {name: site["value"] for name, site in reals.items()}
        unconstrained = tools.util.unconstrain_fn(prepared.seeded(tools), args, kwargs, values)
        leaves = Leaves.of({name: unconstrained[name] for name in reals})
        if discrete:
            _need_funsor(discrete)
            prepared = prepared.enumerated(tools, trace)
    return NumPyroModel(
        name=_name(model),
        leaves=leaves,
        sites=Leaves.of(values),
        source=prepared,
        observed=tuple(name for name, site in trace.items() if _is_observed(tools, site)),
        enumerates=bool(discrete),
        coords={},
        dims=_plate_dims(
            {name: s for name, s in trace.items() if name in reals or _has_axes(tools, s)}
        ),
    )


class _Prepared(NamedTuple):
    """A model and its arguments; `sums` tells that its discrete sites are to be summed out."""

    model: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    plain: Callable[..., Any] | None = None
    """The model before it was prepared for summing out."""

    def seeded(self, tools: _Tools, key: Any = 0) -> Callable[..., Any]:
        return tools.handlers.seed(self.plain or self.model, key)

    def enumerated(self, tools: _Tools, trace: Mapping[str, Any]) -> _Prepared:
        """With its discrete sites enumerated to the left of all plates."""
        from numpyro.contrib import funsor  # pyright: ignore[reportMissingImports]

        frames = [f for site in trace.values() for f in site.get("cond_indep_stack", ())]
        deepest = max((-frame.dim for frame in frames), default=0)
        summed = funsor.enum(funsor.config_enumerate(self.model), -deepest - 1)
        return self._replace(model=summed, plain=self.model)


@dataclass(frozen=True, eq=False)
class NumPyroModel:
    """A NumPyro model with its arguments, seen as a density over the reals."""

    name: str
    leaves: Leaves
    sites: Leaves
    """The same on their own scale."""
    source: _Prepared
    observed: tuple[str, ...]
    enumerates: bool
    coords: Mapping[str, Sequence[Any]]
    dims: Mapping[str, Sequence[str]]

    def with_labels(
        self,
        *,
        coords: Mapping[str, Sequence[Any]] | None = None,
        dims: Mapping[str, Sequence[str]] | None = None,
    ) -> NumPyroModel:
        """This model with names of axes and of positions along them, as ArviZ takes them."""
        return replace(
            self, coords={**self.coords, **(coords or {})}, dims={**self.dims, **(dims or {})}
        )

    def param_unc_num(self) -> int:
        return self.leaves.size

    def param_unc_names(self) -> Sequence[str]:
        return self.leaves.element_names()

    def log_density_batch(self, theta_unc: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        return jax.vmap(self._density, in_axes=-1)(theta_unc)

    def _density(self, theta: Float[Array, " dim"]) -> Float[Array, ""]:
        model, args, kwargs, _ = self.source
        energy = _tools().util.potential_energy
        with warnings.catch_warnings():
            # NumPyro tells that it sums sites out; the user was told when making the model.
            warnings.simplefilter("ignore", FutureWarning)
            return -energy(model, args, kwargs, self.leaves.named(theta), enum=self.enumerates)

    def constrain_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, np.ndarray]:
        """Latent sites, and deterministic ones unless discrete sites were summed out, on whose
        values they might depend."""
        del seed
        return self._sites(theta_unc) if self.enumerates else self._quantities(theta_unc)

    @cached_property
    def _sites(self) -> Constrained:
        return self._constrained(deterministic=False)

    @cached_property
    def _quantities(self) -> Constrained:
        return self._constrained(deterministic=True)

    def _constrained(self, *, deterministic: bool) -> Constrained:
        """Compiled once: latent sites in their order, and with `deterministic` what is computed."""
        tools, (_, args, kwargs, _) = _tools(), self.source
        model = self.source.seeded(tools)

        def one(theta: Array) -> dict[str, Array]:
            reals = self.leaves.named(theta)
            return tools.util.constrain_fn(model, args, kwargs, reals, deterministic)

        each, first = EachDraw(one), [leaf.name for leaf in self.leaves]

        def ordered(theta_unc: Float[np.ndarray, "dim draws"]) -> dict[str, np.ndarray]:
            values = each(theta_unc)
            return {name: values[name] for name in [*first, *(n for n in values if n not in first)]}

        return ordered

    def unconstrain_init(self, init: Any) -> Float[np.ndarray, " dim"]:
        names = [leaf.name for leaf in self.leaves]
        if not isinstance(init, Mapping) or set(init) != set(names):
            raise InputError(f"init must be a mapping with values of {', '.join(names)}")
        for site in self.sites:
            if np.shape(init[site.name]) != site.shape:
                raise InputError(f"init must have shape {site.shape} at {site.name!r}")
        tools, (_, args, kwargs, _) = _tools(), self.source
        with jax.enable_x64(True):
            values = {name: jnp.asarray(init[name], float) for name in names}
            model = self.source.seeded(tools)
            reals = tools.util.unconstrain_fn(model, args, kwargs, values)
        return self.leaves.join([reals[name] for name in names])

    def predict_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, dict[str, np.ndarray]]:
        """Replicated data, their log likelihood, and the data, by observed site.

        Discrete sites are drawn anew for the replicates; a log likelihood given them there is
        none where they were summed out.
        """
        if not self.observed:
            return {}
        tools, (_, args, kwargs, _) = _tools(), self.source
        with jax.enable_x64(True):
            groups = dict(self._predicted(theta_unc, seed))
            trace = tools.handlers.trace(self.source.seeded(tools)).get_trace(*args, **kwargs)
            groups["observed_data"] = {n: np.asarray(trace[n]["value"]) for n in self.observed}
        return groups

    @cached_property
    def _predicted(self) -> EachDraw:
        """Replicated data and, where it exists, their log likelihood; compiled once."""
        tools, (_, args, kwargs, _) = _tools(), self.source
        blank = tools.handlers.uncondition(self.source.plain or self.source.model)
        seeded = self.source.seeded(tools)

        def one(theta: Array, key: Array) -> dict[str, dict[str, Array]]:
            reals = self.leaves.named(theta)
            sites = tools.util.constrain_fn(seeded, args, kwargs, reals)
            predict = tools.infer.Predictive(
                blank, sites, return_sites=list(self.observed), batch_ndims=0
            )
            groups = {"posterior_predictive": predict(key, *args, **kwargs)}
            if not self.enumerates:
                density = tools.infer.log_likelihood(seeded, sites, *args, batch_ndims=0, **kwargs)
                groups["log_likelihood"] = {name: density[name] for name in self.observed}
            return groups

        return EachDraw(one)


# --------------------------------------------------------------------------- reading a model


def _trace(tools: _Tools, model: Any, args: Any, kwargs: Any) -> Mapping[str, Any]:
    """The sites of one run, refused where the density would not be the model's."""
    seeded = tools.handlers.seed(model, jax.random.key(0))
    started = tools.handlers.substitute(seeded, substitute_fn=tools.infer.init_to_uniform())
    trace = tools.handlers.trace(started).get_trace(*args, **kwargs)
    for name, site in trace.items():
        if site["type"] == "plate" and site["args"][0] > (site["args"][1] or site["args"][0]):
            raise InputError(
                f"plate {name!r} subsamples its data; minibatches are not supported, since each "
                "evaluation would be of another density"
            )
        if not _is_latent(site):
            continue
        if isinstance(site["fn"], tools.dist.Delta):
            raise InputError(f"site {name!r} has a Delta distribution; use numpyro.deterministic")
        if site["fn"].support.is_discrete and not site["fn"].has_enumerate_support:
            raise InputError(
                f"site {name!r} is discrete and {type(site['fn']).__name__} can't be enumerated, "
                "so that NumPyro can't sum it out"
            )
    return trace


def _is_latent(site: Mapping[str, Any]) -> bool:
    return site["type"] == "sample" and not site["is_observed"]


def _is_observed(tools: _Tools, site: Mapping[str, Any]) -> bool:
    """Data, not the unit sites that `numpyro.factor` makes."""
    observed = site["type"] == "sample" and site["is_observed"]
    return observed and not isinstance(site["fn"], tools.dist.Unit)


def _has_axes(tools: _Tools, site: Mapping[str, Any]) -> bool:
    """Data, and what is computed inside a plate."""
    return _is_observed(tools, site) or (
        site["type"] == "deterministic" and bool(site["cond_indep_stack"])
    )


def _without_parameters(tools: _Tools, model: Any, trace: Mapping[str, Any]) -> Any:
    """`numpyro.param` and `mutable` sites stay at their initial values, as for NumPyro's MCMC."""
    kept = {n: s["value"] for n, s in trace.items() if s["type"] in ("param", "mutable")}
    return tools.handlers.substitute(model, data=kept) if kept else model


def _plate_dims(sites: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of plates for the axes that they make, ArviZ's defaults for the others."""
    found = {}
    for name, site in sites.items():
        shape = np.shape(site["value"])
        frames = site["cond_indep_stack"]
        if site["type"] == "deterministic":
            # What event axes there are isn't known; where plates account for all, there are none.
            depth = max((-frame.dim for frame in frames), default=0)
            batch = len(shape) if depth == len(shape) else 0
        else:
            batch = len(site["fn"].batch_shape)
        axes = [f"{name}_dim_{axis}" for axis in range(len(shape))]
        for frame in frames:
            axis = batch + frame.dim
            if 0 <= axis < len(shape) and shape[axis] == frame.size and frame.name not in sites:
                axes[axis] = frame.name
        found[name] = axes
    return found


def _name(model: Any) -> str:
    return getattr(model, "__name__", type(model).__name__)


def _need_funsor(discrete: Sequence[str]) -> None:
    try:
        import funsor  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError(
            f"site {discrete[0]!r} is discrete; NumPyro sums it out with funsor: pip install funsor"
        ) from error


class _Tools(NamedTuple):
    """NumPyro's modules, imported when first needed."""

    handlers: Any
    infer: Any
    util: Any
    dist: Any


def _tools() -> _Tools:
    try:
        import numpyro.distributions as dist  # pyright: ignore[reportMissingImports]
        from numpyro import handlers, infer  # pyright: ignore[reportMissingImports]
        from numpyro.infer import util  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError("from_numpyro needs NumPyro: pip install 'trustvi[numpyro]'") from error
    return _Tools(handlers, infer, util, dist)

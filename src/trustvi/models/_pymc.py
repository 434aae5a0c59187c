"""PyMC models, through the JAX form of their graphs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import numpy as np
from jaxtyping import Array, Float

from trustvi._errors import InputError
from trustvi.models._each_draw import EachDraw
from trustvi.models._leaves import Leaves
from trustvi.models._pymc_graph import jax_form


def from_pymc(model: Any) -> PyMCModel:
    """Make a model of a `pymc.Model`: its own transforms, names, coords and dims.

    The density is `model.logp()` over the value variables, Jacobians included. Data containers
    count with the values that they have now.
    """
    pymc = _pymc()
    if not isinstance(model, pymc.Model):
        raise InputError(f"model must be a pymc.Model; got {type(model).__name__}")
    if not model.free_RVs:
        raise InputError("the PyMC model has no free variables to fit")
    discrete = [rv.name for rv in model.free_RVs if rv.dtype.startswith(("int", "uint", "bool"))]
    if discrete:
        raise InputError(
            f"variable {discrete[0]!r} is discrete; sum it out first, for example by "
            "pymc_extras.marginalize"
        )
    start = model.initial_point()
    own = {var.name: var for var in model.unobserved_value_vars}
    kept = [own[var.name] for var in (*model.free_RVs, *model.deterministics)]
    return PyMCModel(
        name=model.name or "pymc_model",
        source=model,
        leaves=Leaves.of({var.name: start[var.name] for var in model.value_vars}),
        density=_jax_form(model, [model.logp()]),
        quantities=_jax_form(model, kept),
        names=tuple(var.name for var in kept),
        coords={k: list(v) for k, v in model.coords.items() if v is not None},
        dims=_dims(model),
    )


@dataclass(frozen=True, eq=False)
class PyMCModel:
    """A PyMC model, seen as a density over the reals behind its variables."""

    name: str
    source: Any
    leaves: Leaves
    density: Callable[..., Any]
    quantities: Callable[..., Any]
    names: tuple[str, ...]
    """Of the quantities: variables on their own scale, and deterministics."""
    coords: Mapping[str, Sequence[Any]]
    dims: Mapping[str, Sequence[str]]

    def param_unc_num(self) -> int:
        return self.leaves.size

    def param_unc_names(self) -> Sequence[str]:
        return self.leaves.element_names()

    def log_density_batch(self, theta_unc: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        def one(theta: Array) -> Array:
            return self.density(*self.leaves.split(theta))[0]

        return jax.vmap(one, in_axes=-1)(theta_unc)

    def constrain_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, np.ndarray]:
        del seed
        return dict(zip(self.names, self._quantities(theta_unc), strict=True))

    @cached_property
    def _quantities(self) -> EachDraw:
        return self._each(self.quantities)

    @cached_property
    def _likelihood(self) -> EachDraw:
        terms = self.source.logp(self.source.observed_RVs, sum=False)
        return self._each(_jax_form(self.source, terms))

    def _each(self, function: Callable[..., Any]) -> EachDraw:
        """The outputs of a graph for every draw."""
        return EachDraw(lambda theta: list(function(*self.leaves.split(theta))))

    def unconstrain_init(self, init: Any) -> Float[np.ndarray, " dim"]:
        names = [rv.name for rv in self.source.free_RVs]
        if not isinstance(init, Mapping) or not set(init) <= set(names):
            raise InputError(f"init must be a mapping with values of some of {', '.join(names)}")
        point = _pymc().initial_point.make_initial_point_fn(
            model=self.source, overrides=dict(init), return_transformed=True
        )(None)
        for leaf in self.leaves:
            if np.shape(point[leaf.name]) != leaf.shape:
                raise InputError(f"init has the wrong shape at {leaf.name!r}")
        return self.leaves.join([point[leaf.name] for leaf in self.leaves])

    def predict_draws(
        self, theta_unc: Float[np.ndarray, "dim draws"], *, seed: int = 0
    ) -> dict[str, dict[str, np.ndarray]]:
        """Replicated data, their log likelihood, and the data, by observed variable."""
        observed = self.source.observed_RVs
        if not observed:
            return {}
        names = [rv.name for rv in observed]
        with jax.enable_x64(True):
            likelihood = self._likelihood(theta_unc)
            draws = self.constrain_draws(theta_unc)
        data = {rv.name: self.source.rvs_to_values[rv] for rv in observed}
        return {
            "log_likelihood": dict(zip(names, likelihood, strict=True)),
            "posterior_predictive": self._replicate(draws, names, seed),
            "observed_data": {name: _constant(value) for name, value in data.items()},
        }

    def _replicate(
        self, draws: Mapping[str, np.ndarray], names: Sequence[str], seed: int
    ) -> dict[str, np.ndarray]:
        """Data drawn given the free variables; PyMC draws anew what lacks its model's coords."""
        import xarray  # pyright: ignore[reportMissingImports]

        arrays = {}
        for rv in self.source.free_RVs:
            value = draws[rv.name][None]
            axes = self.dims.get(rv.name) or [f"{rv.name}_dim_{i}" for i in range(value.ndim - 2)]
            arrays[rv.name] = (["chain", "draw", *axes], value)
        used = {axis for axes, _ in arrays.values() for axis in axes}
        coords = {axis: labels for axis, labels in self.coords.items() if axis in used}
        with _silent("pymc.sampling.forward"):
            made = _pymc().sample_posterior_predictive(
                xarray.Dataset(arrays, coords), model=self.source, var_names=list(names),
                random_seed=seed, progressbar=False, return_inferencedata=False,
            )  # fmt: skip
        return {name: np.asarray(made[name])[0] for name in names}


@contextmanager
def _silent(name: str) -> Iterator[None]:
    """Without the messages of a logger that are no warnings."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


def _jax_form(model: Any, outputs: Sequence[Any]) -> Callable[..., Any]:
    try:
        return jax_form(model, outputs)
    except NotImplementedError as error:
        raise InputError(f"PyTensor can't turn this PyMC model into JAX: {error}") from error


def _dims(model: Any) -> dict[str, list[str]]:
    """Names of axes for the variables that have a name for each of theirs."""
    named = {name: list(dims) for name, dims in model.named_vars_to_dims.items()}
    return {name: dims for name, dims in named.items() if None not in dims}


def _constant(value: Any) -> np.ndarray:
    """What an observed variable's value holds now."""
    return np.asarray(value.data if hasattr(value, "data") else value.eval())


def _pymc() -> Any:
    try:
        import pymc  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError("from_pymc needs PyMC: pip install 'trustvi[pymc]'") from error
    return pymc

"""A Stan program with its data: a log density over unconstrained reals, compiled by JAX."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from trustvi.stan._ast import Declaration, Stmt
from trustvi.stan._data import Source as DataSource
from trustvi.stan._data import load_data, read_variable, value_of
from trustvi.stan._density import hessian_products, value_and_gradient
from trustvi.stan._diagnostics import StanDataError, StanError, StanUnsupportedError
from trustvi.stan._driver import check_program
from trustvi.stan._eval import stage
from trustvi.stan._include import read_source
from trustvi.stan._lapack import use_one_thread
from trustvi.stan._parameters import Parameters, Variable, flat
from trustvi.stan._staged import Evaluate
from trustvi.stan._transforms import layout_of
from trustvi.stan._values import Data, Value

Reals = np.ndarray
_HESSIAN_CHUNK = 64  # columns of a Hessian computed at once
_DRAWS_CHUNK = 256  # draws whose quantities are computed at once


class StanRNG:
    """A stream of random numbers for generated quantities: every use continues it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._uses = 0

    def next_key(self) -> Array:
        self._uses += 1
        return jax.random.fold_in(jax.random.key(self.seed), self._uses)


class StanModel:
    """The posterior density of a Stan program given its data, over unconstrained reals.

    Methods that `bridgestan.StanModel` has mean what they mean there. `log_density_batch` and
    `constrain_draws` do the same for many draws at once, which stand on the last axis going in.

    Args:
        program: a path, or the text of a program.
        data: a path to JSON or an R dump, the text of such a file, a mapping, or None.
        name: what the model is called; by default the file's name without its ending.
        seed: for random numbers in transformed data.
        include_paths: folders where `#include` looks after the program's own.

    Raises:
        StanError: of the kind that says whether program or data are at fault.
    """

    def __init__(
        self,
        program: str | os.PathLike[str],
        data: DataSource = None,
        *,
        name: str | None = None,
        seed: int = 0,
        include_paths: Sequence[str | Path] = (),
    ) -> None:
        use_one_thread()
        text, file = _program_text(program)
        self.name = name or (Path(file).stem if file else "model")
        self._checked = check_program(text, file, include_paths)
        self._program = self._checked.program
        self._data = load_data(data)
        with self._located():
            self._staged = stage(self._checked, self._read, seed)
            self._parameters = Parameters(
                self._variables(self._program.parameters), self._staged.evaluate
            )
        self._compiled: dict[Any, Callable[..., Any]] = {}

    def __repr__(self) -> str:
        return f"StanModel({self.name!r}, {self.param_unc_num()} unconstrained parameters)"

    # ------------------------------------------------------------------ names and sizes

    def param_num(self, include_tp: bool = False, include_gq: bool = False) -> int:
        """The number of constrained reals."""
        return sum(variable.size for variable in self._written(include_tp, include_gq))

    def param_unc_num(self) -> int:
        """The number of unconstrained reals."""
        return self._parameters.free_size

    def param_names(self, include_tp: bool = False, include_gq: bool = False) -> list[str]:
        """The names of the constrained reals: theta.1.2, the first index fastest; x:1; z.real."""
        written = self._written(include_tp, include_gq)
        return [name for variable in written for name in variable.names]

    def param_unc_names(self) -> list[str]:
        """The names of the unconstrained reals."""
        return self._parameters.free_names

    # ------------------------------------------------------------------ transforms

    def param_constrain(
        self,
        theta_unc: Float[Reals, " dim"],
        include_tp: bool = False,
        include_gq: bool = False,
        rng: StanRNG | None = None,
        *,
        out: Reals | None = None,
    ) -> Reals:
        """The constrained parameters, and what is computed of them, in the order of the names.

        For many points `constrain_draws`, which is compiled, is the faster way.

        Raises:
            ValueError: generated quantities are asked for, without an `rng`.
            StanRuntimeError: what is computed breaks a declaration, or the program rejects.
        """
        if include_gq and rng is None:
            raise ValueError("rng must be given when include_gq is true: model.new_rng(seed)")
        theta = self._point(theta_unc)[:, None]
        with self._located():
            values, _ = self._parameters.constrain(theta)
            if include_tp or include_gq:
                key = rng.next_key() if rng else jax.random.key(0)
                values |= self._staged.quantities(
                    values, transformed=include_tp, generated=include_gq, key=key
                )
            return _into(flat(self._written(include_tp, include_gq), values), out)

    def param_unconstrain(self, theta: Float[Reals, " num"], *, out: Reals | None = None) -> Reals:
        """The unconstrained reals of constrained parameters in the order of `param_names`.

        Raises:
            StanRuntimeError: a value breaks its declaration.
        """
        given = np.asarray(theta, np.float64)
        if given.shape != (self.param_num(),):
            raise ValueError(f"theta must have shape ({self.param_num()},); got {given.shape}")
        return self._unconstrain(self._parameters.split(given[:, None]), out)

    def param_unconstrain_json(
        self, theta_json: str | Mapping[str, Any], *, out: Reals | None = None
    ) -> Reals:
        """The unconstrained reals of parameters given by name, as JSON text or a mapping."""
        given = replace(load_data(theta_json), origin=" among the parameters given")
        declared = [variable.name for variable in self._parameters.variables]

        def value(variable: Variable) -> Data:
            try:
                return value_of(given, variable.name, variable.layout, declared)
            except StanDataError as error:
                raise error.locate(variable.declaration.name_span) from None

        return self._unconstrain(value, out)

    def unconstrain_init(self, init: Any) -> Float[Reals, " dim"]:
        """A starting point, by name or already unconstrained, as an unconstrained vector."""
        if isinstance(init, str | Mapping):
            return self.param_unconstrain_json(init)
        return self._point(init)

    def _unconstrain(self, given: Callable[[Variable], Data], out: Reals | None) -> Reals:
        with self._located():
            return _into(self._parameters.unconstrain(given)[:, 0], out)

    # ------------------------------------------------------------------ density

    def log_density(
        self, theta_unc: Float[Reals, " dim"], propto: bool = True, jacobian: bool = True
    ) -> float:
        """The log density, without constants if `propto`, with the transforms' Jacobian.

        Where real Stan stops with an error (a rejection, a scale below zero, a transformed
        parameter that breaks its declaration) the density is 0: its logarithm is -inf or NaN.
        """
        return self.log_density_gradient(theta_unc, propto, jacobian)[0]

    def log_density_gradient(
        self,
        theta_unc: Float[Reals, " dim"],
        propto: bool = True,
        jacobian: bool = True,
        *,
        out: Reals | None = None,
    ) -> tuple[float, Reals]:
        """The log density and its gradient."""
        theta = self._point(theta_unc)[:, None]
        value, gradient = self._run(value_and_gradient, propto, jacobian, theta)
        return float(value[0]), _into(gradient[:, 0], out)

    def log_density_hessian_vector_product(
        self,
        theta_unc: Float[Reals, " dim"],
        v: Float[Reals, " dim"],
        propto: bool = True,
        jacobian: bool = True,
        *,
        out: Reals | None = None,
    ) -> tuple[float, Reals]:
        """The log density and its Hessian times `v`."""
        theta, vector = self._point(theta_unc)[:, None], self._point(v)[:, None]
        value, _, product = self._run(hessian_products, propto, jacobian, theta, vector)
        return float(value[0]), _into(product[:, 0], out)

    def log_density_hessian(
        self,
        theta_unc: Float[Reals, " dim"],
        propto: bool = True,
        jacobian: bool = True,
        *,
        out_grad: Reals | None = None,
        out_hess: Reals | None = None,
    ) -> tuple[float, Reals, Reals]:
        """The log density, its gradient and its Hessian."""
        theta = self._point(theta_unc)[:, None]
        dim, width = len(theta), max(1, min(len(theta), _HESSIAN_CHUNK))
        repeated = np.repeat(theta, width, axis=1)
        results = [
            self._run(hessian_products, propto, jacobian, repeated, np.eye(dim, width, -start))
            for start in range(0, max(1, dim), width)
        ]
        value, gradient, _ = results[0]
        hessian = np.concatenate([products for *_, products in results], axis=1)[:, :dim]
        hessian = 0.5 * (hessian + hessian.T)
        return float(value[0]), _into(gradient[:, 0], out_grad), _into(hessian, out_hess)

    # ------------------------------------------------------------------ many draws

    def log_density_batch(self, theta_unc: Float[Array, "dim draws"]) -> Float[Array, " draws"]:
        """The log density of each draw, constants and Jacobian kept. Can be traced by JAX."""
        with jax.enable_x64(True):
            return self._batch(theta_unc)

    def constrain_draws(
        self,
        theta_unc: Float[Reals, "dim draws"],
        include_tp: bool = True,
        include_gq: bool = True,
        *,
        seed: int = 0,
    ) -> dict[str, np.ndarray]:
        """Parameters and what is computed of them by name, axes (draws, *dims) each.

        Items of tuples have names like x:1.
        """
        theta = np.asarray(theta_unc, np.float64)
        width = max(1, min(theta.shape[1], _DRAWS_CHUNK))
        chunks = []
        for number, start in enumerate(range(0, theta.shape[1], width)):
            chunk = theta[:, start : start + width]
            padded = np.pad(chunk, ((0, 0), (0, width - chunk.shape[1])), mode="edge")
            chunks.append(self._quantities(padded, include_tp, include_gq, seed, number))
        wanted = self._written(include_tp, include_gq)
        named = [_by_name(v.name, [chunk[v.name] for chunk in chunks], width) for v in wanted]
        return {name: draws[: theta.shape[1]] for part in named for name, draws in part.items()}

    def new_rng(self, seed: int) -> StanRNG:
        """A stream of random numbers for `param_constrain`."""
        return StanRNG(seed)

    # ------------------------------------------------------------------ inside

    def _read(self, declaration: Declaration, evaluate: Evaluate) -> Value:
        declared = [each.name for each in _declarations(self._program.data)]
        _, value = read_variable(self._data, declaration, evaluate, declared)
        assert declaration.type is not None
        return Value(declaration.type, value)

    def _variables(self, block: Sequence[Stmt] | None) -> tuple[Variable, ...]:
        """The variables that a block declares at its top level, with their sizes."""

        def size(expr: Any) -> int:
            return int(self._staged.evaluate(expr, {}).item())

        return tuple(
            Variable(each, layout_of(each.declared, each.name, size))
            for each in _declarations(block)
        )

    @cached_property
    def _transformed(self) -> tuple[Variable, ...]:
        with self._located():
            return self._variables(self._program.transformed_parameters)

    @cached_property
    def _generated(self) -> tuple[Variable, ...]:
        with self._located():
            return self._variables(self._program.generated_quantities)

    def _written(self, include_tp: bool, include_gq: bool) -> tuple[Variable, ...]:
        transformed = self._transformed if include_tp else ()
        return self._parameters.variables + transformed + (self._generated if include_gq else ())

    @contextmanager
    def _located(self) -> Iterator[None]:
        """Double precision, and errors that show the program's text."""
        with jax.enable_x64(True):
            try:
                yield
            except StanError as error:
                raise error.locate(source=self._program.source) from None

    def _point(self, theta: Any) -> Reals:
        point = np.asarray(theta, np.float64)
        if point.shape != (self.param_unc_num(),):
            shape = f"({self.param_unc_num()},)"
            raise ValueError(f"an unconstrained point must have shape {shape}; got {point.shape}")
        return point

    def _target(self, theta: Array, propto: bool, jacobian: bool) -> Array:
        """The log density of each draw, axes (draws,)."""
        values, slope = self._parameters.constrain(theta)
        slope = slope if jacobian else 0.0
        total = self._staged.log_density(values, propto=propto, jacobian=jacobian, slope=slope)
        return jnp.broadcast_to(total + slope, theta.shape[1:])

    def _run(
        self, derive: Callable[..., Any], propto: bool, jacobian: bool, *arrays: Reals
    ) -> tuple[Reals, ...]:
        """Run a derivative of the density, compiled once for each choice and shape."""
        key = (derive, propto, jacobian)
        if key not in self._compiled:
            target = lambda theta: self._target(theta, propto, jacobian)  # noqa: E731
            self._compiled[key] = jax.jit(derive(target))
        with self._located():
            return tuple(map(np.asarray, self._compiled[key](*map(jnp.asarray, arrays))))

    @cached_property
    def _batch(self) -> Callable[[Array], Array]:
        return jax.jit(lambda theta: self._target(theta, propto=False, jacobian=True))

    def _quantities(
        self, theta: Reals, include_tp: bool, include_gq: bool, seed: int, chunk: int
    ) -> dict[str, Data]:
        """The data of parameters and quantities by name for one chunk of draws."""
        compute = partial(self._compute_quantities, include_tp, include_gq)
        kind = ("quantities", include_tp, include_gq)
        with self._located():
            compiled = self._compiled.setdefault(kind, jax.jit(compute))
            arguments = jnp.asarray(theta), np.int64(seed), np.int64(chunk)
            try:
                found = compiled(*arguments)
            except StanUnsupportedError:  # control flow that differs between draws
                self._compiled[kind] = compute
                found = compute(*arguments)
            return jax.tree.map(np.asarray, found)

    def _compute_quantities(
        self, include_tp: bool, include_gq: bool, theta: Array, seed: Any, chunk: Any
    ) -> dict[str, Data]:
        # Made here, the key costs nothing to compile where no quantity is random.
        key = jax.random.fold_in(jax.random.key(seed), chunk)
        values, _ = self._parameters.constrain(theta)
        if include_tp or include_gq:
            values |= self._staged.quantities(
                values, transformed=include_tp, generated=include_gq, key=key
            )
        wanted = self._written(include_tp, include_gq)
        return {variable.name: values[variable.name].data for variable in wanted}


def _program_text(program: str | os.PathLike[str]) -> tuple[str, str | None]:
    """The text of a program and its file, from either."""
    if isinstance(program, str) and ("\n" in program or "{" in program or not program.strip()):
        return program, None
    try:
        return read_source(Path(program)), str(program)
    except (OSError, ValueError) as error:
        raise StanError(f"the program can't be read: {error}") from None


def _declarations(block: Sequence[Stmt] | None) -> list[Declaration]:
    return [statement for statement in block or () if isinstance(statement, Declaration)]


def _into(result: Reals, out: Reals | None) -> Reals:
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(f"out must have shape {result.shape}; got {out.shape}")
    out[...] = result
    return out


def _by_name(name: str, chunks: list[Data], width: int) -> dict[str, np.ndarray]:
    """Chunks of draws joined, axes (draws, *dims); the items of a tuple by names of their own."""
    if isinstance(chunks[0], tuple):
        items = [[chunk[i] for chunk in chunks] for i in range(len(chunks[0]))]
        return {
            below: draws
            for position, item in enumerate(items, start=1)
            for below, draws in _by_name(f"{name}:{position}", item, width).items()
        }
    full = [np.broadcast_to(c[0], (*c.shape[1:-1], width)) for c in chunks]
    return {name: np.moveaxis(np.concatenate(full, axis=-1), -1, 0)}

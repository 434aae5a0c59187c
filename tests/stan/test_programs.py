"""The bundled programs against real Stan's recorded values, and against slow evaluation."""

from __future__ import annotations

import functools
import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from bundled import Bundled, bundled
from jax.extend.core import jaxprs_in_params
from make_references import is_current

from trustvi.stan._ast import Variable
from trustvi.stan._eval import stage
from trustvi.stan._model import StanModel

PROGRAMS = bundled()
ROWS = [item for item in PROGRAMS if item.rows]
CHEAP = {"xla_llvm_disable_expensive_passes": True}
"""What is compiled runs once: most of the time would go into optimising it. With no optimisation at
all, XLA makes NaN of some gradients that it gets right otherwise."""


def named(items: Any) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("item", items, ids=[item.name for item in items])


@functools.cache
def model_of(item: Bundled) -> StanModel:
    return StanModel(item.program, item.data_file)


def reference_of(item: Bundled) -> dict[str, Any]:
    return json.loads(item.reference.read_text())


def densities(model: StanModel, theta: jax.Array) -> jax.Array:
    """Log densities with all constants and the Jacobian, without constants, without Jacobian."""
    flags = ((False, True), (True, True), (False, False))
    target = jax.jit(model._target, static_argnums=(1, 2))
    return jnp.stack([target(theta, propto, jacobian) for propto, jacobian in flags])


def evaluated(model: StanModel, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The `densities` and the gradient of the first, by one compiled function."""

    def both(theta: jax.Array) -> tuple[jax.Array, jax.Array]:
        values, pull_back = jax.vjp(lambda theta: densities(model, theta), theta)
        return values, pull_back(jnp.zeros_like(values).at[0].set(1.0))[0]

    with jax.enable_x64(True):
        lowered = jax.jit(both).lower(jnp.asarray(theta))
        values, gradient = lowered.compile(compiler_options=CHEAP)(jnp.asarray(theta))
    return np.asarray(values), np.asarray(gradient)


@named(PROGRAMS)
def test_reference_is_of_this_program(item: Bundled) -> None:
    assert is_current(item)


@named(PROGRAMS)
def test_agrees_with_real_stan(item: Bundled) -> None:
    model, reference = model_of(item), reference_of(item)
    theta = np.array(reference["theta"]).T
    values, gradient = evaluated(model, theta)
    expected = [reference[key] for key in ("full_jacobian", "propto_jacobian", "full_plain")]
    np.testing.assert_allclose(values, expected, rtol=item.value_rtol, atol=item.value_rtol)
    expected = np.array(reference["gradient_jacobian"]).T
    scale = np.maximum(1, np.abs(expected).max(axis=0, initial=0))
    error = np.delete((gradient - expected) / scale, list(item.wrong_gradient), axis=0)
    np.testing.assert_allclose(error, 0, atol=item.gradient_rtol)


@named(PROGRAMS)
def test_names_and_constrained_values_are_real_stans(item: Bundled) -> None:
    model, reference = model_of(item), reference_of(item)
    generated = "_rng" not in item.program.read_text()
    assert model.param_unc_names() == reference["unconstrained_names"]
    assert model.param_names(True, generated) == reference["names"]
    assert model.param_num() == reference["parameters"]
    for theta, expected in zip(reference["theta"], reference["constrained"], strict=True):
        values = model.param_constrain(theta, True, generated, model.new_rng(0))
        np.testing.assert_allclose(
            values, expected, rtol=item.constrained_rtol, atol=item.constrained_rtol
        )


@named(PROGRAMS)
def test_one_iteration_after_another_gives_the_same(item: Bundled) -> None:
    """Without lanes nothing has to be proved: the density of a known point, by NumPy."""
    model, reference = model_of(item), reference_of(item)
    theta = np.array(reference["theta"][0])[:, None]
    with jax.enable_x64(True):
        slow = stage(model._checked, model._read, 0, lanes=False)
        values, slope = model._parameters.constrain(theta)
        added = slow.log_density(values, propto=False, jacobian=True, slope=slope)
        density = added + slope
    expected = reference["full_jacobian"][0]
    np.testing.assert_allclose(density[0], expected, rtol=item.value_rtol, atol=item.value_rtol)


def repeated(item: Bundled, times: int) -> dict[str, Any]:
    """The data with its rows repeated: all axes whose declared size is the rows' variable."""
    data = item.data
    checked = model_of(item)._program
    for declaration in checked.data or ():
        sized = declaration.declared.sized
        for axis, size in enumerate((*sized.array_sizes, *sized.sizes)):
            if isinstance(size, Variable) and size.name == item.rows:
                array = np.array(data[declaration.name])
                data[declaration.name] = np.concatenate([array] * times, axis).tolist()
    return data | {item.rows: times * data[item.rows]}


def equations(jaxpr: Any) -> int:
    """The number of equations, those of inner jaxprs included."""
    return sum(
        1 + sum(map(equations, jaxprs_in_params(equation.params))) for equation in jaxpr.eqns
    )


@named(ROWS)
def test_work_does_not_grow_with_rows(item: Bundled) -> None:
    counts = []
    for times in (2, 7):
        model = StanModel(item.program, repeated(item, times))
        with jax.enable_x64(True):
            theta = jax.ShapeDtypeStruct((model.param_unc_num(), 1), np.float64)
            traced = jax.make_jaxpr(lambda z, m=model: m._target(z, False, True))(theta)
        counts.append(equations(traced.jaxpr))
    assert counts[0] == counts[1]

"""Log densities of less than double precision: they work, with one warning that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import trustvi
from trustvi.models import FunctionModel
from trustvi.objective import DrawDensity, narrow_shapes
from trustvi.objective._density import trace_density

MEAN = np.array([0.1, 0.2, 0.3])


def about(mean: Any) -> Callable[[Any], Any]:
    return lambda z: -0.5 * jnp.sum((z - mean) ** 2)


NARROW = {
    "an array of JAX": about(jnp.asarray(MEAN, jnp.float32)),
    "an array of NumPy": about(MEAN.astype(np.float32)),
    "under jit": jax.jit(about(jnp.asarray(MEAN, jnp.float32))),
    "the result": lambda z: about(MEAN)(z).astype(jnp.float32),
    "half precision": about(MEAN.astype(np.float16)),
    "on the way": lambda z: about(MEAN)(z.astype(jnp.float32)).astype(jnp.float64),
}
DOUBLE = {
    "doubles": about(MEAN),
    "integers": about(np.arange(3)),
    "numbers": about(0.1),
    "under jit": jax.jit(about(MEAN)),
}


def model(log_density: Callable[[Any], Any]) -> FunctionModel:
    return trustvi.from_function(log_density, np.zeros(3), name="rounded")


@pytest.mark.parametrize("what", NARROW)
def test_what_is_narrow_is_seen_and_works(what: str) -> None:
    made = model(NARROW[what])
    assert narrow_shapes(trace_density(made, 8).jaxpr)
    values = DrawDensity(made)(np.repeat(MEAN[:, None] + 1, 8, axis=1))
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, -1.5, rtol=2e-3)


@pytest.mark.parametrize("what", DOUBLE)
def test_what_is_double_passes(what: str) -> None:
    assert narrow_shapes(trace_density(model(DOUBLE[what]), 8).jaxpr) == []


def test_a_fit_warns_once_and_says_how_to_keep_precision() -> None:
    with pytest.warns(trustvi.PrecisionWarning) as caught:
        post = trustvi.fit(model(NARROW["an array of JAX"]), khat_draws=0)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert text.startswith("the log density of 'rounded' uses float32 numbers (shapes (3,))")
    assert "jax.enable_x64(True)" in text
    assert caught[0].filename == __file__
    assert post.converged
    np.testing.assert_allclose(post.loc, MEAN, atol=1e-6)

"""The key of transformed data's random numbers is JAX's own, made without compiling."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from trustvi.stan._eval._stage import _key_of


@pytest.mark.parametrize("seed", [0, 7, 2**31 - 1, 2**31, 2**32 - 1])
def test_key_is_jaxs(seed: int) -> None:
    ours, theirs = _key_of(seed), jax.random.key(seed)
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(jax.random.key_data(ours), jax.random.key_data(theirs))

"""A fit's small linear algebra uses one thread, and leaves the user's setting as it was."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits

import trustvi


def blas_threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_blas_has_one_thread_within_a_fit_alone() -> None:
    assert scipy.linalg  # brings a BLAS of its own
    seen: list[list[int]] = []

    def log_density(z):
        seen.append(blas_threads())
        return -0.5 * jnp.sum(z**2)

    with threadpool_limits(2, "blas"):
        model = trustvi.from_function(log_density, np.zeros(2))
        before = blas_threads()
        seen.clear()
        trustvi.fit(model)
        assert blas_threads() == before
    # The model is checked first, and traced within the fit last.
    assert seen[-1] == len(before) * [1]
    assert any(count > 1 for count in before)

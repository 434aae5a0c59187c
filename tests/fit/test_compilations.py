"""What a whole fit compiles doesn't depend on how many draws or iterations it takes."""

from __future__ import annotations

from collections import Counter

import jax.numpy as jnp
import numpy as np

import trustvi


def skewed(z):
    return jnp.sum(3 * z - jnp.exp(z)) - 0.5 * (z[0] - z[1] * z[2]) ** 2


def test_a_long_fit_compiles_what_a_short_one_does(compilations: list[str]) -> None:
    counts, draws = [], []
    for options in ({"tol": 1.0}, {"tol": 0.002, "starts": 2}):
        compilations.clear()
        post = trustvi.fit(trustvi.from_function(skewed, np.zeros(3)), seed=1, **options)
        counts.append(Counter(compilations))
        draws.append({info.gradient_draws for info in post.path} - {0})
    assert max(draws[0]) < 64 < 512 <= max(draws[1])
    # Gradients and values of the approximation, and the density at one point and at given draws;
    # the first fit of a process also prepares the quasi-random sequence.
    assert counts[1] == Counter({"jit(kernel)": 2, "jit(<lambda>)": 1, "jit(function)": 1})
    assert (counts[0] - counts[1]).total() <= 1

"""Base draws: standard normals whatever the kind, in replicates that are independent."""

from __future__ import annotations

import math
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import kstest, norm, qmc

from trustvi.objective import DrawKind
from trustvi.objective._draws import (
    MAX_SOBOL_DIM,
    SOBOL_BITS,
    Draw,
    base_draws,
    effective_kind,
    sobol_directions,
)

KINDS = list(DrawKind)
CHUNK = 16


@cache
def compiled(kind: DrawKind, dim: int) -> Draw:
    return jax.jit(base_draws(kind, dim, CHUNK))


def sample(kind: DrawKind, dim: int, chunks: int, *, seed: int = 0) -> np.ndarray:
    """Draws by coordinate, chunk and replicate."""
    draw, key = compiled(kind, dim), jax.random.key(seed)
    return np.stack([draw(key, jnp.asarray(index)) for index in range(chunks)], axis=1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [3, 40])
def test_coordinates_are_standard_normal(kind: DrawKind, dim: int) -> None:
    chunks = 2048 // dim
    e = sample(kind, dim, chunks, seed=dim)
    assert e.shape == (dim, chunks, CHUNK)
    assert np.all(np.isfinite(e))
    n = e.size
    for power, moment in ((1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0)):
        variance = float(norm.moment(2 * power)) - moment**2
        # Mirrored draws are half as many as they seem for even powers.
        assert abs(np.mean(e**power) - moment) < 4 * math.sqrt(2 * variance / n)
    independent = e[:, :, : kind.replicates(CHUNK)].ravel()
    assert kstest(independent, "norm").pvalue > 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_coordinates_and_replicates_are_uncorrelated(kind: DrawKind) -> None:
    groups = kind.replicates(CHUNK)
    keys = jax.random.split(jax.random.key(3), 512)
    for index in (0, 5):
        e = np.stack([compiled(kind, 3)(key, jnp.asarray(index)) for key in keys])
        correlation = np.corrcoef(e[:, :, :groups].reshape(512, -1).T)
        assert np.abs(correlation - np.eye(len(correlation))).max() < 5 / math.sqrt(512)


@pytest.mark.parametrize("kind", KINDS)
def test_the_spread_of_replicates_is_the_error(kind: DrawKind) -> None:
    """Over many keys the mean of a function has the variance that its replicates claim."""
    groups, keys = kind.replicates(CHUNK), 600
    e = np.stack([sample(kind, 3, 8, seed=seed) for seed in range(keys)])
    f = np.exp(0.5 * e[:, 0]) + e[:, 1] * e[:, 2] ** 2
    found = f.reshape(keys, 8, CHUNK // groups, groups).mean(axis=(1, 2))
    claimed = found.var(axis=1, ddof=1).mean() / groups
    assert found.mean(axis=1).var() == pytest.approx(claimed, rel=0.25)
    assert abs(found.mean() - math.exp(0.125)) < 4 * math.sqrt(claimed / keys)


def test_quasi_random_draws_integrate_smooth_functions_better() -> None:
    """exp(e / 2) has variance exp(1/4) (exp(1/4) - 1), which 64 iid draws divide by 64."""
    means = np.exp(0.5 * sample(DrawKind.SOBOL, 3, 64)[0]).mean(axis=0)
    iid = math.exp(0.25) * (math.exp(0.25) - 1) / 64
    assert means.var(ddof=1) < iid / 5


@pytest.mark.parametrize("points", [2, 8, 64])
def test_each_sobol_replicate_fills_every_stratum_once(points: int) -> None:
    uniform = norm.cdf(sample(DrawKind.SOBOL, 3, points))
    strata = np.sort(np.floor(uniform * points).astype(int), axis=1)
    np.testing.assert_array_equal(strata, np.broadcast_to(np.arange(points)[:, None], strata.shape))


def test_a_replicate_is_scipys_sequence_up_to_a_shift_of_digits() -> None:
    points = 2**6
    uniform = norm.cdf(sample(DrawKind.SOBOL, 40, points))
    integers = np.round(uniform * 2.0**32 - 0.5).astype(np.uint64)
    unshifted = integers ^ integers[:, :1]
    expected = np.round(qmc.Sobol(40, scramble=False, bits=32).random(points) * 2.0**32)
    for replicate in range(CHUNK):
        # To the 20 digits that survive the normal's inverse and back.
        ours = np.sort(unshifted[:, :, replicate] >> np.uint64(12), axis=1)
        theirs = np.sort(expected.T.astype(np.uint64) >> np.uint64(12), axis=1)
        np.testing.assert_array_equal(ours, theirs)


def test_every_direction_number_is_scipys() -> None:
    points = qmc.Sobol(MAX_SOBOL_DIM, scramble=False, bits=32).random(2**SOBOL_BITS)
    integers = (points[2 ** np.arange(SOBOL_BITS)] * 2.0**32).astype(np.uint32)
    # Point 2^b is the combination of directions that the Gray code of 2^b names: b and b - 1.
    expected = np.bitwise_xor.accumulate(integers, axis=0).T
    np.testing.assert_array_equal(sobol_directions(MAX_SOBOL_DIM), expected)


def test_mirrored_halves() -> None:
    e = sample(DrawKind.MIRRORED, 3, 4)
    np.testing.assert_array_equal(e[:, :, : CHUNK // 2], -e[:, :, CHUNK // 2 :])


@pytest.mark.parametrize("kind", KINDS)
def test_draws_are_a_function_of_key_and_chunk(kind: DrawKind) -> None:
    once, again, other = (sample(kind, 3, 3, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(once, again)
    assert np.abs(once - other).min() > 0
    assert np.abs(once[:, 0] - once[:, 1]).min() > 0


def test_sobol_gives_way_to_pairs_in_high_dimension() -> None:
    assert effective_kind(DrawKind.SOBOL, MAX_SOBOL_DIM) is DrawKind.SOBOL
    assert effective_kind(DrawKind.SOBOL, MAX_SOBOL_DIM + 1) is DrawKind.MIRRORED
    assert effective_kind(DrawKind.IID, MAX_SOBOL_DIM + 1) is DrawKind.IID
    e = sample(DrawKind.SOBOL, MAX_SOBOL_DIM + 1, 1)
    np.testing.assert_array_equal(e[:, :, : CHUNK // 2], -e[:, :, CHUNK // 2 :])


def test_no_sample_outruns_the_direction_numbers() -> None:
    from trustvi.objective import MAX_DRAWS

    assert MAX_DRAWS / 8 <= 2**SOBOL_BITS

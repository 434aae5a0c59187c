"""Quasi-Newton ascent against explicit BFGS matrices, closed forms and functions that overflow."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from trustvi.optimize._lbfgs import Point, ascend, inverse_diagonal, remember, two_loop

Function = Callable[[np.ndarray], tuple[float, np.ndarray]]


def pairs_of_a_quadratic(n: int, count: int, seed: int) -> tuple:
    """Pairs (s, y) with y = A s for one positive definite A, whose curvatures are positive."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    a = root @ root.T + 0.1 * np.eye(n)
    return tuple((s, a @ s) for s in rng.normal(size=(count, n)))


def bfgs_inverse(pairs: tuple, n: int, first: float) -> np.ndarray:
    """Nocedal and Wright 2006, equation 6.17, from first * I."""
    h = first * np.eye(n)
    for s, y in pairs:
        rho = 1 / (s @ y)
        v = np.eye(n) - rho * np.outer(y, s)
        h = v.T @ h @ v + rho * np.outer(s, s)
    return h


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_the_recursion_is_the_matrix(count: int) -> None:
    pairs = pairs_of_a_quadratic(6, count, seed=count)
    g = np.random.default_rng(9).normal(size=6)
    direction = two_loop(g, pairs, lambda v: 0.7 * v)
    np.testing.assert_allclose(direction, bfgs_inverse(pairs, 6, 0.7) @ g)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_diagonal_is_the_matrix_s(count: int) -> None:
    pairs = pairs_of_a_quadratic(6, count, seed=count)
    s, y = pairs[-1]
    expected = np.diag(bfgs_inverse(pairs, 6, float(s @ y / (y @ y))))
    np.testing.assert_allclose(inverse_diagonal(pairs, 6), expected)


def test_no_pairs_no_scale() -> None:
    np.testing.assert_array_equal(inverse_diagonal((), 3), np.ones(3))


def test_only_positive_curvature_is_remembered() -> None:
    s = np.array([1.0, 2.0])
    pairs = remember((), s, 3 * s, 2)
    assert len(pairs) == 1
    for y in (-s, np.array([2.0, -1.0]), 0 * s, np.full(2, np.nan)):
        assert remember(pairs, s, y, 2) is pairs
    assert len(remember(remember(pairs, s, s, 2), s, 2 * s, 2)) == 2


def quadratic(x: np.ndarray) -> tuple[float, np.ndarray]:
    a = np.geomspace(1e-2, 1e2, x.size)
    return float(-0.5 * a @ (x - 1) ** 2), -a * (x - 1)


def rosenbrock(x: np.ndarray) -> tuple[float, np.ndarray]:
    a, b = x[1] - x[0] ** 2, 1 - x[0]
    return float(-100 * a * a - b * b), np.array([400 * x[0] * a + 2 * b, -200 * a])


def exponential(x: np.ndarray) -> tuple[float, np.ndarray]:
    """x - exp(x), which overflows not far from its maximum at 0."""
    with np.errstate(over="ignore"):
        return float(np.sum(x - np.exp(x))), 1 - np.exp(x)


def cliff(x: np.ndarray) -> tuple[float, np.ndarray]:
    """Minus infinity past 1.5, NaN under -3; the maximum is at 1."""
    if x[0] > 1.5:
        return -math.inf, np.full(1, np.nan)
    return (math.nan if x[0] < -3 else float(-((x[0] - 1) ** 2))), -2 * (x - 1)


FUNCTIONS: dict[str, tuple[Function, np.ndarray, np.ndarray]] = {
    "quadratic": (quadratic, np.full(8, -20.0), np.ones(8)),
    "rosenbrock": (rosenbrock, np.array([-1.2, 1.0]), np.ones(2)),
    "exponential": (exponential, np.array([-30.0, 3.0]), np.zeros(2)),
    "cliff": (cliff, np.array([-2.9]), np.ones(1)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_ascends_to_the_maximum(name: str) -> None:
    f, start, top = FUNCTIONS[name]
    calls = []

    def counted(x: np.ndarray) -> tuple[float, np.ndarray]:
        calls.append(x)
        return f(x)

    ascent = ascend(counted, Point(start, *f(start)), evaluations=300, gain=1e-10)
    assert ascent.converged
    assert ascent.evaluations == len(calls) < 300
    assert f(top)[0] - ascent.end.value < 1e-6
    values = [point.value for point in ascent.path]
    assert all(before < after for before, after in pairwise(values))
    for point in ascent.path:
        assert point.finite


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("evaluations", [0, 1, 2, 7])
def test_spends_no_more_than_it_may(name: str, evaluations: int) -> None:
    f, start, top = FUNCTIONS[name]
    ascent = ascend(f, Point(start, *f(start)), evaluations=evaluations, gain=1e-10)
    assert ascent.evaluations <= evaluations
    assert not ascent.converged or f(top)[0] - ascent.end.value < 1e-6


def test_a_start_at_the_top_costs_nothing() -> None:
    ascent = ascend(quadratic, Point(np.ones(4), *quadratic(np.ones(4))), evaluations=9, gain=1e-3)
    assert ascent.converged
    assert ascent.evaluations == 0

"""The trust-region subproblem against its optimality conditions and SciPy's two solvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize._trustregion_exact import IterativeSubproblem
from scipy.optimize._trustregion_krylov import get_trlib_quadratic_subproblem

from trustvi.optimize._subproblem import Outcome, Step, solve_dense, solve_krylov


class Case(NamedTuple):
    """Maximise g.s + s.H.s / 2 subject to |s| <= radius, and how that should end."""

    h: np.ndarray
    g: np.ndarray
    radius: float
    outcome: Outcome


def rotated(values: np.ndarray, weights: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """H and g with these eigenvalues and these coefficients of g, in a random basis."""
    basis = np.linalg.qr(np.random.default_rng(seed).normal(size=(values.size,) * 2))[0]
    h = (basis * values) @ basis.T
    return 0.5 * (h + h.T), basis @ weights


def spread(low: float, high: float, n: int, first: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues from `low` to `high`; g has coefficient `first` along the highest."""
    values = np.linspace(low, high, n)
    return values, np.append(np.cos(np.arange(n - 1.0)) + 1.5, first)


KINDS: dict[str, tuple[Callable[[int], tuple[np.ndarray, np.ndarray]], float, Outcome]] = {
    "interior": (lambda n: spread(-9, -1, n), 100.0, Outcome.INTERIOR),
    "boundary": (lambda n: spread(-9, -1, n), 0.1, Outcome.BOUNDARY),
    "indefinite": (lambda n: spread(-4, 3, n), 1.0, Outcome.BOUNDARY),
    "convex": (lambda n: spread(1, 5, n), 2.0, Outcome.BOUNDARY),
    "singular": (lambda n: spread(-4, 0, n), 1.0, Outcome.BOUNDARY),
    "hard": (lambda n: spread(-4, 3, n, first=0.0), 1e3, Outcome.HARD),
    "nearly hard": (lambda n: spread(-4, 3, n, first=1e-6), 1e3, Outcome.BOUNDARY),
    "orthogonal, not hard": (lambda n: spread(-4, 3, n, first=0.0), 1e-2, Outcome.BOUNDARY),
    "large numbers": (lambda n: (1e150 * spread(-4, 3, n)[0], spread(-4, 3, n)[1]), 1e-3,
                      Outcome.BOUNDARY),
    "small numbers": (lambda n: (spread(-9, -1, n)[0], 1e-150 * spread(-9, -1, n)[1]), 1.0,
                      Outcome.INTERIOR),
}  # fmt: skip


@pytest.fixture(params=[(kind, n, seed) for kind in KINDS for n in (2, 7, 40) for seed in (0, 1)],
                ids=lambda p: f"{p[0]}-{p[1]}-{p[2]}")  # fmt: skip
def case(request: pytest.FixtureRequest) -> Case:
    kind, n, seed = request.param
    make, radius, outcome = KINDS[kind]
    return Case(*rotated(*make(n), seed), radius, outcome)


def krylov(case: Case) -> Step:
    return solve_krylov(lambda v: case.h @ v, case.g, case.radius, limit=case.g.size)


def improvement(case: Case, s: np.ndarray) -> float:
    return float(case.g @ s + 0.5 * s @ case.h @ s)


@pytest.mark.parametrize("solve", [lambda c: solve_dense(c.h, c.g, c.radius), krylov],
                         ids=["dense", "krylov"])  # fmt: skip
def test_optimality_conditions(case: Case, solve: Callable[[Case], Step]) -> None:
    step = solve(case)
    size = np.abs(np.linalg.eigvalsh(case.h)).max()
    length, alpha = float(np.linalg.norm(step.s)), step.multiplier
    residual = alpha * step.s - case.h @ step.s - case.g
    tolerance = 1e-7 * (float(np.linalg.norm(case.g)) + 1e-4 * size * length)
    assert np.linalg.norm(residual) <= tolerance
    assert alpha >= 0
    assert length <= case.radius * (1 + 1e-9)
    assert alpha * (case.radius - length) <= 1e-6 * max(alpha * case.radius, 1e-300)
    assert step.gain == pytest.approx(improvement(case, step.s), rel=1e-6)
    if case.outcome is Outcome.HARD and 0 < step.products < case.g.size:
        return  # a solution in the span of g, reached before that was seen to be all it spans
    assert np.linalg.eigvalsh(alpha * np.eye(case.g.size) - case.h)[0] >= -1e-9 * size
    assert step.outcome is case.outcome


def scipy_exact(case: Case) -> np.ndarray:
    """SciPy minimises, so both signs turn."""
    solver = IterativeSubproblem(
        np.zeros_like(case.g), lambda _: 0.0, lambda _: -case.g, lambda _: -case.h,
        k_easy=1e-10, k_hard=1e-10,
    )  # fmt: skip
    return solver.solve(case.radius)[0]


def scipy_krylov(case: Case) -> np.ndarray:
    make = get_trlib_quadratic_subproblem(tol_rel_i=1e-12, tol_rel_b=1e-12)
    solver = make(np.zeros_like(case.g), lambda _: 0.0, lambda _: -case.g, lambda _: -case.h, None)
    return solver.solve(case.radius)[0]


@pytest.mark.parametrize("solve", [lambda c: solve_dense(c.h, c.g, c.radius), krylov],
                         ids=["dense", "krylov"])  # fmt: skip
@pytest.mark.parametrize("kind", ["interior", "boundary", "indefinite", "convex", "nearly hard"])
def test_what_scipy_finds(kind: str, solve: Callable[[Case], Step]) -> None:
    make, radius, outcome = KINDS[kind]
    for seed in range(5):
        case = Case(*rotated(*make(12), seed), radius, outcome)
        ours, theirs, close = solve(case), scipy_krylov(case), scipy_exact(case)
        # trlib goes a little over the radius, SciPy's other solver up to a percent.
        close *= min(1.0, radius / float(np.linalg.norm(close)))
        rounded = ours.gain * (1 + 1e-6)
        assert rounded >= improvement(case, theirs)
        assert rounded >= improvement(case, close)
        if kind != "nearly hard":  # which both leave far from solved
            np.testing.assert_allclose(ours.s, theirs, atol=1e-6 * radius)
            assert improvement(case, close) >= 0.99 * ours.gain


@pytest.mark.parametrize("limit", [1, 2, 5, 30])
def test_the_krylov_space_ends_at_its_limit_and_says_so(limit: int) -> None:
    h, g = rotated(-np.geomspace(1e-6, 1e6, 60), np.ones(60), 3)
    calls = []

    def product(v: np.ndarray) -> np.ndarray:
        calls.append(v)
        return h @ v

    step = solve_krylov(product, g, 1e9, limit=limit)
    assert step.outcome is Outcome.LIMIT
    assert len(calls) == step.products == limit
    cauchy = (g @ g) ** 2 / (-2 * g @ h @ g)
    assert cauchy * (1 - 1e-9) <= step.gain <= solve_dense(h, g, 1e9).gain * (1 + 1e-9)


def test_few_distinct_eigenvalues_need_few_products() -> None:
    h, g = rotated(-np.repeat([1.0, 10.0, 100.0], 40), np.ones(120), 4)
    step = solve_krylov(lambda v: h @ v, g, 1e9, limit=3)
    np.testing.assert_allclose(step.s, np.linalg.solve(-h, g), rtol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 6])
def test_without_a_gradient_an_indefinite_model_still_has_a_step(n: int) -> None:
    h, _ = rotated(np.linspace(2.0, -3.0, n), np.ones(n), 5)
    case = Case(h, np.zeros(n), 0.5, Outcome.HARD)
    for step in (solve_dense(case.h, case.g, case.radius), krylov(case)):
        assert step.outcome is Outcome.HARD
        assert step.gain == pytest.approx(0.5 * 2.0 * 0.25)


def test_without_a_gradient_a_concave_model_stays() -> None:
    h, _ = rotated(np.linspace(-2.0, -3.0, 4), np.ones(4), 6)
    step = krylov(Case(h, np.zeros(4), 0.5, Outcome.INTERIOR))
    assert step.outcome is Outcome.INTERIOR
    assert not step.s.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["gradient", "products"])
def test_a_model_that_is_not_finite_makes_no_step(bad: float, where: str) -> None:
    h, g = -np.eye(3), np.ones(3)
    (g if where == "gradient" else h[1])[1] = bad
    for step in (solve_dense(h, g, 1.0), solve_krylov(lambda v: h @ v, g, 1.0, limit=3)):
        assert step.outcome is Outcome.NONE
        assert not step.s.any()
        assert step.gain == -np.inf


def test_a_gradient_too_large_to_square_is_followed() -> None:
    g = np.array([3e200, -4e200])
    for step in (solve_dense(-np.eye(2), g, 2.0),
                 solve_krylov(lambda v: -v, g, 2.0, limit=2)):  # fmt: skip
        np.testing.assert_allclose(step.s, [1.2, -1.6])

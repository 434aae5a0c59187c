"""Roots of systems of equations: values, derivatives, failures."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from density_checks import FAST_COMPILE, check_derivatives

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._table import lookup

X_R, X_I = np.array([0.5]), np.array([3])


def old(name, *control):
    solver = lookup(name)[0].implementation
    return lambda f, guess, *args: solver(
        lambda x, theta, x_r, x_i: f(x, theta), guess, *args, X_R, X_I, *control
    )


def new(name, *control):
    solver = lookup(name)[0].implementation
    return lambda f, guess, *args: solver(f, guess, *control, *args)


TOLERANCES = (1e-10, 1e-8, 300)
SOLVERS = {
    "algebra_solver": old("algebra_solver"),
    "algebra_solver with tolerances": old("algebra_solver", *TOLERANCES),
    "algebra_solver_newton": old("algebra_solver_newton"),
    "solve_powell": new("solve_powell"),
    "solve_powell_tol": new("solve_powell_tol", *TOLERANCES),
    "solve_newton": new("solve_newton"),
    "solve_newton_tol": new("solve_newton_tol", *TOLERANCES),
}
POWELL, NEWTON = SOLVERS["solve_powell"], SOLVERS["solve_newton"]


def cubic(x, theta):
    """Roots at x = theta_0^(1/3), and sqrt(theta_1) / x_0."""
    return jnp.stack([x[0] ** 3 - theta[0], (x[0] * x[1]) ** 2 - theta[1]])


def cubic_root(theta):
    first = jnp.cbrt(theta[0])
    return jnp.stack([first, jnp.sqrt(theta[1]) / first])


THETA = np.array([[2.0, 0.7, 5.0], [1.5, 3.0, 0.4]])
GUESS = np.ones(2)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_closed_form_in_draws(solver):
    solve = jax.vmap(lambda theta: solver(cubic, GUESS, theta), in_axes=-1, out_axes=-1)
    found = jax.jit(solve, compiler_options=FAST_COMPILE)(THETA)
    np.testing.assert_allclose(found, cubic_root(THETA), rtol=1e-10)


@pytest.mark.parametrize("solver", [POWELL, NEWTON])
def test_derivatives_to_second_order(solver):
    def value(theta):
        return jnp.sum(jnp.sin(solver(cubic, GUESS, theta)))

    check_derivatives(value, [THETA[:, 0]], [[np.array([1.0, 0.3])], [np.array([0.2, -1.0])]])
    exact = jax.hessian(lambda theta: jnp.sum(jnp.sin(cubic_root(theta))))(THETA[:, 0])
    np.testing.assert_allclose(jax.hessian(value)(jnp.asarray(THETA[:, 0])), exact, rtol=1e-8)


def test_the_guess_has_no_derivative():
    gradient = jax.grad(lambda guess: jnp.sum(POWELL(cubic, guess, jnp.asarray(THETA[:, 0]))))
    assert np.all(gradient(jnp.ones(2)) == 0)


def test_known_arguments_give_known_roots():
    found = NEWTON(cubic, GUESS, np.array([8.0, 4.0]))
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, [2.0, 1.0])


def test_known_and_nested_arguments_reach_the_function_as_they_are():
    def f(x, pair, power):
        assert isinstance(power, np.ndarray)
        assert isinstance(pair[1], np.ndarray)
        return x ** int(power) - pair[0] * pair[1]

    found = POWELL(f, np.ones(1), (jnp.array(2.0), np.array(4.0)), np.array(3))
    np.testing.assert_allclose(found, [2.0])


# J. J. More, B. S. Garbow, K. E. Hillstrom, "Testing unconstrained optimization software", 1981:
# the starting points are theirs.
HARD = {
    "rosenbrock": (lambda x: jnp.stack([10 * (x[1] - x[0] ** 2), 1 - x[0]]), [-1.2, 1.0], [1, 1]),
    "badly scaled": (
        lambda x: jnp.stack([1e4 * x[0] * x[1] - 1, jnp.sum(jnp.exp(-x)) - 1.0001]),
        [0.0, 1.0],
        [1.098159e-5, 9.106146],
    ),
    "helical valley": (
        lambda x: jnp.stack(
            [
                10 * (x[2] - 10 * jnp.arctan2(x[1], x[0]) / (2 * jnp.pi)),
                10 * (jnp.hypot(x[0], x[1]) - 1),
                x[2],
            ]
        ),
        [-1.0, 0.0, 0.0],
        [1, 0, 0],
    ),
}


@pytest.mark.parametrize("key", HARD)
@pytest.mark.parametrize("solver", [POWELL, NEWTON])
def test_hard_starts(key, solver):
    f, start, root = HARD[key]
    found = solver(lambda x, one: one * f(x), np.array(start), jnp.ones(()))
    np.testing.assert_allclose(found, root, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("solver", [POWELL, NEWTON])
def test_no_root_is_nan_for_its_draw_alone(solver):
    solve = jax.vmap(lambda c: solver(lambda x, c: x**2 + c, np.ones(1), c))
    found = solve(jnp.array([1.0, -4.0]))[:, 0]
    assert np.isnan(found[0])
    np.testing.assert_allclose(found[1], 2.0)


def test_too_few_steps_are_nan():
    solver = new("solve_newton_tol", 1e-3, 1e-6, 2)
    assert np.all(np.isnan(solver(cubic, GUESS, jnp.array([1e6, 1.0]))))


def test_refusals():
    with pytest.raises(StanRuntimeError, match="must be finite"):
        POWELL(cubic, np.array([np.nan, 1.0]), THETA[:, 0])
    with pytest.raises(StanRuntimeError, match="must match in size"):
        POWELL(cubic, np.ones(3), THETA[:, 0])
    with pytest.raises(StanRuntimeError, match="non-zero size"):
        POWELL(cubic, np.ones(0), THETA[:, 0])

"""Differential equations against closed forms and SciPy: values, derivatives, failures."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg
from density_checks import FAST_COMPILE, check_derivatives
from scipy.integrate import solve_ivp

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._table import lookup

T0, TS = np.float64(0.5), np.array([0.7, 1.5, 1.5, 4.0])
TOLERANCES = (1e-8, 1e-9, 100_000)


def function(name):
    (row,) = lookup(name)
    return row.implementation


def plain(name):
    solver = function(name)
    return lambda f, y0, t0, ts, *args: solver(f, y0, t0, ts, *args)


def with_tolerances(name):
    solver = function(name)
    return lambda f, y0, t0, ts, *args: solver(f, y0, t0, ts, *TOLERANCES, *args)


def old(name, *control):
    """The old functions, whose equations have fixed arguments."""
    solver = function(name)

    def solve(f, y0, t0, ts, theta):
        def equation(t, y, theta, x_r, x_i):
            assert isinstance(x_i, np.ndarray)
            return f(t, y, theta)

        return solver(equation, y0, t0, ts, theta, np.ones(2), np.array([3]), *control)

    return solve


def adjoint(method):
    solver = function("ode_adjoint_tol_ctl")

    def solve(f, y0, t0, ts, *args):
        absolute = np.full(y0.size, 1e-9)
        tolerances = (1e-8, absolute, 1e-8, absolute, 1e-8, 1e-9)
        control = (100_000, 200, 1, method, method)
        return solver(f, y0, t0, ts, *tolerances, *map(np.asarray, control), *args)

    return solve


def as_dae(name, *control):
    """An ordinary equation as F = y' - f(t, y), consistent at the start."""
    solver = function(name)

    def solve(f, y0, t0, ts, *args):
        slope = jnp.asarray(f(t0, y0, *args))
        residual = lambda t, y, yp, *args: yp - f(t, y, *args)  # noqa: E731
        return solver(residual, y0, slope, t0, ts, *control, *args)

    return solve


# Each solver, and how accurate its results should be.
SOLVERS = {
    "ode_rk45": (plain("ode_rk45"), 1e-5),
    "ode_ckrk": (plain("ode_ckrk"), 1e-5),
    "ode_adams": (plain("ode_adams"), 1e-8),
    "ode_bdf": (plain("ode_bdf"), 1e-8),
    "ode_rk45_tol": (with_tolerances("ode_rk45_tol"), 1e-6),
    "ode_ckrk_tol": (with_tolerances("ode_ckrk_tol"), 1e-6),
    "ode_adams_tol": (with_tolerances("ode_adams_tol"), 1e-6),
    "ode_bdf_tol": (with_tolerances("ode_bdf_tol"), 1e-6),
    "integrate_ode": (old("integrate_ode"), 1e-5),
    "integrate_ode_rk45": (old("integrate_ode_rk45"), 1e-5),
    "integrate_ode_adams": (old("integrate_ode_adams"), 1e-8),
    "integrate_ode_bdf": (old("integrate_ode_bdf", *TOLERANCES), 1e-6),
    "ode_adjoint_tol_ctl, adams": (adjoint(1), 1e-6),
    "ode_adjoint_tol_ctl, bdf": (adjoint(2), 1e-6),
    "dae": (as_dae("dae"), 1e-8),
    "dae_tol": (as_dae("dae_tol", *TOLERANCES), 1e-6),
}
ONE_OF_EACH = {key: SOLVERS[key] for key in ("ode_rk45", "ode_bdf", "dae_tol")}


def linear(t, y, theta):
    """A damped oscillator."""
    return jnp.stack([y[1], -theta[0] * y[0] - theta[1] * y[1]])


def linear_solution(y0, t0, ts, theta):
    matrix = jnp.array([[0.0, 1.0], [0.0, 0.0]]).at[1].set(-theta)
    return jnp.stack([jax.scipy.linalg.expm(matrix * (t - t0)) @ y0 for t in ts])


THETA = np.array([[2.0, 0.9], [0.3, 0.5]])
Y0 = np.array([1.0, 0.4])


@pytest.mark.parametrize(("solver", "rtol"), SOLVERS.values(), ids=SOLVERS)
def test_linear_equations_in_draws(solver, rtol):
    """Some output times are equal."""
    batch = jax.vmap(lambda theta: solver(linear, Y0, T0, TS, theta), in_axes=-1, out_axes=-1)
    found = jax.jit(batch, compiler_options=FAST_COMPILE)(THETA)
    assert found.shape == (len(TS), 2, 2)
    for draw in range(2):
        expected = linear_solution(Y0, T0, TS, THETA[:, draw])
        np.testing.assert_allclose(found[..., draw], expected, rtol=rtol, atol=rtol)


@pytest.mark.parametrize(("solver", "rtol"), ONE_OF_EACH.values(), ids=ONE_OF_EACH)
def test_derivatives_are_those_of_the_solution(solver, rtol):
    """With respect to the initial state, all times and the parameters, to second order."""

    def value(solve):
        def of_all(y0, t0, ts, theta):
            return jnp.sum(jnp.sin(solve(y0, t0, ts, theta)))

        return of_all

    def numerical(y0, t0, ts, theta):
        return solver(linear, y0, t0, ts, theta)

    values = [jnp.asarray(each) for each in (Y0, T0, TS, THETA[:, 0])]
    direction = [np.array([1.0, -0.5]), np.float64(0.3), np.array([0.1, 0.0, 0.2, 1]), np.ones(2)]

    def derivatives(solve):
        gradient = jax.grad(value(solve), (0, 1, 2, 3))
        return jax.jvp(gradient, values, [jnp.asarray(each) for each in direction])

    compiled = jax.jit(lambda: derivatives(numerical), compiler_options=FAST_COMPILE)
    for found, expected in zip(compiled(), derivatives(linear_solution), strict=True):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=20 * rtol, atol=20 * rtol)


def predators(t, y, theta):
    return jnp.stack([(theta[0] - theta[1] * y[1]) * y[0], (theta[2] * y[0] - theta[3]) * y[1]])


@pytest.mark.parametrize("key", ["ode_rk45", "ode_bdf"])
def test_nonlinear_equations_against_scipy(key):
    solver, _ = SOLVERS[key]
    theta, y0 = np.array([0.55, 0.028, 0.024, 0.8]), np.array([30.0, 4.0])
    times = np.arange(1.0, 13.0)
    exact = solve_ivp(
        lambda t, y: np.asarray(
            [(theta[0] - theta[1] * y[1]) * y[0], (theta[2] * y[0] - theta[3]) * y[1]]
        ),
        *((0, 12), y0, "DOP853", times),
        rtol=1e-12,
        atol=1e-12,
    )
    found = solver(predators, y0, np.float64(0), times, theta)
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, exact.y.T, rtol=2e-6 if key == "ode_rk45" else 1e-8)


@pytest.mark.parametrize("key", ["ode_rk45", "ode_bdf"])
def test_second_derivatives_against_differences(key):
    """Of a nonlinear system, with tight tolerances, for a batch of draws."""
    solver = function(f"{key}_tol")
    y0, times = np.array([30.0, 4.0]), np.array([2.0, 5.0])

    def value(log_theta):
        def one(log_theta):
            theta = jnp.array([0.55, 0.028, 0.024, 0.8]) * jnp.exp(log_theta)
            return solver(predators, y0, np.float64(0), times, 1e-9, 1e-9, 100_000, theta)

        return jnp.sum(jnp.log(jax.vmap(one, in_axes=-1)(log_theta)) ** 2)

    rng = np.random.default_rng(3)
    at = 0.1 * rng.normal(size=(4, 2))
    check_derivatives(value, [at], [[rng.normal(size=at.shape)] for _ in range(2)], rtol=2e-6)


def robertson(t, y, theta):
    first = -theta[0] * y[0] + theta[1] * y[1] * y[2]
    second = theta[2] * y[1] ** 2
    return jnp.stack([first, -first - second, second])


STIFF = np.array([0.04, 1e4, 3e7])
STIFF_TIMES = np.array([0.4, 40.0, 4e4])


def stiff_reference():
    return solve_ivp(
        lambda t, y: np.asarray(robertson(t, y, STIFF)),
        *((0, STIFF_TIMES[-1]), [1.0, 0.0, 0.0], "Radau", STIFF_TIMES),
        rtol=1e-10,
        atol=1e-13,
    ).y.T


def test_stiff_equations():
    """H. H. Robertson's reactions, whose rates differ by nine orders of magnitude."""
    found = function("ode_bdf_tol")(
        robertson, np.array([1.0, 0, 0]), np.float64(0), STIFF_TIMES, 1e-8, 1e-12, 10_000, STIFF
    )
    np.testing.assert_allclose(found, stiff_reference(), rtol=1e-6)


def test_algebraic_equations():
    """The same with the conservation of mass in place of the last equation."""

    def residual(t, y, slope, theta):
        rates = robertson(t, y, theta)
        return jnp.stack([slope[0] - rates[0], slope[1] - rates[1], jnp.sum(y) - 1.0])

    y0, slope0 = np.array([1.0, 0, 0]), np.array([-0.04, 0.04, 0])

    def solve(theta):
        control = (1e-8, 1e-12, 10_000)
        return function("dae_tol")(
            residual, y0, slope0, np.float64(0), STIFF_TIMES, *control, theta
        )

    found, pushed = jax.jit(
        lambda theta: jax.jvp(solve, (theta,), (theta,)), compiler_options=FAST_COMPILE
    )(STIFF)
    np.testing.assert_allclose(found, stiff_reference(), rtol=1e-6)
    np.testing.assert_allclose(pushed.sum(axis=1), 0, atol=1e-9)
    # All rates times 1 + h are all times by 1 + h.
    slopes = np.array([robertson(t, y, STIFF) for t, y in zip(STIFF_TIMES, found, strict=True)])
    np.testing.assert_allclose(pushed, slopes * STIFF_TIMES[:, None], rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("key", ["ode_rk45", "ode_bdf"])
def test_solutions_that_end_are_nan_from_there_for_their_draw_alone(key):
    """y' = y^2 is infinite at t = 1 / y0."""
    solver, rtol = SOLVERS[key]
    times = np.array([0.5, 2.0, 3.0])
    batch = jax.vmap(lambda y0: solver(lambda t, y: y**2, y0[None], np.float64(0), times))
    found = jax.jit(batch, compiler_options=FAST_COMPILE)(np.array([1.0, 0.1]))[..., 0]
    np.testing.assert_allclose(found[0, 0], 2.0, rtol=rtol)
    assert np.all(np.isnan(found[0, 1:]))
    np.testing.assert_allclose(found[1], 1 / (10 - times), rtol=rtol)


def test_too_few_steps_are_nan():
    found = function("ode_rk45_tol")(
        linear, Y0, T0, TS, 1e-6, 1e-6, np.asarray(5), jnp.asarray(THETA[:, 0])
    )
    assert np.all(np.isfinite(found[0]))
    assert np.all(np.isnan(found[-1]))


def test_arguments_of_all_kinds():
    """Known ones stay known; complex numbers, tuples and matrices may be differentiated."""

    def f(t, y, pair, rate, power):
        assert isinstance(pair[0], np.ndarray)
        assert isinstance(power, np.ndarray)
        return pair[0] @ pair[1] @ y * rate.real ** int(power)

    known, free = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([[1.0, 0.2], [0.1, 0.8]])

    def solve(free, rate):
        return function("ode_rk45_tol")(
            f, Y0, T0, TS, 1e-9, 1e-9, 10_000, (known, free), rate, np.array(2)
        )[-1]

    def exact(free, rate):
        return jax.scipy.linalg.expm(known @ free * rate.real**2 * (TS[-1] - T0)) @ Y0

    at = (jnp.asarray(free), jnp.asarray(0.7 + 0.2j))
    np.testing.assert_allclose(solve(*at), exact(*at), rtol=1e-7)
    found, expected = (jax.grad(lambda *x, f=f: f(*x).sum(), (0, 1))(*at) for f in (solve, exact))
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-6)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-6)


def test_sensitivities_are_carried_only_for_what_is_differentiated():
    """Times that differ between lanes are mapped over like parameters, but cost nothing."""
    times = np.array([[1.0, 2.0, 3.0], [0.5, 1.5, 2.5]])

    def value(theta):
        one = lambda ts: SOLVERS["ode_rk45"][0](linear, Y0, np.float64(0), ts, theta)  # noqa: E731
        return jnp.sum(jax.vmap(one)(times))

    text = str(jax.make_jaxpr(jax.grad(value))(jnp.asarray(THETA[:, 0])))
    assert "f64[2,2,2]" in text  # lanes, state, derivatives
    assert "f64[2,2,5]" not in text


REFUSED = {
    "start": ((Y0, np.float64(0.7), TS), (), "must be less than"),
    "order": ((Y0, T0, TS[::-1]), (), "sorted"),
    "state": ((Y0 * np.nan, T0, TS), (), "must be finite"),
    "no times": ((Y0, T0, TS[:0]), (), "non-zero size"),
    "tolerance": ((Y0, T0, TS), (-1.0, 1e-6, 100), "must be positive finite"),
    "steps": ((Y0, T0, TS), (1e-6, 1e-6, 0), "must be positive finite"),
}


@pytest.mark.parametrize(("given", "control", "message"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("name", ["ode_rk45", "ode_bdf"])
def test_refusals(name, given, control, message):
    solver = function(f"{name}_tol" if control else name)
    with pytest.raises(StanRuntimeError, match=message):
        solver(linear, *given, *control, THETA[:, 0])


TABLEAUS = {
    "DORMAND_PRINCE": (0.2, [6.0, 5.0]),
    "CASH_KARP": (0.2, [6.0, 5.0]),
    "ORDER_8": (1.0, [9.0, 6.0, 4.0]),
}
"""A step, and the powers of it in the error of one step and in the estimates of that."""


@pytest.mark.parametrize("name", TABLEAUS)
def test_explicit_methods_have_their_order(name):
    """Halving a step divides its error, and what is estimated of it, by powers of 2."""
    from trustvi.stan.library import _ode_explicit as explicit

    tableau, (step, powers) = getattr(explicit, name), TABLEAUS[name]
    matrix, errors = np.array([[0.0, 1.0], [-2.0, -0.3]]), []
    for h in (step, step / 2):
        state = (jnp.asarray(Y0), jnp.asarray(matrix @ Y0))
        (new, _), estimates = explicit.explicit_step(
            tableau, lambda t, y: matrix @ y, 0.0, h, state
        )
        off = np.abs(new - scipy.linalg.expm(matrix * h) @ Y0).max()
        errors.append([off, *np.abs(estimates).max(axis=1)])
    found = np.log2(np.divide(*errors))
    np.testing.assert_allclose(found, powers, atol=0.6)

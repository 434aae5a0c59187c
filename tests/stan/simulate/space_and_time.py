"""Data of survival models, Gaussian processes, differential equations and maps."""

from __future__ import annotations

import numpy as np

from simulate import Data, simulation

Rng = np.random.Generator


def censored(rng: Rng, times: np.ndarray, end: float) -> tuple[np.ndarray, np.ndarray]:
    """Times cut off at `end`, and whether the event was seen."""
    return np.minimum(times, end), (times <= end).astype(int)


@simulation("survival_exponential")
def survival_exponential(rng: Rng) -> Data:
    x = rng.normal(size=30)
    t, event = censored(rng, rng.exponential(np.exp(0.5 - 0.6 * x)), 3.0)
    return {"N": 30, "t": t, "event": event, "x": x}


@simulation("survival_weibull")
def survival_weibull(rng: Rng) -> Data:
    x = rng.normal(size=(40, 2))
    t, event = censored(rng, np.exp(x @ [0.3, -0.2]) * rng.weibull(1.5, 40) * 2, 3.0)
    seen = event == 1
    sizes = {"N_event": int(seen.sum()), "N_cens": int((~seen).sum()), "K": 2}
    times = {"t_event": t[seen], "t_cens": t[~seen]}
    return {**sizes, **times, "x_event": x[seen], "x_cens": x[~seen]}


@simulation("survival_lognormal_frailty")
def survival_frailty(rng: Rng) -> Data:
    family = rng.integers(1, 9, 40)
    t, event = censored(rng, rng.lognormal(0.5 * rng.normal(size=8)[family - 1], 0.7), 2.5)
    return {"N": 40, "F": 8, "family": family, "t": t, "censored": 1 - event}


@simulation("survival_piecewise")
def survival_piecewise(rng: Rng) -> Data:
    x = rng.normal(size=30)
    t, event = censored(rng, rng.exponential(np.exp(0.5 - 0.6 * x)), 4.0)
    return {"N": 30, "J": 4, "t": t, "event": event, "x": x, "cut": [0, 1, 2, 3, 5]}


@simulation("survival_cox")
def survival_cox(rng: Rng) -> Data:
    Z = np.repeat([0.5, -0.5], 10)
    times = np.ceil(rng.exponential(8, 20)).astype(int)
    obs_t, fail = censored(rng, times, 20)
    failures = np.unique(obs_t[fail == 1])
    t = np.append(failures, failures[-1] + 10)
    return {"N": 20, "NT": len(failures), "obs_t": obs_t, "t": t, "fail": fail, "Z": Z}


@simulation("survival_partial_likelihood")
def survival_partial(rng: Rng) -> Data:
    X = rng.normal(size=(40, 2))
    t, event = censored(rng, rng.exponential(np.exp(-X @ [0.5, -0.3])), 2.0)
    order = np.argsort(-t, kind="stable")
    return {"N": 40, "K": 2, "event": event[order], "X": X[order]}


@simulation("gp_marginal")
def gp_marginal(rng: Rng) -> Data:
    x = np.sort(rng.uniform(-3, 3, 20))
    return {"N": 20, "x": x, "y": np.sin(x) + 0.3 * rng.normal(size=20)}


@simulation("gp_kernel_by_loops")
def gp_loops(rng: Rng) -> Data:
    x = rng.normal(size=(12, 2))
    return {"D": 2, "N": 12, "x": x, "y": np.sin(x[:, 0]) + 0.3 * rng.normal(size=12)}


@simulation("gp_poisson")
def gp_poisson(rng: Rng) -> Data:
    x = np.linspace(-2, 2, 15)
    return {"N": 15, "x": x, "k": rng.poisson(np.exp(1 + np.sin(2 * x)))}


@simulation("gp_binary")
def gp_binary(rng: Rng) -> Data:
    x = np.linspace(-3, 3, 20)
    return {
        "N": 20,
        "x": x,
        "z": (np.sin(x) + 0.5 * rng.normal(size=20) > 0).astype(int),
        "delta": 1e-4,
    }


@simulation("gp_basis_functions")
def gp_basis(rng: Rng) -> Data:
    x = np.sort(rng.uniform(-1, 1, 60))
    return {"N": 60, "M": 10, "L": 1.5, "x": x, "y": np.sin(4 * x) + 0.3 * rng.normal(size=60)}


@simulation("spatial_kriging")
def kriging(rng: Rng) -> Data:
    place, x = rng.uniform(0, 5, (15, 2)), rng.normal(size=15)
    D = np.linalg.norm(place[:, None] - place, axis=2)
    field = np.linalg.cholesky(np.exp(-D) + 1e-9 * np.eye(15)) @ rng.normal(size=15)
    return {"N": 15, "D": D, "y": 1 + x + field, "x": x}


def lattice(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of neighbours on a grid, counted from 1."""
    index = np.arange(1, rows * columns + 1).reshape(rows, columns)
    first = np.concatenate([index[:, :-1].ravel(), index[:-1].ravel()])
    second = np.concatenate([index[:, 1:].ravel(), index[1:].ravel()])
    return first, second


@simulation("spatial_icar")
def icar(rng: Rng) -> Data:
    node1, node2 = lattice(5, 5)
    expected = rng.uniform(2, 8, 25)
    y = rng.poisson(expected * np.exp(0.3 * rng.normal(size=25)))
    edges = {"E_n": len(node1), "node1": node1, "node2": node2}
    return {"N": 25, **edges, "y": y, "expected": expected, "scaling": 0.5}


@simulation("spatial_car")
def car(rng: Rng) -> Data:
    node1, node2 = lattice(4, 4)
    W = np.zeros((16, 16), int)
    W[node1 - 1, node2 - 1] = W[node2 - 1, node1 - 1] = 1
    x = rng.normal(size=16)
    return {"n": 16, "y": rng.poisson(np.exp(0.8 + 0.3 * x)), "x": x, "W": W, "W_n": len(node1)}


def solved(rates, start: list[float], times: np.ndarray) -> np.ndarray:
    """Classical Runge-Kutta steps of 0.01 for the simulations: states at `times`."""
    state, now, states = np.array(start, float), 0.0, []
    for time in times:
        steps = max(1, round((time - now) / 0.01))
        h = (time - now) / steps
        for _ in range(steps):
            k1 = np.array(rates(state))
            k2 = np.array(rates(state + h / 2 * k1))
            k3 = np.array(rates(state + h / 2 * k2))
            state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + np.array(rates(state + h * k3)))
        now = time
        states.append(state)
    return np.array(states)


@simulation("predator_prey")
def predator_prey(rng: Rng) -> Data:
    ts = np.arange(1, 11)
    z = solved(lambda z: [(0.6 - 0.3 * z[1]) * z[0], (-0.8 + 0.3 * z[0]) * z[1]], [3, 1], ts)
    y = z * np.exp(0.2 * rng.normal(size=(10, 2)))
    return {"N": 10, "ts": ts, "y_init": [3.2, 0.9], "y": y}


@simulation("epidemic_sir")
def sir(rng: Rng) -> Data:
    ts = np.arange(1, 13)

    def rates(y: np.ndarray) -> list[float]:
        infection = 1.5 * y[0] * y[1] / 700
        return [-infection, infection - 0.5 * y[1], 0.5 * y[1]]

    s = np.concatenate([[695], solved(rates, [695, 5, 0], ts)[:, 0]])
    return {"days": 12, "t0": 0, "ts": ts, "N": 700, "cases": rng.poisson(-np.diff(s))}


@simulation("pharmacokinetics")
def pharmacokinetics(rng: Rng) -> Data:
    ts, dose = np.array([0.5, 1, 2, 4, 8]), np.array([4.0, 4.5, 5.0])
    ke = 0.3 * np.exp(0.2 * rng.normal(size=3))[:, None]
    amount = dose[:, None] * (np.exp(-ke * ts) - np.exp(-1.5 * ts)) * 1.5 / (1.5 - ke)
    concentration = amount * np.exp(0.1 * rng.normal(size=(3, 5)))
    return {"P": 3, "T": 5, "ts": ts, "dose": dose, "concentration": concentration}


@simulation("enzyme_kinetics")
def enzyme(rng: Rng) -> Data:
    ts = np.linspace(0.5, 5, 8)
    c = solved(lambda c: [-1.2 * c[0] / (0.8 + c[0])], [3], ts)[:, 0]
    return {"T": 8, "ts": ts, "y": np.abs(c + 0.1 * rng.normal(size=8))}


@simulation("soil_carbon")
def soil(rng: Rng) -> Data:
    ts = np.linspace(0.5, 10, 10)
    evolved = 8 * (1 - 0.6 * np.exp(-0.4 * ts) - 0.4 * np.exp(-0.05 * ts))
    return {"T": 10, "ts": ts, "evolved": evolved + 0.1 * np.abs(rng.normal(size=10)), "total": 8}


@simulation("integral_normaliser")
def integral(rng: Rng) -> Data:
    return {"N": 15, "y": rng.normal(0, 0.8, 15)}


@simulation("equilibrium")
def equilibrium(rng: Rng) -> Data:
    return {"N": 8, "shift": rng.uniform(-0.5, 0.5, 8), "price": rng.normal(0.6, 0.1, 8)}

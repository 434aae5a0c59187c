"""Cases for the functions of Stan's library: one call, and an oracle that knows no lanes or draws.

A case is evaluated in every way the evaluator may call the function: with everything known, with
lanes, with draws, and with both; each lane and draw is then compared with the oracle alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan import _types as t
from trustvi.stan.library import _table as table
from trustvi.stan.library._signatures import parse_function

LANES, DRAWS = 3, 2


@dataclass(frozen=True)
class Case:
    """One signature of a function, how to draw arguments for it, and what it must return.

    `sample` makes the arguments of one lane and draw; `oracle` takes them as they are.
    """

    name: str
    signature: str
    oracle: Callable[..., Any]
    sample: Callable[[np.random.Generator], Sequence[Any]]
    tolerance: float = 1e-9
    symmetric: tuple[int, ...] = ()
    """Arguments that must stay symmetric where derivatives are taken."""

    def __str__(self) -> str:
        return f"{self.name}{self.signature}"

    @property
    def function(self) -> t.Function:
        return parse_function(self.signature)

    @property
    def row(self) -> table.Row:
        return table.overloads(self.name)[self.function]

    def is_real(self, position: int) -> bool:
        """Whether an argument is continuous, so that it may depend on parameters."""
        argument = self.function.arguments[position]
        return t.unwind(argument.type)[0] != t.INT and not argument.data_only


@dataclass(frozen=True)
class Call:
    """Arguments laid out for an implementation, and the arguments of every lane and draw."""

    case: Case
    arguments: tuple[Any, ...]
    events: dict[tuple[int, int], tuple[Any, ...]]

    def expected(self) -> dict[tuple[int, int], Any]:
        return {place: self.case.oracle(*events) for place, events in self.events.items()}


MODES: dict[str, Callable[[int, bool], tuple[int, int]]] = {
    "known": lambda position, real: (1, 1),
    "lanes": lambda position, real: (LANES, 1),
    "draws": lambda position, real: (1, DRAWS if real else 1),
    "both": lambda position, real: (LANES, DRAWS if real else 1),
    "indexed": lambda position, real: (1, DRAWS) if real else (LANES, 1),
    "crossed": lambda position, real: (1, DRAWS) if real and position % 2 else (LANES, 1),
}
"""For an argument by its position, and whether it is real: how many lanes and draws it has."""


def make_call(case: Case, mode: str, seed: int = 0) -> Call:
    """Arguments of `case` with their own values in every lane and draw that they have."""
    rng = np.random.default_rng([seed, *map(ord, str(case))])
    samples = {(lane, draw): case.sample(rng) for lane in range(LANES) for draw in range(DRAWS)}
    sizes = [MODES[mode](i, case.is_real(i)) for i in range(len(case.function.arguments))]
    static = case.row.static
    sizes = [(1, 1) if i in static else size for i, size in enumerate(sizes)]
    laid_out = tuple(
        int(samples[0, 0][i]) if i in static else _laid_out(samples, i, *size, case)
        for i, size in enumerate(sizes)
    )
    lanes = max([size[0] for size in sizes], default=1)
    draws = max([size[1] for size in sizes], default=1)
    events = {
        (lane, draw): tuple(
            samples[lane % size[0], draw % size[1]][i] for i, size in enumerate(sizes)
        )
        for lane in range(lanes)
        for draw in range(draws)
    }
    return Call(case, laid_out, events)


def _laid_out(samples: Any, position: int, lanes: int, draws: int, case: Case) -> np.ndarray:
    """One argument with axes `(lanes, *event, draws)`, as the element type wants it."""
    dtype = dtype_of(case.function.arguments[position].type)
    rows = [
        np.stack([np.asarray(samples[lane, draw][position], dtype) for draw in range(draws)], -1)
        for lane in range(lanes)
    ]
    return np.stack(rows)


def _elementwise(call: Call, arguments: Sequence[Any]) -> list[Any]:
    """Event axes aligned, as the evaluator does for elementwise functions."""
    if call.case.row.convention is not table.Convention.ELEMENTWISE:
        return list(arguments)
    ranks = [np.ndim(each) for each in arguments]
    wide = max(ranks, default=2)
    return [
        each.reshape((each.shape[0], *(1,) * (wide - rank), *each.shape[1:]))
        for each, rank in zip(arguments, ranks, strict=True)
    ]


def evaluate(call: Call, arguments: Sequence[Any] | None = None) -> Any:
    arguments = call.arguments if arguments is None else arguments
    return call.case.row.implementation(*_elementwise(call, arguments))


def compiled(function: Callable[..., Any], *arguments: Any) -> Any:
    """`function` of `arguments`, compiled without optimization: compiling is what takes time."""
    lowered = jax.jit(function).lower(*arguments)
    return lowered.compile(compiler_options={"xla_backend_optimization_level": 0})(*arguments)


def evaluate_traced(calls: Sequence[Call]) -> list[Any]:
    """All calls in one compiled function, every real argument traced."""

    def together(moving: list[dict[int, Any]]) -> list[Any]:
        return [evaluate(call, fill(call, each)) for call, each in zip(calls, moving, strict=True)]

    return compiled(together, [moving_arguments(call) for call in calls])


def moving_arguments(call: Call) -> dict[int, Any]:
    """The arguments that are traced, by position."""
    return {
        i: jnp.asarray(each)
        for i, each in enumerate(call.arguments)
        if isinstance(each, np.ndarray) and call.case.is_real(i)
    }


def fill(call: Call, moving: dict[int, Any]) -> list[Any]:
    return [moving.get(i, each) for i, each in enumerate(call.arguments)]


def assert_agrees(call: Call, result: Any) -> None:
    """Every lane and draw of `result` is what the oracle says, and of the right type."""
    for (lane, draw), expected in call.expected().items():
        _assert_part(call.case, result, expected, call.case.function.result, lane, draw)


def _assert_part(
    case: Case, result: Any, expected: Any, type: t.Type, lane: int, draw: int
) -> None:
    if isinstance(type, t.Tuple):
        assert isinstance(result, tuple)
        for each in zip(result, expected, type.elements, strict=True):
            _assert_part(case, *each, lane, draw)
        return
    result = np.asarray(result)
    assert result.dtype == dtype_of(type), f"{case}: {result.dtype}"
    here = result[lane % result.shape[0], ..., draw % result.shape[-1]]
    assert here.shape == np.shape(expected), f"{case}: {here.shape} for {np.shape(expected)}"
    assert here.ndim == t.event_rank(type), f"{case}: {here.shape}"
    np.testing.assert_allclose(
        here, expected, rtol=case.tolerance, atol=case.tolerance, err_msg=f"{case} {lane} {draw}"
    )


def dtype_of(type: t.Type) -> Any:
    """How values of a Stan type are stored."""
    element = t.unwind(type)[0]
    if element == t.INT:
        return np.int64
    is_complex = element == t.COMPLEX or getattr(element, "complex", False)
    return np.complex128 if is_complex else np.float64


# ------------------------------------------------------------------------------ whole tables


def check_known(cases: Sequence[Case], mode: str) -> None:
    """Known arguments give the oracle's values, known themselves."""
    for case in cases:
        call = make_call(case, mode)
        result = evaluate(call)
        assert all(isinstance(part, np.ndarray) for part in jax.tree.leaves(result)), str(case)
        assert_agrees(call, result)


def traced_mode(case: Case) -> str:
    """Lanes and draws in different arguments where there are such, else all in one."""
    positions = range(len(case.function.arguments))
    reals = [i for i in positions if case.is_real(i)]
    if len(reals) > 1:
        return "crossed"
    return "both" if len(reals) + len(case.row.static) == len(positions) else "indexed"


def check_traced(cases: Sequence[Case], mode: str | None = None) -> None:
    """Traced arguments with lanes and draws give the oracle's values."""
    moving = [case for case in cases if any(map(case.is_real, range(len(case.function.arguments))))]
    calls = [make_call(case, mode or traced_mode(case)) for case in moving]
    for call, result in zip(calls, evaluate_traced(calls), strict=True):
        assert_agrees(call, result)


# ------------------------------------------------------------------------------- derivatives

STEP = 4e-3
OFFSETS = np.arange(-3, 4)
FIRST = np.array([-1, 9, -45, 0, 45, -9, 1]) / 60
SECOND = np.array([2, -27, 270, -490, 270, -27, 2]) / 180
"""Central differences of sixth order."""


def differentiable(case: Case) -> bool:
    results = case.function.result
    parts = results.elements if isinstance(results, t.Tuple) else (results,)
    return any(map(case.is_real, range(len(case.function.arguments)))) and (
        not any(t.unwind(part)[0] == t.INT for part in parts)
    )


def _weighted(weights: Any, result: Any) -> Any:
    """The real part of a weighted sum of all that a function returns."""
    parts = zip(jax.tree.leaves(weights), jax.tree.leaves(result), strict=True)
    return sum((w * r).sum().real for w, r in parts)


@dataclass(frozen=True)
class Probe:
    """A call, a direction in its real arguments, and weights that make its result one number."""

    call: Call
    direction: dict[int, np.ndarray]
    weights: Any

    def along(self, step: float) -> float:
        """The oracle's number a step along the direction."""
        (events,) = self.call.events.values()
        moved = [
            x + step * self.direction[i][0, ..., 0] if i in self.direction else x
            for i, x in enumerate(events)
        ]
        return float(
            _weighted(self.weights, jax.tree.map(np.asarray, self.call.case.oracle(*moved)))
        )

    def differences(self) -> tuple[float, float]:
        values = np.array([self.along(STEP * k) for k in OFFSETS])
        return float(FIRST @ values) / STEP, float(SECOND @ values) / STEP**2


def make_probe(case: Case) -> Probe:
    rng = np.random.default_rng([*map(ord, str(case))])
    call = make_call(case, "known")
    direction = {i: _like(rng, np.asarray(x)) for i, x in moving_arguments(call).items()}
    for i in case.symmetric:
        direction[i] = direction[i] + direction[i].swapaxes(1, 2).conj()
    (events,) = call.events.values()
    weights = jax.tree.map(lambda r: _like(rng, np.asarray(r)), case.oracle(*events))
    return Probe(call, direction, weights)


def first_of_each(cases: Sequence[Case]) -> list[Case]:
    """The first differentiable case of every name."""
    found: dict[str, Case] = {}
    for case in filter(differentiable, cases):
        found.setdefault(case.name, case)
    return list(found.values())


def _like(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    drawn = rng.normal(size=array.shape)
    return drawn + 1j * rng.normal(size=array.shape) if np.iscomplexobj(array) else drawn


def check_derivatives(cases: Sequence[Case], tolerance: float = 1e-6) -> None:
    """Gradients (backward) and second derivatives (forward over backward) of the traced functions
    along a random direction, against differences of the oracles."""
    probes = [make_probe(case) for case in cases if differentiable(case)]

    def total(moving: list[dict[int, Any]]) -> Any:
        return sum(
            _weighted(probe.weights, _squeezed(evaluate(probe.call, fill(probe.call, each))))
            for probe, each in zip(probes, moving, strict=True)
        )

    points = [moving_arguments(probe.call) for probe in probes]
    directions = [jax.tree.map(jnp.asarray, probe.direction) for probe in probes]

    def both(points: Any) -> Any:
        return jax.jvp(jax.grad(total), (points,), (directions,))

    gradients, curvatures = compiled(both, points)
    for probe, gradient, curvature in zip(probes, gradients, curvatures, strict=True):
        first, second = probe.differences()
        for what, ours, theirs in (("first", gradient, first), ("second", curvature, second)):
            ours = sum((ours[i] * probe.direction[i]).sum().real for i in ours)
            error = abs(ours - theirs) / (1 + abs(theirs) + abs(first))
            assert error < tolerance * (1 if what == "first" else 1e3), (
                f"{probe.call.case}: {what} derivative {ours}, by differences {theirs}"
            )


def _squeezed(result: Any) -> Any:
    return jax.tree.map(lambda part: part[0, ..., 0], result)

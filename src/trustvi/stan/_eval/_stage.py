"""A program with its data: transformed data run once, the rest on demand."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.core import Tracer

from trustvi.stan import _ast as ast
from trustvi.stan._check import Checked
from trustvi.stan._diagnostics import StanRuntimeError, StanUnsupportedError
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._facts import Facts
from trustvi.stan._eval._frame import Activation, Frame, Machine, Scope, value_of
from trustvi.stan._eval._signals import UnknownError
from trustvi.stan._eval._statements import flush, run
from trustvi.stan._eval._validity import verify_declared
from trustvi.stan._recursion import CALLS, room_for
from trustvi.stan._staged import ReadData
from trustvi.stan._values import Array, Data, Value, leaves, map_data
from trustvi.stan.library._namespace import is_traced

Values = dict[str, Value]
Block = Sequence[ast.Stmt] | None


def _key_of(seed: int) -> jax.Array:
    """`jax.random.key(seed)`, for which JAX would compile two functions in every process."""
    if not 0 <= seed < 2**31 or jax.config.values["jax_default_prng_impl"] != "threefry2x32":
        return jax.random.key(seed)
    words: Any = np.array([0, seed], np.uint32)
    return jax.random.wrap_key_data(words)


def stage(checked: Checked, read: ReadData, seed: int, *, lanes: bool = True) -> Staged:
    """Read the data and run transformed data.

    Without `lanes`, loops are run one iteration after another throughout: slow, but with nothing
    to be proved right.
    """
    staged = Staged(checked, lanes)
    staged.begin(read, seed)
    return staged


class Staged:
    """See `trustvi.stan._staged.Staged`."""

    def __init__(self, checked: Checked, lanes: bool) -> None:
        self._checked = checked
        self._program = checked.program
        self._lanes = lanes
        self._facts = Facts()
        self._plans: dict[int, Any] = {}
        self._known: Values = {}

    # ------------------------------------------------------------------ data

    def begin(self, read: ReadData, seed: int) -> None:
        frame = self._frame({}, key=_key_of(seed))
        with _errors(frame):
            for declaration in _declarations(self._program.data):
                value = read(declaration, lambda expr: evaluate(expr, frame).data)
                frame.bind(declaration.name, value)
            self._run(self._program.transformed_data, frame)
        declared = (*_declarations(self._program.data),
                    *_declarations(self._program.transformed_data))  # fmt: skip
        self._known = _values(declared, frame)

    def evaluate(self, expr: ast.Expr, variables: Mapping[str, Value]) -> Data:
        """An expression of data, transformed data and `variables`, which may be traced."""
        frame = self._frame({**self._known, **variables})
        with _errors(frame):
            return evaluate(expr, frame).data

    # ------------------------------------------------------------------ density

    def log_density(
        self,
        parameters: Mapping[str, Value],
        *,
        propto: bool,
        jacobian: bool,
        slope: Array = 0.0,
    ) -> Array:
        """What transformed parameters and model add to the target, axes (draws|1,)."""
        frame = self._frame({**self._known, **parameters}, jacobian=jacobian)
        frame.machine.slope = slope
        frame = dataclasses.replace(frame, propto=propto)
        with _errors(frame), room_for(CALLS):
            self._run(self._program.transformed_parameters, frame)
            run(self._program.model or (), frame.inner())
            flush(frame)
        return frame.machine.target.whole()[0]

    def quantities(
        self,
        parameters: Mapping[str, Value],
        *,
        transformed: bool,
        generated: bool,
        key: Array,
    ) -> Values:
        """The top-level variables of transformed parameters and generated quantities, by name."""
        given = {**self._known, **parameters}
        try:
            return self._quantities(given, transformed, generated, key)
        except UnknownError as signal:
            if not _is_concrete(parameters):
                raise _unsupported(signal, self._program) from None
        return self._draw_by_draw(parameters, transformed, generated, key)

    def _quantities(self, given: Values, transformed: bool, generated: bool, key: Array) -> Values:
        frame = self._frame(given, key=key)
        wanted: list[ast.Declaration] = []
        with _errors(frame, unknown=False), room_for(CALLS):
            self._run(self._program.transformed_parameters, frame)
            wanted += _declarations(self._program.transformed_parameters) if transformed else []
            if generated:
                self._run(self._program.generated_quantities, frame)
                wanted += _declarations(self._program.generated_quantities)
            flush(frame)
        return _values(wanted, frame)

    def _draw_by_draw(
        self, parameters: Mapping[str, Value], transformed: bool, generated: bool, key: Array
    ) -> Values:
        """One known draw after another, where control flow depends on the draw."""
        count = _draws(parameters)
        found = []
        for draw in range(count):
            one = {
                name: Value(v.type, map_data(lambda a, i=draw: _draw(a, i), v.data))
                for name, v in parameters.items()
            }
            there = jax.random.fold_in(key, draw)
            found.append(self._quantities({**self._known, **one}, transformed, generated, there))
        return {
            name: Value(v.type, map_data(_side_by_side, *(each[name].data for each in found)))
            for name, v in found[0].items()
        }

    # ------------------------------------------------------------------ frames

    def _frame(
        self, values: Mapping[str, Value], key: Array = None, jacobian: bool = True
    ) -> Frame:
        machine = Machine(
            self._program,
            self._checked.functions,
            self._facts,
            draws=_draws(values),
            traced=any(is_traced(leaf) for v in values.values() for leaf in leaves(v.data)),
            lanes=self._lanes,
            jacobian=jacobian,
            key=key,
            plans=self._plans,
        )
        activation = Activation(self._facts.depths(self._program))
        frame = Frame(machine, machine.root, Scope(), activation)
        for name, value in values.items():
            frame.bind(name, value)
        return frame

    def _run(self, block: Block, frame: Frame) -> None:
        """Run a block at the top level, and see that what it declares is what it says."""
        run(block or (), frame)
        for declaration in _declarations(block):
            verify_declared(declaration, frame)


def _declarations(block: Block) -> list[ast.Declaration]:
    return [each for each in block or () if isinstance(each, ast.Declaration)]


def _values(declarations: Sequence[ast.Declaration], frame: Frame) -> Values:
    return {d.name: value_of(frame.variable(d.name), frame.node) for d in declarations}


# --------------------------------------------------------------------------- draws


def _draws(values: Mapping[str, Value]) -> int:
    sizes = (leaf.shape[-1] for v in values.values() for leaf in leaves(v.data))
    return max(sizes, default=1)


def _is_concrete(values: Mapping[str, Value]) -> bool:
    return not any(isinstance(leaf, Tracer) for v in values.values() for leaf in leaves(v.data))


def _draw(array: Array, draw: int) -> np.ndarray:
    known = np.asarray(array)
    return known if known.shape[-1] == 1 else known[..., draw : draw + 1]


def _side_by_side(*arrays: np.ndarray) -> np.ndarray:
    return np.concatenate(arrays, axis=-1)


# --------------------------------------------------------------------------- errors


class _errors:
    """Errors get the program's text; what must be known and isn't becomes one."""

    def __init__(self, frame: Frame, unknown: bool = True) -> None:
        self._program, self._unknown = frame.machine.program, unknown

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, StanRuntimeError | StanUnsupportedError):
            error.locate(source=self._program.source)
        elif isinstance(error, UnknownError) and self._unknown:
            raise _unsupported(error, self._program) from None


def _unsupported(signal: UnknownError, program: ast.Program) -> StanUnsupportedError:
    message = f"{signal.what} depends on parameters"
    return StanUnsupportedError(message, signal.span, program.source)


def names_of(block: Block) -> Iterator[str]:
    return (each.name for each in _declarations(block))

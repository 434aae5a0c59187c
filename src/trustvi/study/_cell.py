"""One cell of a study: a model fitted by a method from a seed, and its path judged.

Every kept iterate is judged after the fit on draws that all fits of the model share, so that their
ELBO values compare. The path keeps an iterate when it cost at least 3% more calls than the last one
kept, which moves no ratio of costs by more.
"""

from __future__ import annotations

import math
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jaxtyping import Float
from scipy.special import ndtri
from scipy.stats import qmc

from trustvi._errors import TrustviError
from trustvi.diagnostics import Verdict
from trustvi.families import Family, MeanField
from trustvi.models import Model
from trustvi.objective import MAX_SOBOL_DIM, Compilable, compile_all, trace_density
from trustvi.optimize import Method, choose_preset
from trustvi.stan import StanError, StanModel
from trustvi.study._corpus import unpacked
from trustvi.study._types import Cell, Limits, Result, Trace, Unusable

SPACING = 1.03
JUDGE_CHUNK, JUDGE_SEED = 64, 20170604


class Judge(Compilable):
    """The ELBO of any approximation of one model, on one common set of draws."""

    def __init__(self, model: Model, draws: int) -> None:
        self._dim = model.param_unc_num()
        density = trace_density(model, JUDGE_CHUNK)
        self._consts = jax.device_put(density.consts)
        count = -(-draws // JUDGE_CHUNK)
        self._e = _common_draws(self._dim, count)

        def values(consts: Any, frame: Any, e: Any) -> Any:
            return jax.lax.map(lambda part: density.function(consts, frame.place(part)), e)

        self._values = jax.jit(values)

    def lowered(self) -> dict[str, Any]:
        frame = MeanField(np.zeros(self._dim), np.zeros(self._dim)).frame
        return {"_values": self._values.lower(self._consts, frame, self._e)}

    def __call__(self, q: Family) -> tuple[float, float]:
        """ELBO and its standard error; minus infinity if a draw has no finite density."""
        values = np.asarray(self._values(self._consts, q.frame, self._e)).ravel()
        if not np.all(np.isfinite(values)):
            return -math.inf, math.inf
        return float(values.mean()) + q.entropy(), float(values.std() / math.sqrt(values.size))


def _common_draws(dim: int, chunks: int) -> Float[np.ndarray, "chunks dim chunk"]:
    """Standard normals, quasi-random up to the dimension where that stops to pay."""
    n = chunks * JUDGE_CHUNK
    if dim <= MAX_SOBOL_DIM:
        points = qmc.Sobol(dim, rng=JUDGE_SEED).random(2 ** math.ceil(math.log2(n)))[:n]
        e = ndtri(np.clip(points, 1e-12, 1 - 1e-12))
    else:
        e = np.random.default_rng(JUDGE_SEED).standard_normal((n, dim))
    return np.ascontiguousarray(e.reshape(chunks, JUDGE_CHUNK, dim).transpose(0, 2, 1))


@lru_cache(maxsize=1)
def _model(program: Path, data: Path | None) -> StanModel:
    with tempfile.TemporaryDirectory() as folder:
        return StanModel(program, unpacked(data, Path(folder)) if data else None)


@lru_cache(maxsize=1)
def _judge(program: Path, data: Path | None, draws: int) -> Judge:
    judge = Judge(_model(program, data), draws)
    compile_all([judge])
    return judge


@lru_cache(maxsize=1)
def _engine(program: Path, data: Path | None, method: str, tol: float) -> Method:
    name, _, preset = method.partition("/")
    chosen = choose_preset(name, preset or "default", {})
    engine = chosen.make(_model(program, data), chosen.config, tol=tol)
    compile_all(engine.parts)
    return engine


def run_cell(cell: Cell, limits: Limits) -> Result:
    """Fit and judge; the model, its method and its judge are kept for the next cell."""
    with jax.enable_x64(True), np.errstate(all="ignore"):
        where = (cell.entry.program, cell.entry.data)
        began = time.perf_counter()
        engine = _prepared(where, cell.method, limits)
        compiled = time.perf_counter() - began
        return _fitted(engine, _judge(*where, limits.judge_draws), cell.seed, limits, compiled)


def _prepared(where: tuple[Path, Path | None], method: str, limits: Limits) -> Method:
    """The compiled method; whatever is wrong with the model is said here."""
    try:
        dim = _model(*where).param_unc_num()
        if dim == 0:
            raise Unusable("it has no parameters")
        if dim > limits.max_dim:
            raise Unusable(f"its {dim} parameters are more than the {limits.max_dim} allowed")
        return _engine(*where, method, limits.tol)
    except (StanError, TrustviError, OSError, NotImplementedError, UnicodeDecodeError) as error:
        raise Unusable(" ".join(str(error).split())[:500]) from error


def _fitted(engine: Method, judge: Judge, seed: int, limits: Limits, compiled: float) -> Result:
    began = time.perf_counter()
    state, _, verdict = engine.init(None, seed)
    kept = [(state.iteration, state.ledger.oracle_calls, time.perf_counter() - began, state.q)]
    passed: list[Any] = []
    while verdict is None:
        seconds = time.perf_counter() - began
        if state.ledger.oracle_calls >= limits.max_calls or seconds > limits.max_seconds:
            verdict = Verdict.BUDGET
            break
        before = state.q
        state, _, verdict = engine.step(state)
        if state.q is before:
            continue
        calls = state.ledger.oracle_calls
        passed = [(state.iteration, calls, time.perf_counter() - began, state.q)]
        if calls >= SPACING * kept[-1][1]:
            kept, passed = [*kept, *passed], []
    seconds = time.perf_counter() - began
    kept += passed
    judged = [judge(q) for *_, q in kept]
    iteration, calls, at, _ = zip(*kept, strict=True)
    path = Trace(iteration, calls, at, tuple(value for value, _ in judged))
    if verdict is Verdict.NO_START:
        path, judged = path._replace(elbo=(-math.inf,) * len(kept)), [(-math.inf, math.inf)]
    return Result(
        verdict.name, state.q.loc.size, state.ledger.oracle_calls, seconds, compiled,
        *judged[-1], path,
    )  # fmt: skip

"""fit(): checks its arguments, composes model, method and stopping, returns a Posterior."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import jax
import numpy as np
from threadpoolctl import threadpool_limits

from trustvi import _arguments as arguments
from trustvi._checkpoint import load_progress, save_progress
from trustvi._errors import DiagnosticWarning, InputError, NotConvergedError, PrecisionWarning
from trustvi._posterior import CHECK_SEED, Elbo, Posterior, Seconds, sample
from trustvi._progress import ProgressLine
from trustvi._starts import file_of, keep_best, seed_of, side_by_side
from trustvi.diagnostics import Verdict
from trustvi.models import Model
from trustvi.objective import DrawDensity, compile_all, make_key, narrow_shapes
from trustvi.optimize import (
    Method,
    Preset,
    Progress,
    as_member,
    choose_preset,
    drive,
    estimate_elbo,
)

DEFAULT_TOL = 0.05
DEFAULT_MAX_ORACLE_CALLS = 2000.0
# Two oracle calls: enough for a tail of 68 draws, whose shape has a standard error near 0.2.
KHAT_DRAWS = 512
CHECKPOINT_SECONDS = 2.0
# Sets the draws of the final ELBO apart from those of any iteration.
FINAL = 2**31 - 1

Iterate = tuple[float, np.ndarray, np.ndarray]


def fit(
    model: Model,
    family: str = "meanfield",
    method: str = "trustvi",
    preset: str = "default",
    *,
    seed: int = 0,
    init: Any = None,
    max_oracle_calls: float | None = None,
    tol: float | None = None,
    progress: bool | None = None,
    checkpoint: str | Path | None = None,
    keep_iterates: bool = False,
    khat_draws: int = KHAT_DRAWS,
    starts: int = 1,
    require_converged: bool = False,
    **options: Any,
) -> Posterior:
    """Approximate the posterior of `model` by the member of `family` with the greatest ELBO.

    Args:
        model: a `StanModel`, or what `from_function` and its kin return.
        family: of Gaussians on the unconstrained scale: "meanfield" has independent coordinates,
            "fullrank" any covariance, "lowrank:5" one that is diagonal plus rank 5.
        method: "trustvi", or a competitor: "advi" (Stan's), "hfsgvi", "dadvi".
        preset: "default", or "paper" for the algorithm exactly as published; advi also has
            "stan", with Stan's own defaults.
        seed: of all random numbers; the result is a function of it and the other arguments.
        init: a point on the unconstrained scale (an array), values on the model's own
            scale (a mapping or the example's structure), a number r for uniform draws from
            [-r, r], or None for r = 2.
        max_oracle_calls: budget, counted as in the paper (default 2000).
        tol: the gain in nats below which a fit has converged (default 0.05).
        progress: show a live line; by default on a terminal.
        checkpoint: a file to save the state to every few seconds, and to resume from.
        keep_iterates: keep the approximation of every iteration in `Posterior.iterates`.
        khat_draws: draws on which k-hat rests, evaluated at the end; 0 for no k-hat.
        starts: fit from so many random starts, side by side where there are cores, keep the best
            and say whether they agree; the budget is for each.
        require_converged: raise `NotConvergedError` where the verdict isn't good.
        **options: fields of the preset's configuration, by name.
    """
    model = arguments.checked_model(model)
    tol = DEFAULT_TOL if tol is None else arguments.positive("tol", tol)
    budget = DEFAULT_MAX_ORACLE_CALLS
    if max_oracle_calls is not None:
        budget = arguments.positive("max_oracle_calls", max_oracle_calls)
    chosen = choose_preset(method, preset, options, family)
    run = {
        "model": model.name, "dim": model.param_unc_num(), "family": family, "method": method,
        "preset": preset, "seed": arguments.integer("seed", seed), "tol": tol,
        "khat_draws": arguments.integer("khat_draws", khat_draws),
        "starts": arguments.start_count(starts, init),
        "options": {name: repr(value) for name, value in sorted(options.items())},
    }  # fmt: skip
    checkpoint = arguments.checkpoint_file(checkpoint)
    arguments.switch("keep_iterates", keep_iterates)
    arguments.switch("require_converged", require_converged)
    line = ProgressLine(arguments.switch("progress", progress), model.name)
    stop = Event()
    with _numbers(), line, threadpool_limits(1, "blas"):
        began = time.perf_counter()
        seeds = [seed_of(run["seed"], start) for start in range(run["starts"])]
        points = [arguments.starting_point(model, init, own) for own in seeds]
        engine, density = _build(chosen, model, tol)
        compiled = time.perf_counter() - began

        def start(number: int) -> Posterior:
            with _numbers():
                file, settings = file_of(checkpoint, number), _settings(run, engine, number)
                log = _Log(line, number, file, settings, keep_iterates, stop)
                position = _run(engine, points[number], seeds[number], budget, log)
                return _finish(model, engine, density, position, run, compiled, log.iterates)

        posts = side_by_side([partial(start, number) for number in range(len(seeds))], stop)
        for number, post in posts.items():
            if post.verdict is Verdict.NO_START:
                given = points[number] if arguments.is_point(init) else None
                _explain_no_start(engine, model, given)
        seconds = time.perf_counter() - began - compiled
        best = keep_best(list(posts.values()), [seeds[number] for number in posts], tol, seconds)
    if require_converged and not best.converged:
        raise NotConvergedError(f"{best.verdict.value}: {best.verdict.sentence}", best)
    return best


@contextmanager
def _numbers() -> Iterator[None]:
    """Double precision in this thread. Overflow is an outcome here, tested for where it matters."""
    with jax.enable_x64(True), np.errstate(all="ignore"):
        yield


def _build(chosen: Preset, model: Model, tol: float) -> tuple[Method, DrawDensity]:
    """The method over `model`, and the density at given draws, traced, checked and compiled."""
    engine = chosen.make(model, chosen.config, tol=tol)
    density = DrawDensity(model)
    try:
        compile_all((*engine.parts, density))
    except (TypeError, ValueError, NotImplementedError) as error:
        raise InputError(
            f"the log density of model {model.name!r} can't be differentiated by JAX: {error}"
        ) from error
    _warn_of_precision(model, engine)
    return engine, density


def _settings(run: dict[str, Any], engine: Method, number: int) -> dict[str, Any]:
    """What a checkpoint must agree with: the data, too, by what they make of the log density."""
    value, _ = engine.point(np.full(run["dim"], 0.1))
    start = {} if number == 0 else {"start": number}
    return run | start | {"data": f"{value:.9e}"}


def _warn_of_precision(model: Model, engine: Method) -> None:
    """float32 in the density: what was rounded before it came here stays rounded."""
    shapes = narrow_shapes(engine.point.jaxpr)
    if shapes:
        warnings.warn(
            f"the log density of {model.name!r} uses float32 numbers (shapes "
            f"{', '.join(map(str, shapes[:3]))}), which carry 7 digits; to keep 16, make them "
            "NumPy float64 arrays, or make them under jax.enable_x64(True)",
            PrecisionWarning,
            stacklevel=4,
        )


def _explain_no_start(engine: Method, model: Model, given: np.ndarray | None) -> None:
    """Say what is wrong at `init`, or at the origin, and with which parameters if that shows."""
    place = "the origin of the unconstrained scale" if given is None else "init"
    value, gradient = engine.point(np.zeros(model.param_unc_num()) if given is None else given)
    fault = f"the log density is {value}"
    bad = np.flatnonzero(~np.isfinite(gradient))
    if 0 < bad.size < gradient.size or (math.isfinite(value) and bad.size):
        names = model.param_unc_names()
        shown = ", ".join(names[int(i)] for i in bad[:5]) + (", ..." if bad.size > 5 else "")
        fault += f", and its gradient is not finite by {shown}"
    sentence = f"no fit can start: at {place} {fault}"
    if given is not None:
        raise InputError(f"{sentence}, so that init is no point of the posterior")
    warnings.warn(f"{sentence}; give init", DiagnosticWarning, stacklevel=3)


def _run(engine: Method, point: np.ndarray | None, seed: int, budget: float, log: _Log) -> Progress:
    """One start, or what its checkpoint holds of it, driven to its verdict."""
    position = log.resume()
    if position is None:
        began = time.perf_counter()
        state, info, verdict = engine.init(point, seed)
        info = info._replace(seconds=time.perf_counter() - began)
        position = Progress(state, (info,), verdict)
        log(position)
    position = drive(engine, position, max_oracle_calls=budget, observe=log)
    log.save(position)
    return position


class _Log:
    """What becomes of every iteration of a start: shown, kept, and now and then saved."""

    def __init__(
        self, line: ProgressLine, start: int, file: Path | None, run: dict[str, Any], keep: bool,
        stop: Event,
    ) -> None:  # fmt: skip
        self._line, self._start, self._file, self._run = line, start, file, run
        self._keep, self._stop = keep, stop
        self._saved = time.perf_counter()
        self.iterates: list[Iterate] = []

    def __call__(self, progress: Progress) -> None:
        self._keep_iterate(progress)
        self._line.show(progress, self._start if self._run["starts"] > 1 else None)
        if self._stop.is_set() and progress.verdict is None:
            raise KeyboardInterrupt
        if time.perf_counter() - self._saved > CHECKPOINT_SECONDS:
            self.save(progress)

    def _keep_iterate(self, progress: Progress) -> None:
        # Once for each iteration, whenever Ctrl-C came.
        if self._keep and len(self.iterates) < len(progress.path):
            q = progress.state.q
            self.iterates.append((progress.state.ledger.oracle_calls, q.loc, q.scale))

    def save(self, progress: Progress) -> None:
        self._keep_iterate(progress)
        if self._file:
            save_progress(self._file, self._run, progress, self.iterates)
        self._saved = time.perf_counter()

    def resume(self) -> Progress | None:
        """Where the checkpoint stands, if there is one."""
        found = load_progress(self._file, self._run) if self._file else None
        if found is None:
            return None
        position, self.iterates = found
        return position


def _finish(
    model: Model, engine: Method, density: DrawDensity, position: Progress, run: dict[str, Any],
    compiled: float, iterates: list[Iterate],
) -> Posterior:  # fmt: skip
    """The ELBO on fresh draws, which may yet show mass outside the support, and the result."""
    began = time.perf_counter()
    state, verdict = as_member(position.state, run["family"]), position.verdict
    assert verdict is not None
    value, error, lost, ledger = math.nan, math.nan, 0, state.ledger
    checked = np.zeros(0)
    if verdict is not Verdict.NO_START:
        key = make_key(run["seed"], FINAL)
        value, error, lost, draws = estimate_elbo(engine.objective, state, key, run["tol"])
        if run["khat_draws"]:
            checked = density(sample(state.q, run["khat_draws"], run["seed"], CHECK_SEED))
        ledger = ledger.add(values=draws + checked.size)
    if lost and verdict is Verdict.CONVERGED:
        verdict = Verdict.OUTSIDE_SUPPORT
    return Posterior(
        model=model,
        q=state.q,
        verdict=verdict,
        elbo=Elbo(value, error),
        oracle_calls=ledger.oracle_calls,
        path=position.path,
        run=run,
        seconds=Seconds(compiled, position.path[-1].seconds + time.perf_counter() - began),
        iterates=tuple(iterates),
        checked_lp=checked,
        loc_mcse=getattr(state, "loc_mcse", np.zeros(0)),
        log_scale_mcse=getattr(state, "log_scale_mcse", np.zeros(0)),
        density=density,
    )

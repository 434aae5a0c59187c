"""fit(): checks its arguments, composes model, method and stopping, returns a Posterior."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jaxtyping import Float

from trustvi._checkpoint import load_progress, save_progress
from trustvi._errors import InputError, PrecisionWarning
from trustvi._posterior import CHECK_SEED, Elbo, Posterior, Seconds, sample
from trustvi._progress import ProgressLine
from trustvi._starts import file_of, keep_best, seed_of
from trustvi.diagnostics import Verdict
from trustvi.models import Model
from trustvi.objective import DrawDensity, compile_all, make_key
from trustvi.optimize import (
    Method,
    Preset,
    Progress,
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
FAMILIES = ("meanfield",)


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
    **options: Any,
) -> Posterior:
    """Approximate the posterior of `model` by the member of `family` with the greatest ELBO.

    Args:
        model: a `StanModel`, or what `from_function` and its kin return.
        family: "meanfield", a Gaussian with independent coordinates on the unconstrained scale.
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
        starts: fit from so many random starts, keep the best and say whether they agree; the
            budget is for each.
        **options: fields of the preset's configuration, by name.
    """
    tol = DEFAULT_TOL if tol is None else _positive("tol", tol)
    budget = (
        DEFAULT_MAX_ORACLE_CALLS
        if max_oracle_calls is None
        else _positive("max_oracle_calls", max_oracle_calls)
    )
    if family not in FAMILIES:
        raise InputError(f"family {family!r} is unknown; there is {', '.join(FAMILIES)}")
    chosen = choose_preset(method, preset, options)
    run = {
        "model": model.name, "dim": model.param_unc_num(), "family": family, "method": method,
        "preset": preset, "seed": _integer("seed", seed), "tol": tol,
        "khat_draws": _integer("khat_draws", khat_draws),
        "starts": _count_starts(starts, init),
        "options": {name: repr(value) for name, value in sorted(options.items())},
    }  # fmt: skip
    # Overflow is an outcome here, tested for where it matters, not something to warn of.
    quiet = np.errstate(all="ignore")
    with jax.enable_x64(True), quiet, ProgressLine(progress, model.name) as line:
        began = time.perf_counter()
        engine, density = _build(chosen, model, tol)
        compiled = time.perf_counter() - began
        posts: list[Posterior] = []
        seeds = [seed_of(seed, start) for start in range(starts)]
        for number, own in enumerate(seeds):
            first = partial(starting_point, model, init, own)
            settings = run if number == 0 else run | {"start": number}
            iterates: list[tuple[float, np.ndarray, np.ndarray]] | None = (
                [] if keep_iterates else None
            )
            files = file_of(checkpoint, number)
            observe = _observer(line, files, settings, iterates)
            position = _run(engine, first, own, budget, files, settings, observe)
            posts.append(_finish(model, engine, density, position, run, compiled, iterates or []))
            if position.verdict is Verdict.INTERRUPTED:
                break
        return keep_best(posts, seeds[: len(posts)], tol)


def _build(chosen: Preset, model: Model, tol: float) -> tuple[Method, DrawDensity]:
    """The method over `model`, and the density at given draws, traced, checked and compiled."""
    if model.param_unc_num() == 0:
        raise InputError(f"model {model.name!r} has no parameters to fit")
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


def _warn_of_precision(model: Model, engine: Method) -> None:
    """float32 arrays in the density: what was rounded before it came here stays rounded."""
    narrow = [c for c in engine.point.jaxpr.consts if getattr(c, "dtype", None) == np.float32]
    if narrow:
        shapes = ", ".join(str(tuple(c.shape)) for c in narrow[:3])
        warnings.warn(
            f"the log density of {model.name!r} uses float32 arrays (shapes {shapes}), whose "
            "values carry 7 digits; to keep 16, make them NumPy float64 arrays, or make them under "
            "jax.enable_x64(True)",
            PrecisionWarning,
            stacklevel=4,
        )


def starting_point(model: Model, init: Any, seed: int) -> Float[np.ndarray, " dim"] | None:
    """`init` as an unconstrained point, or None for the method's own random start."""
    dim = model.param_unc_num()
    if init is None:
        return None
    if isinstance(init, (int, float)) and not isinstance(init, bool):
        reach = abs(float(init))
        if not math.isfinite(reach):
            raise InputError(f"init = {init} is not a finite number")
        return np.random.default_rng(seed).uniform(-reach, reach, dim)
    if (
        isinstance(init, (np.ndarray, list, tuple))
        and np.ndim(init) == 1
        and not isinstance(init, Mapping)
    ):
        point = np.asarray(init, dtype=np.float64)
        if point.shape != (dim,):
            raise InputError(
                f"init has {point.size} numbers; model {model.name!r} has {dim} unconstrained "
                "parameters"
            )
    else:
        point = np.asarray(model.unconstrain_init(init))
    if not np.all(np.isfinite(point)):
        raise InputError("init is not finite, or lies outside the support of a parameter")
    return point


def _run(
    engine: Method, first: Callable[[], np.ndarray | None], seed: int, budget: float,
    files: Path | None, run: dict[str, Any], observe: Callable[[Progress], None],
) -> Progress:  # fmt: skip
    """One start, or what its checkpoint holds of it, driven to its verdict."""
    position = (load_progress(files, run) if files else None) or _first(
        engine, first(), seed, observe
    )
    position = drive(engine, position, max_oracle_calls=budget, observe=observe)
    if files:
        save_progress(files, run, position)
    return position


def _first(
    engine: Method, start: np.ndarray | None, seed: int, observe: Callable[[Progress], None]
) -> Progress:
    began = time.perf_counter()
    state, info, verdict = engine.init(start, seed)
    position = Progress(state, (info._replace(seconds=time.perf_counter() - began),), verdict)
    observe(position)
    return position


def _observer(
    line: ProgressLine,
    checkpoint: str | Path | None,
    run: dict[str, Any],
    iterates: list[Any] | None,
) -> Callable[[Progress], None]:
    saved = time.perf_counter()

    def observe(progress: Progress) -> None:
        nonlocal saved
        line.show(progress)
        if iterates is not None:
            q = progress.state.q
            iterates.append((progress.state.ledger.oracle_calls, q.loc, q.scale))
        if checkpoint and time.perf_counter() - saved > CHECKPOINT_SECONDS:
            save_progress(checkpoint, run, progress)
            saved = time.perf_counter()

    return observe


def _finish(
    model: Model, engine: Method, density: DrawDensity, position: Progress, run: dict[str, Any],
    compiled: float, iterates: list[Any],
) -> Posterior:  # fmt: skip
    """The ELBO on fresh draws, which may yet show mass outside the support, and the result."""
    began = time.perf_counter()
    state, verdict = position.state, position.verdict
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


def _count_starts(starts: Any, init: Any) -> int:
    if _integer("starts", starts) < 1:
        raise InputError("starts must be at least 1; got 0")
    if starts > 1 and init is not None and not isinstance(init, (int, float)):
        raise InputError("starts > 1 needs random starts; init must be None or a number")
    return int(starts)


def _positive(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise InputError(f"{name} must be a positive number; got {value!r}")
    return float(value)


def _integer(name: str, value: Any) -> int:
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, np.integer))
        or not 0 <= value < 2**32
    ):
        raise InputError(f"{name} must be an integer from 0 to 2^32 - 1; got {value!r}")
    return int(value)

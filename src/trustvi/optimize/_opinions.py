"""Second opinions: climbs from other points, before a fit says that it converged.

Fresh draws can confirm that an approximation is a maximum of the ELBO, but not that no other mode
has a greater one. Climbs on the log density are cheap: where the posterior has one mode they come
back to it for a fraction of an oracle call. Where one ends elsewhere, more are asked for; where it
ends at a clean mode, an approximation is made there and both are compared on common draws.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import numpy as np

from trustvi.families import MeanField
from trustvi.objective import Control, Ledger, Objective, PointDensity, child_key
from trustvi.optimize._curvature import unlearned
from trustvi.optimize._lbfgs import Point
from trustvi.optimize._start import SECOND_DRAWS, Start, ascend_from, climb, laplace
from trustvi.optimize._stopping import find_finite_start

# Oracle calls after which no further opinion is asked for.
CALLS = 3.0
# A climb that ends within so many standard deviations of the location has found the same mode.
SAME = 2.0
# Points of the segment between two ends, halves first, and nats by which the density there must lie
# under both ends to tell that these are two modes.
SEGMENT, DIP = (1 / 2, 1 / 4, 3 / 4, 1 / 8, 3 / 8, 5 / 8, 7 / 8), 1.0
# How many times as many opinions are asked for once one climb has ended elsewhere.
SEVERAL = 3
# Nats, in all or a coordinate, by which a better mode's density may lie under that of ours.
SLACK, SLACK_SHARE = 10.0, 1.0
# Draws for the comparison: the next number where one can't tell, up to so many times an ascent's.
COMPARISONS, RATIO = (64, 256, 1024), 16
# Nats by which an ascent on few draws may fall short of its mode's best: a contest so close is held
# again when the fit would stop, on a share of its own draws.
CLOSE = 2.0
# Such a contest's draws: a share of the fit's own, and at most; its ascent goes on until a step
# gains less than one nat on 16 draws, and proportionally less on more.
SHARE, MOST_DRAWS, FINE = 8, 128, 16.0
# Standard errors that tell (Student's t with 7 degrees of freedom), and nats that matter.
TELLING, MATTER = 2.4, 0.1


class Opinion(NamedTuple):
    """What was found: a better approximation, or at least one that comes close; and the cost."""

    better: Start | None
    close: bool
    ledger: Ledger


def contest_draws(fit_draws: int) -> int:
    """Draws of a contest's ascent when a fit that uses `fit_draws` would stop."""
    return min(max(fit_draws // SHARE, SECOND_DRAWS), MOST_DRAWS)


def find_better(
    objective: Objective, density: PointDensity, q: MeanField, key: jax.Array,
    seed: tuple[int, ...], *, opinions: int, evaluations: int, draws: int = SECOND_DRAWS,
) -> Opinion:  # fmt: skip
    """An approximation around another mode with a greater ELBO than `q`, if a climb finds one."""
    home = Point(q.loc, *density(q.loc))
    least = home.value - max(SLACK, SLACK_SHARE * q.loc.size)
    ledger, asked, theta, close = Ledger(gradients=1), opinions, None, False
    known = [home]
    for number in range(SEVERAL * opinions):
        if number >= asked or ledger.oracle_calls > CALLS:
            break
        # Every second point is the one before it mirrored, which is as far from it as can be.
        mirrored = -theta if number % 2 and theta is not None else None
        theta, tried = find_finite_start(density, q.loc.size, mirrored, (*seed, number))
        ledger = ledger.add(gradients=tried)
        if theta is None:
            continue
        ascent = climb(density, theta, evaluations)
        ledger = ledger.add(gradients=ascent.evaluations + 1)
        if bool(np.all(np.abs(ascent.end.x - q.loc) < SAME * q.scale)):
            continue
        same, looked = _among(density, ascent.end, known)
        ledger = ledger.add(gradients=looked)
        if same:
            continue
        if ascent.converged:
            asked = SEVERAL * opinions
        if ascent.end.value < least:
            continue
        there, clean = laplace(objective, ascent, theta, child_key(key, number))
        ledger = ledger.add(**there.ledger._asdict())
        if not clean:
            continue
        known.append(ascent.end)
        better, gradients = ascend_from(
            objective, there.q, child_key(key, number), draws, gain=min(1.0, FINE / draws)
        )
        contest = beats(
            objective, better, q, child_key(key, SEVERAL * opinions + number), RATIO * draws
        )
        ledger = ledger.add(gradients=gradients, values=contest.values)
        if contest.won:
            start = Start(better, unlearned(better.scale**-2), ledger, "better mode")
            return Opinion(start, True, ledger)
        close = close or contest.close
    return Opinion(None, close, ledger)


def _among(density: PointDensity, end: Point, known: list[Point]) -> tuple[bool, int]:
    """Whether a climb's end lies in a mode that is known, and how many points it took to tell."""
    spent = 0
    for point in known:
        same, looked = joined(density, end, point)
        spent += looked
        if same:
            return True, spent
    return False, spent


def joined(density: PointDensity, a: Point, b: Point) -> tuple[bool, int]:
    """Whether no dip of the density lies between two points, and how many were looked at to tell.

    Ends of two climbs in one flat or skewed mode may lie many standard deviations apart.
    """
    least = min(a.value, b.value) - DIP
    for count, t in enumerate(SEGMENT, 1):
        value, _ = density(a.x + t * (b.x - a.x))
        if not value >= least:
            return False, count
    return True, len(SEGMENT)


class Contest(NamedTuple):
    """Whether the newcomer won beyond doubt, or came close, and how many values it took to tell."""

    won: bool
    close: bool
    values: int


def beats(
    objective: Objective,
    new: MeanField,
    old: MeanField,
    key: jax.Array,
    most: int = COMPARISONS[-1],
) -> Contest:
    """Whether `new` has the greater ELBO, on common draws."""
    spent, close = 0, False
    for draws in (number for number in COMPARISONS if number <= most):
        columns = new.loc.size if objective.dense else 0
        after, before = (
            objective.values(q, Control.none(q.frame, columns), key, draws).values
            for q in (new, old)
        )
        spent += 2 * draws
        change = after - before + new.growth(old)
        if not np.all(np.isfinite(change)):
            return Contest(False, False, spent)
        groups = change.reshape(-1, objective.kind.replicates(objective.chunk)).mean(axis=0)
        mean, error = float(groups.mean()), float(groups.std(ddof=1)) / math.sqrt(groups.size)
        close = mean + TELLING * error > -CLOSE
        if abs(mean) > TELLING * error:
            return Contest(mean > MATTER, close, spent)
    return Contest(False, close, spent)

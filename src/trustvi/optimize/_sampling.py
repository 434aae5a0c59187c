"""How many draws: the paper's inequalities for N_k and its jackknife rule for gradients."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float

from trustvi.optimize._config import PaperConfig

BISECTIONS = 200


def draws_to_reject(config: PaperConfig, gain: float, radius: float, sigma: float) -> float:
    """The smallest N that satisfies the paper's first sampling inequality.

    N >= 2 sigma^2 / (eta m' + y)^2 log((tau_2 delta^2 + y) / (tau_1 delta^2)) for all
    y > max(-eta m' / 2, -tau_2 delta^2). With d the distance of y from that limit and x and z the
    values of tau_2 delta^2 + y and eta m' + y there, the bound rises in d while
    2 log((x + d) / (tau_1 delta^2)) < (z + d) / (x + d) and falls afterwards, so its supremum is
    found by bisection on that equation.
    """
    expected = config.eta * gain
    t1, t2 = config.tau1 * radius**2, config.tau2 * radius**2
    x, z = max(t2 - expected / 2, 0.0), max(expected / 2, expected - t2)

    def falling(d: float) -> bool:
        return 2 * math.log((x + d) / t1) >= (z + d) / (x + d)

    low, high = 0.0, max(t1, x, z)
    while not falling(high):
        low, high = high, 2 * high
    if x > 0 and falling(0.0):
        high = 0.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (low, middle) if falling(middle) else (middle, high)
    return max(0.0, 2 * sigma**2 * math.log((x + high) / t1) / (z + high) ** 2)


def draws_to_accept(
    config: PaperConfig, gradient_norm: float, radius: float, sigma: float
) -> float:
    """The second inequality: N >= -2 sigma^2 log(1 - zeta_1) / (nu_1 |grad L| delta)^2."""
    scale = config.nu1 * gradient_norm * radius
    if scale == 0:
        return math.inf if sigma > 0 else 0.0
    return -2 * sigma**2 * math.log(1 - config.zeta1) / scale**2


def next_judge_draws(draws: int, needed: float, gradient_draws: int, limit: int) -> int:
    """Twice as many if there were too few; half if far more than a minibatch and than needed."""
    if needed > draws:
        return min(2 * draws, limit)
    if draws > gradient_draws and draws > 2 * needed:
        return draws // 2
    return draws


def jackknife_norm_sd(groups: Float[np.ndarray, "dim groups"]) -> float:
    """Standard deviation of the norm of the mean of `groups`, by deleting one group at a time.

    var = (G - 1) / G sum_j (theta_(j) - theta_(.))^2, which is biased upwards (Efron and Stein
    1981, "The jackknife estimate of variance").
    """
    count = groups.shape[1]
    total = groups.sum(axis=1, keepdims=True)
    norms = np.linalg.norm((total - groups) / (count - 1), axis=0)
    return float(np.sqrt((count - 1) / count * np.sum((norms - norms.mean()) ** 2)))


def next_gradient_draws(draws: int, norm: float, sd: float, minibatch: int, limit: int) -> int:
    """Double where the norm is small relative to its deviation, halve where it is large.

    The paper names no thresholds: small is under 3 deviations, large over 12, which leaves a
    factor of two in draws (1.4 in deviations) well inside the band on either side.
    """
    if norm < 3 * sd:
        return min(2 * draws, limit)
    if norm > 12 * sd and draws > minibatch:
        return draws // 2
    return draws

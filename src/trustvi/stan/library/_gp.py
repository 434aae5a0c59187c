"""Covariance matrices of Gaussian processes.

Where two points coincide, distances have derivatives 0, as in Stan.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan.library._checks import NOT_NAN, require, require_match
from trustvi.stan.library._contract import contract
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._reductions import safe_sqrt
from trustvi.stan.library._rows import batched
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Row

Kernel = Callable[[Any, Any], Any]


def _differences(left: Any, right: Any) -> Any:
    """All differences between points: axes (point, other point, coordinates)."""
    return left[:, :, None] - right[:, None]


def _square_distances(left: Any, right: Any) -> Any:
    squares = _differences(left, right) ** 2
    return squares.sum(axis=3) if squares.ndim == 5 else squares


def _require_points(function: str, *points: Any) -> None:
    for each in points:
        require(function, "x", each, each == each, NOT_NAN)
    if points[0].ndim == 4:
        first, last = points[0], points[-1]
        require_match(function, "x1's row", first.shape[2], "x2's row", last.shape[2])


def _require_positive(function: str, **values: Any) -> None:
    for name, value in values.items():
        if not is_traced(value):
            shown = name.replace("_", " ")
            require(function, shown, value, value > 0, "positive!")
            require(function, shown, value, np.isfinite(value), "finite!")


def _of_square(kernel: Kernel) -> Kernel:
    """A kernel of the scaled distance as one of its square."""
    return lambda xp, square: kernel(xp, safe_sqrt(square))


def _exp_quad(xp: Any, square: Any) -> Any:
    return xp.exp(-0.5 * square)


def _exponential(xp: Any, distance: Any) -> Any:
    return xp.exp(-distance)


def _matern32(xp: Any, distance: Any) -> Any:
    scaled = math.sqrt(3.0) * distance
    return (1.0 + scaled) * xp.exp(-scaled)


def _matern52(xp: Any, distance: Any) -> Any:
    scaled = math.sqrt(5.0) * distance
    return (1.0 + scaled + scaled * scaled / 3.0) * xp.exp(-scaled)


_KERNELS: dict[str, Kernel] = {
    "gp_exp_quad_cov": _exp_quad,
    "gp_exponential_cov": _of_square(_exponential),
    "gp_matern32_cov": _of_square(_matern32),
    "gp_matern52_cov": _of_square(_matern52),
}
"""Correlations as functions of the squared distance in length scales."""


def _covariance(function: str, kernel: Kernel) -> Callable[..., Any]:
    """magnitude^2 k(|x_i - x_j|^2 / length_scale^2)."""

    def covariance(*arguments: Any) -> Any:
        *points, magnitude, length_scale = arguments
        _require_points(function, *points)
        _require_positive(function, magnitude=magnitude, length_scale=length_scale)
        magnitude, length_scale = magnitude[:, None, None], length_scale[:, None, None]
        squares = _square_distances(points[0], points[-1])
        xp = namespace(*arguments)
        return magnitude**2 * kernel(xp, squares / length_scale**2)

    return covariance


def _scaled_covariance(function: str, kernel: Kernel) -> Callable[..., Any]:
    """The same with a length scale for each coordinate.

    Distances of known points are a matrix product of their squared differences.
    """

    def covariance(*arguments: Any) -> Any:
        *points, magnitude, length_scales = arguments
        _require_points(function, *points)
        _require_positive(function, magnitude=magnitude, length_scale=length_scales)
        require_match(
            function,
            "x dimension",
            points[0].shape[2],
            "number of length scales",
            length_scales.shape[1],
        )
        weights = 1.0 / length_scales**2
        squares = contract("ijk,k->ij", _differences(points[0], points[-1]) ** 2, weights)
        return magnitude[:, None, None] ** 2 * kernel(namespace(*arguments), squares)

    return covariance


def _periodic(*arguments: Any) -> Any:
    """sigma^2 exp(-2 sin(pi |x_i - x_j| / period)^2 / l^2)."""
    *points, sigma, length_scale, period = arguments
    _require_points("gp_periodic_cov", *points)
    _require_positive("gp_periodic_cov", signal_standard_deviation=sigma)
    _require_positive("gp_periodic_cov", **{"length-scale": length_scale, "period": period})
    sigma, length_scale, period = (each[:, None, None] for each in (sigma, length_scale, period))
    xp = namespace(*arguments)
    distance = safe_sqrt(_square_distances(points[0], points[-1]))
    wave = xp.sin(math.pi * distance / period) / length_scale
    return sigma**2 * xp.exp(-2.0 * wave * wave)


def _dot_prod(*arguments: Any) -> Any:
    """sigma^2 + x_i . x_j."""
    *points, sigma = arguments
    _require_points("gp_dot_prod_cov", *points)
    if not is_traced(sigma):
        require("gp_dot_prod_cov", "sigma", sigma, sigma >= 0, "nonnegative!")
    spec = "ik,jk->ij" if points[0].ndim == 4 else "i,j->ij"
    return sigma[:, None, None] ** 2 + contract(spec, points[0], points[-1])


def _signatures(end: str, *points: str) -> Any:
    """A covariance of points among themselves, and one between two sets."""
    return spelled(
        *(f"({x}, {end}) => matrix" for x in points),
        *(f"({x}, {x}, {end}) => matrix" for x in points),
    )


_POINTS = ("array[] real", "array[] vector")

ROWS: tuple[Row, ...] = (
    *(
        batched(name, _signatures("real, real", *_POINTS), _covariance(name, kernel))
        for name, kernel in _KERNELS.items()
    ),
    *(
        batched(
            name,
            _signatures("real, array[] real", "array[] vector"),
            _scaled_covariance(name, kernel),
        )
        for name, kernel in _KERNELS.items()
    ),
    batched("gp_periodic_cov", _signatures("real, real, real", *_POINTS), _periodic),
    batched("gp_dot_prod_cov", _signatures("real", *_POINTS), _dot_prod),
)

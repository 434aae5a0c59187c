"""The continuous distributions of Stan: what their arguments are called and must be."""

from __future__ import annotations

import math
from typing import Any

from trustvi.stan.library import _cdf_positive as below
from trustvi.stan.library import _cdf_real as tails
from trustvi.stan.library import _density_bounded as bounded
from trustvi.stan.library import _density_positive as positive
from trustvi.stan.library import _density_real as real
from trustvi.stan.library import _rng_reals as rng
from trustvi.stan.library._dispatch import Phi, std_normal_lcdf
from trustvi.stan.library._terms import Terms
from trustvi.stan.library._univariate import (
    NUMBERS,
    REALS,
    Argument,
    Cumulative,
    Distribution,
    cumulative,
)

Array = Any

Y = Argument("Random variable", "not nan", natural=True)
FINITE_Y = Argument("Random variable", "finite", natural=True)
POSITIVE_Y = Argument("Random variable", "positive", natural=True)
POSITIVE_FINITE_Y = Argument("Random variable", "positive finite", natural=True)
NONNEGATIVE_Y = Argument("Random variable", "nonnegative")
PLACED_Y = Argument("Random variable", "")

LOCATION = Argument("Location parameter", "finite", natural=True)
SCALE = Argument("Scale parameter", "positive finite", natural=True)
POSITIVE_SCALE = Argument("Scale parameter", "positive", natural=True)
RATE = Argument("Inverse scale parameter", "positive finite", natural=True)
SHAPE = Argument("Shape parameter", "positive finite")
NATURAL_SHAPE = Argument("Shape parameter", "positive finite", natural=True)
DEGREES = Argument("Degrees of freedom parameter", "positive finite")
NATURAL_DEGREES = Argument("Degrees of freedom parameter", "positive finite", natural=True)

GAMMA = (below.gamma_lcdf, below.gamma_lccdf, below.gamma_cdf)
INV_GAMMA = (below.inv_gamma_lcdf, below.inv_gamma_lccdf, below.inv_gamma_cdf)


def _in_unit_interval(terms: Terms, y: Array, *parameters: Array) -> None:
    terms.check_bounds("Random variable", y, 0.0, 1.0, natural=True)


def _on_circle(terms: Terms, y: Array, *parameters: Array) -> None:
    terms.check_bounds("Random variable", y, -math.pi, math.pi)


def _above_location(terms: Terms, y: Array, mu: Array, *rest: Array) -> None:
    terms.check_order("Random variable", y, ">=", mu)


def _skewness(terms: Terms, mu: Array, sigma: Array, tau: Array) -> None:
    terms.check_bounds("Skewness parameter", tau, 0.0, 1.0)


def _mean_below_one(terms: Terms, mu: Array, kappa: Array) -> None:
    terms.check_order("Location parameter", mu, "<", 1.0)


def _bounds_in_order(terms: Terms, low: Array, high: Array) -> None:
    terms.check_order("Upper bound parameter", high, ">", low, natural=True)


WHOLE_LINE = (
    Distribution(
        *("normal", Y, (LOCATION, POSITIVE_SCALE), real.normal),
        cumulative(tails.normal_lcdf, tails.normal_lccdf, tails.normal_cdf),
        rng.normal,
    ),
    Distribution(
        *("std_normal", Y, (), real.std_normal),
        cumulative(std_normal_lcdf, tails.std_normal_lccdf, Phi),
        rng.std_normal,
    ),
    Distribution(
        "exp_mod_normal",
        Y,
        (
            LOCATION,
            Argument("Scale parameter", "positive finite"),
            Argument("Inv_scale parameter", "positive finite", natural=True),
        ),
        real.exp_mod_normal,
        cumulative(tails.exp_mod_normal_lcdf, tails.exp_mod_normal_lccdf),
        rng.exp_mod_normal,
    ),
    Distribution(
        "skew_normal",
        Y,
        (LOCATION, POSITIVE_SCALE, Argument("Shape parameter", "finite")),
        real.skew_normal,
        cumulative(tails.skew_normal_lower, tails.skew_normal_upper),
        rng.skew_normal,
    ),
    Distribution(
        "skew_double_exponential",
        Y,
        (LOCATION, SCALE, Argument("Skewness parameter", "")),
        real.skew_double_exponential,
        cumulative(tails.skew_double_exponential_lcdf, tails.skew_double_exponential_lccdf),
        rng.skew_double_exponential,
        related=_skewness,
    ),
    Distribution(
        *("student_t", Y, (NATURAL_DEGREES, LOCATION, SCALE), real.student_t),
        cumulative(tails.student_t_lower, tails.student_t_upper),
        rng.student_t,
    ),
    Distribution(
        *("cauchy", Y, (LOCATION, SCALE), real.cauchy),
        cumulative(tails.cauchy_lcdf, tails.cauchy_lccdf),
        rng.cauchy,
    ),
    Distribution(
        *("double_exponential", FINITE_Y, (LOCATION, SCALE), real.double_exponential),
        cumulative(tails.double_exponential_lcdf, tails.double_exponential_lccdf, variate=Y),
        rng.double_exponential,
    ),
    Distribution(
        *("logistic", FINITE_Y, (LOCATION, SCALE), real.logistic),
        cumulative(tails.logistic_lcdf, tails.logistic_lccdf, tails.logistic_cdf, variate=Y),
        rng.logistic,
    ),
    Distribution(
        *("gumbel", Y, (LOCATION, POSITIVE_SCALE), real.gumbel),
        cumulative(tails.gumbel_lcdf, tails.gumbel_lccdf),
        rng.gumbel,
    ),
)

HALF_LINE = (
    Distribution(
        *("lognormal", NONNEGATIVE_Y, (LOCATION, SCALE), positive.lognormal),
        cumulative(below.lognormal_lcdf, below.lognormal_lccdf, below.lognormal_cdf),
        rng.lognormal,
    ),
    Distribution(
        "chi_square",
        Argument("Random variable", "nonnegative", natural=True),
        (DEGREES,),
        positive.chi_square,
        cumulative(*map(below.chi_square_as_gamma, GAMMA), variate=NONNEGATIVE_Y),
        rng.chi_square,
    ),
    Distribution(
        *("inv_chi_square", Y, (DEGREES,), positive.inv_chi_square),
        cumulative(*map(below.chi_square_as_gamma, INV_GAMMA), variate=NONNEGATIVE_Y),
        rng.inv_chi_square,
    ),
    Distribution(
        *("scaled_inv_chi_square", Y, (NATURAL_DEGREES, SCALE), positive.scaled_inv_chi_square),
        cumulative(*map(below.scaled_as_inv_gamma, INV_GAMMA), variate=NONNEGATIVE_Y),
        rng.scaled_inv_chi_square,
    ),
    Distribution(
        *("exponential", NONNEGATIVE_Y, (RATE,), positive.exponential),
        cumulative(below.exponential_lcdf, below.exponential_lccdf),
        rng.exponential,
    ),
    Distribution(
        *("gamma", Argument("Random variable", "positive finite"), (SHAPE, RATE), positive.gamma),
        cumulative(*GAMMA, variate=NONNEGATIVE_Y),
        rng.gamma,
    ),
    Distribution(
        *("inv_gamma", Y, (SHAPE, SCALE), positive.inv_gamma),
        cumulative(*INV_GAMMA, variate=NONNEGATIVE_Y),
        rng.inv_gamma,
    ),
    Distribution(
        *("weibull", FINITE_Y, (NATURAL_SHAPE, SCALE), positive.weibull),
        cumulative(below.weibull_lcdf, below.weibull_lccdf, variate=NONNEGATIVE_Y),
        rng.weibull,
    ),
    Distribution(
        *("frechet", POSITIVE_Y, (NATURAL_SHAPE, SCALE), positive.frechet),
        cumulative(below.frechet_lcdf, below.frechet_lccdf),
        rng.frechet,
    ),
    Distribution(
        *("rayleigh", POSITIVE_Y, (POSITIVE_SCALE,), positive.rayleigh),
        cumulative(below.rayleigh_lcdf, below.rayleigh_lccdf, variate=NONNEGATIVE_Y),
        rng.rayleigh,
    ),
    Distribution(
        *("loglogistic", POSITIVE_FINITE_Y, (SCALE, NATURAL_SHAPE), positive.loglogistic),
        Cumulative(None, None, below.loglogistic_cdf, variate=NONNEGATIVE_Y),
        rng.loglogistic,
    ),
    Distribution(
        *("pareto", Y, (SCALE, NATURAL_SHAPE), positive.pareto),
        cumulative(below.pareto_lcdf, below.pareto_lccdf, variate=NONNEGATIVE_Y),
        rng.pareto,
    ),
    Distribution(
        *("pareto_type_2", Y, (LOCATION, SCALE, NATURAL_SHAPE), positive.pareto_type_2),
        cumulative(
            *(below.pareto_type_2_lcdf, below.pareto_type_2_lccdf),
            variate=NONNEGATIVE_Y,
            placed=_above_location,
        ),
        rng.pareto_type_2,
        placed=_above_location,
    ),
)

BOUNDED = (
    Distribution(
        "beta",
        PLACED_Y,
        (
            Argument("First shape parameter", "positive finite"),
            Argument("Second shape parameter", "positive finite"),
        ),
        bounded.beta,
        cumulative(below.beta_lcdf, below.beta_lccdf, below.beta_cdf, placed=_in_unit_interval),
        rng.beta,
        placed=_in_unit_interval,
    ),
    Distribution(
        "beta_proportion",
        PLACED_Y,
        (
            Argument("Location parameter", "positive", sampled=REALS),
            Argument("Precision parameter", "positive finite", kinds=NUMBERS),
        ),
        bounded.beta_proportion,
        Cumulative(
            *(below.as_beta(below.beta_lcdf), below.as_beta(below.beta_lccdf), None),
            placed=_in_unit_interval,
        ),
        rng.beta_proportion,
        related=_mean_below_one,
        placed=_in_unit_interval,
    ),
    Distribution(
        "von_mises",
        FINITE_Y,
        (LOCATION, Argument("Scale parameter", "nonnegative finite")),
        bounded.von_mises,
        cumulative(
            *(below.von_mises_lcdf, below.von_mises_lccdf, below.von_mises_cdf),
            placed=_on_circle,
        ),
        rng.von_mises,
    ),
    Distribution(
        "uniform",
        Y,
        (
            Argument("Lower bound parameter", "finite", natural=True),
            Argument("Upper bound parameter", "finite", natural=True),
        ),
        bounded.uniform,
        cumulative(below.uniform_lcdf, below.uniform_lccdf, below.uniform_cdf),
        rng.uniform,
        related=_bounds_in_order,
    ),
)

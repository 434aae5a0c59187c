"""The univariate distributions of Stan: what their arguments are called and must be."""

from __future__ import annotations

import math
from typing import Any

from trustvi.stan import _types as t
from trustvi.stan.library import _cdf_counts as cdf_counts
from trustvi.stan.library import _cdf_positive as cdf_positive
from trustvi.stan.library import _cdf_real as cdf_real
from trustvi.stan.library import _density_bounded as bounded
from trustvi.stan.library import _density_categories as categories
from trustvi.stan.library import _density_counts as counts
from trustvi.stan.library import _density_positive as positive
from trustvi.stan.library import _density_real as real
from trustvi.stan.library._dispatch import Phi, std_normal_lcdf
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms
from trustvi.stan.library._univariate import (
    INTS,
    NUMBERS,
    REALS,
    Argument,
    Cumulative,
    Distribution,
    cumulative,
    rows_of,
)

Array = Any

Y = Argument("Random variable", "not nan", natural=True)
FINITE_Y = Argument("Random variable", "finite", natural=True)
POSITIVE_Y = Argument("Random variable", "positive", natural=True)
COUNT = Argument("Random variable", "nonnegative", kinds=INTS)
FAILURES = Argument("Failures variable", "nonnegative", kinds=INTS)
SUCCESSES = Argument("Successes variable", "", kinds=INTS)
TRIALS = Argument("Population size parameter", "nonnegative", kinds=INTS, sampled=INTS)

NONNEGATIVE_Y = Argument("Random variable", "nonnegative")
ANY_COUNT = Argument("", "", kinds=INTS)

LOCATION = Argument("Location parameter", "finite", natural=True)
SCALE = Argument("Scale parameter", "positive finite", natural=True)
POSITIVE_SCALE = Argument("Scale parameter", "positive", natural=True)
RATE = Argument("Inverse scale parameter", "positive finite", natural=True)
SHAPE = Argument("Shape parameter", "positive finite")
NATURAL_SHAPE = Argument("Shape parameter", "positive finite", natural=True)
DEGREES = Argument("Degrees of freedom parameter", "positive finite")
NATURAL_DEGREES = Argument("Degrees of freedom parameter", "positive finite", natural=True)
PROBABILITY = Argument("Probability parameter", "")
BIT = Argument("n", "", kinds=INTS)


def _unit_interval(what: str, position: int) -> Any:
    """The argument at `position` must be in [0, 1]."""
    return lambda terms, *arrays: terms.check_bounds(what, arrays[position], 0.0, 1.0)


def _successes_of_trials(terms: Terms, n: Array, size: Array, *rest: Array) -> None:
    terms.check_bounds("Successes variable", n, 0.0, size)


def _binomial(terms: Terms, n: Array, size: Array, theta: Array) -> None:
    _successes_of_trials(terms, n, size)
    terms.check_bounds("Probability parameter", theta, 0.0, 1.0)


def _bernoulli(terms: Terms, n: Array, theta: Array) -> None:
    terms.check_bounds("n", n, 0.0, 1.0)
    terms.check_bounds("Probability parameter", theta, 0.0, 1.0)


def _beta_proportion(terms: Terms, y: Array, mu: Array, kappa: Array) -> None:
    terms.check_order("Location parameter", mu, "<", 1.0)
    terms.check_bounds("Random variable", y, 0.0, 1.0, natural=True)


def _hypergeometric(terms: Terms, n: Array, size: Array, a: Array, b: Array) -> None:
    terms.check_bounds("Successes variable", n, 0.0, a)
    terms.check_order("Draws parameter", size, ">=", n)
    terms.check_bounds("Draws parameter minus successes variable", size - n, 0.0, b)
    terms.check_bounds("Draws parameter", size, 0.0, a + b)


def _von_mises(terms: Terms, y: Array, mu: Array, kappa: Array) -> None:
    terms.check_bounds("Random variable", y, -math.pi, math.pi)
    terms.check("Scale parameter", kappa, "positive")


GAMMA = (cdf_positive.gamma_lcdf, cdf_positive.gamma_lccdf, cdf_positive.gamma_cdf)
INV_GAMMA = (cdf_positive.inv_gamma_lcdf, cdf_positive.inv_gamma_lccdf, cdf_positive.inv_gamma_cdf)

CONTINUOUS = (
    Distribution(
        "normal",
        (Y, LOCATION, POSITIVE_SCALE),
        real.normal,
        cumulative=cumulative(cdf_real.normal_lcdf, cdf_real.normal_lccdf, cdf_real.normal_cdf),
    ),
    Distribution(
        "std_normal",
        (Y,),
        real.std_normal,
        cumulative=cumulative(std_normal_lcdf, cdf_real.std_normal_lccdf, Phi),
    ),
    Distribution(
        "exp_mod_normal",
        (Y, LOCATION, SCALE, Argument("Inv_scale parameter", "positive finite", natural=True)),
        real.exp_mod_normal,
        cumulative=cumulative(cdf_real.exp_mod_normal_lcdf, cdf_real.exp_mod_normal_lccdf),
    ),
    Distribution(
        "skew_normal",
        (Y, LOCATION, POSITIVE_SCALE, Argument("Shape parameter", "finite", natural=True)),
        real.skew_normal,
        cumulative=cumulative(cdf_real.skew_normal_lower, cdf_real.skew_normal_upper),
    ),
    Distribution(
        "skew_double_exponential",
        (Y, LOCATION, SCALE, Argument("Skewness parameter", "")),
        real.skew_double_exponential,
        related=_unit_interval("Skewness parameter", 3),
        cumulative=cumulative(
            cdf_real.skew_double_exponential_lcdf, cdf_real.skew_double_exponential_lccdf
        ),
    ),
    Distribution(
        "student_t",
        (Y, NATURAL_DEGREES, LOCATION, SCALE),
        real.student_t,
        cumulative=cumulative(cdf_real.student_t_lower, cdf_real.student_t_upper),
    ),
    Distribution(
        "cauchy",
        (Y, LOCATION, SCALE),
        real.cauchy,
        cumulative=cumulative(cdf_real.cauchy_lcdf, cdf_real.cauchy_lccdf),
    ),
    Distribution(
        "double_exponential",
        (FINITE_Y, LOCATION, SCALE),
        real.double_exponential,
        cumulative=cumulative(
            cdf_real.double_exponential_lcdf, cdf_real.double_exponential_lccdf, variate=Y
        ),
    ),
    Distribution(
        "logistic",
        (FINITE_Y, LOCATION, SCALE),
        real.logistic,
        cumulative=cumulative(
            cdf_real.logistic_lcdf, cdf_real.logistic_lccdf, cdf_real.logistic_cdf, variate=Y
        ),
    ),
    Distribution(
        "gumbel",
        (Y, LOCATION, POSITIVE_SCALE),
        real.gumbel,
        cumulative=cumulative(cdf_real.gumbel_lcdf, cdf_real.gumbel_lccdf),
    ),
    Distribution(
        "lognormal",
        (Argument("Random variable", "nonnegative"), LOCATION, SCALE),
        positive.lognormal,
        cumulative=cumulative(
            cdf_positive.lognormal_lcdf, cdf_positive.lognormal_lccdf, cdf_positive.lognormal_cdf
        ),
    ),
    Distribution(
        "chi_square",
        (Argument("Random variable", "nonnegative", natural=True), DEGREES),
        positive.chi_square,
        cumulative=cumulative(*map(cdf_positive.chi_square_as_gamma, GAMMA), variate=NONNEGATIVE_Y),
    ),
    Distribution(
        "inv_chi_square",
        (Y, DEGREES),
        positive.inv_chi_square,
        cumulative=cumulative(
            *map(cdf_positive.chi_square_as_gamma, INV_GAMMA), variate=NONNEGATIVE_Y
        ),
    ),
    Distribution(
        "scaled_inv_chi_square",
        (Y, NATURAL_DEGREES, SCALE),
        positive.scaled_inv_chi_square,
        cumulative=cumulative(
            *map(cdf_positive.scaled_inv_chi_square_as_inv_gamma, INV_GAMMA), variate=NONNEGATIVE_Y
        ),
    ),
    Distribution(
        "exponential",
        (Argument("Random variable", "nonnegative"), RATE),
        positive.exponential,
        cumulative=cumulative(cdf_positive.exponential_lcdf, cdf_positive.exponential_lccdf),
    ),
    Distribution(
        "gamma",
        (Argument("Random variable", "positive finite", natural=True), SHAPE, RATE),
        positive.gamma,
        cumulative=cumulative(*GAMMA, variate=NONNEGATIVE_Y),
    ),
    Distribution(
        "inv_gamma",
        (Y, SHAPE, SCALE),
        positive.inv_gamma,
        cumulative=cumulative(*INV_GAMMA, variate=NONNEGATIVE_Y),
    ),
    Distribution(
        "weibull",
        (FINITE_Y, NATURAL_SHAPE, SCALE),
        positive.weibull,
        cumulative=cumulative(
            cdf_positive.weibull_lcdf, cdf_positive.weibull_lccdf, variate=NONNEGATIVE_Y
        ),
    ),
    Distribution(
        "frechet",
        (POSITIVE_Y, NATURAL_SHAPE, SCALE),
        positive.frechet,
        cumulative=cumulative(cdf_positive.frechet_lcdf, cdf_positive.frechet_lccdf),
    ),
    Distribution(
        "rayleigh",
        (POSITIVE_Y, POSITIVE_SCALE),
        positive.rayleigh,
        cumulative=cumulative(
            cdf_positive.rayleigh_lcdf, cdf_positive.rayleigh_lccdf, variate=NONNEGATIVE_Y
        ),
    ),
    Distribution(
        "loglogistic",
        (Argument("Random variable", "positive finite", natural=True), SCALE, NATURAL_SHAPE),
        positive.loglogistic,
        cumulative=Cumulative(None, None, cdf_positive.loglogistic_cdf, variate=NONNEGATIVE_Y),
    ),
    Distribution(
        "pareto",
        (Y, SCALE, NATURAL_SHAPE),
        positive.pareto,
        cumulative=cumulative(
            cdf_positive.pareto_lcdf, cdf_positive.pareto_lccdf, variate=NONNEGATIVE_Y
        ),
    ),
    Distribution(
        "pareto_type_2",
        (Y, LOCATION, SCALE, NATURAL_SHAPE),
        positive.pareto_type_2,
        related=lambda terms, y, mu, *rest: terms.check_order("Random variable", y, ">=", mu),
        cumulative=cumulative(
            cdf_positive.pareto_type_2_lcdf, cdf_positive.pareto_type_2_lccdf, variate=NONNEGATIVE_Y
        ),
    ),
    Distribution(
        "beta",
        (
            Argument("Random variable", ""),
            Argument("First shape parameter", "positive finite"),
            Argument("Second shape parameter", "positive finite"),
        ),
        bounded.beta,
        related=lambda terms, y, *rest: terms.check_bounds("Random variable", y, 0.0, 1.0, True),
        cumulative=cumulative(
            cdf_positive.beta_lcdf, cdf_positive.beta_lccdf, cdf_positive.beta_cdf
        ),
    ),
    Distribution(
        "beta_proportion",
        (
            Argument("Random variable", ""),
            Argument("Location parameter", "positive", sampled=REALS),
            Argument("Precision parameter", "positive finite", kinds=NUMBERS),
        ),
        bounded.beta_proportion,
        related=_beta_proportion,
        cumulative=Cumulative(
            *map(cdf_positive.as_beta, (cdf_positive.beta_lcdf, cdf_positive.beta_lccdf)), None
        ),
    ),
    Distribution(
        "von_mises",
        (FINITE_Y, LOCATION, Argument("Scale parameter", "nonnegative finite")),
        bounded.von_mises,
        cumulative=cumulative(
            cdf_positive.von_mises_lcdf,
            cdf_positive.von_mises_lccdf,
            cdf_positive.von_mises_cdf,
            related=_von_mises,
        ),
    ),
    Distribution(
        "uniform",
        (
            Y,
            Argument("Lower bound parameter", "finite", natural=True),
            Argument("Upper bound parameter", "finite", natural=True),
        ),
        bounded.uniform,
        related=lambda terms, y, low, high: terms.check_order(
            "Upper bound parameter", high, ">", low, natural=True
        ),
        cumulative=cumulative(
            cdf_positive.uniform_lcdf, cdf_positive.uniform_lccdf, cdf_positive.uniform_cdf
        ),
    ),
)

DISCRETE = (
    Distribution(
        "bernoulli",
        (Argument("n", "", kinds=INTS), PROBABILITY),
        counts.bernoulli,
        related=_bernoulli,
        cumulative=cumulative(
            cdf_counts.bernoulli_lcdf,
            cdf_counts.bernoulli_lccdf,
            cdf_counts.bernoulli_cdf,
            related=_unit_interval("Probability parameter", 1),
        ),
    ),
    Distribution(
        "bernoulli_logit",
        (
            BIT,
            Argument("Logit transformed probability parameter", "not nan", natural=True),
        ),
        counts.bernoulli_logit,
        related=lambda terms, n, alpha: terms.check_bounds("n", n, 0.0, 1.0),
    ),
    Distribution(
        "binomial",
        (SUCCESSES, TRIALS, PROBABILITY),
        counts.binomial,
        related=_binomial,
        cumulative=cumulative(
            cdf_counts.binomial_lcdf,
            cdf_counts.binomial_lccdf,
            cdf_counts.binomial_cdf,
            related=_unit_interval("Probability parameter", 2),
        ),
    ),
    Distribution(
        "binomial_logit",
        (SUCCESSES, TRIALS, Argument("Probability parameter", "finite", natural=True)),
        counts.binomial_logit,
        related=_successes_of_trials,
    ),
    Distribution(
        "beta_binomial",
        (
            SUCCESSES,
            TRIALS,
            Argument("First prior sample size parameter", "positive finite"),
            Argument("Second prior sample size parameter", "positive finite"),
        ),
        counts.beta_binomial,
        cumulative=cumulative(cdf_counts.beta_binomial_lcdf, cdf_counts.beta_binomial_lccdf),
    ),
    Distribution(
        "discrete_range",
        (
            Argument("Random variable", "", kinds=INTS),
            Argument("Lower bound parameter", "", kinds=INTS, sampled=INTS),
            Argument("Upper bound parameter", "", kinds=INTS, sampled=INTS),
        ),
        counts.discrete_range,
        related=lambda terms, y, low, high: terms.check_order(
            "Upper bound parameter", high, ">=", low
        ),
        cumulative=cumulative(
            cdf_counts.discrete_range_lcdf,
            cdf_counts.discrete_range_lccdf,
            cdf_counts.discrete_range_cdf,
        ),
    ),
    Distribution(
        "hypergeometric",
        tuple(Argument("", "", kinds=(t.INT,), sampled=(t.INT,)) for _ in range(4)),
        counts.hypergeometric,
        related=_hypergeometric,
    ),
    Distribution(
        "poisson",
        (COUNT, Argument("Rate parameter", "nonnegative")),
        counts.poisson,
        cumulative=cumulative(
            cdf_counts.poisson_lcdf,
            cdf_counts.poisson_lccdf,
            cdf_counts.poisson_cdf,
            variate=ANY_COUNT,
        ),
    ),
    Distribution(
        "poisson_log",
        (COUNT, Argument("Log rate parameter", "not nan", natural=True)),
        counts.poisson_log,
    ),
    Distribution(
        "neg_binomial",
        (FAILURES, SHAPE, RATE),
        counts.neg_binomial,
        cumulative=cumulative(
            cdf_counts.neg_binomial_lcdf,
            cdf_counts.neg_binomial_lccdf,
            cdf_counts.neg_binomial_cdf,
            variate=ANY_COUNT,
        ),
    ),
    Distribution(
        "neg_binomial_2",
        (
            FAILURES,
            Argument("Location parameter", "positive finite"),
            Argument("Precision parameter", "positive finite"),
        ),
        counts.neg_binomial_2,
        cumulative=cumulative(
            cdf_counts.neg_binomial_2_lcdf,
            cdf_counts.neg_binomial_2_lccdf,
            cdf_counts.neg_binomial_2_cdf,
            variate=ANY_COUNT,
        ),
    ),
    Distribution(
        "neg_binomial_2_log",
        (
            FAILURES,
            Argument("Log location parameter", "finite", natural=True),
            Argument("Precision parameter", "positive finite", natural=True),
        ),
        counts.neg_binomial_2_log,
    ),
)


def _categories(name: str, implementation: Any, *signatures: str) -> Row:
    return Row(name, spelled(*signatures), Convention.MULTIVARIATE, implementation)


CATEGORICAL = (
    _categories(
        "categorical_lpmf",
        categories.categorical,
        "(int, vector) => real",
        "(array[] int, vector) => real",
    ),
    _categories(
        "categorical_logit_lpmf",
        categories.categorical_logit,
        "(int, vector) => real",
        "(array[] int, vector) => real",
    ),
    _categories(
        "ordered_logistic_lpmf",
        categories.ordered_logistic,
        "(int, real, vector) => real",
        "(array[] int, vector, vector) => real",
        "(array[] int, vector, array[] vector) => real",
    ),
    _categories(
        "ordered_probit_lpmf",
        categories.ordered_probit,
        "(int, real, vector) => real",
        "(array[] int, real, vector) => real",
        "(array[] int, real, array[] vector) => real",
        "(array[] int, vector, vector) => real",
        "(array[] int, vector, array[] vector) => real",
    ),
)

ROWS: tuple[Row, ...] = (
    *(row for each in CONTINUOUS + DISCRETE for row in rows_of(each)),
    *CATEGORICAL,
)

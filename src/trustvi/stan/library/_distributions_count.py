"""The distributions of counts and categories of Stan: what their arguments are and must be."""

from __future__ import annotations

from typing import Any

from trustvi.stan import _types as t
from trustvi.stan.library import _cdf_counts as below
from trustvi.stan.library import _density_categories as categories
from trustvi.stan.library import _density_counts as counts
from trustvi.stan.library import _rng_counts as rng
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms
from trustvi.stan.library._univariate import INTS, Argument, Distribution, cumulative

Array = Any

ANY = Argument("Random variable", "", kinds=INTS)
COUNT = Argument("Random variable", "nonnegative", kinds=INTS)
FAILURES = Argument("Failures variable", "nonnegative", kinds=INTS)
TRIALS = Argument("Population size parameter", "nonnegative", kinds=INTS, sampled=INTS)
PROBABILITY = Argument("Probability parameter", "")
SHAPE = Argument("Shape parameter", "positive finite")
INVERSE_SCALE = Argument("Inverse scale parameter", "positive finite")
SCALAR = Argument("", "", kinds=(t.INT,), sampled=(t.INT,))


def _probability(terms: Terms, *parameters: Array) -> None:
    """The last parameter is in [0, 1]."""
    terms.check_bounds("Probability parameter", parameters[-1], 0.0, 1.0)


def _bit(terms: Terms, n: Array, *parameters: Array) -> None:
    terms.check_bounds("n", n, 0.0, 1.0)


def _successes_of_trials(terms: Terms, n: Array, size: Array, *rest: Array) -> None:
    terms.check_bounds("Successes variable", n, 0.0, size)


def _balls(terms: Terms, n: Array, size: Array, a: Array, b: Array) -> None:
    terms.check_bounds("Successes variable", n, 0.0, a)
    terms.check_order("Draws parameter", size, ">=", n)
    terms.check_bounds("Draws parameter minus successes variable", size - n, 0.0, b)


def _drawn(terms: Terms, size: Array, a: Array, b: Array) -> None:
    terms.check_bounds("Draws parameter", size, 0.0, a + b)


def _range(terms: Terms, low: Array, high: Array) -> None:
    terms.check_order("Upper bound parameter", high, ">=", low)


COUNTS = (
    Distribution(
        *("bernoulli", ANY, (PROBABILITY,), counts.bernoulli),
        cumulative(below.bernoulli_lcdf, below.bernoulli_lccdf, below.bernoulli_cdf),
        rng.bernoulli,
        related=_probability,
        placed=_bit,
    ),
    Distribution(
        "bernoulli_logit",
        ANY,
        (Argument("Logit transformed probability parameter", "not nan", natural=True),),
        counts.bernoulli_logit,
        sample=rng.bernoulli_logit,
        placed=_bit,
    ),
    Distribution(
        *("binomial", ANY, (TRIALS, PROBABILITY), counts.binomial),
        cumulative(below.binomial_lcdf, below.binomial_lccdf, below.binomial_cdf),
        rng.binomial,
        related=_probability,
        placed=_successes_of_trials,
    ),
    Distribution(
        "binomial_logit",
        ANY,
        (TRIALS, Argument("Probability parameter", "finite", natural=True)),
        counts.binomial_logit,
        placed=_successes_of_trials,
    ),
    Distribution(
        "beta_binomial",
        ANY,
        (
            TRIALS,
            Argument("First prior sample size parameter", "positive finite"),
            Argument("Second prior sample size parameter", "positive finite"),
        ),
        counts.beta_binomial,
        cumulative(below.beta_binomial_lcdf, below.beta_binomial_lccdf),
        rng.beta_binomial,
    ),
    Distribution(
        *("hypergeometric", SCALAR, (SCALAR, SCALAR, SCALAR), counts.hypergeometric),
        sample=rng.hypergeometric,
        related=_drawn,
        placed=_balls,
    ),
    Distribution(
        "discrete_range",
        ANY,
        (
            Argument("Lower bound parameter", "", kinds=INTS, sampled=INTS),
            Argument("Upper bound parameter", "", kinds=INTS, sampled=INTS),
        ),
        counts.discrete_range,
        cumulative(below.discrete_range_lcdf, below.discrete_range_lccdf, below.discrete_range_cdf),
        rng.discrete_range,
        related=_range,
    ),
    Distribution(
        *("poisson", COUNT, (Argument("Rate parameter", "nonnegative"),), counts.poisson),
        cumulative(below.poisson_lcdf, below.poisson_lccdf, below.poisson_cdf, variate=ANY),
        rng.poisson,
    ),
    Distribution(
        "poisson_log",
        COUNT,
        (Argument("Log rate parameter", "not nan", natural=True),),
        counts.poisson_log,
        sample=rng.poisson_log,
    ),
    Distribution(
        *("neg_binomial", FAILURES, (SHAPE, INVERSE_SCALE), counts.neg_binomial),
        cumulative(
            *(below.neg_binomial_lcdf, below.neg_binomial_lccdf, below.neg_binomial_cdf),
            variate=ANY,
        ),
        rng.neg_binomial,
    ),
    Distribution(
        "neg_binomial_2",
        FAILURES,
        (
            Argument("Location parameter", "positive finite"),
            Argument("Precision parameter", "positive finite"),
        ),
        counts.neg_binomial_2,
        cumulative(
            *(below.neg_binomial_2_lcdf, below.neg_binomial_2_lccdf, below.neg_binomial_2_cdf),
            variate=ANY,
        ),
        rng.neg_binomial_2,
    ),
    Distribution(
        "neg_binomial_2_log",
        FAILURES,
        (
            Argument("Log location parameter", "finite", natural=True),
            Argument("Precision parameter", "positive finite", natural=True),
        ),
        counts.neg_binomial_2_log,
        sample=rng.neg_binomial_2_log,
    ),
)


def _masses(name: str, implementation: Any, *signatures: str) -> Row:
    return Row(name, spelled(*signatures), Convention.MULTIVARIATE, implementation)


def _sampler(name: str, implementation: Any, signature: str) -> Row:
    return Row(name, spelled(signature), Convention.RNG_EVENT, implementation)


CATEGORY_ROWS = (
    _masses(
        "categorical_lpmf",
        categories.categorical,
        "(int, vector) => real",
        "(array[] int, vector) => real",
    ),
    _masses(
        "categorical_logit_lpmf",
        categories.categorical_logit,
        "(int, vector) => real",
        "(array[] int, vector) => real",
    ),
    _masses(
        "ordered_logistic_lpmf",
        categories.ordered_logistic,
        "(int, real, vector) => real",
        "(array[] int, vector, vector) => real",
        "(array[] int, vector, array[] vector) => real",
    ),
    _masses(
        "ordered_probit_lpmf",
        categories.ordered_probit,
        "(int, real, vector) => real",
        "(array[] int, real, vector) => real",
        "(array[] int, real, array[] vector) => real",
        "(array[] int, vector, vector) => real",
        "(array[] int, vector, array[] vector) => real",
    ),
    _sampler("categorical_rng", rng.categorical, "(vector) => int"),
    _sampler("categorical_logit_rng", rng.categorical_logit, "(vector) => int"),
    _sampler("ordered_logistic_rng", rng.ordered_logistic, "(real, vector) => int"),
    _sampler("ordered_probit_rng", rng.ordered_probit, "(real, vector) => int"),
)

"""Members of the families against SciPy's multivariate normal."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from trustvi.families import Family, MeanField


def members() -> list[Family]:
    rng = np.random.default_rng(3)
    return [MeanField(rng.normal(size=5), rng.normal(size=5))]


@pytest.mark.parametrize("q", members(), ids=lambda q: q.name)
def test_density_and_entropy_are_those_of_a_normal(q: Family) -> None:
    oracle = multivariate_normal(q.loc, q.covariance())
    z = q.sample(np.random.default_rng(0).normal(size=(q.base_dim, 20)))
    np.testing.assert_allclose(q.log_density(z), oracle.logpdf(z.T), rtol=1e-10)
    np.testing.assert_allclose(q.entropy(), oracle.entropy(), rtol=1e-12)
    np.testing.assert_allclose(q.scale**2, np.diag(q.covariance()), rtol=1e-12)


@pytest.mark.parametrize("q", members(), ids=lambda q: q.name)
def test_draws_have_the_location_and_the_covariance(q: Family) -> None:
    """Exactly so: z is linear in e, so its images of the unit vectors make up the covariance."""
    unit = q.sample(np.eye(q.base_dim)) - q.loc[:, None]
    np.testing.assert_allclose(unit @ unit.T, q.covariance(), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(q.sample(np.zeros((q.base_dim, 1)))[:, 0], q.loc)

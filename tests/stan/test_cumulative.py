"""Compiled gradients of running sums, which XLA's CPU compiler gets wrong when left alone.

Of a variable that is a running sum, only the element in the middle enters the density. Compared
with differences of the compiled density.
"""

from __future__ import annotations

import jax
import numpy as np
import pytest

import trustvi
from trustvi.stan._density import hessian_products

PROGRAMS = {
    "ordered": "parameters { ordered[5] x; } model { target += -square(x[3]); }",
    "positive_ordered": "parameters { positive_ordered[3] x; } model { target += -square(x[2]); }",
    "simplex": "parameters { simplex[4] x; } model { target += log(x[3]); }",
    "sum_to_zero": "parameters { sum_to_zero_vector[4] x; } model { target += sin(x[2]); }",
    "cholesky_corr": """parameters { cholesky_factor_corr[4] x; } model { target += x[4, 2]; }""",
    "cumulative_sum": """
        parameters { vector[7] u; }
        model { target += sin(cumulative_sum(square(u))[4]); }""",
    "padded": """
        parameters { vector[3] u; }
        model { target += sin(cumulative_sum(append_row(0, append_row(square(u), 0)))[3]); }""",
    "loop": """
        data { array[3] int at; }
        parameters { vector[5] u; }
        model { for (n in 1 : 2) target += n * sin(sum(u[1 : at[n]])); }""",
}
STEP = 1e-5


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_the_density(name: str) -> None:
    data = {"at": [3, 4, 2]} if name == "loop" else {}
    model = trustvi.StanModel(PROGRAMS[name], data)
    theta = np.random.default_rng(5).normal(0, 0.4, model.param_unc_num())
    v = np.linspace(1.0, 2.0, len(theta))
    _, gradient = model.log_density_gradient(theta)
    moved = [model.log_density_gradient(theta + side * STEP * v) for side in (1.0, -1.0)]
    along = (moved[0][0] - moved[1][0]) / (2.0 * STEP)
    np.testing.assert_allclose(gradient @ v, along, rtol=1e-8)
    with jax.enable_x64(True):
        products = jax.jit(hessian_products(model.log_density_batch))
        product = products(theta[:, None], v[:, None])[2][:, 0]
    bend = (moved[0][1] - moved[1][1]) / (2.0 * STEP)
    np.testing.assert_allclose(product, bend, rtol=1e-7, atol=1e-7)

"""Generated programs: whatever the text, lanes and scans agree with one iteration after another."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from generated_programs import Generator, data
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from trustvi.stan._diagnostics import StanUnsupportedError
from trustvi.stan._eval import stage
from trustvi.stan._model import StanModel

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def densities(program: str, seed: int) -> tuple[float, float]:
    """The density of a known point: one iteration after another by NumPy, and as it is traced."""
    model = StanModel(program, data(seed))
    theta = 0.5 * np.random.default_rng(seed).standard_normal((model.param_unc_num(), 1))
    with jax.enable_x64(True):
        plain = stage(model._checked, model._read, 0, lanes=False)
        values, slope = model._parameters.constrain(theta)
        slow = plain.log_density(values, propto=False, jacobian=True, slope=slope) + slope
        fast = model._target(jnp.asarray(theta), propto=False, jacobian=True)
    return float(slow[0]), float(fast[0])


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # programs shrink too slowly
    suppress_health_check=SLOW,
)
@given(st.data())
def test_agrees_with_one_iteration_after_another(draw: st.DataObject) -> None:
    """Where parameters decide on a counter, and it on a size or a condition, is not allowed."""
    choices = st.integers(0, 2**16)
    program = Generator(lambda n: draw.draw(choices) % n, size=7).program()
    try:
        slow, fast = densities(program, draw.draw(st.integers(0, 9)))
    except StanUnsupportedError:
        assume(False)
    np.testing.assert_allclose(fast, slow, rtol=1e-9, err_msg=program)

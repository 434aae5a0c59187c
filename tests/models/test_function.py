"""Functions with constraints: volumes by autodiff, round trips, answers known in closed form."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpyro.distributions import constraints

import trustvi
from trustvi.models import from_function

RNG = np.random.default_rng(0)
CASES = {
    "positive": ("positive", np.ones(3)),
    "unit_interval": ("unit_interval", np.full((2, 2), 0.5)),
    "lower": ((1.5, None), np.array(2.0)),
    "upper": ((None, -1.0), np.full(2, -2.0)),
    "interval": ((-1.0, 3.0), np.zeros(2)),
    "no bounds": ((None, None), np.zeros(2)),
    "simplex": ("simplex", np.full(4, 0.25)),
    "ordered": ("ordered", np.arange(3.0)),
    "positive_ordered": ("positive_ordered", np.arange(1.0, 4.0)),
    "corr_cholesky": ("corr_cholesky", np.eye(3)),
    "cholesky": ("cholesky", np.eye(3)),
    "NumPyro's own": (constraints.greater_than(2.0), np.full(2, 3.0)),
}


def free(values: np.ndarray, name: str) -> np.ndarray:
    """Coordinates that determine a constrained value, for its volume."""
    if name == "simplex":
        return values[..., :-1]
    if name == "corr_cholesky":
        return values[jnp.tril_indices(3, -1)]
    return values[jnp.tril_indices(3)] if name == "cholesky" else values.ravel()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("batched", [False, True])
def test_volume_is_that_of_the_bijection(name: str, batched: bool) -> None:
    constraint, example = CASES[name]
    model = from_function(
        (lambda x: jnp.zeros(x["x"].shape[-1])) if batched else (lambda x: jnp.zeros(())),
        {"x": example, "free": np.zeros(2)}, constraints={"x": constraint}, batched=batched,
    )  # fmt: skip
    theta = RNG.normal(size=(model.param_unc_num(), 3))
    volumes = model.log_density_batch(jnp.asarray(theta))
    reals = dict(zip(model.param_unc_names(), range(len(theta)), strict=True))
    own = np.array([i for unc, i in reals.items() if not unc.startswith("free")])

    def constrained(part: jax.Array, draw: int) -> jax.Array:
        full = jnp.asarray(theta[:, draw]).at[own].set(part)
        return free(model._constrain(full)[0][1], name)

    for draw in range(3):
        jacobian = jax.jacfwd(lambda part, d=draw: constrained(part, d))(theta[own, draw])
        assert np.linalg.slogdet(jacobian)[1] == pytest.approx(float(volumes[draw]), rel=1e-10)
    draws = model.constrain_draws(theta)
    assert draws["x"].shape == (3, *example.shape)
    first = {key: value[0] for key, value in draws.items()}
    np.testing.assert_allclose(model.unconstrain_init(first), theta[:, 0], rtol=1e-9, atol=1e-12)


def test_a_positive_scale_needs_no_jacobian() -> None:
    """Gamma(3, 2): the log-normal approximation in closed form, log x ~ N(m, s)."""
    model = from_function(
        lambda p: 2.0 * jnp.log(p["x"]) - 2.0 * p["x"], {"x": 1.0}, constraints={"x": "positive"}
    )
    post = trustvi.fit(model, khat_draws=0, tol=1e-3)
    # E_q[3 u - 2 e^u] + H: 3 = 2 E[e^u], 1 / s^2 = 2 E[e^u].
    assert post.scale_diag[0] == pytest.approx(3**-0.5, rel=0.02)
    assert post.loc[0] == pytest.approx(np.log(1.5) - 1 / 6, abs=0.02)
    assert post.draws(1000)["x"].min() > 0


@pytest.mark.parametrize(
    ("constraints", "words"),
    [
        ({"y": "positive"}, "constraints name 'y'; the example has x"),
        ({"x": "postive"}, "constraint 'postive' of 'x' is unknown"),
        ({"x": (1.0,)}, "must be a pair"),
        ({"x": 3}, "must be a name, a pair"),
        ({"x": "corr_cholesky"}, "doesn't fit its shape"),
    ],
)
def test_bad_constraints_are_named(constraints: dict[str, object], words: str) -> None:
    with pytest.raises(trustvi.InputError, match=words):
        from_function(lambda p: p["x"].sum(), {"x": np.zeros((3, 2))}, constraints=constraints)

"""Bad input: one sentence that names the argument, before anything is spent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

import trustvi
from trustvi import InputError, from_function


def normal(z: Any) -> Any:
    return -0.5 * jnp.sum(z**2)


def callback(z: Any) -> Any:
    out = jax.ShapeDtypeStruct((), z.dtype)
    return jax.pure_callback(lambda z: -np.sum(z**2), out, z, vmap_method="sequential")


def loop(z: Any) -> Any:
    def body(c: Any) -> Any:
        return c[0] + 1, c[1] - jnp.sum(z**2)

    return jax.lax.while_loop(lambda c: c[0] < 5, body, (0, 0.0))[1]


MODEL = from_function(normal, np.zeros(3), name="normal")

LOG_DENSITIES = {
    "a vector": (lambda z: z, "log_density must return one real scalar a draw; got shape (2,)"),
    "one element": (lambda z: jnp.sum(z)[None], "got shape (1,)"),
    "nothing": (lambda z: None, "log_density must return one real scalar a draw; got NoneType"),
    "a tuple": (lambda z: (jnp.sum(z), 1.0), "got tuple"),
    "an integer": (lambda z: jnp.sum(z > 0), "must return a real number; got dtype int"),
    "complex": (lambda z: jnp.sum(z) * 1j, "got dtype complex"),
    "NumPy": (lambda z: np.sum(np.exp(z)), "log_density failed when JAX traced it"),
    "a branch": (lambda z: z[0] if z[0] > 0 else z[1], "log_density failed .* TracerBool"),
    "shapes": (lambda z: jnp.sum(z @ np.zeros((3, 3))), "log_density failed .* dot_general"),
    "arguments": (lambda z, y: jnp.sum(z), "log_density failed .* missing 1 required"),
    "a name": (lambda z: jnp.sum(z["nu"]), "log_density failed"),
}  # fmt: skip


@pytest.mark.parametrize("what", LOG_DENSITIES)
def test_what_is_no_log_density(what: str) -> None:
    log_density, sentence = LOG_DENSITIES[what]
    with pytest.raises(InputError, match=_pattern(sentence)) as caught:
        from_function(log_density, np.zeros(2))
    assert "\n" not in str(caught.value)


def test_what_is_no_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(InputError, match="log_density must be a function; got int"):
        from_function(3, np.zeros(2))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("example", [None, {}, np.zeros(2, bool), "text", np.zeros(2) * 1j])
def test_what_is_no_example(example: Any) -> None:
    with pytest.raises(InputError, match=r"example (holds|must)"):
        from_function(normal, example)


@pytest.mark.parametrize(("log_density", "preset"), [(callback, "default"), (loop, "paper")])
def test_what_cannot_be_differentiated(log_density: Any, preset: str) -> None:
    model = from_function(log_density, np.zeros(2), name="odd")
    with pytest.raises(InputError, match="log density of model 'odd' can't be differentiated"):
        trustvi.fit(model, preset=preset)


@pytest.mark.parametrize("model", [None, normal, "model.stan"])
def test_what_is_no_model(model: Any) -> None:
    with pytest.raises(InputError, match="model must be what StanModel, from_function"):
        trustvi.fit(model)


def test_a_model_of_nothing() -> None:
    with pytest.raises(InputError, match="model 'empty' has no parameters"):
        trustvi.fit(from_function(normal, np.zeros(0), name="empty"))


ARGUMENTS = [
    ({"init": np.zeros(2)}, "init has 2 numbers; model 'normal' has 3"),
    ({"init": [0.0, 0.0, np.nan]}, "init is not finite"),
    ({"init": np.inf}, "init = inf is not a finite number"),
    ({"init": np.zeros((3, 1))}, "init must have the structure and shapes"),
    ({"init": {"a": 1.0}}, "init must have the structure and shapes"),
    ({"init": "zeros"}, "init must have the structure"),
    ({"init": True}, "init must have the structure"),
    ({"init": ["a", "b", "c"]}, "init must hold real numbers"),
    ({"init": np.zeros(3) * 1j}, "init must hold real numbers; got complex"),
    ({"seed": -1}, "seed must be an integer from 0"),
    ({"seed": 2**32}, "seed must be an integer"),
    ({"seed": 1.5}, "seed must be an integer"),
    ({"seed": None}, "seed must be an integer"),
    ({"seed": True}, "seed must be an integer"),
    ({"tol": 0}, "tol must be a positive number; got 0"),
    ({"tol": np.nan}, "tol must be a positive number"),
    ({"tol": "small"}, "tol must be a positive number; got 'small'"),
    ({"max_oracle_calls": -1.0}, "max_oracle_calls must be a positive number"),
    ({"max_oracle_calls": True}, "max_oracle_calls must be a positive number"),
    ({"family": "cauchy"}, "family 'cauchy' is unknown; there is meanfield"),
    ({"method": "magic"}, "method 'magic' is unknown; there is trustvi"),
    ({"preset": "magic"}, "preset 'magic' is unknown; trustvi has default, paper"),
    ({"magic": 1}, "unknown option 'magic'; this preset has eta"),
    ({"eta": 2.0}, "eta = 2.0 is out of range"),
    ({"preset": "paper", "zeta1": 0.5}, "zeta1 = 0.5 is out of range"),
    ({"progress": "yes"}, "progress must be True, False or None; got 'yes'"),
    ({"keep_iterates": 1}, "keep_iterates must be True, False or None"),
    ({"khat_draws": -1}, "khat_draws must be an integer from 0"),
    ({"starts": 0}, "starts must be at least 1"),
    ({"checkpoint": 3}, "checkpoint must be the path of a file; got 3"),
    ({"checkpoint": Path(__file__).parent}, "checkpoint .* is a folder"),
    ({"checkpoint": "no/such/folder/state"}, "checkpoint .* in a folder that doesn't exist"),
]


@pytest.mark.parametrize(("settings", "sentence"), ARGUMENTS)
def test_bad_arguments(
    settings: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trustvi._fit.compile_all", lambda _: pytest.fail("compiled before"))
    with pytest.raises(InputError, match=_pattern(sentence)) as caught:
        trustvi.fit(MODEL, **settings)
    text = str(caught.value)
    assert "\n" not in text
    assert any(name in text for name in settings)


def test_init_out_of_support() -> None:
    def half(z: Any) -> Any:
        return jnp.where(z[0] < 0, -jnp.inf, -z[0])

    with pytest.raises(InputError, match="at init the log density is -inf"):
        trustvi.fit(from_function(half, np.zeros(1)), init=[-1.0])


def test_init_where_the_gradient_is_not_finite() -> None:
    def root(z: Any) -> Any:
        return -jnp.sqrt(jnp.abs(z["a"])) - z["b"] ** 2

    model = from_function(root, {"a": 1.0, "b": 1.0})
    with pytest.raises(InputError, match="its gradient is not finite by a, so that init"):
        trustvi.fit(model, init={"a": 0.0, "b": 1.0})


def test_no_start_anywhere_says_where_it_looked() -> None:
    def nowhere(z: Any) -> Any:
        return jnp.log(-1.0 - z["scale"] ** 2) - z["mean"] ** 2

    model = from_function(nowhere, {"mean": 0.0, "scale": 0.0})
    with pytest.warns(trustvi.DiagnosticWarning, match="origin .* density is nan.*give init"):
        post = trustvi.fit(model)
    assert post.verdict is trustvi.Verdict.NO_START
    assert np.all(np.isfinite([post.loc, post.scale_diag]))


def test_numpy_numbers_are_numbers() -> None:
    post = trustvi.fit(
        MODEL, tol=np.float32(0.1), max_oracle_calls=np.int64(50), seed=np.uint8(3), khat_draws=0
    )
    assert post.converged
    assert (post.run["tol"], post.run["seed"]) == (float(np.float32(0.1)), 3)


def _pattern(sentence: str) -> str:
    return sentence.replace("(", r"\(").replace(")", r"\)")

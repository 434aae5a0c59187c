"""Loops that some draws leave early, against the same programs run one iteration after another."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_programs import equations

from trustvi.stan._density import value_and_gradient
from trustvi.stan._eval import stage
from trustvi.stan._model import StanModel

FUNCTIONS = {
    "return_in_the_middle": """
        real f(vector x, real a) {
          vector[rows(x)] out;
          for (n in 1 : rows(x)) {
            real s = 1 + a * x[n];
            if (s <= 0) return -1.5 * a * n;
            out[n] = log(s);
          }
          return sum(out);
        }""",
    "break_between_sums": """
        real f(vector x, real a) {
          real total = 0;
          real seen = 0;
          for (n in 1 : rows(x)) {
            total += square(x[n] - a);
            if (a * x[n] > 0.4) break;
            seen += a * n;
          }
          return total * (1 + seen);
        }""",
    "return_of_a_vector": """
        vector g(vector x, real a) {
          for (n in 1 : rows(x)) {
            if (a < x[n]) return a * x;
            if (a > 1.2) return [a, x[n]]' .* x[1 : 2];
          }
          return x * square(a);
        }
        real f(vector x, real a) { return sum(square(g(x[1 : 2], a))); }""",
    "return_from_nested_loops": """
        real f(vector x, real a) {
          real total = 0;
          for (i in 1 : rows(x)) {
            for (j in 1 : i) {
              if (a * x[i] + j > 2.2) return total + a;
              if (a + j > 3.1) break;
            }
            if (a < -1) return 2 * a;
          }
          return a * a;
        }""",
    "every_iteration_after_another_leaves": """
        real f(vector x, real a) {
          for (n in 1 : rows(x)) {
            real s = x[n] - a;
            if (s > 0) {
              for (m in n : rows(x)) { if (a > x[m]) return sqrt(a - x[m]) * m; }
              return sqrt(s);
            }
          }
          return 0;
        }""",
    "ragged_inner_loops": """
        real f(vector x, real a) {
          real total = 0;
          for (i in 1 : rows(x)) {
            for (j in 1 : (i %/% 2)) {
              total += a * x[j];
              if (total_of(x[i], a) > j) break;
              total += 0.1 * square(a);
            }
          }
          return total;
        }
        real total_of(real x, real a) { return 2 * a + x; }""",
    "carried_and_left": """
        real f(vector x, real a) {
          real level = 0.3;
          for (n in 1 : rows(x)) {
            level = 0.5 * level + a * x[n];
            if (level > 0.5) return level * n;
          }
          return level;
        }""",
    "leaves_of_statements": """
        void h_lp(vector x, real a) {
          for (n in 1 : rows(x)) {
            target += a * n;
            if (a > x[n]) return;
            target += -square(a - x[n]);
          }
          target += a;
        }
        real f_lp(vector x, real a) { h_lp(x, a); return 0; }""",
    "result_of_integers": """
        real f(vector x, real a) { return a * which(x, a); }
        int which(vector x, real a) {
          for (n in 1 : rows(x)) { if (x[n] > a) return n; }
          return -1;
        }""",
}
DRAWS = 7


def program(function: str) -> str:
    name = "f_lp" if "f_lp" in function else "f"
    return (
        f"functions {{ {function} }} data {{ int N; vector[N] x; }} "
        f"parameters {{ array[2] real a; }} "
        f"model {{ a ~ std_normal(); for (k in 1 : 2) target += {name}(x, a[k]); }}"
    )


def model_of(name: str, rows: int) -> StanModel:
    x = np.sin(1.7 * np.arange(rows) + 0.4)
    return StanModel(program(FUNCTIONS[name]), {"N": rows, "x": x})


def slow_target(model: StanModel) -> Callable[[jax.Array], jax.Array]:
    staged = stage(model._checked, model._read, 0, lanes=False)

    def target(theta: jax.Array) -> jax.Array:
        values, slope = model._parameters.constrain(theta)
        return staged.log_density(values, propto=False, jacobian=True) + slope

    return target


@pytest.mark.parametrize("name", FUNCTIONS)
def test_agrees_with_one_iteration_after_another(name: str) -> None:
    model = model_of(name, 5)
    theta = 1.3 * np.random.default_rng(4).standard_normal((2, DRAWS))
    with jax.enable_x64(True):
        fast = jax.jit(value_and_gradient(model.log_density_batch))(jnp.asarray(theta))
        slow = jax.jit(value_and_gradient(slow_target(model)))(jnp.asarray(theta))
    for found, expected in zip(fast, slow, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "name", ["return_in_the_middle", "break_between_sums", "leaves_of_statements"]
)
def test_work_does_not_grow_with_iterations(name: str) -> None:
    counts = []
    for rows in (64, 128):  # running counts take as many equations as the rows have bits
        model = model_of(name, rows)
        with jax.enable_x64(True):
            theta = jax.ShapeDtypeStruct((2, DRAWS), np.float64)
            counts.append(equations(jax.make_jaxpr(model.log_density_batch)(theta).jaxpr))
    assert counts[1] - counts[0] < 10

"""StanModel: densities, names, transforms, quantities of draws, as BridgeStan means them."""

import itertools
import json
import math
import subprocess
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from trustvi.stan import StanError, StanModel
from trustvi.stan._diagnostics import StanDataError, StanRuntimeError

HERE = Path(__file__).parent
EVERY = json.loads((HERE / "transforms/every.json").read_text())
FLAGS = list(itertools.product([True, False], repeat=2))

NORMAL = """
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 2);
  sigma ~ exponential(0.5);
  y ~ normal(mu, sigma);
}
"""
Y = [1.5, -0.3, 2.2, 0.8]


def normal_model():
    return StanModel(NORMAL, {"N": len(Y), "y": Y}, name="normal")


@pytest.fixture(scope="module")
def normal():
    with jax.enable_x64(True):
        return normal_model()


@pytest.fixture(scope="module")
def every():
    with jax.enable_x64(True):
        return StanModel(HERE / "transforms/every.stan", EVERY["data"])


def closed_form(theta, propto, jacobian):
    """Value, gradient and Hessian of the program above, by hand."""
    mu, sigma = theta[0], math.exp(theta[1])
    r = np.array(Y) - mu
    value = (
        stats.norm.logpdf(mu, 0, 2)
        + stats.expon.logpdf(sigma, scale=2)
        + stats.norm.logpdf(Y, mu, sigma).sum()
    )
    if propto:
        value -= -0.5 * math.log(2 * math.pi) * (len(Y) + 1) - math.log(2) + math.log(0.5)
    gradient = np.array([r.sum() / sigma**2 - mu / 4, (r**2).sum() / sigma**2 - len(Y) - sigma / 2])
    cross = -2 * r.sum() / sigma**2
    corner = -2 * (r**2).sum() / sigma**2 - sigma / 2
    hessian = np.array([[-len(Y) / sigma**2 - 0.25, cross], [cross, corner]])
    if jacobian:
        value, gradient = value + theta[1], gradient + np.array([0, 1])
    return value, gradient, hessian


@pytest.mark.parametrize(("propto", "jacobian"), FLAGS)
def test_density_gradient_and_hessian_in_closed_form(normal, propto, jacobian):
    flags = {"propto": propto, "jacobian": jacobian}
    for theta in ([0.3, -0.4], [-5.0, 2.0]):
        value, gradient, hessian = closed_form(theta, propto, jacobian)
        assert normal.log_density(theta, **flags) == pytest.approx(value, rel=1e-13)
        found = normal.log_density_gradient(theta, **flags)
        assert found[0] == pytest.approx(value, rel=1e-13)
        np.testing.assert_allclose(found[1], gradient, rtol=1e-12)
        found = normal.log_density_hessian(theta, **flags)
        assert found[0] == pytest.approx(value, rel=1e-13)
        np.testing.assert_allclose(found[1], gradient, rtol=1e-12)
        np.testing.assert_allclose(found[2], hessian, rtol=1e-12)
        v = np.array([0.7, -1.3])
        found = normal.log_density_hessian_vector_product(theta, v, **flags)
        assert found[0] == pytest.approx(value, rel=1e-13)
        np.testing.assert_allclose(found[1], hessian @ v, rtol=1e-12)


def test_batch_keeps_constants_and_can_be_traced(normal):
    theta = np.random.default_rng(4).normal(size=(2, 5))
    expected = [normal.log_density(draw, propto=False) for draw in theta.T]
    np.testing.assert_allclose(normal.log_density_batch(theta), expected, rtol=1e-13)
    traced = jax.jit(jax.grad(lambda t: normal.log_density_batch(t).sum()))(jnp.asarray(theta))
    gradients = [normal.log_density_gradient(draw)[1] for draw in theta.T]
    np.testing.assert_allclose(traced.T, gradients, rtol=1e-12)


def test_hessian_wider_than_one_chunk():
    """A density whose Hessian is known, in more dimensions than are computed at once."""
    program = "parameters { vector[70] x; } model { target += -0.5 * sum(x)^2 - sum(x^4); }"
    x = np.linspace(-1, 1, 70)
    value, gradient, hessian = StanModel(program).log_density_hessian(x)
    assert value == pytest.approx(-0.5 * x.sum() ** 2 - (x**4).sum())
    np.testing.assert_allclose(gradient, -x.sum() - 4 * x**3, atol=1e-12)
    np.testing.assert_allclose(hessian, -1 - np.diag(12 * x**2), atol=1e-12)


def test_compiled_batch_through_a_solver_can_be_differentiated():
    """dy/dt = -k y has y(t) = exp(-k t): the gradient of its sum, draw by draw."""
    model = StanModel("""
    functions { vector decay(real t, vector y, real k) { return -k * y; } }
    parameters { real k; }
    model { target += ode_rk45_tol(decay, [1]', 0, {1, 2}, 1e-10, 1e-10, 1000, k)[2, 1]; }
    """)
    k = jnp.array([[0.3, 0.7, -0.2]])
    assert model.log_density_batch(k).shape == (3,)
    gradient = jax.grad(lambda k: model.log_density_batch(k).sum())(k)
    np.testing.assert_allclose(gradient, -2 * jnp.exp(-2 * k), rtol=1e-7)


# --------------------------------------------------------------------------- every transform


def test_names_of_every_transform(every):
    assert every.name == "every"
    assert every.param_names() == EVERY["names"]
    assert every.param_unc_names() == EVERY["unconstrained_names"]
    assert every.param_num() == len(EVERY["names"])
    assert every.param_unc_num() == len(EVERY["theta"][0])


def test_every_transform_with_and_without_jacobian(every):
    """The program's density is that of its transforms alone."""
    for theta, value, gradient in zip(
        EVERY["theta"], EVERY["log_jacobian"], EVERY["gradient"], strict=True
    ):
        found = every.log_density_gradient(theta)
        assert found[0] == pytest.approx(value, rel=1e-10)
        np.testing.assert_allclose(found[1], gradient, rtol=1e-7, atol=1e-9)
    assert every.log_density(EVERY["theta"][0], jacobian=False) == 0


def test_every_transform_round_trip(every):
    for theta, constrained in zip(EVERY["theta"][:4], EVERY["constrained"][:4], strict=True):
        found = every.param_constrain(theta)
        np.testing.assert_allclose(found, constrained, rtol=1e-10, atol=1e-10)
        back = every.param_constrain(every.param_unconstrain(found))
        np.testing.assert_allclose(back, found, rtol=1e-9, atol=1e-12)


# --------------------------------------------------------------------------- quantities

QUANTITIES = """
data { int N; }
parameters {
  real<lower=0> a;
  array[2] vector[3] b;
  tuple(real, simplex[2]) t;
  complex z;
}
transformed parameters {
  matrix[2, 3] m;
  array[N] real<lower=0> positive;
  for (i in 1:2) m[i] = b[i]' * a;
  for (n in 1:N) positive[n] = a + n;
}
model { a ~ std_normal(); }
generated quantities {
  real x = normal_rng(a, 1);
  array[2] int k = {poisson_rng(3), N};
  tuple(int, vector[2]) u = (N, [a, 2 * a]');
}
"""


@pytest.fixture(scope="module")
def quantities():
    with jax.enable_x64(True):
        return StanModel(QUANTITIES, {"N": 2})


def test_names_of_quantities(quantities):
    parameters = ["a", "b.1.1", "b.2.1", "b.1.2", "b.2.2", "b.1.3", "b.2.3"]
    parameters += ["t:1", "t:2.1", "t:2.2", "z.real", "z.imag"]
    transformed = ["m.1.1", "m.2.1", "m.1.2", "m.2.2", "m.1.3", "m.2.3"]
    transformed += ["positive.1", "positive.2"]
    generated = ["x", "k.1", "k.2", "u:1", "u:2.1", "u:2.2"]
    for tp, gq in FLAGS:
        expected = parameters + transformed * tp + generated * gq
        assert quantities.param_names(include_tp=tp, include_gq=gq) == expected
        assert quantities.param_num(include_tp=tp, include_gq=gq) == len(expected)
        theta = np.linspace(-1, 1, 11)
        rng = quantities.new_rng(1)
        assert quantities.param_constrain(theta, tp, gq, rng).shape == (len(expected),)


def test_values_of_quantities(quantities):
    theta = np.linspace(-1, 1, 11)
    names = quantities.param_names(True, True)
    rng = quantities.new_rng(8)
    first = quantities.param_constrain(theta, True, True, rng)
    second = quantities.param_constrain(theta, True, True, rng)
    again = quantities.param_constrain(theta, True, True, quantities.new_rng(8))
    np.testing.assert_array_equal(first, again)
    changed = {n for n, x, y in zip(names, first, second, strict=True) if x != y}
    assert "x" in changed <= {"x", "k.1"}
    value = dict(zip(names, first, strict=True))
    a = math.exp(-1)
    assert value["a"] == pytest.approx(a)
    assert value["b.2.1"] == pytest.approx(theta[4])
    assert value["m.2.1"] == pytest.approx(a * theta[4])
    assert value["positive.2"] == pytest.approx(a + 2)
    assert (value["k.2"], value["u:1"]) == (2, 2)
    assert value["u:2.2"] == pytest.approx(2 * a)


def test_generated_quantities_need_random_numbers(quantities):
    with pytest.raises(ValueError, match="rng must be given"):
        quantities.param_constrain(np.zeros(11), include_gq=True)


def test_draws_agree_with_single_points(quantities):
    theta = np.random.default_rng(2).normal(size=(11, 300))
    draws = quantities.constrain_draws(theta, seed=3)
    shapes = {name: draw.shape for name, draw in draws.items()}
    assert shapes == {
        "a": (300,),
        "b": (300, 2, 3),
        "t:1": (300,),
        "t:2": (300, 2),
        "z": (300,),
        "m": (300, 2, 3),
        "positive": (300, 2),
        "x": (300,),
        "k": (300, 2),
        "u:1": (300,),
        "u:2": (300, 2),
    }
    assert draws["k"].dtype == np.int64
    assert draws["z"].dtype == np.complex128
    for n in (0, 255, 256, 299):
        single = quantities.param_constrain(theta[:, n], include_tp=True)
        by_name = dict(zip(quantities.param_names(include_tp=True), single, strict=True))
        assert draws["a"][n] == pytest.approx(by_name["a"])
        assert draws["b"][n, 1, 2] == pytest.approx(by_name["b.2.3"])
        assert draws["t:2"][n, 1] == pytest.approx(by_name["t:2.2"])
        assert draws["z"][n].imag == pytest.approx(by_name["z.imag"])
        assert draws["m"][n, 1, 0] == pytest.approx(by_name["m.2.1"])
    # Fresh numbers for every draw, the same for the same seed.
    assert len(np.unique(draws["x"] - draws["a"])) == 300
    assert stats.kstest(draws["x"] - draws["a"], "norm").pvalue > 0.01
    np.testing.assert_array_equal(quantities.constrain_draws(theta, seed=3)["x"], draws["x"])
    assert (quantities.constrain_draws(theta, seed=4)["x"] != draws["x"]).all()
    assert set(quantities.constrain_draws(theta, False, False)) == {"a", "b", "t:1", "t:2", "z"}


def test_control_flow_that_differs_between_draws():
    """What can't be compiled for all draws at once is run draw by draw."""
    model = StanModel("""
    parameters { real a; }
    generated quantities {
      int steps = 0;
      real x = a;
      while (x < 1) { x += 0.25; steps += 1; }
    }
    """)
    draws = model.constrain_draws(np.array([[0.1, 0.6, 2.0]]))
    assert draws["steps"].tolist() == [4, 2, 0]
    np.testing.assert_allclose(draws["x"], [1.1, 1.1, 2.0])


def test_unconstrain_by_name(quantities):
    given = {"a": 2.0, "b": [[1, 2, 3], [4, 5, 6]], "t": {"1": 7, "2": [0.5, 0.5]}, "z": [8, 9]}
    expected = [math.log(2), 1, 2, 3, 4, 5, 6, 7, 0, 8, 9]
    for source in (given, json.dumps(given)):
        np.testing.assert_allclose(quantities.param_unconstrain_json(source), expected, atol=1e-15)
        np.testing.assert_allclose(quantities.unconstrain_init(source), expected, atol=1e-15)
    with pytest.raises(StanDataError, match='"z" is missing among the parameters') as caught:
        quantities.param_unconstrain_json({k: v for k, v in given.items() if k != "z"})
    assert caught.value.line == 7
    with pytest.raises(StanRuntimeError, match=r"t\.2 is not a valid simplex") as caught:
        quantities.param_unconstrain_json(given | {"t": {"1": 7, "2": [0.5, 0.6]}})
    assert caught.value.line == 6


def test_out_arguments(normal):
    theta = np.array([0.3, -0.4])
    for result, out in [
        (normal.param_constrain, (2,)),
        (lambda t, out: normal.param_unconstrain(normal.param_constrain(t), out=out), (2,)),
        (lambda t, out: normal.log_density_gradient(t, out=out)[1], (2,)),
        (lambda t, out: normal.log_density_hessian_vector_product(t, t, out=out)[1], (2,)),
        (lambda t, out: normal.log_density_hessian(t, out_hess=out)[2], (2, 2)),
    ]:
        out = np.full(out, np.nan)
        assert result(theta, out=out) is out
        assert np.isfinite(out).all()
        with pytest.raises(ValueError, match="out must have shape"):
            result(theta, out=np.zeros(9))


# --------------------------------------------------------------------------- errors and files


def test_single_precision_outside_changes_nothing():
    """The user's global flag is neither needed nor touched."""
    with jax.enable_x64(False):
        model = normal_model()
        value, gradient = model.log_density_gradient([0.3, -0.4], propto=False)
        _, _, hessian = model.log_density_hessian([0.3, -0.4])
        draws = model.constrain_draws(np.zeros((2, 3)))
        batch = model.log_density_batch(np.array([[0.3], [-0.4]]))
        assert not jax.config.jax_enable_x64
    expected = closed_form([0.3, -0.4], propto=False, jacobian=True)
    assert value == pytest.approx(expected[0], rel=1e-13)
    assert batch.dtype == jnp.float64
    assert float(batch[0]) == pytest.approx(expected[0], rel=1e-13)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-12)
    np.testing.assert_allclose(hessian, expected[2], rtol=1e-12)
    assert draws["sigma"].dtype == np.float64


def test_program_from_a_file(tmp_path):
    program, data = tmp_path / "little.stan", tmp_path / "little.data.R"
    program.write_text(NORMAL)
    data.write_text(f"N <- 4\ny <- c({', '.join(map(str, Y))})\nextra <- 'unused'\n")
    model = StanModel(str(program), str(data))
    assert model.name == "little"
    assert repr(model) == "StanModel('little', 2 unconstrained parameters)"
    expected = closed_form([0.1, 0.2], True, True)[0]
    assert model.log_density([0.1, 0.2]) == pytest.approx(expected, rel=1e-13)
    with pytest.raises(StanError, match="the program can't be read"):
        StanModel(tmp_path / "absent.stan")


def test_errors_show_the_program():
    with pytest.raises(StanDataError) as caught:
        StanModel(NORMAL, {"N": 3, "y": Y})
    assert (caught.value.line, caught.value.column) == (4, 13)
    assert "4 |   vector[N] y;" in str(caught.value)
    with pytest.raises(StanDataError, match="no data were given"):
        StanModel(NORMAL)
    with pytest.raises(ValueError, match=r"must have shape \(2,\); got \(3,\)"):
        normal_model().log_density([1, 2, 3])
    with pytest.raises(StanRuntimeError, match="sigma is -1, but must be greater") as caught:
        normal_model().param_unconstrain([0, -1])
    assert caught.value.line == 8
    with pytest.raises(StanRuntimeError, match="lower of x is 2, but must be less than") as caught:
        StanModel("parameters {\n  real<lower=2, upper=1> x;\n}").log_density([0.0])
    assert caught.value.line == 2


def test_broken_declaration_of_a_transformed_parameter_is_named():
    program = """parameters { real a; }
    transformed parameters { real<upper=1> b = 2 * a; }"""
    model = StanModel(program)
    assert model.param_constrain([0.4], include_tp=True)[1] == 0.8
    with pytest.raises(StanRuntimeError, match="b is 2, but must be less than or equal to 1"):
        model.param_constrain([1.0], include_tp=True)
    assert model.log_density([1.0]) == -math.inf


def test_no_parameters():
    model = StanModel("model { target += 3; }")
    assert model.param_unc_num() == 0
    assert model.log_density([], propto=False) == 3
    assert model.param_constrain([]).shape == (0,)
    assert model.log_density_hessian([])[2].shape == (0, 0)


def test_import_is_lazy():
    code = "import sys, trustvi.stan; print([m for m in sys.modules if 'stan.' in m or m == 'jax'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_from_text_to_value_in_two_seconds():
    """CPU time, so that what else the machine does has no part in it."""
    started = time.process_time()
    normal_model().log_density_gradient([0.3, -0.4])
    assert time.process_time() - started < 2.0

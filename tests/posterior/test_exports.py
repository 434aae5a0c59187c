"""What other tools read: ArviZ, pandas, Stan CSV by cmdstanpy, starting points for MCMC."""

from __future__ import annotations

import logging
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from posterior_cases import correlated

import trustvi

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # ArviZ warns that it is about to change
    import arviz
    import cmdstanpy

logging.getLogger("cmdstanpy").setLevel(logging.ERROR)


def in_stan_order(post: trustvi.Posterior, z: np.ndarray) -> np.ndarray:
    """What BridgeStan's interface gives for each draw; RNGs left out."""
    model = post.known_model()
    return np.array([model.param_constrain(theta, include_tp=True) for theta in z.T])


def test_columns_are_stans(everything: trustvi.Posterior) -> None:
    frame = everything.to_dataframe(6, seed=2)
    model = everything.known_model()
    assert list(frame.columns) == model.param_names(include_tp=True, include_gq=True)
    expected = in_stan_order(everything, everything.draws_unconstrained(6, seed=2))
    np.testing.assert_allclose(frame.to_numpy()[:, : expected.shape[1]], expected, rtol=1e-10)


@pytest.mark.parametrize("sig_figs", [6, 18])
def test_cmdstanpy_reads_the_csv(
    everything: trustvi.Posterior, tmp_path: Path, sig_figs: int
) -> None:
    everything.to_stan_csv(tmp_path / "draws.csv", 30, seed=2, sig_figs=sig_figs)
    read = cmdstanpy.from_csv(str(tmp_path / "draws.csv"), "variational")
    assert read is not None
    draws, rtol = everything.draws(30, seed=2), 0.6 * 10.0 ** (1 - min(sig_figs, 16))
    for name in ("a", "p", "m", "v", "mu", "log_lik", "z"):
        np.testing.assert_allclose(read.stan_variable(name, mean=False), draws[name], rtol=rtol)
    assert read.eta == 1.0
    mean = everything.known_model().param_constrain(everything.loc)
    np.testing.assert_allclose(read.variational_params_np[3 : 3 + mean.size], mean, rtol=10 * rtol)
    assert not read.variational_params_np[:3].any()
    density = everything.log_densities(30, seed=2)
    np.testing.assert_allclose(
        read.variational_sample[:, :3].T, [np.zeros(30), *density], rtol=rtol
    )
    assert len(read.create_inits(seed=1, chains=3)) == 3
    header = next(
        line for line in (tmp_path / "draws.csv").read_text().splitlines() if line[0] != "#"
    )
    # Other columns that end so would be taken for Stan's own.
    assert re.findall(r"\w+__", header) == ["lp__", "log_p__", "log_g__"]


def test_the_names_of_cmdstanpy(everything: trustvi.Posterior, tmp_path: Path) -> None:
    everything.to_stan_csv(tmp_path / "draws.csv", sig_figs=18)
    read = cmdstanpy.from_csv(str(tmp_path / "draws.csv"), "variational")
    assert isinstance(read, cmdstanpy.CmdStanVB)
    assert everything.column_names == read.column_names
    close = {"rtol": 1e-12, "atol": 1e-300}
    np.testing.assert_allclose(everything.variational_sample, read.variational_sample, **close)
    np.testing.assert_allclose(
        everything.variational_params_np, read.variational_params_np, **close
    )
    for ours, theirs in (
        (everything.variational_sample_pd, read.variational_sample_pd),
        (everything.variational_params_pd, read.variational_params_pd),
    ):
        np.testing.assert_allclose(ours, theirs, **close)
        assert list(ours.columns) == list(theirs.columns)
    assert everything.variational_params_dict == pytest.approx(read.variational_params_dict)
    for at_mean in (False, True):
        variables = read.stan_variables(mean=at_mean)
        for name in ("a", "p", "m", "v", "mu", "log_lik", "z"):
            np.testing.assert_allclose(
                everything.stan_variables(mean=at_mean)[name], variables[name], rtol=1e-12
            )


def test_csv_of_a_model_without_stan(gaussian: trustvi.Posterior, tmp_path: Path) -> None:
    gaussian.to_stan_csv(tmp_path / "draws.csv", 10)
    read = cmdstanpy.from_csv(str(tmp_path / "draws.csv"))
    assert read is not None
    np.testing.assert_allclose(
        read.stan_variable("x", mean=False), gaussian.draws(10)["x"], rtol=1e-7
    )


def test_arrays_of_tuples_are_refused(tmp_path: Path) -> None:
    program = """
    parameters { real a; }
    model { a ~ normal(0, 1); }
    generated quantities { array[2] tuple(real, real) t = {(a, 1), (2, a)}; }
    """
    post = trustvi.fit(trustvi.StanModel(program), progress=False)
    with pytest.raises(trustvi.InputError, match="arrays of tuples"):
        post.to_stan_csv(tmp_path / "draws.csv")


@pytest.mark.parametrize("sig_figs", [0, 19])
def test_digits_out_of_range(gaussian: trustvi.Posterior, tmp_path: Path, sig_figs: int) -> None:
    with pytest.raises(trustvi.InputError, match="sig_figs must be from 1 to 18"):
        gaussian.to_stan_csv(tmp_path / "draws.csv", sig_figs=sig_figs)


def groups(data: Any) -> set[str]:
    """Of ArviZ 0.x's InferenceData, or of 1.x's DataTree."""
    return set(data.groups()) if callable(data.groups) else set(data.children)


def test_arviz_has_every_group(everything: trustvi.Posterior) -> None:
    data = everything.to_arviz(40, seed=3, posterior_predictive="y_rep")
    assert groups(data) == {
        "posterior", "posterior_predictive", "log_likelihood", "sample_stats",
        "unconstrained_posterior", "fit", "optimizer_result",
    }  # fmt: skip
    draws = everything.draws(40, seed=3)
    assert data.posterior["m"].dims == ("chain", "draw", "m_dim_0", "m_dim_1")
    np.testing.assert_array_equal(data.posterior["m"][0], draws["m"])
    np.testing.assert_array_equal(data.log_likelihood["log_lik"][0], draws["log_lik"])
    np.testing.assert_array_equal(data.posterior_predictive["y_rep"][0], draws["y_rep"])
    assert "log_lik" not in data.posterior
    assert "y_rep" not in data.posterior
    density = everything.log_densities(40, seed=3)
    np.testing.assert_array_equal(data.sample_stats["lp"][0], density.lp)
    np.testing.assert_array_equal(data.sample_stats["lp_approx"][0], density.lp_approx)
    np.testing.assert_array_equal(data.fit["mean_vector"], everything.loc)
    np.testing.assert_array_equal(np.diag(data.fit["covariance_matrix"]), everything.scale_diag**2)
    assert list(data.fit["rows"].values) == everything.known_model().param_unc_names()
    assert data.optimizer_result["elbo"].shape == (len(everything.path),)
    assert data.posterior.attrs["khat"] == everything.khat.value


def test_arviz_leaves_one_out_from_log_lik(everything: trustvi.Posterior) -> None:
    data = everything.to_arviz(500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # twenty observations, one of them influential
        loo = arviz.loo(data)
    pointwise = everything.draws(500)["log_lik"]
    waic = np.log(np.exp(pointwise).mean(axis=0)).sum() - pointwise.var(axis=0, ddof=1).sum()
    found = loo.elpd_loo if hasattr(loo, "elpd_loo") else loo.elpd
    assert found == pytest.approx(waic, abs=1.0)


def test_names_that_are_asked_for_must_be_there(everything: trustvi.Posterior) -> None:
    with pytest.raises(trustvi.InputError, match="no quantity 'y_hat'"):
        everything.to_arviz(5, posterior_predictive=["y_hat"])


class Labelled:
    """A model with names for its axes, observations and predictions."""

    def __init__(self, model: trustvi.Model) -> None:
        self._model = model
        self.coords = {"group": ["north", "south"], "obs": [10, 20, 30]}
        self.dims = {"theta": ["group"], "y": ["obs"]}

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)

    def predict_draws(
        self, theta_unc: np.ndarray, *, seed: int = 0
    ) -> dict[str, dict[str, np.ndarray]]:
        n = theta_unc.shape[1]
        return {
            "posterior_predictive": {"y": np.ones((n, 3))},
            "log_likelihood": {"y": np.zeros((n, 3))},
            "observed_data": {"y": np.arange(3.0)},
        }


def test_labels_and_predictions_of_the_model() -> None:
    model = Labelled(
        trustvi.from_function(lambda t: -0.5 * (t["theta"] ** 2).sum(), {"theta": np.zeros(2)})
    )
    post = trustvi.fit(model, progress=False)  # pyright: ignore[reportArgumentType]
    data = post.to_arviz(8)
    assert data.posterior["theta"].dims == ("chain", "draw", "group")
    assert list(data.posterior["group"].values) == ["north", "south"]
    assert data.posterior_predictive["y"].dims == ("chain", "draw", "obs")
    assert data.observed_data["y"].dims == ("obs",)
    assert list(data.observed_data["obs"].values) == [10, 20, 30]
    frame = post.to_xarray(8)["theta"].sel(group="south")
    np.testing.assert_array_equal(frame[0], post.draws(8)["theta"][:, 1])


def test_labels_that_are_given(everything: trustvi.Posterior) -> None:
    names = {"coords": {"side": ["left", "right"]}, "dims": {"v": ["case", "side"], "s": []}}
    data = everything.to_arviz(8, **names)
    assert data.posterior["v"].dims == ("chain", "draw", "case", "side")
    draws = everything.draws(8)["v"]
    right = everything.to_xarray(8, **names)["v"].sel(side="right")
    np.testing.assert_array_equal(right[0], draws[:, :, 1])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"dims": {"v": ["case"]}}, "dims names 1 axes of 'v', which has 2"),
        ({"coords": {"side": ["left"]}, "dims": {"v": ["case", "side"]}}, "1 labels of 'side'"),
    ],
)
def test_labels_that_do_not_fit(
    everything: trustvi.Posterior, labels: dict[str, Any], message: str
) -> None:
    with pytest.raises(trustvi.InputError, match=message):
        everything.to_arviz(8, **labels)


def test_inits_are_parameters_only(everything: trustvi.Posterior) -> None:
    inits = everything.create_inits(3, seed=5)
    assert isinstance(inits, list)
    assert [set(init) for init in inits] == [{"a", "b", "s", "p", "m", "v"}] * 3
    z = everything.draws_unconstrained(3, seed=5)
    for chain, init in enumerate(inits):
        np.testing.assert_allclose(
            everything.known_model().unconstrain_init(init), z[:, chain], rtol=1e-9, atol=1e-9
        )
    assert isinstance(everything.create_inits(1), dict)
    again = trustvi.fit(everything.known_model(), init=inits[0], progress=False)
    assert again.converged


def test_inverse_metrics(everything: trustvi.Posterior) -> None:
    np.testing.assert_array_equal(everything.inv_metric(), everything.scale_diag**2)
    np.testing.assert_array_equal(everything.inv_metric(dense=True), everything.covariance())


@pytest.fixture(scope="module", params=["meanfield", "fullrank", "lowrank:1"])
def of_family(request: pytest.FixtureRequest) -> trustvi.Posterior:
    model = trustvi.from_function(correlated, {"x": 0.0, "y": 0.0})
    return trustvi.fit(model, family=request.param, progress=False)


def test_csv_of_every_family_is_read(of_family: trustvi.Posterior, tmp_path: Path) -> None:
    file = tmp_path / "draws.csv"
    of_family.to_stan_csv(file, 40, sig_figs=17)
    assert f"# written by trustvi {of_family.run['family']} " in file.read_text()
    read = cmdstanpy.from_csv(str(file), "variational")
    assert read is not None
    for name, value in of_family.draws(40).items():
        np.testing.assert_allclose(read.stan_variable(name, mean=False), value, rtol=1e-14)
    np.testing.assert_allclose(read.variational_params_np[3:], of_family.loc, rtol=1e-14)


def test_arviz_of_every_family_has_its_covariance(of_family: trustvi.Posterior) -> None:
    data = of_family.to_arviz(40)
    np.testing.assert_array_equal(data.posterior["x"].values[0], of_family.draws(40)["x"])
    np.testing.assert_allclose(data.fit["mean_vector"], of_family.loc)
    np.testing.assert_allclose(data.fit["covariance_matrix"], of_family.covariance())
    lp = of_family.log_densities(40)
    np.testing.assert_allclose(data.sample_stats["lp_approx"].values[0], lp.lp_approx)


def test_every_family_is_saved_and_loaded(of_family: trustvi.Posterior, tmp_path: Path) -> None:
    of_family.save(tmp_path / "fit.npz")
    loaded = trustvi.load(tmp_path / "fit.npz", of_family.model)
    assert (loaded.verdict, loaded.elbo) == (of_family.verdict, of_family.elbo)
    assert repr(loaded.path) == repr(of_family.path)
    assert type(loaded.q) is type(of_family.q)
    np.testing.assert_array_equal(loaded.covariance(), of_family.covariance())
    for name, value in of_family.draws(40).items():
        np.testing.assert_array_equal(loaded.draws(40)[name], value)
    np.testing.assert_array_equal(loaded.log_densities(40), of_family.log_densities(40))

"""CmdStan's words: each is translated or refused with a reason."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from trustvi.cli._words import translate

ADVI = """
    variational algorithm=fullrank iter=500 grad_samples=3 elbo_samples=50 eta=0.2
    adapt engaged=0 iter=20 tol_rel_obj=0.02 eval_elbo=10 output_samples=7 random seed=9 init=0.5
    output file=out.csv diagnostic_file=path.csv refresh=0 sig_figs=9
"""


def test_a_whole_command_of_cmdstan_for_advi(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text("{}")
    found = translate([*ADVI.split(), "data", f"file={tmp_path / 'data.json'}"], "advi")
    assert found.options == {
        "family": "fullrank", "draws": 7, "seed": 9, "init": "0.5", "stan_csv": Path("out.csv"),
        "diagnostic_file": Path("path.csv"), "progress": False, "sig_figs": 9,
        "data": tmp_path / "data.json",
    }  # fmt: skip
    assert found.fields == {
        "max_iterations": 500, "gradient_draws": 3, "elbo_draws": 50, "eta": 0.2, "adapt": False,
        "adapt_iterations": 20, "tol_rel_obj": 0.02, "eval_elbo": 10,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("method=variational", {}),
        ("variational meanfield", {}),
        ("algorithm=meanfield", {"family": "meanfield"}),
        ("seed=3", {"seed": 3}),
        ("random seed=3", {"seed": 3}),
        ("output file=a.csv", {"stan_csv": Path("a.csv")}),
        ("refresh=100", {"progress": True}),
    ],
)
def test_words_by_themselves(words: str, option: dict[str, object]) -> None:
    found = translate(words.split(), "trustvi")
    assert found.options == option
    assert bool(found.notes) == ("refresh" in words)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("iter=100", "oracle calls"),
        ("grad_samples=1", "sample sizes follow"),
        ("elbo_samples=1", "as many draws"),
        ("eta=1", "trust region"),
        ("adapt engaged=1", "trust region"),
        ("adapt iter=50", "trust region"),
        ("tol_rel_obj=0.01", "--tol"),
        ("eval_elbo=100", "every iteration"),
        ("id=1", "its own seed"),
        ("num_threads=2", "cores"),
        ("output profile_file=p.csv", "profile"),
        ("output save_cmdstan_config=1", "--output DIR"),
        ("method=sample", "MCMC"),
        ("sample", "MCMC"),
        ("pathfinder", "approximations only"),
        ("nonsense", "neither an option nor a word"),
        ("sig_fig=3", "did you mean sig_figs"),
        ("data file=nowhere.json", "no such file"),
        ("output_samples=0", "at least 1"),
        ("output_samples=ten", "not an integer"),
        ("random seed=-1", "clock"),
        ("algorithm=lowrank", "meanfield or fullrank"),
        ("output refresh=-1", "at least 0"),
    ],
)
def test_words_that_are_refused_say_why(words: str, reason: str) -> None:
    with pytest.raises(click.UsageError) as caught:
        translate(words.split(), "trustvi")
    text = str(caught.value)
    assert reason in text
    assert text.startswith(words.split()[-1])


def test_all_refused_words_are_named_at_once() -> None:
    with pytest.raises(click.UsageError) as caught:
        translate(["iter=5", "seed=1", "eta=2"], "trustvi")
    assert [line.split(":")[0] for line in str(caught.value).splitlines()] == ["iter=5", "eta=2"]


def test_iter_belongs_to_adapt_only_within_it() -> None:
    within = translate(["adapt", "engaged=1", "iter=7"], "advi").fields
    behind = translate(["adapt", "engaged=1", "tol_rel_obj=0.1", "iter=7"], "advi").fields
    assert within == {"adapt": True, "adapt_iterations": 7}
    assert behind == {"adapt": True, "tol_rel_obj": 0.1, "max_iterations": 7}

"""Exit statuses, and errors in one sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from transcripts import ROOT

import trustvi
from trustvi.cli import main

MODEL = str(ROOT / "examples" / "mixture.stan")
DATA = str(ROOT / "examples" / "mixture.json")


def invoke(*given: str) -> Result:
    return CliRunner().invoke(main, [*given], prog_name="trustvi")


@pytest.mark.parametrize(
    ("raised", "status", "text"),
    [
        (trustvi.InputError("tol must be so"), 3, "Error: tol must be so\n"),
        (trustvi.StanError("x is bad"), 3, "error\nx is bad\n"),
        (PermissionError(13, "Permission denied", "place"), 2, "Error: place: Permission denied\n"),
        (ZeroDivisionError("division\nby zero"), 70, "Internal error: ZeroDivisionError: division "
         "by zero (--debug shows where)\n"),
        (KeyboardInterrupt(), 130, "stopped\n"),
        (click.UsageError("no"), 2, "Usage: trustvi"),
    ],
)  # fmt: skip
def test_every_error_is_a_sentence_and_a_status(
    monkeypatch: pytest.MonkeyPatch, raised: BaseException, status: int, text: str
) -> None:
    def fail(path: Path, *how: str, **more: str) -> str:
        raise raised

    monkeypatch.setattr(Path, "read_text", fail)
    found = invoke("check", MODEL)
    assert found.exit_code == status
    assert found.stderr.startswith(text)
    assert "Traceback" not in found.output
    if not isinstance(raised, KeyboardInterrupt | click.UsageError):
        debugged = invoke("check", MODEL, "--debug")
        assert debugged.exit_code == status
        assert "Traceback" in debugged.output


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--family", "lognormal"], "family 'lognormal' is unknown"),
        (["--method", "mcmc"], "method 'mcmc' is unknown"),
        (["--preset", "best"], "preset 'best' is unknown"),
        (["--set", "nothing=1"], "unknown option 'nothing'"),
        (["--set", "growth"], "--set takes NAME=VALUE"),
        (["--set", "growth=two"], "--set takes NAME=VALUE"),
        (["--seed", "-1"], "not an integer from 0"),
        (["--seed", "4294967296"], "not an integer from 0"),
        (["--tol", "inf"], "not a positive number"),
        (["--init", "somewhere"], "neither a number nor a file"),
        (["--init", DATA, "--starts", "2"], "--init must be a number"),
        (["--seed", "1", "random", "seed=2"], "--seed is given by a word, too"),
        (["--output", MODEL], "is a file"),
        (["--output", f"{MODEL}/fit"], "Not a directory"),
        (["--checkpoint", "nowhere/state"], "there is no folder nowhere"),
    ],
)
def test_usage_errors_come_before_the_fit(options: list[str], text: str) -> None:
    found = invoke("fit", MODEL, "--data", DATA, *options)
    assert found.exit_code == 2, found.output
    assert text in found.stderr


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (b"parameters { real x }", "line 1, column 21"),
        (b"parameters { real x; } model { x ~ normal(0, \xff); }", "no token starts"),
        (b"data { int n; } model { }", "no parameters"),
        (b"parameters { real x; } model { target += log(-1) - x; }", "could not start"),
    ],
)  # fmt: skip
def test_bad_models(tmp_path: Path, program: bytes, text: str) -> None:
    (tmp_path / "bad.stan").write_bytes(program)
    (tmp_path / "data.json").write_text('{"n": 1}')
    found = invoke("fit", str(tmp_path / "bad.stan"), "--data", str(tmp_path / "data.json"))
    assert found.exit_code == (1 if "could not" in text else 3), found.output
    assert text in found.output
    assert "Internal" not in found.output
    assert ("\nwarning: " in f"\n{found.stderr}") == ("could not" in text)


def test_either_spelling_of_options() -> None:
    assert invoke("fit", MODEL, "--max_oracle_calls", "0").exit_code == 2
    assert "is not a positive number" in invoke("fit", MODEL, "--max_oracle_calls", "0").stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    found = invoke("completion", shell)
    assert found.exit_code == 0
    assert "_TRUSTVI_COMPLETE" in found.output


def test_completion_of_a_shell_knows_our_commands_and_options() -> None:
    def complete(words: str) -> set[str]:
        env = {"_TRUSTVI_COMPLETE": "bash_complete", "COMP_WORDS": words,
               "COMP_CWORD": str(len(words.split()) - 1)}  # fmt: skip
        found = CliRunner(env=env).invoke(main, [], prog_name="trustvi")
        return {line.split(",")[1] for line in found.output.splitlines()}

    assert complete("trustvi c") == {"check", "compare", "completion"}
    assert complete("trustvi fit --st") == {"--starts", "--stan-csv"}


def test_help_and_mistakes_need_no_jax() -> None:
    program = (
        "import sys\nfrom trustvi.cli import main\n"
        "try:\n    main(['fit', '--help'])\nfinally:\n    assert 'jax' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_start_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "init.json").write_text('{"mu": [2.0, 4.3], "sigma": [0.3, 0.4], "theta": 0.35}')
    (tmp_path / "bad.json").write_text('{"mu": [4.0, 2.0], "sigma": [0.3, 0.4], "theta": 0.35}')
    good, bad = (
        invoke("fit", MODEL, "--data", DATA, f"init={tmp_path / name}.json", "--format", "json")
        for name in ("init", "bad")
    )
    assert good.exit_code == 0, good.output
    assert '"verdict": "converged"' in good.stdout
    assert bad.exit_code == 3
    assert "mu" in bad.stderr

"""CmdStan's words (`init=2 random seed=1 output file=out.csv`) as options of ours.

Every word is translated or refused with the reason; none is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import click

Translate = Callable[[str], dict[str, Any]]


class Word(NamedTuple):
    """One word, and the part of CmdStan's command that it stands in."""

    section: str
    key: str
    value: str | None

    def __str__(self) -> str:
        return self.key if self.value is None else f"{self.key}={self.value}"


class Translated(NamedTuple):
    """Options of ours, fields of the method's configuration, and what differs from CmdStan."""

    options: dict[str, Any]
    fields: dict[str, Any]
    notes: tuple[str, ...]


def translate(words: Iterable[str], method: str) -> Translated:
    """The meaning of `words` for `method`, or a usage error that names every word without one."""
    options: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    notes: list[str] = []
    refused: list[str] = []
    for word in _placed(words):
        place = (word.section, word.key)
        try:
            if word.value is None:
                refused += _refused_section(word)
            elif place in _ADVI:
                if method == "advi":
                    fields |= _ADVI[place](word.value)
                else:
                    refused.append(f"{word}: {_NOT_ADVI[place]}; --method advi has it")
            elif place in _REASONS:
                refused.append(f"{word}: {_REASONS[place]}")
            elif place in _WORDS:
                options |= _WORDS[place](word.value)
                notes += _NOTES.get(place, ())
            else:
                refused.append(_unknown(word))
        except (ValueError, KeyError) as error:
            refused.append(f"{word}: {_why(error)}")
    if refused:
        raise click.UsageError("\n".join(refused))
    return Translated(options, fields, tuple(notes))


# ------------------------------------------------------------------------------ where words stand


def _placed(words: Iterable[str]) -> Iterable[Word]:
    """Words with the sections that CmdStan's grammar puts them in."""
    section = "variational"
    for text in words:
        key, equals, value = text.partition("=")
        if not equals:
            section = key if key in _SECTIONS else section
            yield Word(section, key, None)
            continue
        if key == "method":
            section = "variational"
        yield Word(_home(section, key), key, value)
        section = "variational" if section == "adapt" and key not in _ADAPT else section


def _home(section: str, key: str) -> str:
    """The section that a key belongs to: the current one if it has the key, else its only one."""
    known = [place for place in (*_WORDS, *_ADVI, *_REASONS) if place[1] == key]
    if (section, key) in known or not known:
        return section
    return known[0][0]


_SECTIONS = ("variational", "adapt", "data", "random", "output")
_ADAPT = ("engaged", "iter")
_OTHER_METHODS = MappingProxyType(
    {
        "sample": "that is MCMC",
        "optimize": "that finds a mode",
        "laplace": "that is another method",
        "pathfinder": "that is another method",
        "generate_quantities": "use trustvi draws",
        "diagnose": "gradients here are exact",
        "log_prob": "use StanModel.log_density",
    }
)


def _refused_section(word: Word) -> list[str]:
    if word.key in (*_SECTIONS, "meanfield", "fullrank"):
        return []
    if word.key in _OTHER_METHODS:
        return [f"{word}: trustvi fits approximations only; {_OTHER_METHODS[word.key]}"]
    return [f"{word}: neither an option nor a word of CmdStan's"]


def _unknown(word: Word) -> str:
    keys = sorted({key for _, key in (*_WORDS, *_ADVI, *_REASONS)})
    near = get_close_matches(word.key, keys, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{word}: no word of CmdStan's variational{hint}"


def _why(error: Exception) -> str:
    return str(error.args[0]) if error.args else "not a value that it can have"


# ------------------------------------------------------------------------------ what words mean


def _integer(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise ValueError(f"{text!r} is not an integer") from None
        if value < least:
            raise ValueError(f"it must be at least {least}")
        return value

    return read


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None


def _switch(text: str) -> bool:
    if text not in ("0", "1", "false", "true"):
        raise ValueError("it must be 0 or 1")
    return text in ("1", "true")


def _file(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise ValueError("there is no such file")
    return path


def _to(option: str, read: Callable[[str], Any]) -> Translate:
    return lambda text: {option: read(text)}


def _method(text: str) -> dict[str, Any]:
    if text == "variational":
        return {}
    reason = _OTHER_METHODS.get(text, "method=variational is the only one")
    raise ValueError(f"trustvi fits approximations only; {reason}")


def _algorithm(text: str) -> dict[str, Any]:
    if text not in ("meanfield", "fullrank"):
        raise ValueError("it is meanfield or fullrank in CmdStan; --family has others")
    return {"family": text}


def _seed(text: str) -> int:
    value = _integer(-(2**63))(text)
    if not 0 <= value < 2**32:
        raise ValueError("a seed is from 0 to 2^32 - 1; none is taken from the clock, so that "
                         "results repeat")  # fmt: skip
    return value


_V = "variational"
_WORDS: Mapping[tuple[str, str], Translate] = MappingProxyType(
    {
        (_V, "method"): _method,
        (_V, "algorithm"): _algorithm,
        (_V, "output_samples"): _to("draws", _integer(1)),
        ("data", "file"): _to("data", _file),
        ("random", "seed"): _to("seed", _seed),
        ("output", "file"): _to("stan_csv", Path),
        ("output", "diagnostic_file"): _to("diagnostic_file", Path),
        ("output", "sig_figs"): _to("sig_figs", _integer(1)),
        ("output", "refresh"): lambda text: {"progress": _integer(0)(text) > 0},
        ("", "init"): _to("init", str),
    }
)
_NOTES = MappingProxyType(
    {
        ("output", "refresh"): (
            "refresh: progress is one live line here; 0 turns it off, other numbers on.",
        ),
    }
)
_ADVI: Mapping[tuple[str, str], Translate] = MappingProxyType(
    {
        (_V, "iter"): _to("max_iterations", _integer(1)),
        (_V, "grad_samples"): _to("gradient_draws", _integer(1)),
        (_V, "elbo_samples"): _to("elbo_draws", _integer(1)),
        (_V, "eta"): _to("eta", _real),
        ("adapt", "engaged"): _to("adapt", _switch),
        ("adapt", "iter"): _to("adapt_iterations", _integer(1)),
        (_V, "tol_rel_obj"): _to("tol_rel_obj", _real),
        (_V, "eval_elbo"): _to("eval_elbo", _integer(1)),
    }
)
_NO_STEP_SIZE = "a trust region limits steps, so that there is no step size"
_NOT_ADVI = MappingProxyType(
    {
        (_V, "iter"): "the budget is counted in oracle calls, by --max-oracle-calls",
        (_V, "grad_samples"): "sample sizes follow from the noise that is met",
        (_V, "elbo_samples"): "the ELBO is judged on as many draws as its noise asks for",
        (_V, "eta"): _NO_STEP_SIZE,
        ("adapt", "engaged"): _NO_STEP_SIZE,
        ("adapt", "iter"): _NO_STEP_SIZE,
        (_V, "tol_rel_obj"): "a fit ends when fewer nats than --tol remain to be gained, not when "
        "the ELBO changes little",
        (_V, "eval_elbo"): "every iteration is judged",
    }
)
_REASONS = MappingProxyType(
    {
        ("", "id"): "it only sets random numbers apart; give each fit its own seed",
        ("", "num_threads"): "XLA uses the cores it is given; limit it by taskset",
        ("output", "profile_file"): "profile statements are read and not timed",
        ("output", "save_cmdstan_config"): "--output DIR keeps the settings",
        ("output", "opencl"): "JAX chooses the device",
    }
)

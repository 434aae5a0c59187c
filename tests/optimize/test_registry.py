"""The table of methods: what each preset needs to be one, and the refusal of wrong options."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

import trustvi
from trustvi.optimize import METHODS, choose_preset

PRESETS = [(method, preset) for method, presets in METHODS.items() for preset in presets]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_default(method: str) -> None:
    assert "default" in METHODS[method]


@pytest.mark.parametrize(("method", "preset"), PRESETS)
def test_options_replace_values_of_the_configuration(method: str, preset: str) -> None:
    config = METHODS[method][preset].config
    name = fields(config)[0].name
    chosen = choose_preset(method, preset, {name: getattr(config, name)})
    assert chosen.config == config
    assert choose_preset(method, preset, {}).config == replace(config)


@pytest.mark.parametrize(("method", "preset"), PRESETS)
def test_wrong_types_are_refused_by_name(method: str, preset: str) -> None:
    for field in fields(METHODS[method][preset].config):
        with pytest.raises(trustvi.InputError, match=field.name):
            choose_preset(method, preset, {field.name: "three"})


@pytest.mark.parametrize(
    ("method", "preset", "options", "match"),
    [
        ("sgd", "default", {}, "method 'sgd' is unknown; there is trustvi"),
        ("trustvi", "fast", {}, "preset 'fast' is unknown; trustvi has default, paper"),
        ("trustvi", "paper", {"steps": 3}, "unknown option 'steps'; this preset has eta, gamma"),
        ("trustvi", "paper", {"judge_draws": 12.5}, "judge_draws must be an integer; got 12.5"),
        ("trustvi", "paper", {"explicit_hessian": 1}, "explicit_hessian must be True or False"),
        ("trustvi", "paper", {"gamma": True}, "gamma must be a number; got True"),
        ("trustvi", "paper", {"gamma": 0.5}, "gamma = 0.5 is out of range"),
    ],
)
def test_wrong_choices_are_named(method: str, preset: str, options: dict, match: str) -> None:
    with pytest.raises(trustvi.InputError, match=match):
        choose_preset(method, preset, options)

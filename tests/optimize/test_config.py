"""The ranges of the paper's Table 1 and of the ladder's settings, and how options are refused."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

from trustvi import InputError
from trustvi.optimize._config import LadderConfig, PaperConfig, make_config

# Parameter, values just inside its range, values outside. Where the range depends on others
# these are the defaults: eta 1/4, gamma 2, lambda 1e-6, nu_1 0.1, zeta_0 0.9.
TABLE_1 = [
    ("eta", [1e-9, 0.5], [0.0, -0.1, 0.5000001]),
    ("gamma", [1.1, 1e6], [1.0, 0.0, -2.0, math.inf]),
    ("lam", [1e-300, 7.4e-6], [0.0, -1.0, math.inf]),
    ("alpha", [1.4e-6, 1e6], [1e-6 / 0.75, 0.0]),
    ("nu1", [1e-9, 0.64], [0.0, 0.75, 1.0]),
    ("nu2", [1e-9, 0.999], [0.0, 1.0]),
    ("nu3", [1e-9, 0.649], [0.0, 0.65, 1.0]),
    ("zeta0", [0.5556, 0.999], [0.5, 0.0, 1.0]),
    ("zeta1", [0.5556, 0.999], [1 / 1.8, 0.5, 1.0]),
    ("kappa_h", [0.0, math.inf], [-1e-9]),
    ("delta_minus", [1e-9, math.inf], [0.0, -1.0]),
    ("delta_max", [1.0, 1e300], [0.0, math.inf]),
]
PAPERS_OWN = [
    ("delta0", [1e-9, 1e3], [0.0, 1000.1]),
    ("gradient_draws", [64, 4096], [0, 100, 8192, 256.5]),
    ("product_draws", [1, 85], [0, -1, 2.5]),
    ("judge_draws", [64, 4096], [0, 100, 8192]),
    ("krylov_limit", [1], [0]),
]
LADDER = [
    ("eta", [1e-9, 0.5], [0.0, 0.6]),
    ("first_draws", [8, 256], [0, 12, 512]),
    ("growth", [2, 4], [1, 3]),
    ("climb_evaluations", [0], [-1]),
    ("inner_calls", [0.1], [0.0]),
    ("opinions", [0, 5], [-1]),
    ("radius", [0.1], [0.0]),
]
ROWS = [
    *((PaperConfig, *row) for row in TABLE_1 + PAPERS_OWN),
    *((LadderConfig, *row) for row in LADDER),
]
BAD = [(kind, name, value) for kind, name, _, outside in ROWS
       for value in [*outside, math.nan, "0.3", None]]  # fmt: skip


def test_table_1_has_twelve_parameters() -> None:
    assert len(TABLE_1) == 12
    fields = [field.name for field in dataclasses.fields(PaperConfig)]
    assert fields[:12] == [name for name, _, _ in TABLE_1]


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [(kind, name, value) for kind, name, inside, _ in ROWS for value in inside],
)
def test_values_in_range(kind: type, name: str, value: float) -> None:
    assert getattr(make_config(kind(), {name: value}), name) == value


@pytest.mark.parametrize(("kind", "name", "value"), BAD)
def test_values_out_of_range_are_named(kind: type, name: str, value: object) -> None:
    with pytest.raises(InputError) as caught:
        make_config(kind(), {name: value})
    message = str(caught.value)
    assert message.startswith(f"{name} ")
    assert repr(value) in message
    assert "\n" not in message
    assert not re.search(r"\. \w", message)


def test_unknown_options_are_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"'etta'; this preset has eta, "):
        make_config(PaperConfig(), {"etta": 0.1})


@pytest.mark.parametrize("kind", [PaperConfig, LadderConfig])
def test_configurations_are_frozen(kind: type) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        kind().eta = 0.2


def test_taus() -> None:
    config = PaperConfig(gamma=3.0, lam=0.1, alpha=0.9)
    assert config.tau1 == pytest.approx(0.9 - 0.1 - 0.1)
    assert config.tau2 == pytest.approx(0.9 * 9 - 0.1)

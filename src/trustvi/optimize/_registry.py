"""The table of methods and their presets: a new method is one file and one row here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from trustvi._errors import InputError
from trustvi.families import choose_family
from trustvi.optimize._advi import Advi, AdviConfig, AdviState
from trustvi.optimize._config import LadderConfig, PaperConfig, make_config
from trustvi.optimize._curvature import DenseCurvature, DiagonalCurvature
from trustvi.optimize._dadvi import Dadvi, DadviConfig, DadviState
from trustvi.optimize._hfsgvi import Hfsgvi, HfsgviConfig, HfsgviState
from trustvi.optimize._ladder import LadderTrustVI
from trustvi.optimize._method import Method
from trustvi.optimize._paper import PaperState, PaperTrustVI
from trustvi.optimize._rungs import LadderState
from trustvi.optimize._widening import WidenedTrustVI


class Preset(NamedTuple):
    """A method under one configuration."""

    make: Callable[..., Method]
    """Takes (model, configuration, tol=...)."""
    config: Any
    saved: tuple[type, ...]
    """The named tuples of which its states are made, for saving them by name."""
    wider: Callable[..., Method] | None = None
    """Makes the method for another family than mean field, whose name it takes as `family`."""


_LADDER = Preset(
    LadderTrustVI, LadderConfig(), (LadderState, DenseCurvature, DiagonalCurvature), WidenedTrustVI
)
_PAPER = Preset(PaperTrustVI, PaperConfig(), (PaperState,))
_HFSGVI = Preset(Hfsgvi, HfsgviConfig(), (HfsgviState,))


def _advi(**settings: Any) -> Preset:
    return Preset(Advi, AdviConfig(**settings), (AdviState,))


METHODS: Mapping[str, Mapping[str, Preset]] = MappingProxyType(
    {
        "trustvi": {"default": _LADDER, "paper": _PAPER},
        "advi": {
            "default": _advi(),
            "stan": _advi(gradient_draws=1, tol_rel_obj=0.01),
            "paper": _advi(gradient_draws=256, tol_rel_obj=1e-4),
        },
        "hfsgvi": {"default": _HFSGVI, "paper": _HFSGVI},
        "dadvi": {"default": Preset(Dadvi, DadviConfig(), (DadviState,))},
    }
)


def choose_preset(
    method: str, preset: str, options: dict[str, Any], family: str = "meanfield"
) -> Preset:
    """The preset by its names, with `options` in the place of its configuration's values."""
    choose_family(family)
    if method not in METHODS:
        raise InputError(f"method {method!r} is unknown; there is {', '.join(METHODS)}")
    presets = METHODS[method]
    if preset not in presets:
        raise InputError(f"preset {preset!r} is unknown; {method} has {', '.join(presets)}")
    chosen = presets[preset]
    if family != "meanfield":
        if chosen.wider is None:
            raise InputError(
                f"method {method!r} with preset {preset!r} has no family but meanfield; the "
                "default preset of trustvi has all"
            )
        chosen = chosen._replace(make=partial(chosen.wider, family=family))
    return chosen._replace(config=make_config(chosen.config, options))


def saved_types() -> tuple[type, ...]:
    """The named tuples of which any method's states are made."""
    return tuple({t for presets in METHODS.values() for p in presets.values() for t in p.saved})

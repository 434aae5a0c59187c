"""What cmdstanpy's result of `variational` has, under the same names."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from jaxtyping import Float

from trustvi._export import frame, stan_table

if TYPE_CHECKING:
    from trustvi._posterior import Posterior

SAMPLES = 1000
"""CmdStan's own `output_samples`."""


class CmdStanNames:
    """Attributes and methods of a `Posterior` that scripts written for cmdstanpy ask for.

    The sample is what `to_stan_csv` writes: 1000 draws of seed 0, columns in Stan's order.
    """

    @property
    def column_names(self) -> tuple[str, ...]:
        """lp__, log_p__, log_g__, then all quantities, theta[1,2] and items of tuples pair.1."""
        return self._table[0]

    @property
    def variational_sample(self) -> Float[np.ndarray, "draws columns"]:
        """A row a draw."""
        return self._table[2]

    @property
    def variational_sample_pd(self) -> Any:
        """The sample as a pandas DataFrame."""
        return frame(self.variational_sample, list(self.column_names), None)

    @property
    def variational_params_np(self) -> Float[np.ndarray, " columns"]:
        """All quantities at the mean of the approximation, behind three zeros."""
        return self._table[1]

    @property
    def variational_params_pd(self) -> Any:
        """The mean as a pandas DataFrame of one row."""
        return frame(self.variational_params_np[None], list(self.column_names), None)

    @property
    def variational_params_dict(self) -> dict[str, float]:
        """The mean by column."""
        return dict(zip(self.column_names, map(float, self.variational_params_np), strict=True))

    def stan_variables(self, *, mean: bool = False) -> dict[str, np.ndarray]:
        """Draws of all quantities by name, or with `mean` their values at the mean."""
        post = cast("Posterior", self)
        if mean:
            return {name: value[0] for name, value in post.at_mean().items()}
        return post.draws(SAMPLES)

    @cached_property
    def _table(self) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
        names, rows = stan_table(cast("Posterior", self), SAMPLES, seed=0)
        return tuple(map(_bracketed, names)), rows[0], rows[1:]


def _bracketed(name: str) -> str:
    """cmdstanpy's name of Stan's: theta[1,2] of theta.1.2, pair.2[1] of pair:2.1."""
    items = (item.partition(".") for item in name.split(":"))
    return ".".join(f"{stem}[{at.replace('.', ',')}]" if at else stem for stem, _, at in items)

"""The pictures that a posterior makes of itself; `trustvi.plots` has them as functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from trustvi import plots
from trustvi._report import report

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]

    from trustvi._posterior import Posterior


class Pictures:
    """Methods of a `Posterior` that draw; each returns a Matplotlib figure."""

    def plot_path(self) -> Figure:
        """ELBO with its error, radius and sample sizes against oracle calls."""
        return plots.plot_path(self._post)

    def plot_marginals(
        self, variables: str | Sequence[str] | None = None, *, seed: int = 0
    ) -> Figure:
        """Histograms of draws, with means and 90% intervals.

        `variables` are names of quantities or of their elements; parameters by default.
        """
        return plots.plot_marginals(self._post, variables, seed=seed)

    def plot_pairs(self, variables: str | Sequence[str] | None = None, *, seed: int = 0) -> Figure:
        """Densities of draws of every pair of `variables`."""
        return plots.plot_pairs(self._post, variables, seed=seed)

    def plot_compare(
        self, other: Any, variables: str | Sequence[str] | None = None, *,
        labels: tuple[str, str] | None = None, seed: int = 0,
    ) -> Figure:  # fmt: skip
        """Means and intervals beside those of `other`: a posterior, or draws by name (of MCMC)."""
        return plots.plot_compare(self._post, other, variables, labels=labels, seed=seed)

    def to_html(self, path: str | Path, *, program: str | None = None) -> None:
        """Write a page of the fit in one file that works offline: verdict, tables, pictures.

        `program` is the model's text, if it is to be on the page.
        """
        Path(path).write_text(report(self._post, program=program), "utf-8")

    @property
    def _post(self) -> Posterior:
        return cast("Posterior", self)

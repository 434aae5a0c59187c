"""The look of all pictures, and Matplotlib's figures as drawings that follow a page's colours."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from trustvi._errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]

# Okabe and Ito's colours, which readers with any colour vision tell apart ("Color universal
# design", 2008); their black and yellow are left out, of which one ground or the other hides one.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
# Lines of the same colour twice are told apart by their dashes, in print without colour too.
DASHES = ("-", "--", "-.", ":")
# Stands for the page's own colour of text until a drawing is put on it.
INK = "#010203"
# For parts of drawings that are pixels; twice what a page shows them at.
RASTER_DPI = 200
_STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK, "axes.labelcolor": INK, "axes.titlecolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.titlesize": "medium", "axes.grid": False, "axes.facecolor": "none",
    "font.size": 9.0, "legend.frameon": False, "lines.linewidth": 1.5, "figure.dpi": 110,
    "figure.facecolor": "white", "svg.hashsalt": "trustvi", "svg.fonttype": "path",
}  # fmt: skip


@contextmanager
def drawing() -> Iterator[Any]:
    """Matplotlib's `Figure` class, under the look of all our pictures.

    Figures made of the class alone belong to no window and to no global list of figures.
    """
    try:
        import matplotlib as mpl  # pyright: ignore[reportMissingImports]
        from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise InputError("pictures need Matplotlib: pip install 'trustvi[plots]'") from error

    class Picture(Figure):
        """A figure that notebooks show by themselves, without pyplot."""

        def _repr_png_(self) -> bytes:
            buffer = io.BytesIO()
            self.savefig(buffer, format="png")
            return buffer.getvalue()

    with mpl.rc_context(_STYLE):
        yield Picture


def svg(figure: Figure) -> str:
    """The figure as a drawing without ground, whose ink is the text's colour where it stands."""
    buffer = io.StringIO()
    with drawing():
        figure.savefig(
            buffer, format="svg", transparent=True, metadata={"Date": None}, dpi=RASTER_DPI
        )
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg ") :], flags=re.DOTALL)
    return text.replace(INK, "currentColor").strip()

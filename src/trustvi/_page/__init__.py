"""The look that pages and pictures share: one file that works offline, and tables that sort."""

from trustvi._page._drawing import COLOURS, DASHES, INK, drawing, svg
from trustvi._page._html import (
    Cell,
    Number,
    code,
    facts,
    figure,
    page,
    paragraph,
    section,
    table,
    verdict,
)

__all__ = [
    "COLOURS",
    "DASHES",
    "INK",
    "Cell",
    "Number",
    "code",
    "drawing",
    "facts",
    "figure",
    "page",
    "paragraph",
    "section",
    "svg",
    "table",
    "verdict",
]

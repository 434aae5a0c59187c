"""The command line: `trustvi fit`, `check`, `draws`, `report`, `compare`, `completion`.

Exit status: 0 for a good verdict, 1 for a fit that ran and didn't converge, 2 for a usage error,
3 for a bad model or bad data, 70 for an error that is ours, 130 after Ctrl-C.
"""

from trustvi.cli._group import main

__all__ = ["main"]

"""The paper's experiments on any folder of models: corpus, runner, store, report."""

from trustvi.study._corpus import Corpus, Entry, read_corpus
from trustvi.study._dask import Dask
from trustvi.study._plan import Plan, load_plan, save_plan
from trustvi.study._report import write_report
from trustvi.study._runner import Processes, Tally, run_study
from trustvi.study._store import Run, Store, cell_key
from trustvi.study._types import Cell, Limits, Result, Trace

__all__ = [
    "Cell",
    "Corpus",
    "Dask",
    "Entry",
    "Limits",
    "Plan",
    "Processes",
    "Result",
    "Run",
    "Store",
    "Tally",
    "Trace",
    "cell_key",
    "load_plan",
    "read_corpus",
    "run_study",
    "save_plan",
    "write_report",
]

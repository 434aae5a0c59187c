"""A posterior in the forms of other tools: tables, ArviZ, Stan CSV."""

from trustvi._export._arviz import merged_labels, to_arviz, to_dataset
from trustvi._export._columns import columns, frame, parameters_only, stem, to_dataframe
from trustvi._export._path import write_path
from trustvi._export._stan_csv import stan_table, write_stan_csv

__all__ = [
    "columns",
    "frame",
    "merged_labels",
    "parameters_only",
    "stan_table",
    "stem",
    "to_arviz",
    "to_dataframe",
    "to_dataset",
    "write_path",
    "write_stan_csv",
]

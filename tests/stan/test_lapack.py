"""LAPACK under XLA's threads."""

from __future__ import annotations

import ctypes
from pathlib import Path

import scipy

from trustvi.stan._lapack import use_one_thread


def test_openblas_of_scipy_uses_one_thread() -> None:
    told = use_one_thread()
    files = list(Path(scipy.__file__).parent.parent.rglob("*scipy_openblas*"))
    of_scipy = {file.name: file for file in files if "scipy" in str(file.parent.name)}
    assert set(told) == set(of_scipy)
    for name in told:
        assert ctypes.CDLL(str(of_scipy[name])).scipy_openblas_get_num_threads() == 1

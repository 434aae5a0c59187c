"""One thread for the LAPACK that JAX calls on CPUs.

JAX hands every matrix of a batch to the OpenBLAS of SciPy, from XLA's own threads. OpenBLAS would
split each of these small factorisations over threads again, which wait for each other by spinning:
256 Cholesky factors of 150 x 150 then take from three times as long, on an idle machine, to
minutes, on a busy one.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import scipy

_FOLDERS = ("../scipy.libs", ".dylibs")
"""Where the wheels of SciPy have their libraries, on Linux and Windows, and on macOS."""
_SETTER = "scipy_openblas_set_num_threads"


@cache
def use_one_thread() -> tuple[str, ...]:
    """Let SciPy's OpenBLAS use one thread from now on; the libraries that were told."""
    home = Path(scipy.__file__).parent
    libraries = [file for folder in _FOLDERS for file in (home / folder).glob("*openblas*")]
    told = []
    for file in libraries:
        setter = getattr(ctypes.CDLL(str(file)), _SETTER, None)
        if setter is not None:
            setter(1)
            told.append(file.name)
    return tuple(told)

"""Real Stan, for reference values and benchmarks: needs an installed httpstan and g++.

httpstan (PyPI) brings the `stanc` binary, Stan's C++ headers and its libraries. A model is
compiled with httpstan's flags and linked to the small C interface in `real_stan.cpp`, which keeps
the data between calls and tells densities with and without their constants. Nothing of this is
needed to use or to test the package.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
FLAGS = (
    *("-std=c++17", "-O3", "-fPIC", "-w", "-DSTAN_THREADS", "-D_REENTRANT"),
    *("-DBOOST_DISABLE_ASSERTS", "-DBOOST_PHOENIX_NO_VARIADIC_EXPRESSION"),
    "-D_GLIBCXX_USE_CXX11_ABI=0",
)
SUNDIALS = ("-lsundials_cvodes", "-lsundials_idas", "-lsundials_kinsol", "-lsundials_nvecserial")
ERROR_SIZE = 2000

Reals = NDArray[np.float64]


class RealStanError(Exception):
    """What stanc, the C++ compiler or the model itself said."""


def _run(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise RealStanError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


@dataclass(frozen=True)
class Toolchain:
    """An installed httpstan, and a folder for what is compiled with it."""

    httpstan: Path
    """The package's folder: `.../site-packages/httpstan`."""
    cache: Path

    @classmethod
    def of_venv(cls, venv: Path, cache: Path) -> Toolchain:
        """The toolchain of the virtual environment `venv`, where httpstan is installed."""
        found = sorted(venv.glob("lib/python*/site-packages/httpstan"))
        if not found:
            raise RealStanError(f"no httpstan in {venv}")
        return cls(found[0], cache)

    def stanc(self, *arguments: str | Path) -> str:
        return _run(self.httpstan / "stanc", *arguments)

    def library(self, program: Path) -> Path:
        """The shared library of a program, compiled unless the cache has it."""
        name = f"{program.stem}-{program_hash(program)[:12]}"
        library = self.cache / f"{name}.so"
        if not library.exists():
            source, unit = self.cache / f"{name}.cpp", self.cache / f"{name}.o"
            self._prepare()
            self.stanc(f"--o={source}", program)
            self._compile(source, unit)
            self._link(unit, library)
            source.unlink()
            unit.unlink()
        return library

    def _compile(self, source: Path, unit: Path) -> None:
        include = self.httpstan / "include"
        _run("g++", *FLAGS, f"-I{self.cache}", f"-I{include}", "-c", source, "-o", unit)

    def _link(self, unit: Path, library: Path) -> None:
        lib = self.httpstan / "lib"
        partial = library.with_suffix(".partial")
        interface = self.cache / "real_stan.o"
        _run(
            *("g++", "-shared", unit, interface, "-o", partial),
            *(f"-L{lib}", *SUNDIALS, "-ltbb", f"-Wl,-rpath,{lib}"),
        )
        partial.rename(library)

    def _prepare(self) -> None:
        """Compile the interface, and Stan's headers once for all (a precompiled header)."""
        header = self.cache / "stan/model/model_header.hpp"
        header.parent.mkdir(parents=True, exist_ok=True)
        if not (self.cache / "real_stan.o").exists():
            self._compile(HERE / "real_stan.cpp", self.cache / "real_stan.o")
        precompiled = Path(f"{header}.gch")
        if not precompiled.exists():
            header.write_text("#include_next <stan/model/model_header.hpp>\n")
            include = self.httpstan / "include"
            flags = (*FLAGS, f"-I{self.cache}", f"-I{include}")
            _run("g++", *flags, "-x", "c++-header", header, "-o", precompiled)


def program_hash(*files: Path) -> str:
    """A digest of the files' contents."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()


class RealModel:
    """One model of real Stan with its data."""

    def __init__(self, library: Path, data: dict[str, Any]):
        self._library = ctypes.CDLL(str(library))
        self._library.stan_names.restype = ctypes.c_size_t
        self._handle = ctypes.c_void_p()
        self._call("stan_new", json.dumps(data).encode(), ctypes.byref(self._handle))
        self.dim: int = self._library.stan_dim(self._handle)

    def _call(self, name: str, *arguments: Any) -> None:
        error = ctypes.create_string_buffer(ERROR_SIZE)
        if getattr(self._library, name)(*arguments, error):
            raise RealStanError(error.value.decode())

    def names(self, constrained: bool = True, tp: bool = False, gq: bool = False) -> list[str]:
        """The parameters' names, theta.1.2 for elements."""
        flags = (int(constrained), int(tp), int(gq))
        size = self._library.stan_names(self._handle, *flags, None, ctypes.c_size_t(0))
        buffer = ctypes.create_string_buffer(size)
        self._library.stan_names(self._handle, *flags, buffer, ctypes.c_size_t(size))
        return buffer.value.decode().split("\n")[:-1]

    def gradient(
        self, theta: Reals, propto: bool = True, jacobian: bool = True
    ) -> tuple[float, Reals]:
        """The log density and its gradient at an unconstrained point."""
        value, gradient = ctypes.c_double(), np.empty(self.dim)
        flags = (int(propto), int(jacobian))
        self._call(
            "stan_gradient", self._handle, _pointer(theta), *flags,
            ctypes.byref(value), _pointer(gradient),
        )  # fmt: skip
        return value.value, gradient

    def gradient_call(self, theta: Reals) -> Callable[[], int]:
        """What computes the gradient at `theta` over and over, with no work in Python but the call.

        It returns 0 where Stan has one.
        """
        value, gradient = ctypes.c_double(), np.empty(self.dim)
        error = ctypes.create_string_buffer(ERROR_SIZE)
        # ctypes keeps no array alive to whose data a pointer leads, unlike the tuple held here.
        held = (theta, gradient, value, error)
        arguments = (self._handle, _pointer(theta), 1, 1, ctypes.byref(value), _pointer(gradient))
        call = functools.partial(self._library.stan_gradient, *arguments, error)
        call.held = held
        return call

    def constrain(self, theta: Reals, tp: bool = False, gq: bool = False) -> Reals:
        """The constrained values in the order of `names`."""
        values = np.empty(len(self.names(True, tp, gq)))
        flags = (int(tp), int(gq))
        self._call("stan_constrain", self._handle, _pointer(theta), *flags, _pointer(values))
        return values

    def unconstrain(self, values: Reals) -> Reals:
        theta = np.empty(self.dim)
        size = ctypes.c_size_t(len(values))
        self._call("stan_unconstrain", self._handle, _pointer(values), size, _pointer(theta))
        return theta


def _pointer(values: Reals) -> Any:
    assert values.dtype == np.float64
    assert values.flags.c_contiguous
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))

"""Compiled functions on disk: what XLA made once, a later process loads in milliseconds.

A function is found by its StableHLO text, so that a change of the model, of this package or of JAX
is another function. Data are arguments of the text (see `_density`): new data of the same shapes
find it again. JAX has a persistent cache, too, but that is one folder for a whole process; this
one holds the executables of this package alone and leaves JAX's settings as they are.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import stat
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import jax
from jax.experimental.serialize_executable import deserialize_and_load, serialize

FORMAT = 1
VARIABLE = "TRUSTVI_CACHE"
"""A folder, or `off`."""
# A fit's functions take about half a megabyte; the least recently used go first.
MOST_BYTES = 2**29


def compiled(lowered: Any) -> Any:
    """`lowered.compile()`, or what an earlier process made of the same text."""
    # What JAX's own cache has loaded can't be serialised again: it would lack its kernels.
    folder = None if jax_has_cache() else usable_folder()
    text = lowered.as_text() if folder else ""
    # Calls back into Python are addresses of this process.
    if folder is None or "callback" in text or jax.device_count() > 1:
        return lowered.compile()
    file = folder / f"{_name(text, lowered)}.xla"
    # Whatever is wrong with a file, or with a version of JAX that can't serialise a function,
    # compiling is the answer.
    with suppress(Exception):
        found = deserialize_and_load(*pickle.loads(zlib.decompress(file.read_bytes())))
        os.utime(file)
        return found
    made = lowered.compile()
    with suppress(Exception):
        _write(file, zlib.compress(pickle.dumps(serialize(made)), level=1))
    return made


class Lazily:
    """A function that is compiled, or loaded, at its first call; later calls have its shapes.

    Of several threads that call it at once, one compiles it for all.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = jax.jit(function)
        self._compiled: Any = None
        self._lock = Lock()

    def __call__(self, *arguments: Any) -> Any:
        with self._lock:
            if self._compiled is None:
                self._compiled = compiled(self._function.lower(*arguments))
        return self._compiled(*arguments)


def jax_has_cache() -> bool:
    """Whether the process keeps JAX's own persistent cache."""
    return bool(jax.config.values["jax_compilation_cache_dir"])


def usable_folder() -> Path | None:
    """The folder of executables, made if need be; None where it is off or not ours alone.

    Files are loaded as code, so the folder must belong to the user and be closed to others.
    """
    choice = os.environ.get(VARIABLE, "")
    if choice.lower() in ("off", "0", "false", "no"):
        return None
    try:
        folder = Path(choice).expanduser() if choice else _user_cache() / "trustvi"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except (OSError, RuntimeError):
        return None
    shared = os.name == "posix" and (
        status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )
    return None if shared else folder


def _user_cache() -> Path:
    """Where the system keeps a user's caches."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _name(text: str, lowered: Any) -> str:
    trees = f"{lowered.in_tree}{lowered.out_tree}"
    parts = (str(FORMAT), text, trees, *_surroundings(), os.environ.get("XLA_FLAGS", ""))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _surroundings() -> tuple[str, ...]:
    """What an executable depends on besides its text: versions and the processor."""
    device = jax.devices()[0]
    return (
        jax.__version__, version("jaxlib"), platform.python_version(), platform.machine(),
        device.client.platform_version, device.device_kind, _processor(),
    )  # fmt: skip


def _processor() -> str:
    """The processor's instruction sets: a folder may be shared by several machines."""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return platform.processor()


def _write(file: Path, content: bytes) -> None:
    """In one step, as several processes may write at once; then make room."""
    part = file.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(content)
    os.replace(part, file)
    _prune(file.parent)


def _prune(folder: Path) -> None:
    """Remove what was not used for longest, down to four fifths of the limit."""
    found = [(each.stat(), each) for each in folder.iterdir() if each.suffix in (".xla", ".part")]
    total = sum(status.st_size for status, _ in found)
    if total <= MOST_BYTES:
        return
    for status, each in sorted(found, key=lambda pair: pair[0].st_mtime):
        if total <= 0.8 * MOST_BYTES:
            return
        with suppress(OSError):
            each.unlink()
        total -= status.st_size

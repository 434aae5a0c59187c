"""Models and fits made from files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trustvi


def read_program(
    program: Path, data: Path | None, include_paths: Sequence[Path]
) -> trustvi.StanModel:
    """The model of a program and a data file."""
    use_compilation_cache()
    return trustvi.StanModel(program, data, include_paths=include_paths)


def fit_program(
    program: Path, data: Path | None, include_paths: Sequence[Path], init: float | str | None,
    settings: dict[str, Any], fields: dict[str, Any],
) -> trustvi.Posterior:  # fmt: skip
    model = read_program(program, data, include_paths)
    return trustvi.fit(model, init=init, **settings, **fields)


def use_compilation_cache() -> None:
    """Keep XLA's compiled programs between runs, in the user's cache folder."""
    import jax

    if os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        return
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    jax.config.update("jax_compilation_cache_dir", str(root / "trustvi"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)

"""Executables on disk: found again by what they do, and never in the way."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from trustvi import from_function
from trustvi.objective import DrawDensity, _executables, compile_all

Z = np.linspace(-1.0, 1.0, 16).reshape(2, 8)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(_executables.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A line for each function that XLA compiles."""
    made: list[str] = []
    compiler = jax.stages.Lowered.compile

    def count(self: jax.stages.Lowered, *args: object, **kwargs: object) -> jax.stages.Compiled:
        made.append("once")
        return compiler(self, *args, **kwargs)

    monkeypatch.setattr(jax.stages.Lowered, "compile", count)
    return made


def density(scale: float = 1.0, power: int = 2, shape: tuple[int, ...] = (2, 1)) -> DrawDensity:
    """A density whose data are full of `scale`, compiled anew."""
    data = np.full(shape, scale)
    model = from_function(
        lambda z: -jnp.sum(jnp.sum(data) * z**power, axis=0), np.zeros(2), batched=True
    )
    made = DrawDensity(model)
    compile_all([made])
    return made


def test_the_same_function_is_compiled_once(folder: Path, compilations: list[str]) -> None:
    first = density()(Z)
    files = list(folder.iterdir())
    assert len(compilations) == len(files) == 1
    assert files[0].stat().st_size > 1000
    np.testing.assert_array_equal(density()(Z), first)
    assert len(compilations) == 1


def test_data_are_no_part_of_the_function(folder: Path, compilations: list[str]) -> None:
    first, second = density(scale=1.0)(Z), density(scale=3.0)(Z)
    assert len(compilations) == len(list(folder.iterdir())) == 1
    np.testing.assert_allclose(second, 3 * first)


@pytest.mark.parametrize("other", [{"power": 4}, {"shape": (3, 1)}])
def test_another_function_is_compiled(
    folder: Path, compilations: list[str], other: dict[str, object]
) -> None:
    density()
    density(**other)  # pyright: ignore[reportArgumentType]
    assert len(compilations) == len(list(folder.iterdir())) == 2


def test_calls_into_python_are_not_kept(folder: Path, compilations: list[str]) -> None:
    def log_density(z):
        return -jax.pure_callback(
            lambda z: np.sum(np.asarray(z) ** 2, axis=0),
            jax.ShapeDtypeStruct(z.shape[1:], z.dtype),
            z,
        )

    made = DrawDensity(from_function(log_density, np.zeros(2), batched=True))
    compile_all([made])
    np.testing.assert_allclose(made(Z), -np.sum(Z**2, axis=0))
    assert len(compilations) == 1
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_a_broken_file_is_replaced(folder: Path, compilations: list[str], content: bytes) -> None:
    expected = density()(Z)
    (file,) = folder.iterdir()
    file.write_bytes(content)
    np.testing.assert_array_equal(density()(Z), expected)
    density()
    assert len(compilations) == 2
    assert file.stat().st_size > 1000


@pytest.mark.parametrize("choice", ["off", "0", "False"])
def test_it_can_be_switched_off(
    choice: str, tmp_path: Path, compilations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(_executables.VARIABLE, choice)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    density()
    density()
    assert len(compilations) == 2
    assert list(tmp_path.iterdir()) == []


def test_the_users_cache_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_executables.VARIABLE)
    monkeypatch.setattr(_executables.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _executables.usable_folder() == tmp_path / "trustvi"
    assert (tmp_path / "trustvi").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_a_folder_that_others_may_write_to_is_not_used(
    folder: Path, compilations: list[str]
) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    density()
    density()
    assert len(compilations) == 2
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(_executables.VARIABLE, str(tmp_path / "file" / "cache"))
    assert _executables.usable_folder() is None
    density()


def test_what_was_not_used_for_longest_goes_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    density()
    (used,) = folder.iterdir()
    size = used.stat().st_size
    monkeypatch.setattr(_executables, "MOST_BYTES", int(2.7 * size))
    old = folder / "old.xla"
    old.write_bytes(bytes(size))
    os.utime(old, (0, 0))
    os.utime(used, (1, 1))
    density()  # used again
    density(power=4)
    assert len(list(folder.iterdir())) == 2
    assert used.exists()
    assert not old.exists()


def test_jaxs_own_settings_stay_as_they_are(folder: Path) -> None:
    before = dict(jax.config.values)
    density()
    assert dict(jax.config.values) == before
    assert jax.config.jax_compilation_cache_dir is None


def test_beside_jaxs_own_cache_there_is_no_other(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What JAX has loaded from its cache lacks its kernels when it is written again."""
    monkeypatch.setattr(_executables, "jax_has_cache", lambda: True)
    density()
    assert not folder.exists()

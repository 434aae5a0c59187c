"""What every test runs under."""

import os
from collections.abc import Iterator

import jax
import pytest
from jaxtyping import install_import_hook

# What a test compiles depends on nothing but the test.
os.environ["TRUSTVI_CACHE"] = "off"

# Shapes and types of the engine's signatures are checked at every call. The hook must come before
# anything imports these packages.
install_import_hook(
    [
        f"trustvi.{package}"
        for package in ("optimize", "objective", "families", "models", "diagnostics")
    ],
    "beartype.beartype",
)


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    """Double precision for one test at a time, as at the public entries of the package."""
    with jax.enable_x64(True):
        yield


@pytest.fixture(autouse=True, scope="module")
def _compiled_code_is_dropped() -> Iterator[None]:
    """What one module compiled is of no use to the next, and of thousands of tests it adds up."""
    yield
    jax.clear_caches()

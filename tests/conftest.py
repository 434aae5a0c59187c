"""What every test runs under."""

import logging
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


@pytest.fixture
def compilations() -> Iterator[list[str]]:
    """Names of what XLA compiles."""
    found: list[str] = []

    class Names(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            message = record.getMessage()
            if message.startswith("Finished XLA compilation of"):
                found.append(message.split()[4])

    handler = Names()
    logging.getLogger("jax").addHandler(handler)
    # Not as a context, which the threads that compile wouldn't see.
    jax.config.update("jax_log_compiles", True)
    yield found
    jax.config.update("jax_log_compiles", False)
    logging.getLogger("jax").removeHandler(handler)

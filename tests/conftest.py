"""What every test runs under."""

from collections.abc import Iterator

import jax
import pytest


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    """Double precision for one test at a time, as at the public entries of the package."""
    with jax.enable_x64(True):
        yield

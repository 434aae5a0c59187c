"""A fit that comes to nothing early begins once more elsewhere, unless the user chose its start."""

from __future__ import annotations

import numpy as np
import pytest

import trustvi
from trustvi import Verdict, from_function, problems

# With this seed an ascent on 16 draws drives a scale of the hierarchy to nothing.
COLLAPSING = 14


def test_a_start_that_collapses_on_few_draws_is_left() -> None:
    post = trustvi.fit(problems.problem("rats").model(), seed=COLLAPSING, khat_draws=0)
    assert post.verdict is Verdict.CONVERGED
    assert post.elbo.value == pytest.approx(-581.75, abs=0.5)


@pytest.mark.filterwarnings("ignore::trustvi.DiagnosticWarning")
@pytest.mark.parametrize(("init", "restarts"), [(None, 1), (np.array([0.5, 0.0]), 0)])
def test_a_fit_that_comes_to_nothing_begins_once_more(init, restarts) -> None:
    model = from_function(lambda z: -0.5 * z[1] ** 2 + 0.0 * z[0], np.zeros(2))
    post = trustvi.fit(model, init=init, khat_draws=0)
    assert post.verdict is Verdict.UNBOUNDED
    assert sum(info.note.startswith("again") for info in post.path) == restarts

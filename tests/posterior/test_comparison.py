"""Fits side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import trustvi
from trustvi._comparison import FACTS, compare


def shifted(post: trustvi.Posterior, by: float, elbo: float) -> trustvi.Posterior:
    """The fit with its first mean moved by so many sds, and its ELBO raised."""
    loc = post.loc.copy()
    loc[0] += by * post.scale_diag[0]
    moved = post.q._replace(loc=loc)  # pyright: ignore[reportAttributeAccessIssue]
    return replace(post, q=moved, elbo=post.elbo._replace(value=post.elbo.value + elbo))


def test_distances_are_in_sds_of_the_first(gaussian: trustvi.Posterior) -> None:
    found = compare({"one": gaussian, "two": shifted(gaussian, 0.5, -3.0)})
    assert found.quantities == ("x", "y")
    np.testing.assert_allclose(found.away, [0.5, 0.0], atol=0.02)
    np.testing.assert_allclose(found.sds[0], gaussian.scale_diag, rtol=0.05)
    best, other = (dict(zip(FACTS, facts, strict=True)) for facts in found.facts)
    assert best["behind"] == 0
    assert other["behind"] == pytest.approx(3.0)
    assert found.sentences[0] == "one has the greatest ELBO."
    assert "within 0.5 sd" in found.sentences[1]
    assert "(farthest: x)" in found.sentences[1]
    rows = found.to_dict()["quantities"]
    assert rows["x"]["two"]["mean"] - rows["x"]["one"]["mean"] == pytest.approx(
        0.5 * gaussian.scale_diag[0], rel=0.05
    )


def test_elbos_that_errors_hide_are_equal(gaussian: trustvi.Posterior) -> None:
    near, far = shifted(gaussian, 0.0, -0.02), shifted(gaussian, 0.0, -9.0)
    assert "equal but for" in compare({"a": gaussian, "b": near}).sentences[0]
    three = compare({"a": gaussian, "b": near, "c": far}).sentences[0]
    assert three == "a has the greatest ELBO (equal within errors: b)."


def test_different_models_share_no_evidence(
    gaussian: trustvi.Posterior, everything: trustvi.Posterior
) -> None:
    found = compare({"a": gaussian, "b": everything})
    assert "different models" in found.sentences[0]
    assert found.quantities == ()
    assert found.sentences[1] == "The fits have no quantity in common."


def test_one_fit_is_too_few(gaussian: trustvi.Posterior) -> None:
    with pytest.raises(trustvi.InputError, match="two fits at least; got 1"):
        compare({"a": gaussian})

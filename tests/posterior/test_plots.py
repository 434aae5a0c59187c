"""Pictures: each is rendered, its texts don't hide each other, and it shows the right numbers."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread
from matplotlib.text import Text

import trustvi
from trustvi import plots

PICTURES: dict[str, Callable[[trustvi.Posterior, trustvi.Posterior], Any]] = {
    "path": lambda post, _: post.plot_path(),
    "marginals": lambda post, _: post.plot_marginals(),
    "marginals of one": lambda post, _: post.plot_marginals("b"),
    "marginals of counts": lambda post, _: post.plot_marginals(["positive", "log_lik.3", "p"]),
    "pairs": lambda post, _: post.plot_pairs(["s", "p"]),
    "compare": lambda post, other: post.plot_compare(other),
    "compare with draws": lambda post, other: post.plot_compare(
        {"mu": other.draws(500)["mu"]}, "mu", labels=("mean field", "NUTS")
    ),
}


@pytest.fixture(scope="module")
def budget(everything: trustvi.Posterior) -> trustvi.Posterior:
    """The same model by the paper's preset, cut short, in a region large enough to reject steps."""
    return trustvi.fit(
        everything.known_model(), preset="paper", delta0=100.0, max_oracle_calls=150, progress=False
    )


@pytest.fixture(scope="module", params=PICTURES)
def figure(
    request: pytest.FixtureRequest, everything: trustvi.Posterior, budget: trustvi.Posterior
) -> Any:
    return PICTURES[request.param](everything, budget)


def test_texts_are_readable_and_apart(figure: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = {}
    draw = Text.draw

    def note(text: Text, renderer: Any, *rest: Any, **more: Any) -> None:
        if text.get_visible() and text.get_text().strip():
            boxes[text] = text.get_window_extent(renderer)
        draw(text, renderer, *rest, **more)

    monkeypatch.setattr(Text, "draw", note)
    FigureCanvasAgg(figure).draw()
    assert len(boxes) > 3
    whole = figure.bbox.padded(1.0)
    for text, box in boxes.items():
        assert text.get_fontsize() >= 6, text
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1, text
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1, text
    for (one, box), (other, second) in combinations(boxes.items(), 2):
        assert not box.padded(-1.0).overlaps(second.padded(-1.0)), (one, other)


def test_pictures_are_rendered(figure: Any) -> None:
    image = imread(io.BytesIO(figure._repr_png_()))
    assert min(image.shape[:2]) > 100
    assert len(np.unique(image.reshape(-1, image.shape[2]), axis=0)) > 20


def test_the_path_is_the_paths(budget: trustvi.Posterior) -> None:
    top, middle, low = budget.plot_path().axes
    shown = {line.get_label(): line for line in top.get_lines()}
    elbo = np.array([info.elbo for info in budget.path])
    line = shown["ELBO on the iteration's draws"]
    np.testing.assert_allclose(line.get_ydata(), elbo - budget.elbo.value)
    np.testing.assert_array_equal(line.get_xdata(), [info.oracle_calls for info in budget.path])
    rejected = [i for i in budget.path if not i.accepted and i.judge_draws > 0]
    assert rejected
    np.testing.assert_array_equal(
        shown["rejected"].get_xdata(), [info.oracle_calls for info in rejected]
    )
    radius = np.array([info.radius for info in budget.path])
    np.testing.assert_array_equal(middle.get_lines()[0].get_ydata(), radius)
    assert {line.get_label() for line in low.get_lines()} == {"gradient", "judging"}


def test_comparisons_are_in_sds_of_the_first(
    everything: trustvi.Posterior, budget: trustvi.Posterior
) -> None:
    (axes,) = everything.plot_compare(budget, ["a", "s"]).axes
    shown = {line.get_label(): line.get_xdata() for line in axes.get_lines()}
    own, other = everything.draws(plots.DRAWS), budget.draws(plots.DRAWS)
    expected = [(other[n].mean() - own[n].mean()) / own[n].std() for n in ("a", "s")]
    np.testing.assert_allclose(shown["paper"], expected, atol=1e-12)
    np.testing.assert_allclose(shown["default"], [0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda p: p.plot_marginals("nope"), "no quantity 'nope'; there is a, b"),
        (lambda p: p.plot_marginals(["mu", "y_rep"]), "40 numbers, and a picture has room for 24"),
        (lambda p: p.plot_compare({"x": np.zeros(3)}), "no quantity of the same name"),
        (lambda p: p.plot_compare({"mu": np.zeros((5, 3))}, "mu"), "its shape differs"),
    ],
)
def test_what_cannot_be_drawn(
    everything: trustvi.Posterior, draw: Callable[[trustvi.Posterior], Any], message: str
) -> None:
    with pytest.raises(trustvi.InputError, match=message):
        draw(everything)

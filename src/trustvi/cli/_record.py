"""A fit as plain values: what `--format json` prints and fit.json holds."""

from __future__ import annotations

import math
from typing import Any

import trustvi


def usable(post: trustvi.Posterior) -> bool:
    """Whether there is an approximation at all."""
    return post.verdict.name != "NO_START"


def record(post: trustvi.Posterior, *, transformed: bool, generated: bool) -> dict[str, Any]:
    """Verdict, ELBO, diagnostics, costs, settings, and the summary by quantity."""
    found = post.agreement
    return plain(
        {
            "model": post.run["model"],
            "verdict": post.verdict.value,
            "sentence": post.verdict.sentence,
            "converged": post.converged,
            "elbo": post.elbo.value,
            "elbo_mcse": post.elbo.mcse,
            "khat": post.khat.value,
            "khat_threshold": post.khat.threshold if post.khat.draws else None,
            "agreement": found and {**found._asdict(), "sentence": found.sentence},
            "oracle_calls": post.oracle_calls,
            "seconds": post.seconds._asdict(),
            "settings": post.run,
            "summary": post.summary(transformed=transformed, generated=generated).to_dict()
            if usable(post)
            else {},
        }
    )


def plain(value: Any) -> Any:
    """JSON has no numbers that aren't finite: null stands for them."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

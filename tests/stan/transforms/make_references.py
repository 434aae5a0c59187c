"""Record what real Stan says of every transform: `make_references.py VENV CACHE`.

VENV is a virtual environment with httpstan in it, CACHE a folder for the compiled model. Recorded
at points from moderate to extreme: the constrained values, the log Jacobian and its gradient.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_stan import RealModel, Toolchain  # noqa: E402

DATA = {
    "low": [-1.0, "-Inf", 0.5, "-Inf"],
    "high": [2.0, 3.0, "Inf", "Inf"],
    "centre": [[0.0, 1.0, 2.0], [-1.0, 0.5, 10.0]],
    "scale": [[1.0, 0.5, 2.0], [3.0, 0.1, 10.0]],
}
SPREADS = (0.0, 0.5, 1.0, 2.0, 4.0)


def main(venv: str, cache: str) -> None:
    toolchain = Toolchain.of_venv(Path(venv), Path(cache))
    Path(cache).mkdir(parents=True, exist_ok=True)
    model = RealModel(toolchain.library(HERE / "every.stan"), DATA)
    rng = np.random.default_rng(20240601)
    points = [np.round(0.01 + s * rng.standard_normal(model.dim), 3) for s in SPREADS]
    results = [model.gradient(point, propto=True, jacobian=True) for point in points]
    reference = {
        "data": DATA,
        "names": model.names(),
        "unconstrained_names": model.names(constrained=False),
        "theta": [point.tolist() for point in points],
        "constrained": [model.constrain(point).tolist() for point in points],
        "log_jacobian": [value for value, _ in results],
        "gradient": [gradient.tolist() for _, gradient in results],
    }
    lines = [f'"{key}": {json.dumps(value)}' for key, value in reference.items()]
    (HERE / "every.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

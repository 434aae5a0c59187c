"""Write the data of every simulated model."""

from simulate import (  # noqa: F401
    PROGRAMS,
    SIMULATIONS,
    ecology,
    hierarchical,
    latent,
    regression,
    series,
    simulated,
    space_and_time,
)

for name in sorted(SIMULATIONS):
    file = PROGRAMS / "models" / f"{name}.json"
    text = simulated(name)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)

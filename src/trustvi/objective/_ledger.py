"""The ledger of oracle calls, as the paper counts them."""

from __future__ import annotations

from typing import NamedTuple

# Minibatches that the paper prices at one, two and one calls ("Experiments").
GRADIENT_DRAWS = 256
PRODUCT_DRAWS = 85
DIFFERENCE_DRAWS = 128


class Ledger(NamedTuple):
    """Draws on which the model was evaluated, by what was asked of it.

    An ELBO difference on n draws is two evaluations a draw; a single evaluation of the density,
    as for the final ELBO, is half a difference.
    """

    gradients: int = 0
    products: int = 0
    values: int = 0

    def add(self, *, gradients: int = 0, products: int = 0, values: int = 0) -> Ledger:
        return Ledger(self.gradients + gradients, self.products + products, self.values + values)

    @property
    def oracle_calls(self) -> float:
        """n/256 for gradients, 2n/85 for products, n/128 for differences (two values each)."""
        return (
            self.gradients / GRADIENT_DRAWS
            + 2 * self.products / PRODUCT_DRAWS
            + self.values / (2 * DIFFERENCE_DRAWS)
        )

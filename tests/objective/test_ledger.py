"""Oracle calls as the paper counts them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from trustvi.objective import Ledger


@pytest.mark.parametrize(
    ("spent", "calls"),
    [
        ({}, 0),
        ({"gradients": 256}, 1),  # a stochastic gradient
        ({"products": 85}, 2),  # a stochastic Hessian-vector product
        ({"values": 2 * 128}, 1),  # an estimate of change: two values a draw
        ({"gradients": 1}, Fraction(1, 256)),
        ({"gradients": 8, "products": 17, "values": 64}, Fraction(8 + 64, 256) + Fraction(34, 85)),
        ({"values": 1024}, 4),
    ],
)  # fmt: skip
def test_prices(spent: dict[str, int], calls: Fraction) -> None:
    assert Ledger(**spent).oracle_calls == pytest.approx(float(calls), rel=1e-15)


def test_entries_add_up() -> None:
    ledger = Ledger()
    for _ in range(3):
        ledger = ledger.add(gradients=100, values=7).add(products=2)
    assert ledger == Ledger(gradients=300, products=6, values=21)

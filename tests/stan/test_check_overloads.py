"""Promotion and overloads against oracles that know single steps and compare all signatures."""

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trustvi.stan import StanError, check_program
from trustvi.stan import _types as t
from trustvi.stan._overloads import (
    Ambiguity,
    Given,
    Match,
    Mismatch,
    common_type,
    overloads_of,
    promotion_cost,
    resolve,
    resolve_library,
)
from trustvi.stan.library import _table as table

STEPS = {
    t.INT: t.REAL,
    t.REAL: t.COMPLEX,
    t.VECTOR: t.COMPLEX_VECTOR,
    t.ROW_VECTOR: t.COMPLEX_ROW_VECTOR,
    t.MATRIX: t.COMPLEX_MATRIX,
}
"""The promotions of one step that Stan knows; arrays and tuples promote their elements."""


def one_step(type):
    """The types that are one step up from `type`."""
    if isinstance(type, t.Array):
        return {t.Array(each) for each in one_step(type.element)}
    if isinstance(type, t.Tuple):
        return {
            t.Tuple((*type.elements[:i], each, *type.elements[i + 1 :]))
            for i, element in enumerate(type.elements)
            for each in one_step(element)
        }
    return {STEPS[type]} if type in STEPS else set()


@cache
def reachable(type):
    """All types that `type` can be promoted to, each with its number of steps."""
    found, reached, steps = {}, {type}, 0
    while reached:
        found |= dict.fromkeys(reached, steps)
        reached = {above for each in reached for above in one_step(each)}
        steps += 1
    return found


LEAVES = st.sampled_from([*STEPS, t.COMPLEX, t.COMPLEX_VECTOR, t.COMPLEX_MATRIX])
TYPES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(t.Array), st.lists(inner, min_size=2, max_size=3).map(lambda x: t.Tuple(tuple(x)))
    ),
    max_leaves=4,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(TYPES, TYPES)
def test_promotion_is_a_walk_up(given_type, wanted):
    assert promotion_cost(given_type, wanted) == reachable(given_type).get(wanted)
    for above, steps in reachable(given_type).items():
        assert promotion_cost(given_type, above) == steps


@settings(max_examples=300, deadline=None, derandomize=True)
@given(TYPES, TYPES)
def test_the_common_type_is_the_lowest_above_both(left, right):
    above = set(reachable(left)) & set(reachable(right))
    common = common_type(left, right)
    assert (common is None) == (not above)
    if common is not None:
        assert common in above
        assert all(promotion_cost(common, each) is not None for each in above)


# --------------------------------------------------------------------------- resolution

SCALARS = (t.INT, t.REAL, t.COMPLEX)
SIGNATURES = st.lists(
    st.tuples(st.sampled_from(SCALARS), st.sampled_from(SCALARS)),
    min_size=1,
    max_size=5,
    unique=True,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(SIGNATURES, st.tuples(st.sampled_from(SCALARS), st.sampled_from(SCALARS)))
def test_the_cheapest_signature_wins(types, given_types):
    signatures = [t.Function(tuple(map(t.Argument, each)), t.REAL) for each in types]
    found = resolve(overloads_of(signatures), tuple(map(Given, given_types)))
    costs = {
        signature: sum(
            SCALARS.index(w) - SCALARS.index(g) for g, w in zip(given_types, each, strict=True)
        )
        for signature, each in zip(signatures, types, strict=True)
        if all(SCALARS.index(g) <= SCALARS.index(w) for g, w in zip(given_types, each, strict=True))
    }
    cheapest = [each for each, cost in costs.items() if cost == min(costs.values())]
    match found:
        case Match():
            assert cheapest == [found.signature]
        case Ambiguity():
            assert len(cheapest) > 1
            assert list(found.signatures) == cheapest
        case Mismatch():
            assert cheapest == []
            assert {miss.signature for miss in found.misses} == set(signatures)


def test_near_misses_come_first():
    signatures = [
        t.Function(tuple(map(t.Argument, types)), t.REAL)
        for types in ((t.MATRIX,), (t.MATRIX, t.MATRIX), (t.REAL, t.MATRIX), (t.REAL, t.REAL))
    ]
    found = resolve(overloads_of(signatures), (Given(t.INT), Given(t.VECTOR)))
    assert isinstance(found, Mismatch)
    assert [len(miss.signature.arguments) for miss in found.misses] == [2, 2, 2, 1]
    assert found.misses[2].signature == signatures[1]
    assert [miss.position for miss in found.misses] == [1, 1, 0, None]


def test_data_arguments_want_data():
    signature = t.Function((t.Argument(t.REAL, data_only=True),), t.REAL)
    other = t.Function((t.Argument(t.COMPLEX),), t.COMPLEX)
    overloads = overloads_of([signature, other])
    assert resolve(overloads, (Given(t.INT, data_only=True),)) == Match(signature)
    assert resolve(overloads, (Given(t.REAL, data_only=False),)) == Match(other)
    only = resolve(overloads_of([signature]), (Given(t.REAL, data_only=False),))
    assert isinstance(only, Mismatch)
    assert only.misses[0].needs_data


@pytest.mark.parametrize("name", sorted(table.names()))
def test_every_signature_of_the_library_is_found(name):
    for signature in list(table.overloads(name))[:40]:
        types = tuple(Given(argument.type) for argument in signature.arguments)
        assert resolve_library(name, types) == Match(signature)


@pytest.mark.parametrize(("x", "y"), list(product(("1", "2.5", "3i"), repeat=2)))
def test_ties_between_user_functions(x, y):
    rank = {"1": 0, "2.5": 1, "3i": 2}
    program = (
        "functions {\n"
        "  real f(real x, complex y) { return 1; }\n"
        "  int f(complex x, real y) { return 2; }\n"
        "}\n"
        f"transformed data {{ print(f({x}, {y})); }}\n"
    )
    fits = [rank[x] <= 1, rank[y] <= 1]
    if any(fits) and not all(fits):
        (printed,) = check_program(program).program.transformed_data
        assert printed.args[0].type == (t.REAL if fits[0] else t.INT)
        assert printed.args[0].user_defined
    else:
        with pytest.raises(StanError, match=r"equally good|can't be called"):
            check_program(program)

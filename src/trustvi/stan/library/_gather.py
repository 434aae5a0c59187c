"""Elements picked by position along an event axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan.library._namespace import is_traced, namespace


def common(*arrays: Any) -> list[Any]:
    """`arrays` with lanes and draws axes widened to those of all together."""
    lanes = max(array.shape[0] for array in arrays)
    draws = max(array.shape[-1] for array in arrays)
    return [
        namespace(each).broadcast_to(each, (lanes, *each.shape[1:-1], draws)) for each in arrays
    ]


def pick(array: Any, axis: int, place: Any) -> Any:
    """The entries of `array` at `place` (from 0), an integer per lane, along the event axis `axis`.

    The axis goes away. A place that is the same in all lanes is a slice; places that differ by
    lane, from a value that doesn't, a gather or, when they are consecutive, a slice again.
    """
    if is_traced(place) or place.shape[-1] > 1:
        return _pick_each(array, axis, place)
    first = place.flat[0]
    if np.all(place == first):
        return array[(slice(None),) * axis + (int(first),)]
    if array.shape[0] > 1:
        return _pick_each(array, axis, place)
    moved = namespace(array).moveaxis(array, axis, 0)[:, 0]
    places = place[:, 0]
    if np.array_equal(places, np.arange(first, first + len(places))):
        return moved[int(first) : int(first) + len(places)]
    return moved[places]


def window(array: Any, axis: int, start: Any, size: int) -> Any:
    """`size` entries from `start` (from 0), an integer per lane, along the event axis `axis`."""
    if not is_traced(start) and np.all(start == start.flat[0]):
        first = int(start.flat[0])
        return array[(slice(None),) * axis + (slice(first, first + size),)]
    if array.shape[0] == 1 and not is_traced(start) and start.shape[-1] == 1:
        places = start + np.arange(size)
        return namespace(array).moveaxis(array[0].take(places, axis=axis - 1), axis - 1, 0)
    steps = np.arange(size).reshape((size, *(1,) * (array.ndim - axis - 1)))
    lead = start.reshape((start.shape[0], *(1,) * (array.ndim - 2), start.shape[-1]))
    return _along(array, axis, lead + steps)


def _pick_each(array: Any, axis: int, place: Any) -> Any:
    """The general case: lanes or draws of both go together."""
    widened = place.reshape((place.shape[0], *(1,) * (array.ndim - 2), place.shape[-1]))
    return _along(array, axis, widened).squeeze(axis)


def _along(array: Any, axis: int, places: Any) -> Any:
    """The entries at `places`, which has all axes of `array`, lanes and draws matched."""
    xp = namespace(array, places)
    lanes = max(array.shape[0], places.shape[0])
    draws = max(array.shape[-1], places.shape[-1])
    shape = [
        n if i == axis else m
        for i, (n, m) in enumerate(zip(places.shape, array.shape, strict=True))
    ]
    shape[0], shape[-1] = lanes, draws
    array = xp.broadcast_to(array, (lanes, *array.shape[1:-1], draws))
    return xp.take_along_axis(array, xp.broadcast_to(places, shape), axis)

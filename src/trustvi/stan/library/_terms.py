"""The summands of a log density: which are dropped, how often each counts, what must hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._namespace import is_traced, namespace, special

# What a value may be required to be: the predicate and Stan's word for it.
REQUIREMENTS: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "positive": (lambda xp, x: x > 0, "but must be positive!"),
    "nonnegative": (lambda xp, x: x >= 0, "but must be nonnegative!"),
    "finite": (lambda xp, x: xp.isfinite(x), "but must be finite!"),
    "positive finite": (lambda xp, x: (x > 0) & (x < math.inf), "but must be positive finite!"),
    "nonnegative finite": (lambda xp, x: (x >= 0) & (x < math.inf), "but must be nonnegative!"),
    "not nan": (lambda xp, x: x == x, "but must not be nan!"),
}


class Terms:
    """Collects the summands of one log density and adds them up.

    Arrays have axes `(lanes, *event, draws)`; `event` holds the sizes of the density's event axes
    and may be set later by densities that find them out themselves. A summand whose event axis
    has size 1 stands for all entries of that axis and is multiplied by their number. Under
    `propto`, summands that depend on no traced value are dropped. With `lanes` given, the total
    is also over that many lanes. A distribution function uses `multiply` instead of `add`.
    """

    def __init__(
        self, name: str, event: tuple[int, ...] = (), propto: bool = False, lanes: int | None = None
    ) -> None:
        self.name = name
        self.event = event
        self.propto = propto
        self.lanes = lanes
        self._summands: list[tuple[Any, int]] = []
        self._factors: list[Any] = []
        self._conditions: list[Any] = []

    @classmethod
    def aligned(
        cls, name: str, *arrays: Any, propto: bool = False, lanes: int | None = None
    ) -> Terms:
        """Terms for arguments whose event axes are aligned for broadcasting."""
        event = np.broadcast_shapes((), *(array.shape[1:-1] for array in arrays))
        return cls(name, event, propto, lanes)

    @property
    def _axes(self) -> dict[int, int]:
        """The axes to sum over, and their sizes."""
        sizes = {i + 1: size for i, size in enumerate(self.event)}
        return sizes if self.lanes is None else {0: self.lanes, **sizes}

    @property
    def count(self) -> int:
        """How many scalar densities the total is the sum of, per lane and draw."""
        return math.prod(self._axes.values())

    def add(self, value: Any, *depends_on: Any) -> None:
        """Add a summand; under `propto` only if one of `depends_on` is traced."""
        if not self.propto or is_traced(*depends_on):
            self._append(self._shaped(value), covered=())

    def keep(self, value: Any) -> None:
        """Add a summand that is never dropped."""
        self._append(self._shaped(value), covered=())

    def add_product(self, factors: tuple[Any, ...], *depends_on: Any) -> None:
        """Add the product of `factors`, each summed first over axes the others don't have.

        So sum_n y_n log(p) costs one multiplication per draw when p is the same for all n.
        """
        if self.propto and not is_traced(*depends_on):
            return
        shaped = [self._shaped(factor) for factor in factors]
        summed = [self._private(shaped, i) for i in range(len(shaped))]
        product = 1.0
        for factor, axes in zip(shaped, summed, strict=True):
            product = product * (factor.sum(axis=axes, keepdims=True) if axes else factor)
        self._append(product, covered=tuple(axis for axes in summed for axis in axes))

    def add_squares(self, y: Any, center: Any, weights: tuple[Any, ...], *depends_on: Any) -> None:
        """Add prod(weights) (y - center)^2.

        For known y_1..y_n with a common center: n (mean(y) - center)^2 + sum_n (y_n - mean(y))^2.
        """
        if self.propto and not is_traced(*depends_on):
            return
        y, *others = (self._shaped(array) for array in (y, center, *weights))
        axes = () if is_traced(y) else self._private([y, *others], 0)
        if not axes:
            self.add_product(((y - others[0]) ** 2, *weights), *depends_on)
            return
        mean = y.mean(axis=axes, keepdims=True)
        number = math.prod(self._axes[axis] for axis in axes)
        spread = ((y - mean) ** 2).sum(axis=axes, keepdims=True)
        product = number * (mean - others[0]) ** 2 + spread
        for weight in others[1:]:
            product = product * weight
        self._append(product, covered=axes)

    def add_logs(self, times: Any, value: Any, *depends_on: Any) -> None:
        """Add times log(value), which is 0 where times is; known times are summed first."""
        if self.propto and not is_traced(*depends_on):
            return
        times, value = self._shaped(times), self._shaped(value)
        axes = () if is_traced(times) else self._private([times, value], 0)
        times = times.sum(axis=axes, keepdims=True) if axes else times
        self._append(special(times, value).multiply_log(times, value), covered=axes)

    def add_counted(
        self, function: Callable[..., Any], counts: Any, others: tuple[Any, ...], *depends_on: Any
    ) -> None:
        """Add function(counts, *others), computed once for each distinct known count.

        That needs `others` to be the same for all counts.
        """
        if self.propto and not is_traced(*depends_on):
            return
        counts, *others_ = map(self._shaped, (counts, *others))
        if not self.private(counts, *others_):
            self._append(function(counts, *others_), covered=())
            return
        varying = tuple(axis for axis, size in enumerate(counts.shape[:-1]) if size > 1)
        distinct, times = np.unique(counts, return_counts=True)
        along = tuple(-1 if axis == varying[0] else 1 for axis in range(counts.ndim))
        value = function(distinct.reshape(along), *others_) * times.reshape(along)
        self._append(value.sum(axis=varying[0], keepdims=True), covered=varying)

    def private(self, known: Any, *others: Any) -> bool:
        """Whether `known` is not traced and can be summed before it meets `others`."""
        varying = tuple(axis for axis, size in enumerate(known.shape[:-1]) if size > 1)
        return not is_traced(known) and self._private([known, *others], 0) == varying != ()

    def multiply(self, value: Any) -> None:
        """Make the total a product, and `value` a factor of it (for `_cdf`)."""
        self._factors.append(self._shaped(value))

    def require(self, condition: Any, message: str | Callable[[tuple[int, ...]], str]) -> None:
        """Demand `condition`: known violations raise, traced ones make the density -inf.

        `message` may be a function of the index of the first violation in the condition's array.
        """
        if is_traced(condition):
            self._conditions.append(condition)
        elif self.count and not np.all(condition):
            where = tuple(int(i[0]) for i in np.nonzero(~np.asarray(condition, bool)))
            text = message if isinstance(message, str) else message(where)
            raise StanRuntimeError(f"{self.name}: {text}")

    def check(self, what: str, value: Any, must: str, natural: bool = False) -> None:
        """Demand that `value` is what `REQUIREMENTS` calls `must`.

        `natural` says that the total is NaN or -inf by itself where a traced value is not.
        """
        if not (natural and is_traced(value)):
            predicate, words = REQUIREMENTS[must]
            holds = predicate(namespace(value), value)
            self.require(holds, lambda where: describe(what, value, where, words))

    def check_order(
        self, what: str, value: Any, relation: str, bound: Any, natural: bool = False
    ) -> None:
        """Demand `value` <= `bound` (or >=, <, >), in Stan's words."""
        if natural and is_traced(value, bound):
            return
        compare, words = ORDERS[relation]
        bound = self._shaped(bound)

        def message(where: tuple[int, ...]) -> str:
            return describe(what, value, where, f"but must be {words} {number(bound, where)}")

        self.require(compare(value, bound), message)

    def check_bounds(
        self, what: str, value: Any, low: Any, high: Any, natural: bool = False
    ) -> None:
        """Demand `low <= value <= high`, in Stan's words."""
        if natural and is_traced(value, low, high):
            return
        low, high = self._shaped(low), self._shaped(high)

        def message(where: tuple[int, ...]) -> str:
            limits = f"[{number(low, where)}, {number(high, where)}]"
            return describe(what, value, where, f"but must be in the interval {limits}")

        self.require((low <= value) & (value <= high), message)

    def support(self, condition: Any, *depends_on: Any) -> None:
        """Make the density -inf where `condition` doesn't hold."""
        if not self.propto or is_traced(*depends_on):
            self._conditions.append(condition)

    def total(self) -> Any:
        """The log density, of shape (lanes or 1, draws or 1)."""
        result = self._product() if self._factors else self._sum()
        fallback = math.nan if self._factors else -math.inf
        if not self.count:
            return result
        for condition in self._conditions:
            xp = namespace(result, condition)
            holds = self._flatten(self._shaped(condition), namespace(condition).all)
            result = xp.where(holds, result, fallback)
        return result

    def _shaped(self, value: Any) -> Any:
        """Python's numbers as arrays with all axes of size 1."""
        return value if hasattr(value, "shape") else np.full((1,) * (len(self.event) + 2), value)

    def _private(self, arrays: list[Any], i: int) -> tuple[int, ...]:
        """The summed axes in which only the i-th of `arrays` varies."""
        others = [array for j, array in enumerate(arrays) if j != i]
        return tuple(
            axis
            for axis in self._axes
            if arrays[i].shape[axis] > 1 and all(other.shape[axis] == 1 for other in others)
        )

    def _append(self, value: Any, covered: tuple[int, ...]) -> None:
        sizes = self._axes.items()
        alone = [n for axis, n in sizes if value.shape[axis] == 1 and axis not in covered]
        self._summands.append((value, math.prod(alone)))

    def _flatten(self, value: Any, reduce: Callable[..., Any]) -> Any:
        """Reduce the event axes, and the lanes axis too if lanes are summed."""
        flat = reduce(value, axis=tuple(range(1, value.ndim - 1)))
        return flat if self.lanes is None else reduce(flat, axis=0, keepdims=True)

    def _sum(self) -> Any:
        """Add summands of one shape before reducing them, so that they are read in one loop."""
        groups: dict[tuple[Any, ...], Any] = {}
        for value, times in self._summands:
            key = (is_traced(value), value.shape[:-1], times)
            groups[key] = groups[key] + value if key in groups else value
        result: Any = np.zeros((1, 1))
        for (_, _, times), value in sorted(groups.items(), key=lambda group: group[0][0]):
            reduced = self._flatten(value, namespace(value).sum)
            result = result + (reduced if times == 1 else reduced * float(times))
        return result

    def _product(self) -> Any:
        result: Any = np.ones((1, 1))
        for value in self._factors:
            times = math.prod(n for axis, n in self._axes.items() if value.shape[axis] == 1)
            reduced = self._flatten(value, namespace(value).prod)
            result = result * (reduced if times == 1 else reduced**times)
        return result


ORDERS: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "<=": (lambda x, y: x <= y, "less than or equal to"),
    ">=": (lambda x, y: x >= y, "greater than or equal to"),
    "<": (lambda x, y: x < y, "less than"),
    ">": (lambda x, y: x > y, "greater than"),
}


def number(array: Any, where: tuple[int, ...]) -> str:
    """The entry that broadcasts to index `where`, as C++ streams print it."""
    if is_traced(array):
        return "out of range"
    if array.size == 1:
        return f"{array.item():g}"
    return f"{array[tuple(min(i, n - 1) for i, n in zip(where, array.shape, strict=True))]:g}"


def describe(what: str, value: Any, where: tuple[int, ...], must: str) -> str:
    """`Scale parameter[2] is -1, but must be positive!`; indices only where there are several."""
    axes = zip(where[1:-1], value.shape[1:-1], strict=True)
    indices = "".join(f"[{i + 1}]" for i, n in axes if n > 1)
    return f"{what}{indices} is {number(value, where)}, {must}"

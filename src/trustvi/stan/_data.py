"""Data for a program: from a dict, JSON or an R dump to arrays that fit the declarations."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from trustvi.stan._ast import Declaration, Declared, Expr, Variable
from trustvi.stan._diagnostics import StanDataError, did_you_mean
from trustvi.stan._json import SPECIAL, parse_json
from trustvi.stan._rdump import Other, parse_rdump
from trustvi.stan._transforms import Layout, arguments_of, layout_of, violation

Source = Mapping[str, Any] | str | os.PathLike[str] | None
Dims = tuple[int, ...]
_INT_MAX = 2**31 - 1
_BOM = "\ufeff"
"""A mark that some editors put in front of a text."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Variables as they were given, words for where a variable is missing, and what is left open.

    JSON tells 3 from 3.0, and Stan minds. R and NumPy don't always, so that there a real that is
    whole will do for an int; and R has no scalars, so that there a number will do for one element.
    """

    variables: Mapping[str, Any]
    origin: str
    whole_reals_are_ints: bool
    numbers_are_vectors: bool = False

    def missing(self, name: str, declared: Collection[str] = ()) -> StanDataError:
        """The error that `name` is not there, with a guess among what nobody declared."""
        spare = [other for other in self.variables if other not in declared]
        same = [other for other in spare if other.lower() == name.lower()]
        hints = (f'did you mean "{same[0]}"?',) if same else did_you_mean(name, spare)
        return StanDataError(f'"{name}" is missing{self.origin}', hints=hints)


def load_data(source: Source) -> DataSet:
    """The variables of a dict, a JSON or R dump file, or such a file's text."""
    if source is None:
        return DataSet({}, ": no data were given", True)
    if isinstance(source, Mapping):
        return DataSet({str(name): value for name, value in source.items()}, " from the data", True)
    if isinstance(source, str) and _is_text(source.lstrip(_BOM)):
        return _parse(source.lstrip(_BOM), "data")
    if not isinstance(source, str | os.PathLike):
        kind = type(source).__name__
        raise StanDataError(f"data should be a mapping, a path, text or None, but are a {kind}")
    path = Path(source)
    try:
        text = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise StanDataError(f"the data file can't be read: {error}") from None
    return _parse(text, str(path))


def _is_text(source: str) -> bool:
    """Whether a string holds data itself, and is not the name of a file with them."""
    return not source.strip() or source.lstrip()[0] == "{" or "\n" in source or "<-" in source


def _parse(text: str, file: str) -> DataSet:
    origin = f" from {file}" if file != "data" else " from the data"
    if file.lower().endswith(".json") or text.lstrip()[:1] in ("{", "["):
        return DataSet(parse_json(text, file), origin, whole_reals_are_ints=False)
    return DataSet(parse_rdump(text, file), origin, True, numbers_are_vectors=True)


def read_variable(
    data: DataSet,
    declaration: Declaration,
    evaluate: Callable[[Expr], Any],
    declared: Collection[str] = (),
) -> tuple[Layout, Any]:
    """The layout and value of a declared variable; its value keeps to the declaration.

    `evaluate` gives the value of sizes and bounds as arrays with axes (lanes, *event, draws);
    `declared` are the names of all data. Errors carry the place of the declaration.
    """
    name, sized = declaration.name, declaration.declared
    layout = layout_of(sized, name, lambda expr: int(evaluate(expr).item()))
    try:
        value = value_of(data, name, layout, declared)
        said = violation(layout, value, arguments_of(sized, evaluate), name)
        if said is not None:
            raise StanDataError(said)
    except _ShapeError as error:
        hints = (*error.diagnostic.hints, *_size_hints(sized, evaluate))
        raise StanDataError(error.message, declaration.name_span, hints=hints) from None
    except StanDataError as error:
        raise error.locate(declaration.name_span) from None
    return layout, value


class _ShapeError(StanDataError):
    """The data have another shape than the declaration; the values of its sizes may say why."""


def _size_hints(declared: Declared, evaluate: Callable[[Expr], Any]) -> list[str]:
    """What the variables are that the sizes of a declaration name."""
    sizes = (*declared.sized.array_sizes, *declared.sized.sizes)
    named = {expr.name: expr for expr in sizes if isinstance(expr, Variable)}
    return [f"{name} is {evaluate(expr).item()}" for name, expr in named.items()]


def value_of(data: DataSet, name: str, layout: Layout, declared: Collection[str] = ()) -> Any:
    """The value of one variable: arrays with axes (1, *shape, 1), tuples of them for tuples.

    As in Stan, a variable without elements need not be given.
    """
    empty = _empty(layout, ())
    if name in data.variables and not (empty is not None and _is_null(data.variables[name])):
        return _convert(data, name, layout, data.variables[name], ())
    parts = [f"{name}.{position + 1}" for position in range(len(layout.elements))]
    if parts and all(part in data.variables for part in parts):
        given = {str(i + 1): data.variables[part] for i, part in enumerate(parts)}
        return _convert(data, name, layout, given, ())
    if empty is not None:
        return empty
    raise data.missing(name, declared)


def _empty(layout: Layout, outer: Dims) -> Any:
    """The value of a variable that has no elements, or None for one that has some."""
    if layout.is_tuple:
        items = [_empty(element, outer + layout.array_dims) for element in layout.elements]
        return None if any(item is None for item in items) else tuple(items)
    shape = outer + layout.shape
    if math.prod(shape):
        return None
    dtype = np.int64 if layout.integer else np.complex128 if layout.complex else np.float64
    return np.zeros((1, *shape, 1), dtype)


def _is_null(given: Any) -> bool:
    return isinstance(given, Other) and given.what == "NULL"


# --------------------------------------------------------------------------- conversion


def _convert(data: DataSet, name: str, layout: Layout, given: Any, outer: Dims) -> Any:
    """`given` as a value of a variable under the array dimensions `outer` of tuples around it."""
    if layout.is_tuple:
        return _convert_tuple(data, name, layout, given, outer)
    array = _numbers(name, given)
    if layout.complex:
        array = _pairs_to_complex(array, outer + layout.shape)
    array = _with_shape(data, name, array, outer + layout.shape, layout.complex)
    if layout.integer:
        array = _as_ints(data, name, array)
    elif array.dtype.kind == "c" and not layout.complex:
        raise StanDataError(f'"{name}" is declared real, but its values are complex')
    else:
        array = array.astype(np.complex128 if layout.complex else np.float64)
    return array[None, ..., None]


def _convert_tuple(data: DataSet, name: str, layout: Layout, given: Any, outer: Dims) -> Any:
    outer = outer + layout.array_dims
    items: list[Any] = []
    for position, element in enumerate(layout.elements, start=1):
        empty = _empty(element, outer)
        if isinstance(given, Mapping) and not _has(given, position) and empty is not None:
            items.append(empty)
        else:
            item = _item(name, given, position, outer)
            items.append(_convert(data, f"{name}.{position}", element, item, outer))
    return tuple(items)


def _has(given: Mapping[Any, Any], position: int) -> bool:
    return str(position) in given or position in given


def _item(name: str, given: Any, position: int, outer: Dims) -> Any:
    """Item `position` of a tuple, or of every tuple in a nested list: a nested list of items."""
    if isinstance(given, Mapping):
        for key in (str(position), position):
            if key in given:
                return given[key]
        raise StanDataError(f'"{name}" is a tuple, but its item {position} is missing')
    if outer and (isinstance(given, list) or (isinstance(given, np.ndarray) and given.ndim)):
        return [_item(name, one, position, outer[1:]) for one in given]
    if isinstance(given, tuple) and len(given) >= position:
        return given[position - 1]
    raise StanDataError(
        f'"{name}" is declared as a tuple, but its value is not',
        hints=('write a tuple as {"1": ..., "2": ...}',),
    )


def _numbers(name: str, given: Any) -> np.ndarray:
    """Anything made of numbers as a NumPy array."""
    if isinstance(given, Other):
        raise StanDataError(f'"{name}" should be numbers, but its value is {given.what}')
    if hasattr(given, "to_numpy"):
        given = given.to_numpy()
    try:
        array = np.asarray(given)
    except ValueError:
        raise StanDataError(f'"{name}" is not rectangular: its rows differ in length') from None
    if array.dtype.kind in "US":
        array = np.asarray(_replace_specials(name, given))
    if array.dtype.kind == "O":
        array = _of_objects(array)
    if array.dtype.kind == "O":
        raise StanDataError(f'"{name}" should be numbers, but it holds {_intruder(array)}')
    if array.dtype.kind not in "biufc":
        raise StanDataError(f'"{name}" should be numbers, but it is of type {array.dtype}')
    return array


def _of_objects(array: np.ndarray) -> np.ndarray:
    """Numbers in a more fitting array than one of objects, where all are numbers."""
    try:
        found = np.asarray(array.tolist())
        beyond = found.dtype.kind == "O" and all(
            isinstance(each, int | float) for each in found.flat
        )
        return found.astype(np.float64) if beyond else found
    except (ValueError, OverflowError):
        return array


def _replace_specials(name: str, given: Any) -> Any:
    """Numbers for the strings that JSON uses for infinities and NaN."""
    if isinstance(given, list | tuple | np.ndarray):
        return [_replace_specials(name, item) for item in given]
    if isinstance(given, str):
        if given not in SPECIAL:
            raise StanDataError(f'"{name}" should be numbers, but it holds the string "{given}"')
        return SPECIAL[given]
    if not isinstance(given, numbers.Number | np.bool_):
        raise StanDataError(f'"{name}" should be numbers, but it holds {given!r}')
    return given


def _intruder(array: np.ndarray) -> str:
    """The first entry of an array of objects that is no number."""
    for entry in array.ravel():
        if entry is None:
            return "null (None)"
        if isinstance(entry, list | tuple):
            return "rows of different lengths"
        if not isinstance(entry, int | float | complex):
            return f"{entry!r}"
    return "integers too large for any real"


def _pairs_to_complex(array: np.ndarray, shape: Dims) -> np.ndarray:
    if array.dtype.kind != "c" and array.shape == (*shape, 2):
        return np.ascontiguousarray(array, np.float64).view(np.complex128)[..., 0]
    return array


def _with_shape(
    data: DataSet, name: str, array: np.ndarray, shape: Dims, complex: bool
) -> np.ndarray:
    if array.shape == shape:
        return array
    if array.size == 0 and math.prod(shape) == 0:
        return array.reshape(shape)
    if data.numbers_are_vectors and array.shape == () and math.prod(shape) == 1:
        return array.reshape(shape)
    hints: list[str] = []
    if array.shape == shape[::-1]:
        hints.append("the dimensions are the other way round: transpose the data")
    if complex:
        hints.append("write a complex number as [real, imaginary]")
    said = f'"{name}" should be {_shape_text(shape)}, but the data have {_shape_text(array.shape)}'
    raise _ShapeError(said, hints=hints)


def _shape_text(shape: Dims) -> str:
    if not shape:
        return "a single number"
    numbers = "number" if math.prod(shape) == 1 else "numbers"
    return f"an array of {' x '.join(map(str, shape))} {numbers}"


def _as_ints(data: DataSet, name: str, array: np.ndarray) -> np.ndarray:
    """Integers, or reals that are whole if the format can't tell."""
    wide = np.argwhere(abs(np.real(array)) > _INT_MAX)
    if len(wide):
        number = array[tuple(wide[0])]
        raise StanDataError(f"{_place(name, wide[0])} is {number}, beyond the range of int")
    if array.dtype.kind in "fc":
        whole = array == np.round(np.real(array))
        if not whole.all():
            _refuse(name, array, np.argwhere(~whole)[0])
        if not data.whole_reals_are_ints and array.size:
            _refuse(name, array, np.zeros(array.ndim, int))
    return np.real(array).astype(np.int64)


def _refuse(name: str, array: np.ndarray, at: np.ndarray) -> NoReturn:
    """Say which element of an int variable is not an integer."""
    number = array[tuple(at)]
    hints = ()
    if number == np.round(np.real(number)):
        hints = (f"JSON tells integers from reals: write {np.real(number):.0f}",)
    said = f"{_place(name, at)} is declared int, but its value is {number!s}"
    raise StanDataError(said, hints=hints)


def _place(name: str, at: np.ndarray) -> str:
    return f'"{name}"' + (f"[{', '.join(str(i + 1) for i in at)}]" if len(at) else "")

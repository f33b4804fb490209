"""A sweep: the comparison's figures over a grid of keys, by the same evaluation on arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tco.cost.contender import with_batch_prices
from tco.cost.number import FloatArray
from tco.errors import InputError
from tco.explore.axis import Axis
from tco.explore.fields import DEFAULT_FIELDS, column
from tco.explore.seen import has_years, keys_used, seen_at, why_unused
from tco.scenario import Scenario, alternative_names, stated_name
from tco.what_if import WhatIf

MAX_POINTS = 10_000_000
# Points at a time: their arrays stay in the processor's cache, and memory does not grow.
_BLOCK = 32_768
# A cash flow has an axis of years more.
_CASH_BLOCK = 2_048
# Values of one axis that are looked at to see whether it changes anything.
_LOOKED_AT = 50


@dataclass(frozen=True, slots=True)
class SweepBlock:
    """Part of the grid: every point with each alternative.

    Attributes:
        points: how many.
        values: for every axis, its value at each point, or the one text of all of them.
        alternatives: their names; one None where the scenario has no alternative.
        columns: for every field, (points, alternatives); NaN is "none".
    """

    points: int
    values: tuple[FloatArray | str, ...]
    alternatives: tuple[str | None, ...]
    columns: tuple[FloatArray, ...]


@dataclass(frozen=True, slots=True)
class _Combination:
    """One value for each axis that is not an array, and the arrays inside.

    Attributes:
        scenario: with the first value of each array; batch prices stand beside its alternatives.
        indices: of the loops' values.
    """

    scenario: Scenario
    arrays: tuple[Axis, ...]
    indices: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of every point.

    Attributes:
        alternative: the name of the only one; None asks for all.
    """

    axes: Sequence[Axis]
    what_if: WhatIf
    fields: Sequence[str]
    alternative: str | None = None


def sweep_blocks(
    axes: Sequence[Axis],
    what_if: WhatIf,
    fields: Sequence[str] = DEFAULT_FIELDS,
    alternative: str | None = None,
) -> Iterator[SweepBlock]:
    """Yield the grid, block by block.

    Axes of numbers that the evaluation reads run as arrays, the last fastest; the others
    (catalog names, methods) as loops around them, each a scenario of its own. Every value
    is validated like the scenario.

    Args:
        axes: the keys and their values.
        what_if: the case that they vary.
        fields: names of `tco.explore.fields`.
        alternative: the name of the only one to be swept; all if left out.

    Raises:
        InputError: a value that the scenario does not allow, named by its --vary; an unknown
            field or alternative; a number that changes no figure.
    """
    _check(axes)
    arrays = _array_axes(axes, what_if, fields)
    loops = [axis for axis in axes if axis not in arrays]
    _refuse_idle(axes, loops, what_if, fields)
    # All of them are validated before the first row is given.
    combinations = [
        _combination(axes, arrays, dict(zip(_keys(loops), at, strict=True)), what_if, corners=True)
        for at in itertools.product(*(range(len(axis)) for axis in loops))
    ]
    for combination in combinations:
        yield from _blocks(_Asked(axes, what_if, fields, alternative), combination)


def idle_axes(axes: Sequence[Axis], what_if: WhatIf, fields: Sequence[str]) -> list[str]:
    """Return the keys whose values all give the same figures where the others have their first."""
    arrays = _array_axes(axes, what_if, fields)
    return [
        axis.key
        for axis in axes
        if len(set(axis.spread(_LOOKED_AT).texts())) > 1
        and not _changes(axis, axes, what_if, fields, as_array=axis in arrays)
    ]


def _refuse_idle(
    axes: Sequence[Axis], loops: Sequence[Axis], what_if: WhatIf, fields: Sequence[str]
) -> None:
    """Refuse a number that no figure here rests on: its flat rows would read as an answer."""
    for axis in loops:
        differ = len(np.unique(axis.numbers)) > 1
        if differ and not _changes(axis, axes, what_if, fields, as_array=False):
            base = _scenario(axes, dict.fromkeys(_keys(axes), 0), what_if)
            raise InputError(
                f"--vary {axis.key} changes no figure of a sweep",
                key=axis.key,
                remedy=why_unused(what_if, base, axis.key, axis.numbers[:1])
                or "a sweep measures nothing: for what the engine does, run `tco bench` each time",
            )


def _changes(
    axis: Axis,
    axes: Sequence[Axis],
    what_if: WhatIf,
    fields: Sequence[str],
    *,
    as_array: bool,
) -> bool:
    """Say whether values of one axis, spread over it, give other figures than its first."""
    some = axis.spread(_LOOKED_AT)
    varied = [some if each is axis else each for each in axes]
    base = {each.key: 0 for each in axes}
    if as_array:
        del base[axis.key]
        combination = _combination(varied, (some,), base, what_if)
        (block,) = _blocks(_Asked(varied, what_if, fields), combination)
        return any(np.nan_to_num(each - each[:1]).any() for each in block.columns)
    first, *others = (
        _figures(varied, {**base, axis.key: index}, what_if, fields) for index in range(len(some))
    )
    return any(figures != first for figures in others)


def _figures(
    axes: Sequence[Axis], indices: Mapping[str, int], what_if: WhatIf, fields: Sequence[str]
) -> list[object]:
    combination = _combination(axes, (), indices, what_if)
    (block,) = _blocks(_Asked(axes, what_if, fields), combination)
    return [np.nan_to_num(each).tolist() for each in block.columns]


def _check(axes: Sequence[Axis]) -> None:
    if not axes:
        raise InputError("--vary is missing", remedy="name at least one key to vary")
    keys = _keys(axes)
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice:
        raise InputError(f"--vary {twice} stands twice", remedy="give all its values in one --vary")
    points = math.prod(len(axis) for axis in axes)
    if points > MAX_POINTS:
        raise InputError(
            f"the grid has {points:,} points, more than {MAX_POINTS:,}",
            remedy="take wider steps or fewer keys",
        )


def _keys(axes: Sequence[Axis]) -> list[str]:
    return [axis.key for axis in axes]


def _array_axes(axes: Sequence[Axis], what_if: WhatIf, fields: Sequence[str]) -> tuple[Axis, ...]:
    """Return the axes whose numbers the evaluation reads."""
    base = _scenario(axes, dict.fromkeys(_keys(axes), 0), what_if)
    probe = {axis.key: axis.numbers[:1] for axis in axes if axis.is_numeric}
    used = keys_used(what_if, base, probe, fields)
    return tuple(axis for axis in axes if axis.key in used)


def _combination(
    axes: Sequence[Axis],
    arrays: tuple[Axis, ...],
    chosen: Mapping[str, int],
    what_if: WhatIf,
    *,
    corners: bool = False,
) -> _Combination:
    if corners:
        _check_corners(axes, arrays, chosen, what_if)
    stated = _scenario(axes, {**chosen, **dict.fromkeys(_keys(arrays), 0)}, what_if)
    scenario = with_batch_prices(stated, what_if.tables, what_if.date_of(stated))
    return _Combination(scenario, arrays, chosen)


def _check_corners(
    axes: Sequence[Axis], arrays: Sequence[Axis], chosen: Mapping[str, int], what_if: WhatIf
) -> None:
    """See that the scenario allows every corner of the grid, and so all that lies between.

    What the scenario asks of numbers (bounds, one not above another) is linear, and holds
    inside where it holds at the corners; whole numbers are seen to one by one.
    """
    for corner in itertools.product(*(_ends(axis) for axis in arrays)):
        _scenario(axes, {**chosen, **dict(zip(_keys(arrays), corner, strict=True))}, what_if)
    first = dict.fromkeys(_keys(arrays), 0)
    for axis in arrays:
        fractions = np.flatnonzero(axis.numbers % 1)[:1]
        for index in fractions:
            _scenario(axes, {**chosen, **first, axis.key: int(index)}, what_if)


def _ends(axis: Axis) -> tuple[int, ...]:
    ends = (int(axis.numbers.argmin()), int(axis.numbers.argmax()))
    return tuple(dict.fromkeys(ends))


def _scenario(axes: Sequence[Axis], indices: Mapping[str, int], what_if: WhatIf) -> Scenario:
    by_key = {axis.key: axis for axis in axes}
    try:
        return what_if.scenario([f"{key}={by_key[key].text(i)}" for key, i in indices.items()])
    except InputError as error:
        place = error.file
        if place is not None and place.startswith("--set ") and error.key in indices:
            place = place.replace("--set ", "--vary ", 1)
        raise InputError(
            error.message, remedy=error.remedy, file=place, line=error.line, key=error.key
        ) from None


def _blocks(asked: _Asked, combination: _Combination) -> Iterator[SweepBlock]:
    _require_used(asked, combination)
    shape = tuple(len(axis) for axis in combination.arrays)
    size = math.prod(shape)
    block = _CASH_BLOCK if has_years(asked.fields) else _BLOCK
    for start in range(0, size, block):
        flat = np.arange(start, min(start + block, size))
        index = np.unravel_index(flat, shape) if shape else ()
        overrides = {
            axis.key: axis.numbers[at] for axis, at in zip(combination.arrays, index, strict=True)
        }
        yield _block(asked, combination, overrides, len(flat))


def _require_used(asked: _Asked, combination: _Combination) -> None:
    """See that the figures of this combination rest on every array."""
    first = {axis.key: axis.numbers[:1] for axis in combination.arrays}
    used = keys_used(asked.what_if, combination.scenario, first, asked.fields)
    for unused in first.keys() - used:
        raise InputError(f"--vary {unused} changes nothing at some of these values", key=unused)


def _block(
    asked: _Asked, combination: _Combination, overrides: Mapping[str, FloatArray], points: int
) -> SweepBlock:
    what_if = asked.what_if
    scenario = combination.scenario
    try:
        seen = seen_at(what_if, scenario, overrides, asked.fields)
    except ValueError as error:
        raise InputError(f"the figures do not fit together: {error}") from None
    kept = kept_alternatives(scenario, asked.alternative)
    names = alternative_names(scenario.alternatives) or (None,)
    return SweepBlock(
        points=points,
        values=tuple(_value(axis, combination.indices, overrides, points) for axis in asked.axes),
        alternatives=tuple(names[index] for index in kept),
        columns=tuple(column(seen, field, points)[:, kept] for field in asked.fields),
    )


def kept_alternatives(scenario: Scenario, name: str | None) -> list[int]:
    """Return the indices of the alternatives of that name, or of all; [0] where there is none.

    A name that the scenario gives to several keeps all of them.

    Raises:
        InputError: no alternative has that name.
    """
    names = alternative_names(scenario.alternatives)
    if name is None:
        return list(range(len(names))) or [0]
    if name in names:
        return [names.index(name)]
    kept = [i for i, each in enumerate(scenario.alternatives) if stated_name(each) == name]
    if not kept:
        listed = ", ".join(f"{each!r}" for each in names) or "none"
        raise InputError(f"no alternative is named {name!r}", remedy=f"there are {listed}")
    return kept


def _value(
    axis: Axis, indices: Mapping[str, int], overrides: Mapping[str, FloatArray], points: int
) -> FloatArray | str:
    if axis.key in overrides:
        return overrides[axis.key]
    index = indices[axis.key]
    if axis.is_numeric:
        return np.full(points, axis.numbers[index])
    return axis.text(index)

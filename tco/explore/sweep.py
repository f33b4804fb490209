"""A sweep: the comparison's figures over a grid of keys, by the same evaluation on arrays."""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tco.cost.contender import with_batch_prices
from tco.cost.evaluate import evaluate
from tco.cost.inputs import inputs_of
from tco.cost.number import FloatArray, Number
from tco.errors import InputError
from tco.explore.axis import Axis
from tco.measurement import Measurement
from tco.prices import PriceTables
from tco.scenario import Scenario

MAX_POINTS = 10_000_000


@dataclass(frozen=True, slots=True)
class Source:
    """Where a sweep's points come from.

    Attributes:
        scenario: returns the scenario under `key=value` overrides, validated.
        measurement: returns the measurement that goes with a scenario.
        tables: price rows that alternatives may name.
        date: the day whose prices hold, where the scenario states none.
    """

    scenario: Callable[[Sequence[str]], Scenario]
    measurement: Callable[[Scenario], Measurement]
    tables: PriceTables
    date: dt.date


@dataclass(frozen=True, slots=True)
class RivalColumns:
    """One alternative over the points of a block; NaN is "none"."""

    name: str
    saving: FloatArray
    break_even_utilisation: FloatArray


@dataclass(frozen=True, slots=True)
class SweepBlock:
    """Part of the grid, as columns with one entry a point.

    Attributes:
        values: for every axis, the text of its value at each point.
        rivals: one for every alternative.
    """

    values: tuple[tuple[str, ...], ...]
    usd_per_hour: FloatArray
    usd_per_request: FloatArray
    usd_per_million_output: FloatArray
    usd_per_million_total: FloatArray
    rivals: tuple[RivalColumns, ...]


def sweep(axes: Sequence[Axis], source: Source) -> Iterator[SweepBlock]:
    """Yield the grid, block by block.

    Axes of numbers that the evaluation reads run as arrays, the last fastest; the others
    (catalog names, methods) as loops around them, each a scenario of its own. Every value
    is validated like the scenario.

    Raises:
        InputError: a value that the scenario does not allow, named by its --vary.
    """
    _check(axes)
    arrays = _array_axes(axes, source)
    loops = [axis for axis in axes if axis not in arrays]
    _refuse_idle(axes, loops, source)
    for combination in itertools.product(*(axis.texts for axis in loops)):
        chosen = dict(zip((axis.key for axis in loops), combination, strict=True))
        _check_corners(arrays, chosen, source)
        yield _block(axes, arrays, chosen, source)


def _refuse_idle(axes: Sequence[Axis], loops: Sequence[Axis], source: Source) -> None:
    """Refuse a number that no figure here rests on: its flat rows would read as an answer."""
    base = {axis.key: axis.texts[0] for axis in axes}
    for axis in loops:
        if len(set(axis.numbers)) > 1:
            ends = [{**base, axis.key: text} for text in (axis.texts[0], axis.texts[-1])]
            first, last = (_figures(_block(axes, (), chosen, source)) for chosen in ends)
            if first == last:
                raise InputError(
                    f"--vary {axis.key} changes no figure of a sweep",
                    key=axis.key,
                    remedy="a sweep measures nothing: for what the engine does, run `tco bench` "
                    "at each value; for the cash flow, `tco compare --set`",
                )


def _figures(block: SweepBlock) -> list[float | None]:
    own = [block.usd_per_hour, block.usd_per_request, block.usd_per_million_output]
    theirs = [
        column for each in block.rivals for column in (each.saving, each.break_even_utilisation)
    ]
    return [None if math.isnan(number) else number for column in own + theirs for number in column]


def _check(axes: Sequence[Axis]) -> None:
    if not axes:
        raise InputError("--vary is missing", remedy="name at least one key to vary")
    keys = [axis.key for axis in axes]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice:
        raise InputError(f"--vary {twice} stands twice", remedy="give all its values in one --vary")
    points = math.prod(len(axis.texts) for axis in axes)
    if points > MAX_POINTS:
        raise InputError(
            f"the grid has {points:,} points, more than {MAX_POINTS:,}",
            remedy="take wider steps or fewer keys",
        )


def _array_axes(axes: Sequence[Axis], source: Source) -> list[Axis]:
    """Return the axes whose numbers the evaluation reads."""
    base = _scenario({axis.key: axis.texts[0] for axis in axes}, source)
    probe = {axis.key: np.array(axis.numbers[:1]) for axis in axes if axis.numbers}
    _, used = inputs_of(
        base, source.measurement(base), source.tables, base.date or source.date, probe
    )
    return [axis for axis in axes if axis.key in used]


def _check_corners(arrays: Sequence[Axis], chosen: Mapping[str, str], source: Source) -> None:
    """See that the scenario allows every corner of the grid, and so all that lies between.

    What the scenario asks of numbers (bounds, one not above another) is linear, and holds
    inside where it holds at the corners; whole numbers are seen to one by one.
    """
    for corner in itertools.product(*(_ends(axis) for axis in arrays)):
        _scenario({**chosen, **dict(zip(_keys(arrays), corner, strict=True))}, source)
    first = {axis.key: axis.texts[0] for axis in arrays}
    for axis in arrays:
        for text in _first_fraction(axis):
            _scenario({**chosen, **first, axis.key: text}, source)


def _keys(axes: Sequence[Axis]) -> list[str]:
    return [axis.key for axis in axes]


def _ends(axis: Axis) -> tuple[str, ...]:
    order = sorted(range(len(axis.numbers)), key=axis.numbers.__getitem__)
    return tuple(dict.fromkeys((axis.texts[order[0]], axis.texts[order[-1]])))


def _first_fraction(axis: Axis) -> list[str]:
    pairs = zip(axis.texts, axis.numbers, strict=True)
    return [text for text, number in pairs if not number.is_integer()][:1]


def _scenario(chosen: Mapping[str, str], source: Source) -> Scenario:
    try:
        return source.scenario([f"{key}={text}" for key, text in chosen.items()])
    except InputError as error:
        place = error.file
        if place is not None and place.startswith("--set ") and error.key in chosen:
            place = place.replace("--set ", "--vary ", 1)
        raise InputError(
            error.message, remedy=error.remedy, file=place, line=error.line, key=error.key
        ) from None


def _block(
    axes: Sequence[Axis], arrays: Sequence[Axis], chosen: Mapping[str, str], source: Source
) -> SweepBlock:
    first = {axis.key: axis.texts[0] for axis in arrays}
    stated = _scenario({**chosen, **first}, source)
    date = stated.date or source.date
    scenario = with_batch_prices(stated, source.tables, date)
    shape = tuple(len(axis.numbers) for axis in arrays)
    size = math.prod(shape)
    index = np.indices(shape).reshape(len(shape), size)
    overrides = {axis.key: np.array(axis.numbers)[index[i]] for i, axis in enumerate(arrays)}
    measurement = source.measurement(stated)
    inputs, used = inputs_of(scenario, measurement, source.tables, date, overrides)
    for unused in overrides.keys() - used:
        raise InputError(f"--vary {unused} changes nothing with {dict(chosen)}", key=unused)
    try:
        at = evaluate(inputs)
    except ValueError as error:
        raise InputError(f"the figures do not fit together: {error}") from None
    texts = {axis.key: tuple(axis.texts[j] for j in index[i]) for i, axis in enumerate(arrays)}
    return SweepBlock(
        values=tuple(texts.get(axis.key) or (chosen[axis.key],) * size for axis in axes),
        usd_per_hour=_column(at.usd_per_hour, size),
        usd_per_request=_column(at.usd_per_request, size),
        usd_per_million_output=_column(at.usd_per_million_output, size),
        usd_per_million_total=_column(at.usd_per_million_total, size),
        rivals=tuple(
            RivalColumns(
                name=alternative.name or alternative.catalog or "",
                saving=_column(rival.saving, size),
                break_even_utilisation=_column(rival.break_even_utilisation, size),
            )
            for alternative, rival in zip(scenario.alternatives, at.rivals, strict=True)
        ),
    )


def _column(figure: Number, size: int) -> FloatArray:
    column: FloatArray = np.broadcast_to(np.asarray(figure, dtype=float), (size,))
    return column

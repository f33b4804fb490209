"""The chosen loads, the capacity and the target, as columns that stand side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tco.measurement import LoadPoint, Measurement
from tco.report.numbers import number
from tco.report.table import Column, Row, Table, row

ABSENT = "not reported"


@dataclass(frozen=True, slots=True)
class ChosenLoad:
    """A load that the comparison rests on, and what it stands for."""

    title: str
    point: LoadPoint


def chosen_loads(measurement: Measurement) -> tuple[ChosenLoad, ...]:
    """Return the capacity's load, and the target's where that is another one."""
    capacity, target = measurement.capacity_point, measurement.target_point
    if capacity is None:
        return ()
    first = "At capacity and target" if target == capacity else "At capacity"
    chosen = [ChosenLoad(first, measurement.points[capacity])]
    if target is not None and target != capacity:
        chosen.append(ChosenLoad("At target", measurement.points[target]))
    return tuple(chosen)


def side_by_side(caption: str, chosen: tuple[ChosenLoad, ...], rows: list[Row]) -> Table:
    """Return facts in the first column, and one column of values for each load."""
    heads = (Column("Fact"), *(Column(each.title) for each in chosen))
    return Table(caption, heads, tuple(rows), "facts" if len(chosen) == 1 else "sides")


def line(title: str, chosen: tuple[ChosenLoad, ...], text: Callable[[LoadPoint], str]) -> Row:
    """Return a fact's row, its value made from each load."""
    return row(title, *(text(each.point) for each in chosen))


def seconds_words(value: float) -> str:
    """Return a span of time: `60.0 s`."""
    return f"{value:,.1f} s"


def or_absent(value: float | None) -> str:
    """Return a number, or that it is not reported."""
    return ABSENT if value is None else number(value)

"""What power meters said at the chosen loads, and whether that is costed."""

from __future__ import annotations

from tco.comparison import Comparison
from tco.measurement import MeasuredPower, Measurement
from tco.report.capacity import origin_words
from tco.report.chosen import ABSENT, ChosenLoad, chosen_loads, or_absent
from tco.report.numbers import count
from tco.report.table import Column, Row, Table, row

_ONLY_SHOWN = {"power_of_accelerators_only", "power_not_costed"}
_METERS = {"nvml": "NVML", "dcgm": "DCGM", "rapl": "RAPL", "wall": "wall meter"}
_POWER_HEADS = (
    ("Meter", False),
    ("Covers", False),
    ("Idle, W", True),
    ("At load, W", True),
    ("Whole run, J", True),
    ("J per output token", True),
    ("Readings", True),
)


def power_table(comparison: Comparison, measurement: Measurement) -> Table | None:
    """Return every meter's power and energy at the chosen loads; None where there was no meter.

    What covers less than the server says so, and whether its watts are costed.
    """
    chosen = chosen_loads(measurement)
    only_shown = any(finding.kind in _ONLY_SHOWN for finding in comparison.findings)
    rows = [
        _power_row(each, power, only_shown=only_shown)
        for each in chosen
        for power in (each.point.power, *each.point.other_power)
        if power is not None
    ]
    if not rows:
        return None
    heads = tuple(Column(title, numeric=numeric) for title, numeric in _POWER_HEADS)
    caption = f"Power and energy of the engine, {origin_words(measurement)}"
    return Table(caption, heads, tuple(rows), "power")


def _power_row(chosen: ChosenLoad, power: MeasuredPower, *, only_shown: bool) -> Row:
    source = "" if power.source is None else f" ({power.source})"
    return row(
        f"{_METERS[power.meter]}{source}, {chosen.title.lower()}",
        _covers(power, only_shown=only_shown),
        or_absent(power.idle_w),
        or_absent(power.load_w),
        or_absent(power.run_energy_j),
        or_absent(power.joules_per_output_token),
        ABSENT if power.samples is None else count(power.samples),
    )


def _covers(power: MeasuredPower, *, only_shown: bool) -> str:
    if power.covers == "wall":
        return f"whole server{', not costed' if only_shown else ''}"
    if power.covers == "package":
        return "processor packages only, not costed"
    several = "" if power.accelerators is None else f" ({power.accelerators})"
    return f"accelerators only{several}{', not costed' if only_shown else ''}"

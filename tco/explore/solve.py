"""Solving: the values of a key at which a figure meets a target, by a scan and then by parts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tco import __version__
from tco.cost.contender import with_batch_prices
from tco.cost.inputs import inputs_of
from tco.cost.number import FloatArray
from tco.cost.reader import Reader
from tco.errors import InputError
from tco.explore.fields import OWN_FIELDS, check_fields, column
from tco.explore.key_range import KeyRange, allowed_range, scenario_at
from tco.explore.seen import keys_used, seen_at, why_unused
from tco.explore.sweep import kept_alternatives
from tco.explore.sweep_findings import case_findings
from tco.scenario import Scenario, alternative_names
from tco.solution import Answer, Crossing, Solution
from tco.validation import nearest
from tco.what_if import WhatIf

_SCANNED = 4001
_PARTS = 65
# Figures this near are one; a step between neighbouring values that is larger is a jump.
_EQUAL = 1e-9
_MOST_MET = 20

Figures = Callable[[FloatArray], FloatArray]


class _Recorded(dict[str, FloatArray]):
    """Overrides of nothing, which note the keys that are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def __contains__(self, key: object) -> bool:
        self.asked.add(str(key))
        return False


def solve(
    what_if: WhatIf,
    key: str,
    target: float = 0.0,
    *,
    field: str = "saving",
    between: tuple[float, float] | None = None,
    alternative: str | None = None,
) -> Solution:
    """Return at which values of the key the field is the target, against each alternative.

    Args:
        what_if: the case.
        key: any number of the scenario.
        target: of the field; a saving of 0 is the break-even.
        field: a name of `tco.explore.fields`.
        between: the lowest and highest value to try; all that are allowed if left out.
        alternative: the name of the only one.

    Raises:
        InputError: no such key, field or alternative, or a key on which no figure rests.
    """
    check_fields([field])
    base = what_if.case.loaded.scenario
    now = float(np.asarray(Reader(base)(key, math.nan))) if _is_path(base, key) else math.nan
    value_now = None if math.isnan(now) else now
    tried = allowed_range(what_if, key, value_now, between)
    scenario = scenario_at(what_if, key, tried.low if between or value_now is None else now)
    priced = with_batch_prices(scenario, what_if.tables, what_if.date_of(scenario))
    figures = _figures(what_if, priced, key, field)
    kept = kept_alternatives(priced, alternative)
    names: tuple[str | None, ...] = alternative_names(priced.alternatives) or (None,)
    if field in OWN_FIELDS:
        kept, names = kept[:1], (None,) * len(names)
    grid = _grid(tried)
    _require_used(what_if, priced, key, float(grid[0]), field)
    at_grid = figures(grid)
    at_now = figures(np.array([now]))[0] if value_now is not None else None
    return Solution(
        tool_version=__version__,
        date=what_if.date_of(base),
        name=base.name,
        key=key,
        value_now=value_now,
        field=field,
        target=target,
        low=tried.low,
        high=tried.high,
        answers=tuple(
            _answer(
                grid,
                at_grid[:, i],
                target,
                _zoom(figures, i, target, is_whole=tried.is_whole),
                name=names[i],
                now=None if at_now is None or math.isnan(at_now[i]) else float(at_now[i]),
            )
            for i in kept
        ),
        findings=tuple(case_findings(what_if)),
    )


def _is_path(scenario: Scenario, key: str) -> bool:
    try:
        Reader(scenario)(key)
    except (IndexError, TypeError, ValueError):
        return False
    return True


def _require_used(what_if: WhatIf, scenario: Scenario, key: str, value: float, field: str) -> None:
    """See that the field rests on the key."""
    if key in keys_used(what_if, scenario, {key: np.array([value])}, [field]):
        return
    measurement, date = what_if.measurement_of(scenario), what_if.date_of(scenario)
    recorded = _Recorded()
    inputs_of(scenario, measurement, what_if.tables, date, recorded)
    close = nearest(key, recorded.asked)
    raise InputError(
        f"{field} does not rest on `{key}` here, so no value of it meets a target",
        key=key,
        remedy=why_unused(what_if, scenario, key, np.array([value]))
        or (f"did you mean `{close}`?" if close else None),
    )


def _figures(what_if: WhatIf, scenario: Scenario, key: str, field: str) -> Figures:
    def figures(values: FloatArray) -> FloatArray:
        try:
            return column(seen_at(what_if, scenario, {key: values}, [field]), field, len(values))
        except ValueError:
            # Some value has no figure; the rest keep theirs.
            if len(values) == 1:
                return np.full((1, max(len(scenario.alternatives), 1)), np.nan)
            half = len(values) // 2
            return np.concatenate([figures(values[:half]), figures(values[half:])])

    return figures


def _grid(tried: KeyRange) -> FloatArray:
    """Values over the range, evenly and, above 0, in equal ratios too."""
    low, high = tried.low, tried.high
    parts = [np.array([low, high]), np.linspace(low, high, _SCANNED)]
    smallest = max(low, min(1e-12, high))
    if high > smallest > 0:
        parts.append(np.geomspace(smallest, high, _SCANNED))
    grid = np.concatenate(parts)
    if tried.is_whole:
        grid = np.rint(np.concatenate([grid, low + np.arange(min(high - low, _SCANNED))]))
    return np.unique(np.clip(grid, low, high))


Zoom = Callable[[float, float], Crossing]


def _zoom(figures: Figures, index: int, target: float, *, is_whole: bool) -> Zoom:
    """Return what narrows a range over whose ends the figure passes the target."""

    def zoom(low: float, high: float) -> Crossing:
        while True:
            inside = np.linspace(low, high, _PARTS)
            values = np.unique(np.rint(inside) if is_whole else inside)
            off = figures(values)[:, index] - target
            # A hair beyond a full fleet there may be no figure; the ends have one.
            values, off = values[np.isfinite(off)], off[np.isfinite(off)]
            passed = np.flatnonzero((off[:-1] <= 0) != (off[1:] <= 0))
            at = int(passed[0])
            if len(values) <= 2 or (values[at], values[at + 1]) == (low, high):  # noqa: PLR2004
                break
            low, high = float(values[at]), float(values[at + 1])
        before, after = float(off[at] + target), float(off[at + 1] + target)
        is_jump = abs(after - before) > _EQUAL * max(1.0, abs(target))
        first = not is_jump and abs(off[at]) <= abs(off[at + 1])
        return Crossing(
            value=float(values[at] if first else values[at + 1]),
            figure=before if first else after,
            before=before if is_jump else None,
            rises=after > before,
        )

    return zoom


def _answer(
    grid: FloatArray,
    figures: FloatArray,
    target: float,
    zoom: Zoom,
    *,
    name: str | None,
    now: float | None,
) -> Answer:
    off = figures - target
    known = np.isfinite(off)
    if not known.any():
        return Answer(alternative=name, now=now, met=(), reason="no_figure")
    passed = np.flatnonzero(known[:-1] & known[1:] & ((off[:-1] <= 0) != (off[1:] <= 0)))
    if passed.size:
        met = [zoom(float(grid[i]), float(grid[i + 1])) for i in passed[:_MOST_MET]]
        return Answer(alternative=name, now=now, met=tuple(met), more=len(passed) - len(met))
    best = int(np.nanargmin(np.where(known, np.abs(off), np.nan)))
    near = float(grid[best]), float(figures[best])
    if abs(near[1] - target) <= _EQUAL * max(1.0, abs(target)) and np.ptp(off[known]) > _EQUAL:
        end = Crossing(value=near[0], figure=near[1], before=None, rises=bool(off[best] >= 0))
        return Answer(alternative=name, now=now, met=(end,))
    flat = np.ptp(off[known]) <= _EQUAL * max(1.0, float(np.abs(figures[known]).max()))
    return Answer(
        alternative=name,
        now=now,
        met=(),
        nearest_value=near[0],
        nearest_figure=near[1],
        reason="changes_nothing" if flat else "not_reached",
    )

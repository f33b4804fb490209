"""Where the cost curve's parts lie on paper: its scales, its marks' words, and if its band shows.

Words of a mark hide neither the curve nor a mark nor each other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tco.report.boxes import Box, Place, box_around
from tco.report.figures import CostCurve, Mark, PriceLine
from tco.report.numbers import usd
from tco.report.scale import Scale
from tco.report.sheet import TEXT_PT, WIDTH_PT, room_for_ticks, width_of

TOP_PT, BOTTOM_PT = 17.0, 178.0
LEADER_PT, Y_TICKS = 11.0, 6
MARK_PT, CURVE_PT = 3.5, 2.0
_LEFT_PT, _RIGHT_PT = 36.0, 4.0
# Between words and what they must not touch.
_CLEAR_PT = 1.5
# How far words go from their mark, in steps; from where on a line leads back to it.
_STEP_PT, _FARTHEST_PT, _LED_FROM_PT = 3.0, 90.0, 12.0
# A level line under the words is worth a way of that much.
_OFF_LEVEL_PT, _OVER_A_LEVEL_PT = 3.0, 24.0
# What must be seen of a band beside the curve drawn over it.
_SEEN_PT = 1.5


@dataclass(frozen=True, slots=True)
class MarkWords:
    """The words of a mark: their box, and the line that leads to them if they are far from it."""

    text: str
    box: Box
    leader: tuple[Place, Place] | None


@dataclass(frozen=True, slots=True)
class CurveLayout:
    """The scales of utilisation (x) and cost (y), and what is placed by them."""

    x: Scale
    y: Scale
    mark_words: tuple[MarkWords, ...]
    is_band_seen: bool


def layout_of(curve: CostCurve) -> CurveLayout:
    """Return where everything lies; a mark for whose words there is no room has none."""
    longest = max((width_of(line_words(line), bold=True) for line in curve.lines), default=0.0)
    y = Scale(curve.low_usd, curve.high_usd, BOTTOM_PT, TOP_PT, log=curve.log_scale)
    left = room_for_ticks(y, usd, most=Y_TICKS, least=_LEFT_PT)
    x = Scale(0, 1, left, WIDTH_PT - longest - LEADER_PT - _RIGHT_PT)
    return CurveLayout(x, y, _mark_words(curve, x, y), _is_band_seen(curve, x, y))


def line_words(line: PriceLine) -> str:
    """Return what stands at the end of a level line."""
    return f"{line.price}  {line.label}"


def curve_places(curve: CostCurve, x: Scale, y: Scale) -> list[Place]:
    """Return the places that the curve goes through."""
    costs = zip(curve.utilisation, curve.usd_per_million, strict=True)
    return [(x.at(share), y.at(cost)) for share, cost in costs]


def _mark_words(curve: CostCurve, x: Scale, y: Scale) -> tuple[MarkWords, ...]:
    marks = [mark for mark in (curve.here, curve.break_even) if mark is not None]
    dots = [_place(mark, x, y) for mark in marks]
    drawn = _Drawn(
        page=Box(x.start_pt + 2, TOP_PT - TEXT_PT / 2, x.end_pt, BOTTOM_PT - 2),
        strokes=list(itertools.pairwise(curve_places(curve, x, y))),
        levels=[y.at(line.usd_per_million) for line in curve.lines],
    )
    taken = [box_around(dot, MARK_PT + _CLEAR_PT) for dot in dots]
    found = []
    for mark, dot in zip(marks, dots, strict=True):
        box = _free(dot, width_of(mark.label, bold=True), drawn, taken)
        if box is not None:
            taken.append(box.wider_by(_CLEAR_PT))
            found.append(MarkWords(mark.label, box, _leader(dot, box)))
    return tuple(found)


def _place(mark: Mark, x: Scale, y: Scale) -> Place:
    return x.at(mark.utilisation), y.at(mark.usd_per_million)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What is there before the words: where they may stand, the curve, heights of level lines."""

    page: Box
    strokes: Sequence[tuple[Place, Place]]
    levels: Sequence[float]


def _free(dot: Place, wide_pt: float, drawn: _Drawn, taken: Sequence[Box]) -> Box | None:
    """Return the nearest box that hides nothing, a level line only where it saves a long way."""

    def way(box: Box) -> float:
        hidden = sum(
            box.top - _OFF_LEVEL_PT < level < box.foot + _OFF_LEVEL_PT for level in drawn.levels
        )
        return _distance(dot, box) + hidden * _OVER_A_LEVEL_PT

    inside = (box for box in _boxes(dot, wide_pt) if drawn.page.holds(box))
    clear = CURVE_PT / 2 + _CLEAR_PT
    return next(
        (
            box
            for box in sorted(inside, key=way)
            if not any(box.overlaps(other) for other in taken)
            and not any(box.wider_by(clear).is_crossed(*stroke) for stroke in drawn.strokes)
        ),
        None,
    )


def _boxes(dot: Place, wide_pt: float) -> Iterator[Box]:
    """Yield the boxes around a mark: right and left of it, over and under it, ever farther."""
    steps = int(_FARTHEST_PT / _STEP_PT)
    for down in range(-steps, steps + 1):
        middle = dot[1] + down * _STEP_PT
        for left in (
            dot[0] + 2 * MARK_PT,
            dot[0] - 2 * MARK_PT - wide_pt,
            dot[0] - wide_pt / 2,
            *(dot[0] + way * _STEP_PT * 6 - (wide_pt if way < 0 else 0) for way in (-2, -1, 1, 2)),
        ):
            yield Box(left, middle - TEXT_PT / 2, left + wide_pt, middle + TEXT_PT / 2)


def _distance(dot: Place, box: Box) -> float:
    return math.dist(dot, _nearest(dot, box))


def _nearest(dot: Place, box: Box) -> Place:
    return min(max(dot[0], box.left), box.right), min(max(dot[1], box.top), box.foot)


def _leader(dot: Place, box: Box) -> tuple[Place, Place] | None:
    end, far = _nearest(dot, box), _distance(dot, box)
    if far < _LED_FROM_PT:
        return None
    off = MARK_PT / far
    return (dot[0] + (end[0] - dot[0]) * off, dot[1] + (end[1] - dot[1]) * off), end


def _is_band_seen(curve: CostCurve, x: Scale, y: Scale) -> bool:
    """Say whether the band reaches far enough beyond its curve anywhere in sight."""
    costs = dict(zip(curve.utilisation, curve.usd_per_million, strict=True))
    seen = [(share, costs[share], low, high) for share, low, high in curve.band if share in costs]
    for (share, cost, low, high), (other, other_cost, *_) in itertools.pairwise(seen):
        if cost > curve.high_usd or low < curve.low_usd:
            continue
        # Across the curve, which may be steep, not straight up.
        slope = (y.at(other_cost) - y.at(cost)) / (x.at(other) - x.at(share))
        beyond = max(y.at(cost) - y.at(high), y.at(low) - y.at(cost)) / math.hypot(1, slope)
        if beyond - CURVE_PT / 2 >= _SEEN_PT:
            return True
    return False

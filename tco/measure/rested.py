"""Which points the figures of a measurement rest on, and what that makes of findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tco.measure.tried import Load
from tco.measurement import LoadPoint

# With these the verdict of a search is the client's, not the engine's, whichever point it was.
_OF_THE_SEARCH: Final = frozenset({"client_starved", "rate_not_as_asked"})


def rested(
    points: Sequence[LoadPoint], capacity_point: int | None, target_point: int | None
) -> tuple[LoadPoint, ...]:
    """Return the points with every `invalid` finding a warning where no figure rests on it.

    Figures rest on the capacity and target points, and on every other of the same load. A
    search must go where an engine fails: that its figures there are none is no fault.
    """
    chosen = [points[i] for i in (capacity_point, target_point) if i is not None]
    loads = {Load.of(point) for point in chosen}
    return tuple(point if Load.of(point) in loads else _lowered(point) for point in points)


def _lowered(point: LoadPoint) -> LoadPoint:
    findings = tuple(
        finding.model_copy(update={"severity": "warn"})
        if finding.severity == "invalid" and finding.kind not in _OF_THE_SEARCH
        else finding
        for finding in point.findings
    )
    return point.model_copy(update={"findings": findings})

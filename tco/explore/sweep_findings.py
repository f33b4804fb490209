"""What a reader must know beside a sweep or a solution: of its measurement, and of its axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tco.cost.findings import measurement_findings
from tco.cost.service import service_findings, service_verdict
from tco.explore.axis import Axis
from tco.explore.sweep import idle_axes
from tco.finding import Finding
from tco.what_if import WhatIf


def case_findings(what_if: WhatIf) -> Iterator[Finding]:
    """Yield what must be said of the case as stated, whose measurement all points rest on."""
    scenario, measurement = what_if.case.loaded.scenario, what_if.case.measurement
    yield from measurement_findings(scenario, measurement)
    yield from service_findings(service_verdict(scenario, measurement), measurement)


def sweep_findings(
    axes: Sequence[Axis], what_if: WhatIf, fields: Sequence[str]
) -> tuple[Finding, ...]:
    """Return the case's findings, and which axes change nothing."""
    return (*case_findings(what_if), *(_idle(key) for key in idle_axes(axes, what_if, fields)))


def _idle(key: str) -> Finding:
    advice = "drop it from the sweep, or look for a key that stands in its way"
    if key == "hardware.catalog":
        advice = "what the scenario states of its hardware wins over a row: drop it there"
    return Finding.of(
        "axis_changes_nothing",
        "warn",
        key,
        f"{key} changes no figure of this sweep, where the other keys have their first value",
        advice,
    )

"""A SilentMeter stands where a meter cannot be read, so that its reason is not lost."""

from __future__ import annotations

from dataclasses import dataclass

from tco.finding import Finding
from tco.measure.power.instant import Instant
from tco.measure.power.readings import Covers, Energy, MeterName


@dataclass(frozen=True, slots=True)
class SilentMeter:
    """A recorder without readings; its findings say why."""

    meter: MeterName
    covers: Covers
    findings: tuple[Finding, ...]
    accelerators: None = None
    source: str = "none"

    def start(self) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""

    def energy(self, start: Instant, stop: Instant) -> Energy | None:  # noqa: ARG002
        """Return None: there are no readings."""
        return None

    def doubts(self, start: Instant, stop: Instant) -> tuple[Finding, ...]:  # noqa: ARG002
        """Return nothing: its findings have said it once for all points."""
        return ()

"""What every recorder with readings does with them: it says which meter, and gives energies."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tco.finding import Finding
from tco.measure.power.instant import Instant
from tco.measure.power.readings import Covers, Energy, MeterName, Readings


class Metered(ABC):
    """A recorder that answers from its Readings."""

    @abstractmethod
    def readings(self) -> Readings:
        """Return all readings so far."""

    @property
    def meter(self) -> MeterName:
        """The meter's kind."""
        return self.readings().meter.meter

    @property
    def covers(self) -> Covers:
        """What its watts are of."""
        return self.readings().meter.covers

    @property
    def accelerators(self) -> int | None:
        """How many it sees."""
        return self.readings().meter.accelerators

    @property
    def source(self) -> str:
        """Which meter it is."""
        return self.readings().meter.source

    def energy(self, start: Instant, stop: Instant) -> Energy | None:
        """Return the energy of a span; None where the readings do not tell it."""
        return self.readings_until(stop).energy(start, stop)

    def doubts(self, start: Instant, stop: Instant) -> tuple[Finding, ...]:
        """Return what must be known of the energy of a span, or why there is none."""
        return self.readings_until(stop).doubts(start, stop)

    def readings_until(self, stop: Instant) -> Readings:  # noqa: ARG002
        """Return the readings up to a moment, fetched first where that takes a question."""
        return self.readings()

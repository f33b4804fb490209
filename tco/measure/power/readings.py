"""Readings are all that one meter said, and the energy of a span that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tco.finding import Finding, Severity
from tco.measure.power.instant import Clock, Instant
from tco.measure.power.series import Series
from tco.units import NS_PER_S

MeterName = Literal["nvml", "dcgm", "rapl", "wall"]
Covers = Literal["accelerators", "package", "wall"]
METER_KEY = "bench.meter"
LEAST_READINGS = 2
UNSEEN_SHARE = 0.1
COARSE_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Meter:
    """What a meter is.

    Attributes:
        meter: its kind.
        covers: what its watts are of.
        accelerators: how many it sees; None where it sees none by themselves.
        source: which one, in words a reader can find it by.
        clock: the clock its readings are stamped with.
        quantum_j: the smallest step that its readings can show.
        file: the export that its readings are from; None for a meter that is read live.
        zone_assumed: some of its times state no zone, and nobody stated one.
        absence: why it has no readings, where that is known.
    """

    meter: MeterName
    covers: Covers
    accelerators: int | None
    source: str
    clock: Clock
    quantum_j: float = 0.0
    file: str | None = None
    zone_assumed: bool = False
    absence: str | None = None


@dataclass(frozen=True, slots=True)
class Energy:
    """The energy of a span: joules, their mean power, and the readings it rests on.

    `unseen_s` is for how long of the span it is a guess between far readings.
    """

    joules: float
    mean_w: float
    samples: int
    unseen_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Readings:
    """One meter's readings, a series for each of its sensors; their powers add up."""

    meter: Meter
    series: tuple[Series, ...]

    def energy(self, start: Instant, stop: Instant) -> Energy | None:
        """Return the energy of a span; None where the readings do not tell it."""
        return None if self._reason(start, stop) else self._energy(start, stop)

    def doubts(self, start: Instant, stop: Instant) -> tuple[Finding, ...]:
        """Return what must be known of the energy of a span, or why there is none."""
        if reason := self._reason(start, stop):
            return (not_read(self.meter, reason),)
        energy = self._energy(start, stop)
        found = []
        if energy.unseen_s > 0:
            found.append(_gaps(self.meter, energy.unseen_s / self._length_s(start, stop)))
        if self.meter.quantum_j > COARSE_SHARE * abs(energy.joules):
            found.append(_coarse(self.meter, energy))
        if self.meter.zone_assumed:
            found.append(_ZONE_ASSUMED)
        return tuple(found)

    def _reason(self, start: Instant, stop: Instant) -> str | None:
        """Say why the energy of a span is not known; None where it is."""
        span = start.on(self.meter.clock), stop.on(self.meter.clock)
        length_s = self._length_s(start, stop)
        if not self.series or length_s <= 0:
            return self.meter.absence or "it gave no readings"
        if not all(each.reaches(*span) for each in self.series):
            return "its readings do not cover the whole span"
        fewest = min(each.readings(*span) for each in self.series)
        if fewest < LEAST_READINGS:
            return f"only {fewest} of its readings lie in a span of {length_s:.0f} s"
        if any(each.was_reset(*span) for each in self.series):
            return "its counter was reset"
        unseen_share = max(each.unseen_s(*span) for each in self.series) / length_s
        if unseen_share > UNSEEN_SHARE:
            return f"readings are missing for {unseen_share:.0%} of the span"
        return self._implausible(start, stop)

    def _implausible(self, start: Instant, stop: Instant) -> str | None:
        joules = self._energy(start, stop).joules
        if joules < 0:
            return "its energy is below 0, as of a meter that is connected the wrong way round"
        if self.meter.quantum_j > 0 and joules < self.meter.quantum_j:
            return "its counter did not move by one step"
        return None

    def _length_s(self, start: Instant, stop: Instant) -> float:
        """Return a span's length by the meter's own clock, as the other may be slewed [s]."""
        return (stop.on(self.meter.clock) - start.on(self.meter.clock)) / NS_PER_S

    def _energy(self, start: Instant, stop: Instant) -> Energy:
        span = start.on(self.meter.clock), stop.on(self.meter.clock)
        joules = sum(each.energy_j(*span) for each in self.series)
        return Energy(
            joules=joules,
            mean_w=joules / self._length_s(start, stop),
            samples=min(each.readings(*span) for each in self.series),
            unseen_s=max(each.unseen_s(*span) for each in self.series),
        )


def power_finding(
    kind: str,
    severity: Severity,
    message: str,
    advice: str,
    *,
    value: float | None = None,
    limit: float | None = None,
) -> Finding:
    """Return a finding about a meter."""
    return Finding.of(kind, severity, METER_KEY, message, advice, value=value, limit=limit)


def not_read(meter: Meter, reason: str) -> Finding:
    """Return the finding of a meter without a figure for a span."""
    return power_finding(
        "power_not_read",
        "warn",
        f"the {meter.meter} meter ({meter.source}) has no figure for this point: {reason}",
        "export it to that place, and let `tco bench --reanalyse` take it in"
        if meter.file is not None
        else "measure longer (bench.window_s), or let the meter take more readings a minute",
    )


def _gaps(meter: Meter, share: float) -> Finding:
    return power_finding(
        "power_gaps",
        "warn",
        f"the {meter.meter} meter ({meter.source}) misses readings for {share:.1%} of the window; "
        "the watts there are taken from the readings around",
        "see why the meter paused",
        value=share,
        limit=0.0,
    )


def _coarse(meter: Meter, energy: Energy) -> Finding:
    share = meter.quantum_j / abs(energy.joules) if energy.joules else 1.0
    return power_finding(
        "power_meter_coarse",
        "warn",
        f"one step of the {meter.meter} meter ({meter.source}) is {share:.1%} of the energy of "
        "the window",
        "measure longer (bench.window_s), or export watts beside kWh",
        value=share,
        limit=COARSE_SHARE,
    )


_ZONE_ASSUMED = power_finding(
    "power_timezone_assumed",
    "warn",
    "the wall meter's times state no zone and are taken as UTC",
    "state bench.meter.timezone",
)

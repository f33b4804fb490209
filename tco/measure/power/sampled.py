"""A SampledMeter reads a meter of this machine a few times a second, on a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tco.finding import Finding
from tco.measure.power.instant import Instant
from tco.measure.power.metered import Metered
from tco.measure.power.readings import Meter, Readings, power_finding
from tco.measure.power.series import Kind, Series

PERIOD_S = 0.25


class MeterFaultError(Exception):
    """One reading failed; the message says why."""


@dataclass(frozen=True, slots=True)
class Sensors:
    """The sensors of one meter, read together.

    Attributes:
        read: returns joules counted so far, or watts, one a sensor; raises MeterFaultError.
        kind: which of the two.
        wraps_at_j: where each counter starts again at 0; None where it does not.
        close: lets go of the meter.
    """

    read: Callable[[], Sequence[float]]
    kind: Kind
    wraps_at_j: tuple[float | None, ...]
    close: Callable[[], None] = lambda: None


@dataclass(slots=True)
class _Taken:
    times_ns: list[int] = field(default_factory=list)
    values: list[Sequence[float]] = field(default_factory=list)
    failed: int = 0
    reason: str = ""


class SampledMeter(Metered):
    """A recorder of sensors that are read every `period_s`, with the monotonic clock."""

    def __init__(
        self,
        meter: Meter,
        sensors: Sensors,
        findings: tuple[Finding, ...] = (),
        *,
        period_s: float = PERIOD_S,
    ) -> None:
        self._meter = meter
        self._sensors = sensors
        self._opened_with = findings
        self._period_s = period_s
        self._taken = _Taken()
        self._turn = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What must be known of the meter as a whole."""
        taken = self._taken
        if not taken.failed:
            return self._opened_with
        tried = taken.failed + len(taken.times_ns)
        lost = power_finding(
            "power_readings_lost",
            "warn",
            f"{taken.failed} of {tried} readings of {self._meter.source} failed: {taken.reason}",
            "see the driver's log",
            value=taken.failed / tried,
            limit=0.0,
        )
        return (*self._opened_with, lost)

    def start(self) -> None:
        """Begin to take readings."""
        if self._thread is None:
            self._take()
            self._thread = threading.Thread(target=self._run, name=self._meter.meter, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Take the last reading and let go of the meter."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._take()
        self._sensors.close()

    def readings(self) -> Readings:
        """Return all readings so far."""
        count = len(self._taken.times_ns)
        times_ns = np.array(self._taken.times_ns[:count], dtype=np.int64)
        values = np.array(self._taken.values[:count], dtype=np.float64)
        if count < 2:  # noqa: PLR2004  a span lies between two readings
            return Readings(self._meter, ())
        series = tuple(
            Series(times_ns, values[:, sensor], self._sensors.kind, wraps_at_j)
            for sensor, wraps_at_j in enumerate(self._sensors.wraps_at_j)
        )
        return Readings(self._meter, series)

    def readings_until(self, stop: Instant) -> Readings:
        """Return the readings; one is taken now if the thread's last is from before the moment."""
        times_ns = self._taken.times_ns
        if times_ns and times_ns[-1] < stop.monotonic_ns and not self._ended.is_set():
            self._take()
        return self.readings()

    def _run(self) -> None:
        while not self._ended.wait(self._period_s):
            self._take()

    def _take(self) -> None:
        with self._turn:
            before_ns = time.monotonic_ns()
            try:
                values = self._sensors.read()
            except MeterFaultError as fault:
                self._taken.failed += 1
                self._taken.reason = str(fault)
                return
            self._taken.values.append(values)  # first: a reading counts once it has its time
            self._taken.times_ns.append((before_ns + time.monotonic_ns()) // 2)

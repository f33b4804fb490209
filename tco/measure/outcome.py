"""The outcome of a bench as it grows: written after every point, whole at the end."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path

from tco import __version__
from tco.finding import Finding
from tco.measure.bench_plan import BenchPlan
from tco.measure.capacity import Capacity, best_so_far, bracket
from tco.measure.engine import EngineHandle
from tco.measure.interval import across_starts
from tco.measure.request import RequestForm
from tco.measure.rested import rested
from tco.measure.run_record import RunRecord
from tco.measure.search_findings import (
    UNFINISHED,
    repeat_findings,
    search_findings,
    target_findings,
)
from tco.measurement import EngineFacts, HostFacts, Interval, LoadPoint, Measurement
from tco.measurement_file import write_measurement


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known before the engine runs."""

    created_at: dt.datetime
    host: HostFacts
    scenario_sha256: str | None


@dataclass(slots=True)
class Outcome:
    """What a bench has found so far, and where it is written.

    Attributes:
        capacity: once it is found.
        target_point: the index of the point at the load to verify, once it is held.
        repeats: indices of the points that measured the capacity again.
    """

    plan: BenchPlan
    surroundings: Surroundings
    target: Path
    raw: Path
    capacity: Capacity | None = None
    target_point: int | None = None
    repeats: tuple[int, ...] = ()
    _engine: EngineFacts | None = None
    _findings: list[Finding] = field(default_factory=list)

    def seen(self, handle: EngineHandle, form: RequestForm) -> None:
        """Note a start of the engine; the first one's facts stand for all."""
        self._engine = self._engine or handle.facts
        self._note(handle.findings + form.findings)

    def metered(self, findings: tuple[Finding, ...]) -> None:
        """Note what must be known of the power meters."""
        self._note(findings)

    def _note(self, findings: tuple[Finding, ...]) -> None:
        self._findings += [finding for finding in findings if finding not in self._findings]

    def write(self, points: list[LoadPoint]) -> None:
        """Write what is known, marked as unfinished."""
        search = self.plan.concurrency is None
        index = best_so_far(points, is_search=search, has_slo=bool(self.plan.slo))
        self._write(self._measurement(points, index, None, (UNFINISHED,), is_complete=False))

    def finish(self, points: list[LoadPoint]) -> Measurement:
        """Write and return the whole."""
        capacity = self.capacity
        if capacity is None or self.target_point is None:
            raise ValueError("a bench ends with a capacity and a point at the load to verify")
        same = (capacity.index, *self.repeats)
        index = same[median_point([points[i].rates.output_tok_per_s for i in same])]
        target = index if self.target_point == capacity.index else self.target_point
        findings = (
            *search_findings(points, capacity),
            *target_findings(points, index, target),
            *repeat_findings([points[i] for i in self.repeats]),
        )
        measurement = self._measurement(points, index, target, findings, is_complete=True)
        self._write(measurement)
        return measurement

    def _measurement(
        self,
        points: list[LoadPoint],
        index: int,
        target: int | None,
        findings: tuple[Finding, ...],
        *,
        is_complete: bool,
    ) -> Measurement:
        return Measurement(
            tool_version=__version__,
            created_at=self.surroundings.created_at,
            origin="measured",
            shape=self.plan.shape,
            points=rested(points, index, target),
            capacity_point=index,
            capacity_interval=self._interval(points) if is_complete else None,
            target_point=target,
            is_complete=is_complete,
            engine=self._engine,
            host=self.surroundings.host,
            scenario_sha256=self.surroundings.scenario_sha256,
            findings=(*self._findings, *findings),
        )

    def _interval(self, points: list[LoadPoint]) -> Interval | None:
        """Return the bracket of a service level, else the interval across engine starts."""
        if self.capacity is None:
            return None
        same = [points[i] for i in (self.capacity.index, *self.repeats)]
        if not self.capacity.is_saturated:
            return bracket(same[0], self.capacity)
        if len({point.engine_start_id for point in same}) < len(same):
            return None
        return across_starts([point.rates.output_tok_per_s for point in same])

    def _write(self, measurement: Measurement) -> None:
        folders = tuple(f"point-{number}" for number in range(len(measurement.points)))
        RunRecord.of(measurement, folders).save(self.raw)
        write_measurement(measurement, self.target)


def median_point(rates: list[float]) -> int:
    """Return which rate is the median; of an even number the lower one of the middle two."""
    order = sorted(range(len(rates)), key=rates.__getitem__)
    return order[(len(order) - 1) // 2]

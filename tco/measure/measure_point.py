"""Measures one point: draws its requests, holds the load, parses the records, computes figures."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tco.measure.bench_plan import BenchPlan
from tco.measure.client_log import read_records
from tco.measure.engine import EngineHandle
from tco.measure.hold import Held, HoldLimits, hold
from tco.measure.host import load_average_1m
from tco.measure.load_point import PointFacts, Purpose
from tco.measure.point_plan import client_plan, fresh_seed, load_plan
from tco.measure.point_record import PointRecord
from tco.measure.power import Instant, PowerRecorder, Span
from tco.measure.power.record import PowerRecord, record_power
from tco.measure.progress import Progress
from tco.measure.raw_folder import forget_point, forget_reads
from tco.measure.request import RequestForm
from tco.measure.trace import parse
from tco.measure.tried import Load
from tco.measurement import LoadPoint
from tco.scenario import Scenario
from tco.units import MS_PER_S
from tco.workload import Workload


@dataclass(frozen=True, slots=True)
class Bed:
    """What every point of one engine start shares.

    `idle` is the span before the first point, with the engine loaded and no request.
    """

    plan: BenchPlan
    scenario: Scenario
    handle: EngineHandle
    form: RequestForm
    raw: Path
    recorders: Sequence[PowerRecorder]
    idle: Span | None
    progress: Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class PointAsked:
    """A point to measure.

    Attributes:
        number: its index in the measurement.
        load: what to hold.
        purpose: what it is for.
        limits: how long its parts are.
        e2e_s: how long a request takes, by the points before.
        events_per_s: that the client must take in, by the points before.
        capacity_requests_per_s: what the load is a share of, if it is known.
        key_sha256: of all that its figures depend on.
    """

    number: int
    load: Load
    purpose: Purpose
    limits: HoldLimits
    e2e_s: float
    events_per_s: float
    capacity_requests_per_s: float | None
    key_sha256: str


def measure_point(bed: Bed, asked: PointAsked) -> LoadPoint:
    """Return the point; its records lie in `raw/point-N`.

    Raises:
        InputError: the records cannot be written.
        EngineError: the engine died, or fails every request.
    """
    folder = bed.raw / f"point-{asked.number}"
    forget_point(folder)
    # A server attached to may remember an earlier run's prompts; one that we start cannot.
    extra = (time.time_ns(),) if bed.handle.facts.attached else ()
    seed = fresh_seed(bed.plan.seed, asked.number, *extra)
    started_at, load_average = dt.datetime.now(dt.UTC), load_average_1m()
    plan = load_plan(
        asked.load,
        asked.limits,
        bed.scenario,
        seed=seed,
        e2e_s=asked.e2e_s,
        events_per_s=asked.events_per_s,
    )
    told = client_plan(plan, bed.handle, bed.form, seed=seed, folder=folder)
    held = hold(told, bed.handle, asked.limits, bed.progress)
    bed.progress(Progress("parsing", "reading the records"))
    trace = parse(read_records(folder))
    facts = PointFacts(
        number=asked.number,
        shape=bed.plan.shape,
        concurrency=asked.load.streams,
        seed=seed,
        started_at=started_at,
        engine_start_id=bed.handle.facts.start_id,
        source=bed.form.source,
        prompt_is_text=bed.form.is_chat,
        load_average_1m=load_average,
        round_trip_ms=held.round_trip_s * MS_PER_S,
        purpose=asked.purpose,
        offered_requests_per_s=plan.offered_requests_per_s,
        starts=plan.starts,
        slo=bed.plan.slo,
        has_sessions=plan.workload.sessions() < len(plan.workload),
        lengths_vary=_lengths_vary(plan.workload),
        capacity_requests_per_s=asked.capacity_requests_per_s,
        key_sha256=asked.key_sha256,
    )
    record = PointRecord(trace, held, facts, _power_record(held, bed))
    record.save(folder)
    forget_reads(folder)
    return record.point()


def _lengths_vary(workload: Workload) -> bool:
    """Say whether lengths differ by more than the whole numbers around a mean."""
    spans = (np.ptp(workload.input_tokens()), np.ptp(workload.output_tokens))
    return bool(max(spans) > 1)


def _power_record(held: Held, bed: Bed) -> PowerRecord | None:
    """Return what the power meters have read; None without any."""
    if not bed.recorders:
        return None
    shift_ns = time.time_ns() - time.monotonic_ns()

    def span(start_ns: int, stop_ns: int) -> Span:
        return Instant(start_ns, start_ns + shift_ns), Instant(stop_ns, stop_ns + shift_ns)

    return record_power(
        bed.recorders,
        window=span(held.window.start_ns, held.window.stop_ns),
        run=span(held.begun_ns, held.history[-1].time_ns),
        idle=bed.idle,
        named=bed.scenario.bench.meter,
    )

"""The bench: finds an engine's capacity, verifies the load on it, and writes one Measurement."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tco.errors import InterruptedRunError
from tco.measure.bench_plan import BenchPlan, bench_plan
from tco.measure.capacity import Capacity, measure_capacity, target_load
from tco.measure.engine import EngineHandle, running_engine
from tco.measure.host import host_facts
from tco.measure.idle import idle_span
from tco.measure.measure_point import Bed
from tco.measure.outcome import Outcome, Surroundings
from tco.measure.point_plan import replay_load
from tco.measure.points import Points
from tco.measure.power import check_meter, open_recorders
from tco.measure.progress import Progress
from tco.measure.raw_folder import MEASUREMENT_NAME, claimed, forget_points
from tco.measure.request import find_form
from tco.measure.resume import KeptPoints
from tco.measure.tried import Load
from tco.measurement import Measurement
from tco.scenario import Scenario

__all__ = ["BenchPlan", "EngineRunner", "bench", "bench_plan"]


class EngineRunner(Protocol):
    """What `running_engine` is; another may stand in for it in a test."""

    def __call__(
        self,
        scenario: Scenario,
        *,
        log_path: Path,
        on_progress: Callable[[str], None],
        allow_remote: frozenset[str],
    ) -> AbstractContextManager[EngineHandle]:
        """Hand out a ready engine."""


def bench(
    scenario: Scenario,
    *,
    out_dir: Path | None = None,
    output: Path | None = None,
    progress: Callable[[Progress], None],
    engine: EngineRunner = running_engine,
    allow_remote: frozenset[str] = frozenset(),
    scenario_sha256: str | None = None,
    is_fresh: bool = False,
    verifies_target: bool = True,
    on_capacity: Callable[[EngineHandle], None] | None = None,
) -> Measurement:
    """Measure the scenario's engine: its capacity, and the load to verify.

    The measurement is written to `output`, or `out_dir/measurement.json`, after every point,
    the raw records to `raw` beside it (`NAME-raw` for an output of another name). An unfinished
    one that lies there is taken up, unless `is_fresh`: its points count where their key is the
    same. With `bench.repeats` the capacity is measured so often, each time on a new start of an
    engine that we start, and the capacity point is the one of median output rate. Without
    `verifies_target` the capacity is all that is measured. `on_capacity` is handed the first
    engine after its capacity, still running and without load.

    Raises:
        InputError: the scenario cannot be measured, or the place cannot be written.
        EngineError: the engine did not start, answer or stop as it must.
        InterruptedRunError: Ctrl-C; what was recorded until then is kept.
    """
    plan = bench_plan(scenario)
    if not verifies_target:
        plan = dataclasses.replace(plan, target_load=1.0)
    check_meter(scenario)
    target = output or (out_dir or Path()) / MEASUREMENT_NAME
    with claimed(target) as raw:
        run = _Run(
            plan,
            scenario,
            target,
            raw,
            progress,
            engine,
            allow_remote,
            scenario_sha256,
            is_fresh,
            verifies_target,
            on_capacity,
        )
        try:
            return run.measured()
        except KeyboardInterrupt as interrupt:
            raise InterruptedRunError(
                "stopped by the user",
                remedy=f"what was recorded until then is in {raw}; the same command goes on there",
            ) from interrupt


@dataclass(frozen=True, slots=True)
class _Run:
    plan: BenchPlan
    scenario: Scenario
    target: Path
    raw: Path
    progress: Callable[[Progress], None]
    engine: EngineRunner
    allow_remote: frozenset[str]
    scenario_sha256: str | None
    is_fresh: bool
    verifies_target: bool
    on_capacity: Callable[[EngineHandle], None] | None

    def measured(self) -> Measurement:
        """Run the engine as often as asked, and every point on it."""
        host = host_facts()
        outcome = Outcome(
            self.plan,
            Surroundings(dt.datetime.now(dt.UTC), host, self.scenario_sha256),
            self.target,
            self.raw,
        )
        kept = KeptPoints(self.target, self.raw, is_fresh=self.is_fresh)
        points = Points(self.plan, kept, host, outcome.write)
        is_launched = self.scenario.engine is not None and self.scenario.engine.launch is not None
        with self._bed("engine.log", outcome) as bed:
            if not kept:
                forget_points(self.raw)
            points.move_to(bed)
            capacity = measure_capacity(points)
            outcome.capacity = capacity
            outcome.target_point = capacity.index
            if self.on_capacity is not None:
                self.on_capacity(bed.handle)
            if self.verifies_target:
                outcome.target_point = _verified(points, capacity, self.scenario)
            if not is_launched:
                for _ in range(self.plan.repeats - 1):
                    _repeat(points, capacity, outcome)
        for number in range(2, self.plan.repeats + 1) if is_launched else ():
            with self._bed(f"engine-{number}.log", outcome) as bed:
                points.move_to(bed)
                _repeat(points, capacity, outcome)
        return outcome.finish(points.all)

    @contextmanager
    def _bed(self, log_name: str, outcome: Outcome) -> Iterator[Bed]:
        """Start the engine and the power meters; see what it draws idle."""

        def say(text: str) -> None:
            self.progress(Progress("engine", text))

        with self.engine(
            self.scenario,
            log_path=self.raw / log_name,
            on_progress=say,
            allow_remote=self.allow_remote,
        ) as handle:
            form = find_form(handle)
            recorders = open_recorders(self.scenario, handle)
            for recorder in recorders:
                recorder.start()
            try:
                idle = idle_span(recorders, self.progress)
                outcome.seen(handle, form)
                yield Bed(
                    plan=self.plan,
                    scenario=self.scenario,
                    handle=handle,
                    form=form,
                    raw=self.raw,
                    recorders=recorders,
                    idle=idle,
                    progress=self.progress,
                )
            finally:
                for recorder in recorders:
                    recorder.stop()
                outcome.metered(tuple(f for recorder in recorders for f in recorder.findings))


def _verified(points: Points, capacity: Capacity, scenario: Scenario) -> int:
    """Hold the load to verify, or a trace's own; return its point: the capacity's at full load."""
    load = replay_load(scenario) or target_load(points, capacity)
    if load is None:
        return capacity.index
    rate = points.all[capacity.index].rates.requests_per_s
    points.measure(load, "target", capacity_requests_per_s=rate or None)
    return len(points.all) - 1


def _repeat(points: Points, capacity: Capacity, outcome: Outcome) -> None:
    first = points.all[capacity.index]
    points.measure(Load.of(first), first.purpose, limit_s=points.plan.limit_s)
    outcome.repeats = (*outcome.repeats, len(points.all) - 1)

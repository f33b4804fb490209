"""The bench: one engine, one closed loop held on it, one Measurement of what was seen."""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import numpy as np

from tco import __version__
from tco.errors import InputError, InterruptedRunError
from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.engine import EngineHandle, running_engine
from tco.measure.hold import HoldLimits, hold
from tco.measure.host import host_facts, load_average_1m
from tco.measure.load_point import PointFacts
from tco.measure.point_record import PointRecord
from tco.measure.progress import Progress
from tco.measure.raw_folder import (
    MEASUREMENT_NAME,
    WORKLOAD_NAME,
    claimed,
    forget_points,
    forget_reads,
)
from tco.measure.request import WORDS, RequestForm, find_form
from tco.measure.run_record import RunRecord
from tco.measure.trace import parse
from tco.measurement import LoadPoint, MeasuredShape, Measurement, measured_shape
from tco.measurement_file import write_measurement
from tco.scenario import LengthSpread, Scenario
from tco.units import MS_PER_S
from tco.workload import plain_workload

_SECONDS_PER_MINUTE = 60
_WINDOW_SHARE = 1 / 3  # of the time allowed: the rest is for warm-up and drain
_DRAIN_SHARE = 0.25
_LEAST_DRAIN_S = 60.0
_HTTPS_PORT, _HTTP_PORT = 443, 80
_ROWS = 4096


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


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What a scenario asks of a bench, checked before any engine is started.

    `limit_s` is for each of the repeats: its share of `bench.max_minutes`.
    """

    shape: MeasuredShape
    concurrency: int
    seed: int
    window_s: float
    limit_s: float
    repeats: int


def bench_plan(scenario: Scenario) -> BenchPlan:
    """Return what to measure.

    Raises:
        InputError: the scenario has no engine or no concurrency, asks for a spread of
            lengths, or for a window that does not fit into its time.
    """
    engine = scenario.engine
    if engine is None or (engine.launch is None and engine.attach is None):
        raise InputError(
            "the scenario has no engine to measure",
            key="engine",
            remedy="add engine.launch or engine.attach",
        )
    if engine.concurrency is None:
        raise InputError(
            "a bench needs the number of streams to hold on the engine",
            key="engine.concurrency",
            remedy="set it, for example engine.concurrency: 64",
        )
    repeats, window_s = int(scenario.bench.repeats.value), scenario.bench.window_s.value
    limit_s = scenario.bench.max_minutes.value * _SECONDS_PER_MINUTE / repeats
    if window_s > limit_s * _WINDOW_SHARE:
        each = "" if repeats == 1 else f", {repeats} times over,"
        raise InputError(
            f"a window of {window_s:g} s{each} does not fit into "
            f"{scenario.bench.max_minutes.value:g} minutes with warm-up and drain",
            key="bench.window_s",
            remedy="keep it to a third of bench.max_minutes / bench.repeats",
        )
    for name in ("input_tokens", "output_tokens"):
        if isinstance(getattr(scenario.traffic.shape, name), LengthSpread):
            raise InputError(
                "a bench holds one length; it cannot draw lengths from a mean and a p95",
                key=f"traffic.shape.{name}",
                remedy="give the mean alone",
            )
    return BenchPlan(
        shape=measured_shape(scenario.traffic.shape),
        concurrency=int(engine.concurrency.value),
        seed=scenario.bench.seed,
        window_s=window_s,
        limit_s=limit_s,
        repeats=repeats,
    )


def bench(
    scenario: Scenario,
    *,
    out_dir: Path | None = None,
    output: Path | None = None,
    progress: Callable[[Progress], None],
    engine: EngineRunner = running_engine,
    allow_remote: frozenset[str] = frozenset(),
    scenario_sha256: str | None = None,
) -> Measurement:
    """Measure the scenario's engine at `engine.concurrency` streams.

    The measurement is written to `output`, or `out_dir/measurement.json`, after every point,
    the raw records to `raw` beside it (`NAME-raw` for an output of another name). With
    `bench.repeats` the capacity point is the one of median output rate.

    Raises:
        InputError: the scenario cannot be measured, or the place cannot be written.
        EngineError: the engine did not start, answer or stop as it must.
        InterruptedRunError: Ctrl-C; what was recorded until then is kept.
    """
    plan = bench_plan(scenario)
    target = output or (out_dir or Path()) / MEASUREMENT_NAME
    with claimed(target) as raw:
        try:
            return _bench(
                plan,
                scenario,
                target,
                raw,
                progress=progress,
                engine=engine,
                allow_remote=allow_remote,
                scenario_sha256=scenario_sha256,
            )
        except KeyboardInterrupt as interrupt:
            raise InterruptedRunError(
                "stopped by the user", remedy=f"what was recorded until then is in {raw}"
            ) from interrupt


def _bench(
    plan: BenchPlan,
    scenario: Scenario,
    target: Path,
    raw: Path,
    *,
    progress: Callable[[Progress], None],
    engine: EngineRunner,
    allow_remote: frozenset[str],
    scenario_sha256: str | None,
) -> Measurement:
    created_at = dt.datetime.now(dt.UTC)
    points: list[LoadPoint] = []

    def say(text: str) -> None:
        progress(Progress("engine", text))

    with engine(
        scenario, log_path=raw / "engine.log", on_progress=say, allow_remote=allow_remote
    ) as handle:
        form = find_form(handle)
        forget_points(raw)
        while len(points) < plan.repeats:
            points.append(
                _point(plan, handle, form, number=len(points), raw=raw, progress=progress)
            )
            measurement = Measurement(
                tool_version=__version__,
                created_at=created_at,
                origin="measured",
                shape=plan.shape,
                points=tuple(points),
                capacity_point=_median_point(points),
                engine=handle.facts,
                host=host_facts(),
                scenario_sha256=scenario_sha256,
                findings=handle.findings + form.findings,
            )
            RunRecord.of(measurement, tuple(f"point-{n}" for n in range(len(points)))).save(raw)
            write_measurement(measurement, target)
    return measurement


def _median_point(points: list[LoadPoint]) -> int:
    order = sorted(range(len(points)), key=lambda i: points[i].rates.output_tok_per_s)
    return order[(len(order) - 1) // 2]


def _fresh_seed(plan: BenchPlan, handle: EngineHandle, number: int) -> int:
    """Return the seed of a point: no two have alike prompts, which a cache would answer.

    An engine started for this run knows no earlier prompt, so the same scenario draws the
    same prompts again. A server attached to may remember an earlier run's.
    """
    entropy = [plan.seed, number, *([time.time_ns()] if handle.facts.attached else [])]
    return int(np.random.SeedSequence(entropy).generate_state(1)[0])


def _point(
    plan: BenchPlan,
    handle: EngineHandle,
    form: RequestForm,
    *,
    number: int,
    raw: Path,
    progress: Callable[[Progress], None],
) -> LoadPoint:
    folder, seed = raw / f"point-{number}", _fresh_seed(plan, handle, number)
    started_at = dt.datetime.now(dt.UTC)
    load_average = load_average_1m()
    limits = HoldLimits(window_s=plan.window_s, limit_s=plan.limit_s)
    stated = client_plan(
        plan, handle, form, seed=seed, folder=folder, workload=_plain(plan, seed, folder)
    )
    held = hold(stated, handle, limits, progress)
    progress(Progress("parsing", "reading the records"))
    trace = parse(read_records(folder))
    facts = PointFacts(
        number=number,
        shape=plan.shape,
        concurrency=plan.concurrency,
        seed=seed,
        started_at=started_at,
        engine_start_id=handle.facts.start_id,
        source=form.source,
        prompt_is_text=form.is_chat,
        load_average_1m=load_average,
        round_trip_ms=held.round_trip_s * MS_PER_S,
    )
    record = PointRecord(trace, held, facts)
    record.save(folder)
    forget_reads(folder)
    return record.point()


def _plain(plan: BenchPlan, seed: int, folder: Path) -> Path:
    """Write requests of the plan's mean lengths, whole ones around each; return the file."""
    random, path = np.random.default_rng(seed), folder / WORKLOAD_NAME
    means = (plan.shape.input_tokens, plan.shape.output_tokens)
    inputs, outputs = (
        np.maximum(1, np.floor(mean + random.random(_ROWS)).astype(np.int64)) for mean in means
    )
    shared = round(plan.shape.input_tokens * (plan.shape.cached_input_share or 0.0))
    folder.mkdir(parents=True, exist_ok=True)
    plain_workload(inputs, outputs, shared_tokens=shared).save(path)
    return path


def client_plan(
    plan: BenchPlan,
    handle: EngineHandle,
    form: RequestForm,
    *,
    seed: int,
    folder: Path,
    workload: Path,
) -> ClientPlan:
    """Return what the load client is told."""
    url = urlsplit(handle.url)
    is_tls = url.scheme == "https"
    headers = {
        "Host": url.netloc.rpartition("@")[2],
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
        "User-Agent": f"tco/{__version__}",
    }
    if handle.api_key:
        headers["Authorization"] = f"Bearer {handle.api_key}"
    return ClientPlan(
        host=url.hostname or "",
        port=url.port or (_HTTPS_PORT if is_tls else _HTTP_PORT),
        tls=is_tls,
        path=url.path.rstrip("/") + form.path,
        headers=headers,
        body=form.body,
        prompt_key="messages" if form.is_chat else "prompt",
        streams=plan.concurrency,
        workload=os.fspath(workload),
        seed=seed,
        out_dir=os.fspath(folder),
        vocabulary=form.vocabulary,
        words=WORDS if form.is_chat else (),
        tokens_per_word=form.tokens_per_word,
        frame_tokens=form.frame_tokens,
        asks_min_tokens=form.asks_min_tokens,
        timeout_s=plan.limit_s,
        drain_s=max(_LEAST_DRAIN_S, _DRAIN_SHARE * plan.limit_s),
        max_s=plan.limit_s,
    )

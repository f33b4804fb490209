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
from tco.errors import InputError
from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.engine import EngineHandle, running_engine
from tco.measure.hold import HoldLimits, hold
from tco.measure.host import host_facts, load_average_1m
from tco.measure.load_point import PointFacts, load_point
from tco.measure.progress import Progress
from tco.measure.request import WORDS, RequestForm, find_form
from tco.measure.trace import parse
from tco.measurement import LoadPoint, MeasuredShape, Measurement
from tco.measurement_file import measured_shape, write_measurement
from tco.scenario import LengthSpread, Scenario
from tco.units import MS_PER_S

_SECONDS_PER_MINUTE = 60
_WINDOW_LIMIT_S = _SECONDS_PER_MINUTE / 3  # of a window, for each minute allowed in all
_DRAIN_SHARE = 0.25
_LEAST_DRAIN_S = 60.0
_HTTPS_PORT, _HTTP_PORT = 443, 80


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
    """What a scenario asks of a bench, checked before any engine is started."""

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
    if scenario.bench.window_s.value > scenario.bench.max_minutes.value * _WINDOW_LIMIT_S:
        raise InputError(
            f"a window of {scenario.bench.window_s.value:g} s does not fit into "
            f"{scenario.bench.max_minutes.value:g} minutes with warm-up and drain",
            key="bench.window_s",
            remedy="keep it to a third of bench.max_minutes",
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
        window_s=scenario.bench.window_s.value,
        limit_s=scenario.bench.max_minutes.value * _SECONDS_PER_MINUTE,
        repeats=int(scenario.bench.repeats.value),
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
    the raw records to `raw` beside it. With `bench.repeats` the capacity point is the one
    of median output rate.

    Raises:
        InputError: the scenario cannot be measured, or the place cannot be written.
        EngineError: the engine did not start, answer or stop as it must.
    """
    plan = bench_plan(scenario)
    target = output or (out_dir or Path()) / "measurement.json"
    raw = _writable(target.parent / "raw")
    created_at = dt.datetime.now(dt.UTC)
    points: list[LoadPoint] = []

    def say(text: str) -> None:
        progress(Progress("engine", text))

    with engine(
        scenario, log_path=raw / "engine.log", on_progress=say, allow_remote=allow_remote
    ) as handle:
        form = find_form(handle)
        while len(points) < plan.repeats:
            folder = raw / f"point-{len(points)}"
            points.append(_point(plan, handle, form, folder, progress))
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
            write_measurement(measurement, target)
    return measurement


def _median_point(points: list[LoadPoint]) -> int:
    order = sorted(range(len(points)), key=lambda i: points[i].rates.output_tok_per_s)
    return order[(len(order) - 1) // 2]


def _writable(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(
            f"the results cannot be written: {error.strerror or error}",
            file=str(folder),
            remedy="choose a place you may write to with -o",
        ) from error
    return folder


def _point(
    plan: BenchPlan,
    handle: EngineHandle,
    form: RequestForm,
    folder: Path,
    progress: Callable[[Progress], None],
) -> LoadPoint:
    # A server attached to may hold prompts of an earlier run in its cache.
    seed = int(np.random.SeedSequence([plan.seed, time.time_ns()]).generate_state(1)[0])
    started_at = dt.datetime.now(dt.UTC)
    load_average = load_average_1m()
    limits = HoldLimits(window_s=plan.window_s, limit_s=plan.limit_s)
    held = hold(client_plan(plan, handle, form, seed, folder), handle, limits, progress)
    progress(Progress("parsing", "reading the records"))
    trace = parse(read_records(folder))
    trace.save(folder / "trace.npz")
    for name in ("bytes", "reads", "requests"):
        (folder / f"{name}.bin").unlink()
    facts = PointFacts(
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
    return load_point(trace, held, facts)


def client_plan(
    plan: BenchPlan, handle: EngineHandle, form: RequestForm, seed: int, folder: Path
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
        input_tokens=plan.shape.input_tokens,
        output_tokens=plan.shape.output_tokens,
        cached_input_share=plan.shape.cached_input_share,
        seed=seed,
        out_dir=os.fspath(folder),
        vocabulary=form.vocabulary,
        words=WORDS if form.is_chat else (),
        asks_min_tokens=form.asks_min_tokens,
        timeout_s=plan.limit_s,
        drain_s=max(_LEAST_DRAIN_S, _DRAIN_SHARE * plan.limit_s),
        max_s=plan.limit_s,
    )

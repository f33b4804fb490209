"""A trial is one start of the engine with some settings, measured as `tco bench` does."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from pathlib import Path

from tco.errors import EngineError
from tco.finding import Finding
from tco.measure.engine_handle import EngineHandle
from tco.measure.progress import Progress
from tco.measure.run import bench
from tco.measurement import Measurement
from tco.quantity import Quantity
from tco.scenario_file import LoadedScenario
from tco.tune.change import launch_of
from tco.tune.failed_start import FAILED_NAME, write_failed
from tco.tune.records import MEASUREMENT_NAME, QUALITY_NAME, trial_folder
from tco.tune.verdict import Start
from tco.tuning import Role, TuneTrial


def run_trial(
    loaded: LoadedScenario,
    *,
    number: int,
    step: int,
    role: Role,
    folder: Path,
    progress: Callable[[Progress], None],
    is_fresh: bool = False,
    on_capacity: Callable[[EngineHandle], None] | None = None,
) -> TuneTrial:
    """Start the scenario's engine, measure its capacity, end it, and tell what was seen.

    An engine that does not start, or dies, is a result: a trial with its failure, whose folder
    holds the record of it and the engine's log.

    Raises:
        InputError: the scenario cannot be measured, or the place cannot be written.
        InterruptedRunError: Ctrl-C; the same trial goes on where it stopped.
    """
    once = loaded.scenario.bench.model_copy(update={"repeats": Quantity(value=1.0)})
    scenario = loaded.scenario.model_copy(update={"bench": once})
    file = f"{trial_folder(number)}/{MEASUREMENT_NAME}"
    begun_at, begun_s = dt.datetime.now(dt.UTC), time.monotonic()
    measurement, failure = None, None
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    for left in (FAILED_NAME, QUALITY_NAME):
        (folder / file).with_name(left).unlink(missing_ok=True)
    try:
        measurement = bench(
            scenario,
            output=folder / file,
            progress=progress,
            scenario_sha256=loaded.sha256,
            is_fresh=is_fresh,
            verifies_target=False,
            on_capacity=on_capacity,
        )
    except EngineError as error:
        failure = error.message
        write_failed((folder / file).parent, launch_of(loaded.scenario), error)
    trial = TuneTrial(
        number=number,
        step=step,
        role=role,
        scenario_sha256=loaded.sha256,
        started_at=begun_at,
        took_s=time.monotonic() - begun_s,
        failure=failure,
    )
    return trial if measurement is None else measured(trial, measurement, file)


def measured(trial: TuneTrial, measurement: Measurement, file: str) -> TuneTrial:
    """Return the trial with what its measurement, of that file, says of it."""
    index = measurement.capacity_point
    if index is None:
        return trial.model_copy(update={"failure": "no load was measured"})
    point = measurement.points[index]
    if point.rates.output_tok_per_s <= 0:
        return trial.model_copy(update={"failure": "no request was answered well"})
    findings = (*measurement.findings, *point.findings)
    found = {
        "engine_start_s": measurement.engine.start_s if measurement.engine else None,
        "output_tok_per_s": point.rates.output_tok_per_s,
        "requests_per_s": point.rates.requests_per_s,
        "holds_service_level": point.service_level.holds if point.service_level else None,
        "invalid": tuple(sorted({f.kind for f in findings if _forbids(f)})),
        "load_average_1m": point.load_average_1m,
        "measurement": file,
    }
    return trial.model_copy(update=found)


def _forbids(finding: Finding) -> bool:
    """Say whether a trial's rate must not be used; a broken level is judged by itself."""
    return finding.severity == "invalid" and finding.kind != "slo_not_kept"


def start_of(trial: TuneTrial) -> Start | None:
    """Return what a trial says of its settings; None of one that failed."""
    if trial.output_tok_per_s is None:
        return None
    return Start(trial.output_tok_per_s, trial.holds_service_level, trial.invalid)

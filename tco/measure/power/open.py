"""Opens the meters that a scenario asks for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tco.errors import InputError
from tco.measure.engine_handle import EngineHandle
from tco.measure.power.dcgm import DcgmError, DcgmMeter
from tco.measure.power.engine_gpus import engine_gpus
from tco.measure.power.engine_processes import engine_processes, is_here
from tco.measure.power.nvml import Nvml, NvmlError, nvml_meter
from tco.measure.power.prometheus import Prometheus, PrometheusError
from tco.measure.power.rapl import POWERCAP, RAPL_REMEDY, RaplError, rapl_meter
from tco.measure.power.readings import METER_KEY, power_finding
from tco.measure.power.recorder import PowerRecorder
from tco.measure.power.silent import SilentMeter
from tco.measure.power.wall import WallMeter
from tco.scenario import PowerMeter, Scenario
from tco.scenario.meter import timezone_of

_PROMETHEUS_KEY = f"{METER_KEY}.prometheus"
_ELSEWHERE = "the engine runs on another machine, which no meter of this one sees"
_ELSEWHERE_REMEDY = "use bench.meter: {prometheus: URL} or {wall_csv: FILE}"
_STATE_WATTS = (
    "the scenario's own watts are costed; a wall meter's export can be named (bench.meter)"
)


@dataclass(frozen=True, slots=True)
class _Machine:
    """Where this machine's own meters are read: the engine on it, and where RAPL stands."""

    handle: EngineHandle
    environ: Mapping[str, str]
    powercap: Path


def open_recorders(
    scenario: Scenario,
    handle: EngineHandle,
    *,
    environ: Mapping[str, str] = os.environ,
    powercap: Path = POWERCAP,
) -> tuple[PowerRecorder, ...]:
    """Return a recorder for each meter of `bench.meter`, not yet started.

    Args:
        scenario: names the meter.
        handle: the engine, ready, so that its processes are on its GPUs.
        environ: ours, which an engine that we started inherits.
        powercap: where Linux shows the RAPL counters.

    Raises:
        InputError: a meter that is asked for by name cannot be read.
    """
    named, machine = scenario.bench.meter, _Machine(handle, environ, powercap)
    if named.use == "none":
        return ()
    if named.use != "auto":
        if not is_here(handle):
            raise InputError(_ELSEWHERE, key=METER_KEY, remedy=_ELSEWHERE_REMEDY)
        with _asked_for():
            return (_nvml(machine) if named.use == "nvml" else rapl_meter(powercap),)
    if named.prometheus is not None:
        return (_dcgm(named, named.prometheus), *_readable(machine, gpus=False))
    if named.wall_csv is not None:
        return (_wall(named, named.wall_csv), *_readable(machine))
    return _found(machine)


def check_meter(scenario: Scenario) -> None:
    """Look whether the meter that is asked for by name can be read, before the engine starts.

    Raises:
        InputError: it cannot.
    """
    named = scenario.bench.meter
    if named.prometheus is not None:
        _dcgm(named, named.prometheus).stop()
    elif named.wall_csv is not None:
        _wall(named, named.wall_csv)
    else:
        with _asked_for():
            if named.use == "nvml":
                nvml = Nvml()
                nvml_meter(nvml, nvml.gpus(), ()).stop()
            elif named.use == "rapl":
                rapl_meter(POWERCAP)


@contextmanager
def _asked_for() -> Iterator[None]:
    """Make an unreadable meter of this machine the user's error."""
    try:
        yield
    except NvmlError as error:
        raise InputError(
            f"NVML cannot be read: {error}",
            key=METER_KEY,
            remedy="see whether nvidia-smi works, or leave bench.meter out",
        ) from error
    except RaplError as error:
        remedy = RAPL_REMEDY if error.is_closed else "leave bench.meter out"
        raise InputError(f"RAPL cannot be read: {error}", key=METER_KEY, remedy=remedy) from error


def _wall(named: PowerMeter, file: str) -> WallMeter:
    zone = timezone_of(named.timezone) if named.timezone is not None else None
    return WallMeter(Path(file).expanduser(), zone)


def _dcgm(named: PowerMeter, url: str) -> DcgmMeter:
    server = Prometheus(url)
    try:
        return DcgmMeter(server, url, named.labels)
    except PrometheusError as error:
        server.close()
        raise InputError(
            f"the Prometheus at {url} does not answer: {error}",
            key=_PROMETHEUS_KEY,
            remedy="give the address of its own pages, and see whether it runs",
        ) from error
    except DcgmError as error:
        server.close()
        raise InputError(
            f"the Prometheus at {url} does not tell the GPUs' power: {error}",
            key=_PROMETHEUS_KEY,
            remedy="see its targets page, and choose with labels: {instance: HOST:PORT, gpu: [0]}",
        ) from error


def _found(machine: _Machine) -> tuple[PowerRecorder, ...]:
    """Return the meters that this machine has; a silent one that says why there is none."""
    if not is_here(machine.handle):
        return (_no_meter(_ELSEWHERE, _ELSEWHERE_REMEDY),)
    recorders, errors = _opened(machine)
    closed = [error for error in errors if isinstance(error, RaplError) and error.is_closed]
    if not recorders:
        reason = "; ".join(str(error) for error in errors)
        return (_no_meter(reason, RAPL_REMEDY if closed else _STATE_WATTS),)
    return (*recorders, *(_closed(error) for error in closed))


def _readable(machine: _Machine, *, gpus: bool = True) -> tuple[PowerRecorder, ...]:
    """Return the meters of this machine that can be read, beside one that is named."""
    return _opened(machine, gpus=gpus)[0] if is_here(machine.handle) else ()


def _opened(
    machine: _Machine, *, gpus: bool = True
) -> tuple[tuple[PowerRecorder, ...], tuple[NvmlError | RaplError, ...]]:
    recorders: list[PowerRecorder] = []
    errors: list[NvmlError | RaplError] = []
    try:
        if gpus:
            recorders.append(_nvml(machine))
    except NvmlError as error:
        errors.append(error)
    try:
        recorders.append(rapl_meter(machine.powercap))
    except RaplError as error:
        errors.append(error)
    return tuple(recorders), tuple(errors)


def _nvml(machine: _Machine) -> PowerRecorder:
    nvml = Nvml()
    try:
        processes = engine_processes(machine.handle, machine.environ)
        chosen = engine_gpus(nvml.gpus(), processes.pids, processes.environ)
        return nvml_meter(nvml, chosen.gpus, chosen.findings)
    except NvmlError:
        nvml.close()
        raise


def _no_meter(reason: str, advice: str) -> SilentMeter:
    message = f"no power meter was read: {reason}"
    return SilentMeter(
        "nvml", "accelerators", (power_finding("no_power_meter", "info", message, advice),)
    )


def _closed(error: RaplError) -> SilentMeter:
    finding = power_finding("rapl_closed", "info", f"RAPL is not read: {error}", RAPL_REMEDY)
    return SilentMeter("rapl", "package", (finding,))

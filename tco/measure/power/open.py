"""Opens the meters that a scenario asks for, before engine time is spent."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tco.errors import InputError
from tco.measure.engine_handle import EngineHandle
from tco.measure.power.engine_gpus import engine_gpus
from tco.measure.power.engine_processes import engine_processes, is_here
from tco.measure.power.nvml import Nvml, NvmlError, nvml_meter
from tco.measure.power.rapl import POWERCAP, RaplError, rapl_meter
from tco.measure.power.readings import METER_KEY, power_finding
from tco.measure.power.recorder import PowerRecorder
from tco.measure.power.silent import SilentMeter
from tco.scenario import PowerMeter, Scenario

RAPL_REMEDY = (
    "on a machine that nobody else uses: sudo chmod o+r "
    "/sys/class/powercap/intel-rapl:*/energy_uj (until the next boot)"
)
_ELSEWHERE = "the engine runs on another machine, which no meter of this one sees"
_ELSEWHERE_REMEDY = "use bench.meter: {prometheus: URL} or {wall_csv: FILE}"


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
    named = scenario.bench.meter
    if named.use == "none":
        return ()
    if named.use != "auto":
        return (_required(named, handle, environ, powercap),)
    return _found(handle, environ, powercap)


def _required(
    named: PowerMeter, handle: EngineHandle, environ: Mapping[str, str], powercap: Path
) -> PowerRecorder:
    if not is_here(handle):
        raise InputError(_ELSEWHERE, key=METER_KEY, remedy=_ELSEWHERE_REMEDY)
    try:
        return _nvml(handle, environ) if named.use == "nvml" else rapl_meter(powercap)
    except NvmlError as error:
        raise InputError(
            f"NVML cannot be read: {error}",
            key=METER_KEY,
            remedy="see whether nvidia-smi works, or leave bench.meter out",
        ) from error
    except RaplError as error:
        remedy = RAPL_REMEDY if error.is_closed else "leave bench.meter out"
        raise InputError(f"RAPL cannot be read: {error}", key=METER_KEY, remedy=remedy) from error


def _found(
    handle: EngineHandle, environ: Mapping[str, str], powercap: Path
) -> tuple[PowerRecorder, ...]:
    """Return the meters that this machine has; a silent one where it has none."""
    if not is_here(handle):
        return (_no_meter(_ELSEWHERE),)
    recorders: list[PowerRecorder] = []
    reasons = []
    try:
        recorders.append(_nvml(handle, environ))
    except NvmlError as error:
        reasons.append(f"NVML: {error}")
    try:
        recorders.append(rapl_meter(powercap))
    except RaplError as error:
        reasons.append(f"RAPL: {error}")
        if error.is_closed:
            recorders.append(_closed(error))
    return tuple(recorders) if recorders else (_no_meter("; ".join(reasons)),)


def _nvml(handle: EngineHandle, environ: Mapping[str, str]) -> PowerRecorder:
    nvml = Nvml()
    try:
        gpus = nvml.gpus()
        if not gpus:
            raise NvmlError("the driver shows no GPU")
        processes = engine_processes(handle, environ)
        chosen = engine_gpus(gpus, processes.pids, processes.environ)
        return nvml_meter(nvml, chosen.gpus, chosen.findings)
    except NvmlError:
        nvml.close()
        raise


def _no_meter(reason: str) -> SilentMeter:
    finding = power_finding(
        "no_power_meter",
        "info",
        f"no power meter was read ({reason})",
        "the scenario's own watts are costed; a wall meter's export can be named as "
        "bench.meter: {wall_csv: FILE}",
    )
    return SilentMeter("nvml", "accelerators", (finding,))


def _closed(error: RaplError) -> SilentMeter:
    finding = power_finding("rapl_closed", "info", f"RAPL is not read: {error}", RAPL_REMEDY)
    return SilentMeter("rapl", "package", (finding,))

"""NVML: the energy counters of NVIDIA GPUs, or their power where a GPU has no counter.

`nvmlDeviceGetTotalEnergyConsumption` counts mJ since the driver was loaded, on Volta and newer;
`nvmlDeviceGetPowerUsage` gives mW, on Ampere and newer (but GA100) the mean of the last second
(NVML API reference). Both are of the whole board.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tco.finding import Finding
from tco.measure.power.readings import Meter, power_finding
from tco.measure.power.sampled import MeterFaultError, SampledMeter, Sensors
from tco.measure.power.series import Kind

_PER_MILLI = 1e-3


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU of this machine.

    Attributes:
        index: in the order of the PCI bus, as NVML counts.
        uuid: `GPU-…`.
        name: the product's.
        pids: of the processes that compute on it, as far as the driver tells.
        handle: what NVML knows it by.
    """

    index: int
    uuid: str
    name: str
    pids: frozenset[int]
    handle: Any


class NvmlError(Exception):
    """NVML cannot be used here; the message says why."""


def _binding() -> Any:
    try:
        import pynvml
    except ImportError as error:
        raise NvmlError("the package nvidia-ml-py is not installed") from error
    return pynvml


class Nvml:
    """The library, initialised; `close` shuts it down."""

    def __init__(self, library: Any = None) -> None:
        self._library = library or _binding()
        self._call(self._library.nvmlInit)

    def close(self) -> None:
        """Shut the library down; a driver that is gone needs no goodbye."""
        with contextlib.suppress(NvmlError):
            self._call(self._library.nvmlShutdown)

    def gpus(self) -> tuple[Gpu, ...]:
        """Return the GPUs of this machine."""
        return tuple(
            self._gpu(index) for index in range(self._call(self._library.nvmlDeviceGetCount))
        )

    def energy_j(self, gpu: Gpu) -> float:
        """Return what a GPU has used since its driver was loaded [J]."""
        read = self._library.nvmlDeviceGetTotalEnergyConsumption
        return float(self._call(read, gpu.handle)) * _PER_MILLI

    def power_w(self, gpu: Gpu) -> float:
        """Return what a GPU draws [W]."""
        return float(self._call(self._library.nvmlDeviceGetPowerUsage, gpu.handle)) * _PER_MILLI

    def _gpu(self, index: int) -> Gpu:
        handle = self._call(self._library.nvmlDeviceGetHandleByIndex, index)
        return Gpu(
            index=index,
            uuid=str(self._call(self._library.nvmlDeviceGetUUID, handle)),
            name=str(self._call(self._library.nvmlDeviceGetName, handle)),
            pids=self._pids(handle),
            handle=handle,
        )

    def _pids(self, handle: Any) -> frozenset[int]:
        try:
            found = self._call(self._library.nvmlDeviceGetComputeRunningProcesses, handle)
        except (NvmlError, self._library.NVMLLibraryMismatchError):
            return frozenset()
        return frozenset(int(process.pid) for process in found)

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except self._library.NVMLError as error:
            raise NvmlError(f"NVML says: {error}") from error


def nvml_meter(nvml: Nvml, gpus: Sequence[Gpu], findings: tuple[Finding, ...]) -> SampledMeter:
    """Return the recorder of some GPUs: by their counters, or by their power if one has none.

    Raises:
        NvmlError: there is none, or none tells either.
    """
    if not gpus:
        raise NvmlError("the NVIDIA driver shows no GPU")
    found = list(findings)
    reading, kind, seen = _readable(nvml, gpus)
    if len(seen) < len(gpus):
        dark = [gpu for gpu in gpus if gpu not in seen]
        found.append(_unread(dark, len(gpus)))
    if kind == "power":
        found.append(_BY_POWER)
    meter = Meter(
        meter="nvml",
        covers="accelerators",
        accelerators=len(seen),
        source=f"NVML, {_listed(seen)}",
        clock="monotonic",
    )

    def read() -> tuple[float, ...]:
        try:
            return tuple(reading(gpu) for gpu in seen)
        except NvmlError as error:
            raise MeterFaultError(str(error)) from error

    return SampledMeter(meter, Sensors(read, kind, (None,) * len(seen), nvml.close), tuple(found))


def _readable(
    nvml: Nvml, gpus: Sequence[Gpu]
) -> tuple[Callable[[Gpu], float], Kind, tuple[Gpu, ...]]:
    """Return how to read, what it gives, and the GPUs that can be read so."""
    counted = tuple(gpu for gpu in gpus if _can(nvml.energy_j, gpu))
    if counted and len(counted) == len(gpus):
        return nvml.energy_j, "counter", counted
    drawn = tuple(gpu for gpu in gpus if _can(nvml.power_w, gpu))
    if len(drawn) > len(counted):
        return nvml.power_w, "power", drawn
    if not counted:
        raise NvmlError(f"{_listed(gpus)} tells neither energy nor power")
    return nvml.energy_j, "counter", counted


def _can(read: Callable[[Gpu], float], gpu: Gpu) -> bool:
    try:
        read(gpu)
    except NvmlError:
        return False
    return True


def _listed(gpus: Sequence[Gpu]) -> str:
    """Return `2 x NVIDIA H100 (GPU 0, 1)`."""
    names = sorted({gpu.name for gpu in gpus})
    indices = ", ".join(str(gpu.index) for gpu in gpus)
    return f"{len(gpus)} x {' and '.join(names)} (GPU {indices})"


def _unread(dark: Sequence[Gpu], wanted: int) -> Finding:
    return power_finding(
        "power_of_some_gpus",
        "warn",
        f"{_listed(dark)} cannot be read; the meter sees {wanted - len(dark)} of the engine's "
        f"{wanted} GPUs",
        "see the driver's log",
        value=wanted - len(dark),
        limit=wanted,
    )


_BY_POWER = power_finding(
    "power_by_readings",
    "info",
    "a GPU has no energy counter; its energy is the integral of power readings",
    "short peaks between readings are missed; a wall meter sees them",
)

"""A fake pynvml: its own errors, and functions that answer as the NVML reference says."""

from types import SimpleNamespace

import pynvml


class FakeGpu:
    """One GPU: counter in mJ, power in mW; an NVML error code in place of a value is raised."""

    def __init__(self, uuid="GPU-0", *, name="NVIDIA H100", energy_mj=0, power_mw=0, pids=()):
        self.uuid, self.name, self.pids = uuid, name, pids
        self.energy_mj, self.power_mw = energy_mj, power_mw


class NvmlCode(int):
    """An error code that a fake function raises."""


NOT_SUPPORTED = NvmlCode(pynvml.NVML_ERROR_NOT_SUPPORTED)
NO_PERMISSION = NvmlCode(pynvml.NVML_ERROR_NO_PERMISSION)
GPU_IS_LOST = NvmlCode(pynvml.NVML_ERROR_GPU_IS_LOST)
LIBRARY_NOT_FOUND = NvmlCode(pynvml.NVML_ERROR_LIBRARY_NOT_FOUND)
DRIVER_NOT_LOADED = NvmlCode(pynvml.NVML_ERROR_DRIVER_NOT_LOADED)


def _value(value):
    answer = value() if callable(value) else value
    if isinstance(answer, NvmlCode):
        raise pynvml.NVMLError(int(answer))
    return answer


def fake_nvml(*gpus, init=None):
    """Return the module; `closed` counts its shutdowns."""
    module = SimpleNamespace(
        NVMLError=pynvml.NVMLError,
        NVMLLibraryMismatchError=pynvml.NVMLLibraryMismatchError,
        closed=0,
    )

    def shutdown():
        module.closed += 1

    module.nvmlInit = lambda: _value(init)
    module.nvmlShutdown = shutdown
    module.nvmlDeviceGetCount = lambda: len(gpus)
    module.nvmlDeviceGetHandleByIndex = lambda index: gpus[index]
    module.nvmlDeviceGetUUID = lambda gpu: gpu.uuid
    module.nvmlDeviceGetName = lambda gpu: gpu.name
    module.nvmlDeviceGetTotalEnergyConsumption = lambda gpu: _value(gpu.energy_mj)
    module.nvmlDeviceGetPowerUsage = lambda gpu: _value(gpu.power_mw)
    module.nvmlDeviceGetComputeRunningProcesses = lambda gpu: [
        SimpleNamespace(pid=pid, usedGpuMemory=1) for pid in _value(gpu.pids)
    ]
    return module

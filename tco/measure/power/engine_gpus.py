"""Which GPUs an engine uses: by its processes, else by CUDA_VISIBLE_DEVICES, else not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tco.finding import Finding
from tco.measure.power.nvml import Gpu
from tco.measure.power.readings import power_finding

_VISIBLE, _ORDER = "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"


@dataclass(frozen=True, slots=True)
class EngineGpus:
    """The GPUs to measure, and what must be known of the choice."""

    gpus: tuple[Gpu, ...]
    findings: tuple[Finding, ...] = ()


def engine_gpus(
    gpus: Sequence[Gpu], pids: frozenset[int], environ: Mapping[str, str]
) -> EngineGpus:
    """Return the GPUs that the engine computes on.

    Args:
        gpus: of this machine.
        pids: the engine's processes; empty where they are not known.
        environ: the engine's environment, as far as known.
    """
    used = tuple(gpu for gpu in gpus if gpu.pids & pids)
    if used:
        shared = [gpu for gpu in used if gpu.pids - pids]
        return EngineGpus(used, (_shared(shared),) if shared else ())
    visible = _visible(gpus, environ)
    if visible is not None:
        return EngineGpus(visible)
    if len(gpus) == 1:
        return EngineGpus(tuple(gpus))
    return EngineGpus(tuple(gpus), (_all(len(gpus)),))


def _visible(gpus: Sequence[Gpu], environ: Mapping[str, str]) -> tuple[Gpu, ...] | None:
    """Return the GPUs of CUDA_VISIBLE_DEVICES; None where it does not tell.

    The list ends at the first entry that names no GPU. CUDA counts the fastest GPU first and
    NVML by the PCI bus, which only differs among unlike GPUs (CUDA programming guide).
    """
    listed = environ.get(_VISIBLE)
    if listed is None:
        return None
    in_bus_order = environ.get(_ORDER) == "PCI_BUS_ID" or len({gpu.name for gpu in gpus}) == 1
    chosen: list[Gpu] = []
    for entry in listed.split(","):
        gpu = _named(gpus, entry.strip(), by_index=in_bus_order)
        if gpu is None:
            break
        chosen.append(gpu)
    return tuple(chosen) or None


def _named(gpus: Sequence[Gpu], entry: str, *, by_index: bool) -> Gpu | None:
    if entry.isdecimal():
        return gpus[int(entry)] if by_index and int(entry) < len(gpus) else None
    matches = [gpu for gpu in gpus if entry.startswith("GPU-") and gpu.uuid.startswith(entry)]
    return matches[0] if len(matches) == 1 else None


def _all(count: int) -> Finding:
    return power_finding(
        "power_of_all_gpus",
        "warn",
        f"which of the {count} GPUs the engine uses is not told; the power of all is measured",
        f"set {_VISIBLE} in engine.launch.env",
        value=count,
    )


def _shared(gpus: Sequence[Gpu]) -> Finding:
    indices = ", ".join(str(gpu.index) for gpu in gpus)
    return power_finding(
        "gpu_shared",
        "warn",
        f"other processes compute on GPU {indices} too; their power is measured with the engine's",
        "measure on GPUs of its own",
        value=len(gpus),
        limit=0,
    )

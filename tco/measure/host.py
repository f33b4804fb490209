"""Facts of the machine the client runs on, and of its accelerators."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import psutil

from tco.measurement import HostFacts
from tco.units import BYTES_PER_GIB

_NVIDIA_TIMEOUT_S = 10


def host_facts() -> HostFacts:
    """Return what this machine says of itself; accelerators by nvidia-smi, if there."""
    accelerators, driver = _nvidia()
    return HostFacts(
        system=f"{platform.system()} {platform.release()}",
        cpu=_cpu_name(),
        cpu_count=os.cpu_count() or 1,
        memory_gib=round(psutil.virtual_memory().total / BYTES_PER_GIB, 2),
        python=platform.python_version(),
        accelerators=accelerators,
        driver=driver,
    )


def load_average_1m() -> float | None:
    """Return the 1-minute load average; None where the system has none."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return None


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _nvidia() -> tuple[tuple[str, ...], str | None]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return (), None
    try:
        done = subprocess.run(
            [program, "--query-gpu=name,driver_version", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=_NVIDIA_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return (), None
    rows = [line.rpartition(", ") for line in done.stdout.splitlines() if ", " in line]
    return tuple(name for name, _, _ in rows), (rows[0][2] if rows else None)

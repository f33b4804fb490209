"""What kept this process from its cores, as Linux counts it; nothing where it does not.

`waited_s`: it could run and had no core (`/proc/self/schedstat`, its main thread).
`throttled_s`: a CPU quota of its control group, or of one above, was used up (`cpu.stat`).
`stolen_s`: the hypervisor ran somebody else on the machine's cores (`/proc/stat`, all cores).
Each grows from some start; differences count.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from tco.units import NS_PER_S

_ROOT: Final = Path("/")
_US_PER_S = 1_000_000
_STEAL = 8  # of the words of the first line of /proc/stat


@dataclass(frozen=True, slots=True)
class CpuWait:
    """Seconds so far; None: not known here."""

    waited_s: float | None = None
    throttled_s: float | None = None
    stolen_s: float | None = None


def cpu_wait(root: Path = _ROOT) -> CpuWait:
    """Read the counters."""
    waited = _words(root / "proc/self/schedstat")
    total = _words(root / "proc/stat")
    stolen = int(total[_STEAL]) / os.sysconf("SC_CLK_TCK") if len(total) > _STEAL else None
    return CpuWait(
        waited_s=int(waited[1]) / NS_PER_S if len(waited) > 1 else None,
        throttled_s=_throttled_s(root),
        stolen_s=stolen,
    )


def _throttled_s(root: Path) -> float | None:
    """Return the longest throttling among the process's CPU control groups."""
    found = []
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        mount = root / "sys/fs/cgroup" / controllers
        for group in (PurePosixPath(path), *PurePosixPath(path).parents):
            words = _words(mount / group.relative_to("/") / "cpu.stat", lines=None)
            counts = dict(zip(words[::2], words[1::2], strict=False))
            if "throttled_usec" in counts:
                found.append(int(counts["throttled_usec"]) / _US_PER_S)
            elif "throttled_time" in counts:
                found.append(int(counts["throttled_time"]) / NS_PER_S)
    return max(found, default=None)


def _words(path: Path, lines: int | None = 1) -> list[str]:
    return " ".join(_text(path).splitlines()[:lines]).split()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""

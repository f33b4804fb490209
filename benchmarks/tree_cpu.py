"""CPU time of all processes that this one has started, at any moment."""

from __future__ import annotations

import contextlib
import ctypes
import resource
import time

import psutil

_PR_SET_CHILD_SUBREAPER = 36
_TICK_S = 0.05


def adopt_orphans() -> None:
    """Have processes whose parent has gone become ours, so that none is lost to the count."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def tree_cpu_s(without: set[int]) -> float:
    """Return user + system seconds of our descendants, ended ones included.

    Args:
        without: ids of children that are not counted, nor theirs, as long as they live.
    """
    return ended_cpu_s() + sum(map(_cpu_s, _descendants(without)))


def ended_cpu_s() -> float:
    """Return user + system seconds of all descendants that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _descendants(without: set[int]) -> list[psutil.Process]:
    found = []
    for child in psutil.Process().children():
        if child.pid not in without:
            found.append(child)
            with contextlib.suppress(psutil.NoSuchProcess):
                found += child.children(recursive=True)
    return found


def _cpu_s(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)


def end_rest(without: set[int], patience_s: float) -> None:
    """Wait for the descendants that are left, then end them; all are reaped."""
    deadline = time.monotonic() + patience_s
    while rest := _descendants(without):
        late = time.monotonic() > deadline
        for process in rest:
            with contextlib.suppress(psutil.NoSuchProcess, psutil.TimeoutExpired):
                if late:
                    process.kill()
                process.wait(_TICK_S)

"""A ProcessMark names a process so that a reused process number is never taken for it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from tco.measurement import Record

_PROC = Path("/proc")
_BOOT_ID = _PROC / "sys/kernel/random/boot_id"


class ProcessMark(Record):
    """A process number and the moment it started, in the system's own finest count."""

    pid: int
    started: str


@dataclass(frozen=True, slots=True)
class ProcessState:
    """What the system says of a running process."""

    mark: ProcessMark
    session: int


def process_state(pid: int) -> ProcessState | None:
    """Return the state of a running process; None if there is none, or a zombie."""
    stat = _PROC / str(pid) / "stat"
    try:
        if not _PROC.joinpath("self/stat").exists():
            return _state_by_psutil(pid)
        # The command's name, in brackets, may itself hold spaces and brackets.
        fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except (OSError, psutil.Error):
        return None
    if fields[0] in "ZX":
        return None
    return ProcessState(ProcessMark(pid=pid, started=fields[19]), session=int(fields[3]))


def _state_by_psutil(pid: int) -> ProcessState | None:
    process = psutil.Process(pid)
    if process.status() == psutil.STATUS_ZOMBIE:
        return None
    return ProcessState(
        ProcessMark(pid=pid, started=f"{process.create_time():.2f}"), session=os.getsid(pid)
    )


def this_process() -> ProcessMark:
    """Return the mark of the running interpreter."""
    state = process_state(os.getpid())
    assert state is not None  # noqa: S101  we are running
    return state.mark


def is_running(mark: ProcessMark) -> bool:
    """Say whether that very process still runs (a zombie does not)."""
    state = process_state(mark.pid)
    return state is not None and state.mark == mark


def all_processes() -> Iterator[ProcessState]:
    """Yield the state of every running process that can be seen."""
    for pid in psutil.pids():
        state = process_state(pid)
        if state is not None:
            yield state


def has_environment(pid: int, name: str, value: str) -> bool:
    """Say whether a process was started with that variable; False where it cannot be read."""
    try:
        return psutil.Process(pid).environ().get(name) == value
    except (psutil.Error, OSError):
        return False


def boot_id() -> str:
    """Return what tells this boot of the machine from every other."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return f"{psutil.boot_time():.0f}"


def host_name() -> str:
    """Return the machine's name: a home folder may be shared by several machines."""
    return socket.gethostname()

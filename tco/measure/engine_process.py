"""The processes of one engine: started in a session of their own, ended as a group."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tco.errors import EngineError, InputError
from tco.measure.process_mark import (
    ProcessMark,
    all_processes,
    has_environment,
    is_running,
)

START_ID_VARIABLE = "TCO_ENGINE_START_ID"
_TERM_GRACE_S = 20.0
_KILL_GRACE_S = 10.0
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class EngineTree:
    """What an engine's processes are known by.

    Attributes:
        start_id: in the environment of each of them, under `TCO_ENGINE_START_ID`.
        leader: the process that was started, whose number is the session's; None while
            it is not known yet.
    """

    start_id: str
    leader: ProcessMark | None


def spawn(argv: Sequence[str], env: Mapping[str, str], log_path: Path) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own, both outputs in the log.

    Raises:
        InputError: the log cannot be written.
        EngineError: the command cannot be started.
    """
    try:
        log_path.parent.mkdir(parents=True, exist_ok=True)
        log = log_path.open("wb")
    except OSError as error:
        raise InputError(
            f"the engine's log cannot be written: {error.strerror or error}",
            file=str(log_path),
            remedy="choose a place you may write to",
        ) from error
    with log:
        try:
            return subprocess.Popen(
                list(argv),
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(f"cannot start {argv[0]!r}: {error.strerror or error}") from error


def members(tree: EngineTree) -> tuple[int, ...]:
    """Return the running processes of an engine, its leader among them.

    A session's number is not given out again while one of its processes lives. So the
    session is ours if its leader is the process we started, or, with the leader gone,
    if one of its processes carries our start id. A process that left the session is
    found by its start id.
    """
    ours, session = [], []
    for state in all_processes():
        if has_environment(state.mark.pid, START_ID_VARIABLE, tree.start_id):
            ours.append(state)
        elif tree.leader is not None and state.session == tree.leader.pid:
            session.append(state)
    proven = tree.leader is not None and (
        is_running(tree.leader) or any(state.session == tree.leader.pid for state in ours)
    )
    return tuple(state.mark.pid for state in (*ours, *(session if proven else ())))


def end(tree: EngineTree, *, forced: Callable[[], bool], reap: Callable[[], object]) -> int:
    """End every process of an engine: TERM, wait, then KILL; return how many there were.

    Args:
        tree: whose processes.
        forced: asked while waiting; True goes to KILL at once.
        reap: called while waiting, so that a finished child does not linger.

    Raises:
        EngineError: a process is still there after KILL.
    """
    found = members(tree)
    if not found:
        return 0
    _signal(tree, found, signal.SIGTERM)
    if _gone(tree, _TERM_GRACE_S, forced=forced, reap=reap):
        return len(found)
    _signal(tree, members(tree), signal.SIGKILL)
    if not _gone(tree, _KILL_GRACE_S, forced=lambda: False, reap=reap):
        left = ", ".join(map(str, members(tree)))
        raise EngineError(f"the engine's processes {left} could not be ended")
    return len(found)


def _gone(
    tree: EngineTree, limit_s: float, *, forced: Callable[[], bool], reap: Callable[[], object]
) -> bool:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline and not forced():
        reap()
        if not members(tree):
            return True
        time.sleep(_POLL_S)
    reap()
    return not members(tree)


def _signal(tree: EngineTree, pids: Sequence[int], signum: signal.Signals) -> None:
    in_group = tree.leader is not None and any(_group(pid) == tree.leader.pid for pid in pids)
    if in_group and tree.leader is not None:
        # One call reaches a process that was forked since the list was made.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(tree.leader.pid, signum)
    for pid in pids:
        if tree.leader is None or _group(pid) != tree.leader.pid:
            with suppress(psutil.Error):
                psutil.Process(pid).send_signal(signum)


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except OSError:
        return None


def listens(pids: Sequence[int], port: int) -> bool:
    """Say whether one of the processes listens on a port; True where that cannot be seen."""
    for pid in pids:
        try:
            sockets = psutil.Process(pid).net_connections(kind="tcp")
        except psutil.AccessDenied:
            return True
        except psutil.Error:
            continue
        if any(s.status == psutil.CONN_LISTEN and s.laddr.port == port for s in sockets):
            return True
    return False

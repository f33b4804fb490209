"""The processes of the engine on this machine, by which its GPUs are told."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import psutil

from tco.measure.engine_handle import EngineHandle
from tco.measure.engine_http import host_of, is_loopback


@dataclass(frozen=True, slots=True)
class EngineProcesses:
    """The engine's processes and its environment; empty where they cannot be seen."""

    pids: frozenset[int]
    environ: Mapping[str, str]


def is_here(handle: EngineHandle) -> bool:
    """Say whether the engine runs on this machine."""
    host = host_of(handle.url)
    if handle.pid is not None or is_loopback(handle.url) or host == socket.gethostname():
        return True
    own = (address.address for each in psutil.net_if_addrs().values() for address in each)
    return host in own


def engine_processes(
    handle: EngineHandle, environ: Mapping[str, str] = os.environ
) -> EngineProcesses:
    """Return the engine's processes: of the one we started, or that listens on its port.

    Args:
        handle: the engine, on this machine.
        environ: ours, which an engine that we started inherits.
    """
    started_by_us = handle.pid is not None
    root = handle.pid if started_by_us else _listener(handle.url)
    if root is None:
        return EngineProcesses(frozenset(), {})
    try:
        process = psutil.Process(root)
        family = [process, *process.children(recursive=True)]
        theirs = {**environ, **handle.facts.env} if started_by_us else process.environ()
    except psutil.Error:
        return EngineProcesses(frozenset({root}), {})
    return EngineProcesses(frozenset(member.pid for member in family), theirs)


def _listener(url: str) -> int | None:
    """Return the process that listens on a URL's port, if we may know."""
    port = urlsplit(url).port
    try:
        found = psutil.net_connections(kind="tcp")
    except psutil.Error:
        return None
    for one in found:
        if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port and one.pid:
            return int(one.pid)
    return None

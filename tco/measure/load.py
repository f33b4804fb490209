"""Drives the load client: starts its process, follows its progress, stops it."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from tco.errors import EngineError, InputError
from tco.measure.client_plan import ClientPlan

_KILL_AFTER_S = 10.0


@dataclass(frozen=True, slots=True)
class ClientState:
    """The client's last word on itself.

    `event` is connected, progress, ended, error (cannot connect) or unwritable (records).
    """

    event: str
    time_ns: int
    sent: int
    completed: int
    failed: int
    in_flight: int
    streams_warm: int
    asked_of_completed: int
    bytes: int
    reconnects: int
    cpu_s: float
    reason: str = ""
    error: str = ""


class LoadClient:
    """A running load client; `state` is None until it has connected."""

    def __init__(self, process: subprocess.Popen[bytes], out_dir: str) -> None:
        self._process = process
        self._out_dir = out_dir
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.history: list[ClientState] = []
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def state(self) -> ClientState | None:
        """The last state heard."""
        return self.history[-1] if self.history else None

    @property
    def has_ended(self) -> bool:
        """Say whether the client has written all its records."""
        return self.state is not None and self.state.event == "ended"

    def wait(self, timeout_s: float) -> None:
        """Take in all the client has said; return after `timeout_s` if it says nothing.

        Raises:
            EngineError: the client could not connect, or died.
            InputError: it cannot write its records.
        """
        try:
            self._hear(self._lines.get(timeout=timeout_s))
            while True:
                self._hear(self._lines.get_nowait())
        except queue.Empty:
            return

    def _hear(self, line: bytes | None) -> None:
        if line is None:
            if not self.has_ended:
                raise EngineError("the load client ended unexpectedly", remedy="see its message")
            return
        state = ClientState(**json.loads(line))
        self.history.append(state)
        if state.event == "error":
            raise EngineError(state.error, remedy="see whether the engine still runs")
        if state.event == "unwritable":
            raise InputError(
                f"the records cannot be written: {state.error}",
                file=self._out_dir,
                remedy="make room, or choose another place with -o",
            )

    def stop(self) -> None:
        """Have it send nothing more; requests in flight may finish."""
        stdin = _stdin(self._process)
        with suppress(BrokenPipeError):
            stdin.write(b"stop\n")
            stdin.flush()

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101  we opened it
        for line in stdout:
            self._lines.put(line)
        self._lines.put(None)


def _stdin(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdin is not None  # noqa: S101  we opened it
    return process.stdin


@contextmanager
def load_client(plan: ClientPlan) -> Iterator[LoadClient]:
    """Run the client in a process and session of its own; it never outlives the block.

    The plan, which may hold an API key, goes through a pipe. Closing that pipe is also
    what ends the client should this process die.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "tco.measure.client"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        stdin = _stdin(process)
        stdin.write(plan.as_json().encode() + b"\n")
        stdin.flush()
        yield LoadClient(process, plan.out_dir)
    finally:
        with suppress(OSError):
            _stdin(process).close()
        try:
            process.wait(_KILL_AFTER_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

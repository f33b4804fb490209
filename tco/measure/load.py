"""Drives the load client: starts its processes, follows their progress, stops them."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields, replace
from typing import IO, Any, Final

from tco.errors import EngineError, InputError
from tco.measure.client_plan import ClientPlan

_KILL_AFTER_S = 10.0
_MEANS: Final = ("waited_s", "throttled_s", "stolen_s")
_HEAD_START_NS: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class ClientState:
    """The client's last word on itself, of all its processes together.

    `event` is connected, progress, ended, error (cannot connect) or unwritable (records);
    `begun_ns` is when its clock started, or will. `waited_s` and `throttled_s` are of a
    process, `stolen_s` of the machine, as in `cpu_wait`; all means over the processes.
    `real_time_processes` are those that the scheduler runs before ordinary ones.
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
    begun_ns: int = 0
    processes: int = 1
    waited_s: float | None = None
    throttled_s: float | None = None
    stolen_s: float | None = None
    real_time_processes: int = 0


class LoadClient:
    """A running load client; `state` is None until all its processes have connected."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]], out_dir: str) -> None:
        self._processes = processes
        self._out_dir = out_dir
        self._lines: queue.SimpleQueue[tuple[int, bytes | None]] = queue.SimpleQueue()
        self._latest: dict[int, ClientState] = {}
        self._begun_ns = 0
        self._unconnected = len(processes)
        self._lock = threading.Lock()
        self.history: list[ClientState] = []
        for number in range(len(processes)):
            threading.Thread(target=self._read, args=(number,), daemon=True).start()

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
            self._hear(*self._lines.get(timeout=timeout_s))
            while True:
                self._hear(*self._lines.get_nowait())
        except queue.Empty:
            return

    def _hear(self, number: int, line: bytes | None) -> None:
        if line is None:
            if number not in self._latest or self._latest[number].event != "ended":
                raise EngineError("the load client ended unexpectedly", remedy="see its message")
            return
        state = ClientState(**json.loads(line))
        if state.event == "error":
            raise EngineError(state.error, remedy="see whether the engine still runs")
        if state.event == "unwritable":
            raise InputError(
                f"the records cannot be written: {state.error}",
                file=self._out_dir,
                remedy="make room, or choose another place with -o",
            )
        self._latest[number] = state
        if len(self._latest) == len(self._processes):
            states = [self._latest[number] for number in range(len(self._processes))]
            self.history.append(replace(together(states), begun_ns=self._begun_ns))

    def stop(self) -> None:
        """Have it send nothing more; requests in flight may finish."""
        self._tell(b"stop\n")

    def _tell(self, line: bytes) -> None:
        for process in self._processes:
            stdin = _stdin(process)
            with suppress(BrokenPipeError):
                stdin.write(line)
                stdin.flush()

    def _read(self, number: int) -> None:
        stdout = self._processes[number].stdout
        assert stdout is not None  # noqa: S101  we opened it
        for place, line in enumerate(stdout):
            if place == 0 and b'"connected"' in line:
                self._connected()
            self._lines.put((number, line))
        self._lines.put((number, None))

    def _connected(self) -> None:
        """Once all stand, have all start their clock at one time."""
        with self._lock:
            self._unconnected -= 1
            if not self._unconnected:
                self._begun_ns = time.monotonic_ns() + _HEAD_START_NS
                self._tell(b"go %d\n" % self._begun_ns)


def together(states: Sequence[ClientState]) -> ClientState:
    """Return what several processes say as one: sums, the last time, the worst reason."""
    events = {state.event for state in states}
    figures: dict[str, Any] = {
        field.name: sum(getattr(state, field.name) for state in states)
        for field in fields(ClientState)
        if field.name not in ("event", "time_ns", "reason", "error", "begun_ns", *_MEANS)
    }
    figures |= {name: _mean([getattr(state, name) for state in states]) for name in _MEANS}
    reasons = sorted({state.reason for state in states}, key=lambda r: r in ("", "stopped"))
    return ClientState(
        event=next((event for event in ("connected", "progress") if event in events), "ended"),
        time_ns=max(state.time_ns for state in states),
        reason=reasons[0],
        **figures,
    )


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _stdin(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdin is not None  # noqa: S101  we opened it
    return process.stdin


@contextmanager
def load_client(plan: ClientPlan) -> Iterator[LoadClient]:
    """Run the client in processes and sessions of its own; none outlives the block.

    The plan, which may hold an API key, goes through a pipe. Closing that pipe is also
    what ends the client should this process die.
    """
    with ExitStack() as stack:
        processes = [stack.enter_context(_process(part)) for part in plan.parts()]
        yield LoadClient(processes, plan.out_dir)


@contextmanager
def _process(plan: ClientPlan) -> Iterator[subprocess.Popen[bytes]]:
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
        yield process
    finally:
        with suppress(OSError):
            _stdin(process).close()
        try:
            process.wait(_KILL_AFTER_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

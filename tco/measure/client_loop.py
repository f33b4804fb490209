"""The load client's loop: sleep a little, take in what has arrived, do what is due."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tco.measure.address import Address, find_address
from tco.measure.client_plan import ClientPlan
from tco.measure.client_word import say
from tco.measure.client_writer import ClientWriter
from tco.measure.closed_loop import ClosedLoop
from tco.measure.connection import IDLE, Connection
from tco.measure.exchange import Exchanges, Tally
from tco.measure.kit import Kit
from tco.measure.open_loop import OpenLoop
from tco.measure.poller import CAN_READ, Poller
from tco.measure.session_queue import SessionQueue
from tco.measure.timers import Timers
from tco.units import MS_PER_S, NS_PER_S
from tco.workload import Workload

# Each wake-up costs; arrivals wait for it, with the kernel's stamps on them, and so do
# a closed loop's next requests: by less than a millisecond.
_PAUSE_NS = 800_000
_BEAT_NS = 20_000_000
_TICK_NS = 500_000_000
_NS_PER_MS = NS_PER_S // MS_PER_S
_CONNECT_S = 10.0
_CONNECTS_AT_ONCE = 32


class Loop:
    """One process of the load client: its connections, its clock, and when it ends."""

    def __init__(self, plan: ClientPlan) -> None:
        self.plan = plan
        self.log = ClientWriter(Path(plan.out_dir))
        self.tally = Tally()
        self._address: Address | None = None
        self._poller = Poller()
        self._files: dict[int, Callable[[int], None]] = {}
        self._timers = Timers()
        self._connections: list[Connection] = []
        self._connections_made = 0
        workload = Workload.load(Path(plan.workload))
        self._exchanges = Exchanges(plan, workload, self.log, self.tally)
        kit = Kit(
            plan=plan,
            workload=workload,
            sessions=SessionQueue(workload, plan.part, plan.processes),
            exchanges=self._exchanges,
            timers=self._timers,
            tally=self.tally,
            on_idle=lambda: self.end("stopped"),
        )
        self._course = OpenLoop(kit, self._new) if plan.is_open else ClosedLoop(kit)
        self._has_begun = False
        self._begun_ns = self._go_ns = 0
        self._since_ns = time.monotonic_ns()
        self._is_behind = False  # the last look found more than it could take in
        self._reason = ""
        self._drain_until_ns: int | None = None

    def run(self) -> None:
        """Connect, wait for the word, send until stopped, drain; leave complete records."""
        self.log.read_clocks()
        self._course.prepare()
        error = self._connect()
        if error:
            self._say("error", error=f"cannot connect to the engine: {error}")
            self.log.close()
            return
        self._files[sys.stdin.fileno()] = self._hear
        self._poller.watch(sys.stdin.fileno(), CAN_READ)
        now_ns = time.monotonic_ns()
        self._timers.at(now_ns + _BEAT_NS, self._beat)
        self._timers.at(now_ns + _TICK_NS, self._tick)
        gc.collect()
        gc.freeze()
        gc.disable()  # nothing in the loop makes cycles, and a collection is a pause
        self._say("connected")
        while not self._reason:
            self._turn()
        for connection in list(self._exchanges.on):
            self._exchanges.end(connection, "aborted", time.monotonic_ns())
        self._course.give_up()
        self.log.close()
        if self.log.failure is not None:
            self._say("unwritable", error=self.log.failure.strerror or str(self.log.failure))
        else:
            self._say("ended", reason=self._reason)

    def end(self, reason: str) -> None:
        """End at the next turn; the first reason stands."""
        self._reason = self._reason or reason

    # What an owner of connections is told.

    def opened(self, connection: Connection) -> None:
        """Go on with a connection that stands."""
        if self._has_begun:
            self._course.opened(connection)

    def answered(self, connection: Connection) -> None:
        """Book a complete response."""
        self._finish(connection, "complete", self.log.last_stamp_ns())

    def lost(self, connection: Connection, *, is_closed: bool) -> None:
        """Book what was on a lost connection; a body without a length ends here."""
        if not self._has_begun:
            return
        is_body = is_closed and connection.end.status > 0
        if connection in self._exchanges.on:
            end = "closed" if is_body else "connection_lost"
            self._finish(connection, end, time.monotonic_ns())
        else:
            self.tally.failed += bool(connection.error)
            self._lose(connection)

    def _finish(self, connection: Connection, end: str, at_ns: int) -> None:
        ended = self._exchanges.end(connection, end, at_ns)
        connection.request = IDLE
        if end != "complete" or connection.end.closes:
            connection.close()
        if ended is not None:
            self._course.ended(connection, ended, at_ns)
        if not connection.is_open:
            self._lose(connection)

    def _lose(self, connection: Connection) -> None:
        self._course.lost(connection)
        if self.plan.is_open and connection.is_down:  # it makes new ones
            self._connections.remove(connection)

    def _new(self) -> Connection:
        assert self._address is not None  # noqa: S101  it is found before any connection
        connection = Connection(
            self.plan.part + self._connections_made * self.plan.processes,
            address=self._address,
            poller=self._poller,
            files=self._files,
            log=self.log,
            owner=self,
        )
        self._connections_made += 1
        self._connections.append(connection)
        return connection

    def _connect(self) -> str:
        """Open the plan's connections, a few at a time; return why it failed."""
        plan, left = self.plan, self.plan.streams
        try:
            self._address = find_address(plan.host, plan.port, tls=plan.tls, timeout_s=_CONNECT_S)
        except OSError as unknown:
            return unknown.strerror or str(unknown)
        while left > 0:
            batch = [self._new() for _ in range(min(left, _CONNECTS_AT_ONCE))]
            left -= len(batch)
            for connection in batch:
                connection.connect()
            until = time.monotonic() + _CONNECT_S
            while any(not c.connect_ns for c in batch):
                self._take_in(0.1)
                error = next((c.error for c in batch if c.error), "")
                if error or time.monotonic() > until:
                    return error or "it did not answer in time"
        return ""

    def _turn(self) -> None:
        wait_ns = self._timers.run_due()
        pause_ns = 0 if self._is_behind else min(_PAUSE_NS, wait_ns)
        if pause_ns:
            time.sleep(pause_ns / NS_PER_S)
        # The poller wakes in whole milliseconds, which is too coarse for what is due sooner.
        whole_ms = (wait_ns - pause_ns) // _NS_PER_MS - 1
        self._take_in(max(0, whole_ms) / MS_PER_S)

    def _take_in(self, timeout_s: float) -> None:
        """Read what has arrived; what is read came after the last poll that saw all there was."""
        asked_ns = time.monotonic_ns()
        ready, is_all = self._poller.ready(timeout_s)
        files, reads = self._files, self.log.reads
        for fd, events in ready:
            handle = files.get(fd)
            if handle is not None:
                handle(events)
        if self.log.reads != reads:
            self.log.poll(self._since_ns, time.monotonic_ns())
        self._is_behind = not is_all
        if is_all:
            self._since_ns = asked_ns

    def _hear(self, _: int) -> None:
        heard = os.read(sys.stdin.fileno(), 4096)
        if not heard:
            self.end("parent_gone")
        for line in heard.split(b"\n"):
            if line.startswith(b"go"):
                self._go_ns = int(line[2:]) if line[2:].strip() else time.monotonic_ns()
                self._timers.at(self._go_ns, self._begin)
            elif line == b"stop":
                self._timers.at(max(self._go_ns, time.monotonic_ns()), self._stop)

    def _begin(self, due_ns: int) -> None:
        self._has_begun = True
        self._begun_ns = due_ns
        self._course.begin(self._connections, due_ns)

    def _stop(self, _: int) -> None:
        self._drain_until_ns = time.monotonic_ns() + int(self.plan.drain_s * NS_PER_S)
        self._course.stop()

    def _beat(self, due_ns: int) -> None:
        """Note how late the loop woke, and where the wall clock stands."""
        now_ns = time.monotonic_ns()
        self.log.late(now_ns, now_ns - due_ns)
        self.log.read_clocks()
        self._timers.at(max(due_ns + _BEAT_NS, now_ns), self._beat)

    def _tick(self, due_ns: int) -> None:
        """Look after progress, timeouts, the drain's and the run's limit."""
        now_ns = time.monotonic_ns()
        self._timers.at(max(due_ns + _TICK_NS, now_ns), self._tick)
        if not self._has_begun:
            return
        self._say("progress")
        for connection in self._exchanges.overdue():
            self._finish(connection, "timeout", time.monotonic_ns())
        for connection in list(self._connections):
            is_connecting = not (connection.is_open or connection.is_down)
            if is_connecting and connection.begun_ns < now_ns - _CONNECT_S * NS_PER_S:
                connection.give_up("it did not answer in time")
        if self.log.failure is not None:
            self.end("unwritable")
        if self._drain_until_ns is not None and now_ns > self._drain_until_ns:
            self.end("drain_timed_out")
        if now_ns > self._begun_ns + self.plan.max_s * NS_PER_S:
            self.end("time_limit")

    def _say(self, event: str, **more: str) -> None:
        kept = self.log.total_bytes
        say(event, tally=self.tally, begun_ns=self._begun_ns, kept_bytes=kept, **more)

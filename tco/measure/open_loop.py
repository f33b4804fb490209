"""The open loop: sessions that start by the clock, each request on any idle connection."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tco.measure.connection import Connection
from tco.measure.kit import Kit
from tco.measure.request_maker import Request
from tco.measure.session_queue import Session
from tco.units import NS_PER_S

_RETRY_NS = 200_000_000
_AHEAD = 16  # requests made before they are due


@dataclass(slots=True)
class OpenLoop:
    """Requests as they are due, whatever became of those before.

    A request that finds no idle connection waits for a new one, or for one that becomes
    idle first; its latency counts from when it was due. One connection more than is needed
    is kept, so that few have to wait. A failed request is not sent again, and its session ends.
    """

    kit: Kit
    new_connection: Callable[[], Connection]
    is_sending: bool = False
    _begun_ns: int = 0
    _idle: deque[Connection] = field(default_factory=deque)
    _waiting: deque[tuple[int, Session, Request]] = field(default_factory=deque)
    _connecting: int = 0
    _sessions_due: int = 0
    _made: deque[tuple[float, Session, Request]] = field(default_factory=deque)
    _arrivals: Iterator[tuple[float, Session]] = field(default_factory=lambda: iter(()))

    def prepare(self) -> None:
        """Make the first requests."""
        self._arrivals = self.kit.sessions.arrivals()
        for _ in range(_AHEAD):
            self._make_next()

    def begin(self, connections: list[Connection], now_ns: int) -> None:
        """Start the clock."""
        self.is_sending = True
        self._begun_ns = now_ns
        self._idle.extend(connection for connection in connections if connection.is_open)
        for at_s, session, request in self._made:
            self._plan(now_ns + round(at_s * NS_PER_S), session, request, is_arrival=True)
        self._made.clear()

    def opened(self, connection: Connection) -> None:
        """Use a new connection."""
        self._connecting -= 1
        self._free(connection)

    def ended(self, connection: Connection, ended: tuple[Session, bool], at_ns: int) -> None:
        """Plan the session's next turn, and free the connection."""
        session, goes_on = ended
        if goes_on and session.row < session.stop_row and self.is_sending:
            due_ns = at_ns + int(self.kit.workload.wait_s[session.row] * NS_PER_S)
            self._plan(due_ns, session, self.kit.exchanges.make(session))
        if connection.is_open:
            self._free(connection)
        self._look_if_done()

    def lost(self, connection: Connection) -> None:
        """Forget a connection; where none is left a new one is made, after a little."""
        if connection in self._idle:
            self._idle.remove(connection)
        elif not connection.connect_ns:
            self._connecting -= 1
        if self.is_sending and not self._idle:
            self.kit.timers.at(
                time.monotonic_ns() + _RETRY_NS, lambda _: self._connect_for_waiting()
            )
        self._look_if_done()

    def stop(self) -> None:
        """Send nothing more."""
        self.is_sending = False
        self.give_up()
        self._look_if_done()

    def give_up(self) -> None:
        """Book what is due and waits for a connection."""
        while self._waiting:
            due_ns, session, request = self._waiting.popleft()
            self.kit.exchanges.unsent(session, request, due_ns)

    def _make_next(self) -> None:
        arrival = next(self._arrivals, None)
        if arrival is not None:
            at_s, session = arrival
            self._made.append((at_s, session, self.kit.exchanges.make(session)))

    def _plan(
        self, due_ns: int, session: Session, request: Request, *, is_arrival: bool = False
    ) -> None:
        """Have a request, already made, sent when it is due."""
        self._sessions_due += 1

        def due(_: int) -> None:
            self._sessions_due -= 1
            if not self.kit.exchanges.may_send:
                self.is_sending = False
            if self.is_sending:
                self._dispatch(due_ns, session, request)
                if is_arrival:
                    self._plan_next()

        self.kit.timers.at(due_ns, due)

    def _plan_next(self) -> None:
        self._make_next()
        if self._made:
            at_s, session, request = self._made.popleft()
            due_ns = self._begun_ns + round(at_s * NS_PER_S)
            self._plan(due_ns, session, request, is_arrival=True)

    def _dispatch(self, due_ns: int, session: Session, request: Request) -> None:
        if self._idle:
            connection = self._idle.pop()  # used last, so least likely to be closed by now
            self.kit.exchanges.send(connection, session, due_ns, request=request)
        else:
            self._waiting.append((due_ns, session, request))
        if not self._idle:
            self._connect_for_waiting()

    def _connect_for_waiting(self) -> None:
        """Begin as many connections as requests wait, and a spare one where none is idle."""
        if self._idle or not self.is_sending:
            return
        for _ in range(len(self._waiting) + 1 - self._connecting):
            self._connecting += 1
            self.kit.tally.reconnects += 1
            self.new_connection().connect()

    def _free(self, connection: Connection) -> None:
        if self._waiting and self.is_sending:
            due_ns, session, request = self._waiting.popleft()
            self.kit.exchanges.send(connection, session, due_ns, request=request)
        else:
            self._idle.append(connection)

    def _look_if_done(self) -> None:
        is_all_sent = not self.is_sending or not (self._sessions_due or self._waiting)
        if (
            is_all_sent
            and not self.kit.exchanges.on
            and (self.kit.plan.requests or not self.is_sending)
        ):
            self.kit.on_idle()

"""The closed loop: streams that each send a session's turns, then the next session's."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tco.measure.connection import Connection
from tco.measure.kit import Kit
from tco.measure.request_maker import Request
from tco.measure.session_queue import Session
from tco.units import NS_PER_S

_RETRY_NS = 200_000_000
_LONGEST_RETRY_S = 5
_MADE_BYTES = 1 << 25  # of requests made before they are needed
_MAKING_NS = 2_000_000  # from one such request to the next
_FIRST_NS = 20 * NS_PER_S


@dataclass(slots=True)
class _Stream:
    """A stream's session, the request of it that is already made, and when that is intended.

    `is_warm`: a request was answered; `is_fine`: on this connection, and none failed since.
    """

    session: Session
    request: Request | None
    intended_ns: int = 0
    is_warm: bool = False
    is_fine: bool = False


@dataclass(frozen=True, slots=True)
class _Made:
    """A session and its first request, ready to be sent."""

    session: Session
    request: Request
    is_first: bool


@dataclass(slots=True)
class ClosedLoop:
    """As many sessions at a time as there are connections, each on its own.

    A stream is free when its response is complete (that is the next request's intended
    time). Where the server closes a connection, the stream opens a new one and is free when
    that stands: connecting is stamped, and is part of no latency; it shows as less delivered
    concurrency. After a failure the stream waits a little, or as long as the server asked.
    """

    kit: Kit
    is_sending: bool = False
    _streams: dict[Connection, _Stream] = field(default_factory=dict)
    _made: deque[_Made] = field(default_factory=deque)
    _made_bytes: int = 0
    _is_making: bool = False
    _left_to_begin: int = 0
    _context_tokens: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def prepare(self) -> None:
        """Make the first requests."""
        self._context_tokens = self.kit.workload.context_tokens()
        self._left_to_begin = self.kit.plan.streams
        self._make(time.monotonic_ns() + _FIRST_NS)

    def begin(self, connections: list[Connection], now_ns: int) -> None:
        """Send each stream's first request."""
        self.is_sending = True
        for connection in connections:
            made = self._next()
            stream = _Stream(made.session, made.request)
            self._streams[connection] = stream
            stream.intended_ns = max(now_ns, time.monotonic_ns())
            if connection.is_open:
                self._go_on(connection)
            else:  # closed by the server before we came to it
                self.lost(connection)

    def opened(self, connection: Connection) -> None:
        """Go on with a stream whose connection stands again."""
        stream = self._streams[connection]
        stream.intended_ns = max(stream.intended_ns, time.monotonic_ns())
        self._go_on(connection)

    def ended(self, connection: Connection, ended: tuple[Session, bool], at_ns: int) -> None:
        """Take a stream on to its session's next turn, or to the next session."""
        session, goes_on = ended
        stream = self._streams[connection]
        if goes_on and not stream.is_warm:
            stream.is_warm = True
            self.kit.tally.streams_warm += 1
        stream.is_fine = goes_on
        if goes_on:
            if session.row == session.stop_row:
                self._take_next(stream)
            # The wait of a session's first row is the user's, before that session.
            wait_ns = int(self.kit.workload.wait_s[stream.session.row] * NS_PER_S)
        else:
            self._take_next(stream)
            wait_ns = max(_RETRY_NS, min(connection.end.retry_after_s, _LONGEST_RETRY_S) * NS_PER_S)
        stream.intended_ns = at_ns + wait_ns
        if connection.is_open:
            self._go_on(connection)

    def lost(self, connection: Connection) -> None:
        """Open a lost connection anew, unless the run is ending."""
        if not self.is_sending:
            self._look_if_idle()
            return
        self.kit.tally.reconnects += 1
        # A server that only closes connections must not be flooded with new ones.
        wait_ns = 0 if self._streams[connection].is_fine else _RETRY_NS
        self._streams[connection].is_fine = False
        self.kit.timers.at(time.monotonic_ns() + wait_ns, lambda _: self._reopen(connection))

    def stop(self) -> None:
        """Send nothing more."""
        self.is_sending = False
        self._look_if_idle()

    def give_up(self) -> None:
        """Do nothing: what a stream has not sent was not due."""

    def _reopen(self, connection: Connection) -> None:
        if self.is_sending and connection.is_down:
            connection.connect()

    def _go_on(self, connection: Connection) -> None:
        """Send the stream's next request when it is intended."""
        if not self.kit.exchanges.may_send:
            self.is_sending = False
        if not self.is_sending:
            self._look_if_idle()
        elif self._streams[connection].intended_ns <= time.monotonic_ns():
            self._send(connection)
        else:
            self.kit.timers.at(
                self._streams[connection].intended_ns, lambda _: self._send_if_open(connection)
            )

    def _send_if_open(self, connection: Connection) -> None:
        if self.is_sending and connection.is_open and connection not in self.kit.exchanges.on:
            self._send(connection)

    def _send(self, connection: Connection) -> None:
        stream = self._streams[connection]
        self.kit.exchanges.send(
            connection,
            stream.session,
            stream.intended_ns,
            request=stream.request,
            is_first=self.kit.plan.staggered and not stream.is_warm,
        )
        stream.request = None

    def _take_next(self, stream: _Stream) -> None:
        """Give a stream its next session; one whose first request failed begins once more."""
        made = self._next()
        is_first = self.kit.plan.staggered and not stream.is_warm
        stream.session = made.session
        stream.request = made.request if made.is_first == is_first else None

    def _next(self) -> _Made:
        """Return the next session's first request, made before if there was time."""
        if not self._made:
            self._make(0)
        made = self._made.popleft()
        self._made_bytes -= len(made.request.head_and_body)
        self._make_later()
        return made

    def _make_later(self) -> None:
        if not self._is_making and len(self._made) < self.kit.plan.streams:
            self._is_making = True
            self.kit.timers.at(time.monotonic_ns() + _MAKING_NS, self._make_some)

    def _make_some(self, _: int) -> None:
        self._is_making = False
        self._make(0)
        self._make_later()

    def _make(self, until_ns: int) -> None:
        """Make requests until then, at least one, if there is room."""
        while len(self._made) < self.kit.plan.streams and self._made_bytes < _MADE_BYTES:
            session = self.kit.sessions.next()
            is_first = self.kit.plan.staggered and self._left_to_begin > 0
            self._left_to_begin -= 1
            if is_first:
                self._begin_within(session)
            request = self.kit.exchanges.make(session, is_first=is_first)
            self._made.append(_Made(session, request, is_first))
            self._made_bytes += len(request.head_and_body)
            if time.monotonic_ns() > until_ns:
                return

    def _begin_within(self, session: Session) -> None:
        """Begin a stream's first session at any of its turns, with a context as long as there."""
        turns = session.stop_row - session.first_row
        if turns > 1:
            maker = self.kit.exchanges.maker
            session.row += maker.first_turn(turns, session.number)
            tokens = int(self._context_tokens[session.row])
            session.context = maker.drawn_context(session.row, session.lap, tokens)

    def _look_if_idle(self) -> None:
        if not self.kit.exchanges.on:
            self.kit.on_idle()

"""Requests on their way and answered: made, sent, counted and recorded."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from tco.measure.answer_content import content_of
from tco.measure.client_log import ENDS
from tco.measure.client_plan import ClientPlan
from tco.measure.client_writer import ClientWriter
from tco.measure.connection import Connection
from tco.measure.request_maker import Request, RequestMaker
from tco.measure.session_queue import Session
from tco.workload import Workload

_END = {name: number for number, name in enumerate(ENDS)}
_HTTP_OK: Final = 200
NO_CONNECTION: Final = -1


@dataclass(slots=True)
class Tally:
    """What the client has done so far."""

    sent: int = 0
    completed: int = 0
    failed: int = 0
    in_flight: int = 0
    streams_warm: int = 0
    asked_of_completed: int = 0
    reconnects: int = 0


@dataclass(slots=True)
class Exchange:
    """One request on a connection; `is_first` marks the discarded one of a stream."""

    session: Session
    request: Request
    intended_ns: int
    is_first: bool


class Exchanges:
    """Sends a session's next request on a connection, and books its end."""

    def __init__(
        self, plan: ClientPlan, workload: Workload, log: ClientWriter, tally: Tally
    ) -> None:
        self.maker = RequestMaker(plan, workload)
        self._plan, self._log, self._tally = plan, log, tally
        self.on: dict[Connection, Exchange] = {}

    @property
    def may_send(self) -> bool:
        """Say whether the plan's number of requests, if it has one, leaves room for more."""
        return not 0 < self._plan.requests <= self._tally.sent

    def make(self, session: Session, *, is_first: bool = False) -> Request:
        """Return a session's next request; a first one asks for a random part of its output."""
        length = self.maker.first_output(session.row, session.number) if is_first else None
        return self.maker.make(session.row, session.lap, session.context, length)

    def send(
        self,
        connection: Connection,
        session: Session,
        intended_ns: int,
        *,
        request: Request | None = None,
        is_first: bool = False,
    ) -> None:
        """Send the session's next request; `request` is that request if it is already made."""
        if request is None:
            request = self.make(session, is_first=is_first)
        self.on[connection] = Exchange(session, request, intended_ns, is_first)
        number = self._tally.sent
        self._tally.sent += 1
        self._tally.in_flight += 1
        connection.send(number, request.head_and_body, collects=not session.is_last_turn)

    def end(self, connection: Connection, end: str, at_ns: int) -> tuple[Session, bool] | None:
        """Book the end of what was on a connection; return its session and whether it goes on.

        The session is then at its next turn.
        """
        exchange = self.on.pop(connection, None)
        if exchange is None:
            return None
        session, request, tally = exchange.session, exchange.request, self._tally
        self._log.request(
            connection.request, connection.number, exchange.is_first, exchange.intended_ns,
            connection.sent_ns, at_ns, _END[end], request.input_tokens, request.output_tokens,
            connection.connect_ns, session.row, session.number, session.turn,
        )  # fmt: skip
        is_good = end in ("complete", "closed") and connection.end.status == _HTTP_OK
        tally.in_flight -= 1
        tally.completed += is_good
        tally.failed += not is_good
        tally.asked_of_completed += request.output_tokens if is_good else 0
        if is_good and connection.collected is not None:
            is_good = self._grow(session, request, bytes(connection.collected))
        connection.collected = None
        session.row += 1
        return session, is_good

    def _grow(self, session: Session, request: Request, response: bytes) -> bool:
        """Take the answer into the session's context; say whether it was one."""
        content = content_of(response)
        if content is None:
            return False
        session.context = self.maker.grown(request, content, session.row, session.lap)
        return True

    def unsent(self, session: Session, request: Request, intended_ns: int) -> None:
        """Book a request that was due and found no connection: it failed, and is not lost."""
        now_ns, tally = time.monotonic_ns(), self._tally
        self._log.request(
            tally.sent, NO_CONNECTION, 0, intended_ns, now_ns, now_ns,
            _END["connection_lost"], request.input_tokens, request.output_tokens, 0,
            session.row, session.number, session.turn,
        )  # fmt: skip
        tally.sent += 1
        tally.failed += 1

    def overdue(self) -> list[Connection]:
        """Return the connections whose request has taken longer than the plan allows."""
        oldest_ns = time.monotonic_ns() - int(self._plan.timeout_s * 1e9)
        return [connection for connection in self.on if connection.sent_ns < oldest_ns]

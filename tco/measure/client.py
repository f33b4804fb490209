"""The load client: a closed loop of streams in a process of its own.

`python -m tco.measure.client` reads one line of JSON (a `ClientPlan`) on stdin, opens every
connection, and only then starts the clock. It writes one line of JSON on stdout every half
second, and its records to the plan's folder. The word `stop` on stdin ends the sending;
requests in flight may finish. The end of stdin (the parent is gone) ends all at once, and
so do SIGTERM and SIGINT.

Per read it stamps the time, copies the bytes and looks for the end of the response; what
the bytes mean is worked out after the run. A stream is free when its response is complete
(that is the next request's intended time). Where the server closes a connection, the
stream opens a new one and is free when that stands: connecting is stamped, and is part of
no latency; it shows as less delivered concurrency.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import resource
import signal
import socket
import ssl
import sys
import threading
import time
from array import array
from pathlib import Path

from tco.measure.client_log import ENDS, ClientLog
from tco.measure.client_plan import ClientPlan
from tco.measure.request_maker import Request, RequestMaker
from tco.measure.response_end import ResponseEnd
from tco.workload import Workload

_SCRATCH_BYTES = 1 << 18
_RECEIVE_BYTES = 1 << 20
_TICK_S = 0.5
_PULSE_NS = 20_000_000
_PULSE_BYTES = 8 * 512
_RETRY_S = 0.2
_CONNECT_S = 10.0
_CONNECTS_AT_ONCE = 32
_HTTP_OK = 200
_END = {name: number for number, name in enumerate(ENDS)}

# One buffer for all connections: a read is copied out of it before the next one starts.
_SCRATCH = memoryview(bytearray(_SCRATCH_BYTES))


class Stream(asyncio.BufferedProtocol):
    """One keep-alive connection, with at most one request on it."""

    def __init__(self, loop: Loop, number: int) -> None:
        self.loop = loop
        self.number = number
        self.is_first = True
        self.is_busy = False
        self.has_failed = False
        self.has_served = False
        self.serial = -1
        self.row = self.session = 0
        self.connect_ns = 0
        self.intended_ns = self.sent_ns = 0
        self.transport: asyncio.Transport | None = None
        self._request: Request | None = None
        self._end = ResponseEnd()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport; send small writes at once."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  what asyncio promises
        self.transport = transport
        self.has_served = False
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BYTES)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the buffer all connections share."""
        del sizehint
        return _SCRATCH

    def buffer_updated(self, nbytes: int) -> None:
        """Stamp and keep one read; start the next request when this response is complete."""
        now = time.monotonic_ns()
        data = _SCRATCH[:nbytes]
        self.loop.log.read(self.serial if self.is_busy else -1, now, data)
        if self.is_busy and self._end.feed(data):
            self._finish("complete", now)

    def send(self, intended_ns: int) -> None:
        """Send the next request; `intended_ns` is when the stream became free."""
        loop = self.loop
        self.serial = loop.next_serial()
        lap, self.row = divmod(self.serial, loop.rows)
        self.session = lap * loop.rows + self.row
        first = loop.plan.staggered and self.is_first
        length = loop.maker.first_output(self.row, self.number) if first else None
        request = loop.maker.make(self.row, lap, output_tokens=length)
        self._request, self._end = request, ResponseEnd()
        self.is_busy = True
        self.intended_ns = intended_ns
        assert self.transport is not None  # noqa: S101  a stream sends once it is connected
        self.transport.write(request.head_and_body)
        self.sent_ns = time.monotonic_ns()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the request if one was in flight; a body without a length ends here."""
        self.transport = None
        if self.is_busy:
            has_body = exc is None and self._end.status > 0
            self._finish("closed" if has_body else "connection_lost", time.monotonic_ns())
        # A server that only closes connections must not be flooded with new ones.
        self.has_failed |= not self.has_served
        self.loop.reopen(self)

    def abort(self, end: str) -> None:
        """Give the request up and drop the connection."""
        if self.is_busy:
            self._finish(end, time.monotonic_ns())
        if self.transport is not None:
            self.transport.abort()

    def _finish(self, end: str, now_ns: int) -> None:
        request = self._request
        assert request is not None  # noqa: S101  a busy stream has one
        self.is_busy = False
        self.loop.log.request(
            self.serial, self.number, self.is_first and self.loop.plan.staggered,
            self.intended_ns, self.sent_ns, now_ns,
            _END[end], request.input_tokens, request.output_tokens, self.connect_ns,
            self.row, self.session, 0,
        )  # fmt: skip
        is_good = end in ("complete", "closed") and self._end.status == _HTTP_OK
        self.has_served |= is_good
        self.loop.count(self, request, is_good=is_good)
        if end != "complete" or self.transport is None:
            return
        if self._end.closes:
            self.transport.abort()
        elif is_good:
            self.loop.free(self, now_ns)
        else:
            self.loop.free_later(self)


class Loop:
    """All streams, their counters, and when to stop."""

    def __init__(self, plan: ClientPlan) -> None:
        self.plan = plan
        self.log = ClientLog(Path(plan.out_dir))
        workload = Workload.load(Path(plan.workload))
        self.rows = len(workload)
        self.maker = RequestMaker(plan, workload)
        self.streams = [Stream(self, number) for number in range(plan.streams)]
        self._tls = ssl.create_default_context() if plan.tls else None
        self._serial = 0
        self._completed = self._failed = self._streams_warm = 0
        self._asked_of_completed = self._reconnects = 0
        self._is_sending = False
        self._reason = "stopped"
        self._ended = asyncio.Event()
        self._pulse, self._heart = socket.socketpair()
        self._tasks: set[asyncio.Task[None]] = set()
        self._drain_until: float | None = None

    def next_serial(self) -> int:
        """Number the requests in the order they are sent."""
        self._serial += 1
        return self._serial - 1

    def count(self, stream: Stream, request: Request, *, is_good: bool) -> None:
        """Count an ended request."""
        self._completed += is_good
        self._failed += not is_good
        stream.has_failed = not is_good
        self._asked_of_completed += request.output_tokens if is_good else 0
        if stream.is_first and is_good:
            stream.is_first = False
            self._streams_warm += 1

    def free(self, stream: Stream, now_ns: int) -> None:
        """Send the stream's next request, or see whether all is done."""
        if self._is_sending and 0 < self.plan.requests <= self._serial:
            self._stop_sending()
        if self._is_sending:
            stream.send(now_ns)
        elif not any(other.is_busy for other in self.streams):
            self._ended.set()

    def free_later(self, stream: Stream) -> None:
        """After a failure wait a little, so that a refusing server is not flooded."""
        asyncio.get_running_loop().call_later(_RETRY_S, self._free_if_open, stream)

    def _free_if_open(self, stream: Stream) -> None:
        if stream.transport is not None and not stream.is_busy:
            self.free(stream, time.monotonic_ns())

    def reopen(self, stream: Stream) -> None:
        """Connect a stream anew, unless the run is ending."""
        if self._is_sending:
            self._reconnects += 1
            task = asyncio.get_running_loop().create_task(self._reopen(stream))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif not any(other.is_busy for other in self.streams):
            self._ended.set()

    async def _reopen(self, stream: Stream) -> None:
        if stream.has_failed:
            await asyncio.sleep(_RETRY_S)
        while self._is_sending:
            try:
                await self._connect(stream)
            except (TimeoutError, OSError):
                self._failed += 1
                await asyncio.sleep(_RETRY_S)
            else:
                self._free_if_open(stream)
                return

    async def _connect(self, stream: Stream) -> None:
        begun = time.monotonic_ns()
        name = self.plan.host if self._tls else None
        await asyncio.wait_for(
            asyncio.get_running_loop().create_connection(
                lambda: stream, self.plan.host, self.plan.port, ssl=self._tls, server_hostname=name
            ),
            _CONNECT_S,
        )
        stream.connect_ns = time.monotonic_ns() - begun

    async def run(self) -> None:
        """Connect, send until stopped, drain; always leaves complete records."""
        try:
            for start in range(0, len(self.streams), _CONNECTS_AT_ONCE):
                batch = self.streams[start : start + _CONNECTS_AT_ONCE]
                await asyncio.gather(*map(self._connect, batch))
        except (TimeoutError, OSError) as error:
            self._say("error", error=f"cannot connect to the engine: {error}")
            self.log.close()
            return
        self._listen()
        gc.collect()
        gc.freeze()
        gc.disable()  # nothing in the loop makes cycles, and a collection is a pause
        self._say("connected")
        self._is_sending = True
        self._ended.clear()
        for stream in self.streams:
            if stream.transport is None:  # closed by the server before we came to it
                self.reopen(stream)
            else:
                stream.send(time.monotonic_ns())
        await self._watch()
        self._is_sending = False
        for stream in self.streams:
            stream.abort("aborted")
        for task in self._tasks:
            task.cancel()
        self.log.close()
        if self.log.failure is not None:
            self._say("unwritable", error=self.log.failure.strerror or str(self.log.failure))
        else:
            self._say("ended", reason=self._reason)

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=_beat, args=(self._heart,), daemon=True).start()
        loop.add_reader(self._pulse.fileno(), self._feel_pulse)
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end_now, "signalled")
        loop.add_reader(sys.stdin.fileno(), self._hear)

    def _hear(self) -> None:
        heard = os.read(sys.stdin.fileno(), 4096)
        if not heard:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self._end_now("parent_gone")
        elif b"stop" in heard:
            self._stop_sending()

    def _stop_sending(self) -> None:
        self._is_sending = False
        self._drain_until = time.monotonic() + self.plan.drain_s
        if not any(stream.is_busy for stream in self.streams):
            self._ended.set()

    def _end_now(self, reason: str) -> None:
        self._reason = reason
        self._is_sending = False
        self._ended.set()

    async def _watch(self) -> None:
        """Tick until the end: progress, timeouts, the drain's and the run's limit."""
        deadline = time.monotonic() + self.plan.max_s
        while not self._ended.is_set():
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._ended.wait(), _TICK_S)
            self._say("progress")
            now = time.monotonic()
            self._drop_late(now)
            if self.log.failure is not None:
                self._end_now("unwritable")
            if self._drain_until is not None and now > self._drain_until:
                self._end_now("drain_timed_out")
            if now > deadline:
                self._end_now("time_limit")

    def _feel_pulse(self) -> None:
        """Note how late the loop hears of each beat: by so much it may stamp a read late."""
        now_ns = time.monotonic_ns()
        for due_ns in array("q", self._pulse.recv(_PULSE_BYTES)):
            self.log.late(now_ns, max(0, now_ns - due_ns))

    def _drop_late(self, now: float) -> None:
        oldest_ns = int((now - self.plan.timeout_s) * 1e9)
        for stream in self.streams:
            if stream.is_busy and stream.sent_ns < oldest_ns:
                stream.abort("timeout")

    def _say(self, event: str, **more: object) -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        line = {
            "event": event,
            "time_ns": time.monotonic_ns(),
            "sent": self._serial,
            "completed": self._completed,
            "failed": self._failed,
            "in_flight": sum(stream.is_busy for stream in self.streams),
            "streams_warm": self._streams_warm,
            "asked_of_completed": self._asked_of_completed,
            "bytes": self.log.total_bytes,
            "reconnects": self._reconnects,
            "cpu_s": usage.ru_utime + usage.ru_stime,
            **more,
        }
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()


def main() -> None:
    """Run the plan on stdin."""
    # Unbuffered, byte by byte: what follows the plan is for the event loop to read.
    text = b""
    while not text.endswith(b"\n"):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            return
        text += byte

    _allow_files()

    async def run() -> None:
        await Loop(ClientPlan.from_json(text.decode())).run()

    asyncio.run(run())


def _beat(heart: socket.socket) -> None:
    """Send the time of every beat when it is due; a late one shows as late as it was.

    A timer of the event loop would not do: epoll wakes in whole milliseconds.
    """
    due_ns = time.monotonic_ns()
    with contextlib.suppress(OSError):
        while True:
            due_ns += _PULSE_NS
            time.sleep(max(0, due_ns - time.monotonic_ns()) / 1e9)
            heart.send(array("q", [due_ns]))


def _allow_files() -> None:
    """Lift the soft limit on open files, often 1,024, to the hard one: a stream is a file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    main()

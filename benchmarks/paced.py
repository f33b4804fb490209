"""A fast server of known pace: `python -m benchmarks.paced [options]`, standard library only.

Speaks HTTP/1.1 as vLLM does: a streamed completion is chunked server-sent events, one a
token, then usage and `[DONE]`. Event n of a request is due at receipt + TTFT + phase + n ÷
rate, whatever happened before; phases spread the streams evenly, or (`--lockstep`) all
events stand on one grid, as the steps of an engine make them. One process, one thread, on
loopback, at real-time priority where that is allowed.

On stdout, a line each: `port N`; `run NS` when a second request is in flight; `idle NS` when
none is left; at the end (SIGTERM, SIGINT) a JSON object with how late the server was. With
`--log FOLDER` it leaves `requests.bin` and `events.bin`, rows of 64-bit integers as in
`benchmarks.paced_log`; times are nanoseconds of the monotonic clock. `sent_ns` is
taken right before the send call.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import heapq
import json
import select
import signal
import socket
import time
from pathlib import Path

from benchmarks.paced_answer import Answer, reply
from benchmarks.paced_log import PacedLog
from benchmarks.priority import raise_priority

_GOLDEN = 0.6180339887498949
_RECEIVE_BYTES = 1 << 18
_SENDS_AT_ONCE = 64


class Connection:
    """One client connection, and the answer that is being sent on it."""

    __slots__ = ("answer", "inbox", "number", "outbox", "socket")

    def __init__(self, sock: socket.socket, number: int) -> None:
        self.socket, self.number = sock, number
        self.inbox, self.outbox = bytearray(), bytearray()
        self.answer: Answer | None = None


class Server:
    """All connections, and a heap of what is due."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.gap_ns = 1e9 / args.rate
        self.poll = select.epoll()
        self.listener = socket.create_server(("127.0.0.1", args.port), backlog=8192)
        self.listener.settimeout(0)
        self.poll.register(self.listener.fileno(), select.EPOLLIN)
        self.connections: dict[int, Connection] = {}
        self.due: list[tuple[int, int, Connection, Answer]] = []
        self.log = PacedLog()
        self.accepted = self.started = self.in_flight = self.input_tokens = self.output_tokens = 0
        self.is_run = False

    def serve(self) -> None:
        """Send what is due and read what came, until a signal or the time limit."""
        watched, end_ns = [self.poll.fileno()], time.monotonic_ns() + int(self.args.max_s * 1e9)
        while (now := time.monotonic_ns()) < end_ns:
            wait_ns = min(self.due[0][0], end_ns) - now if self.due else end_ns - now
            # select() takes microseconds where epoll would round up to milliseconds.
            ready, _, _ = select.select(watched, [], [], max(0, wait_ns) / 1e9)
            self.send_due()
            if ready:
                self.receive(self.poll.poll(0, 4096))

    def receive(self, ready: list[tuple[int, int]]) -> None:
        """Read and stamp all that came, and only then parse it."""
        read = []
        for fd, mask in ready:
            connection = self.connections.get(fd)
            if connection is None:
                self.accept()
                continue
            if mask & select.EPOLLOUT:
                self.flush(connection)
            if mask & ~select.EPOLLOUT:
                try:
                    data = connection.socket.recv(_RECEIVE_BYTES)
                except OSError:
                    data = b""
                read.append((connection, data, time.monotonic_ns()))
        for connection, data, now_ns in read:
            connection.inbox += data
            self.parse(connection, now_ns) if data else self.close(connection)

    def accept(self) -> None:
        """Take every connection that waits."""
        with contextlib.suppress(BlockingIOError):
            while True:
                sock, _ = self.listener.accept()
                sock.settimeout(0)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                self.accepted += 1
                self.connections[sock.fileno()] = Connection(sock, self.accepted)
                self.poll.register(sock.fileno(), select.EPOLLIN)

    def close(self, connection: Connection) -> None:
        """Forget a connection, and end the request on it."""
        if self.connections.pop(connection.socket.fileno(), None) is None:
            return
        self.poll.unregister(connection.socket.fileno())
        connection.socket.close()
        if connection.answer is not None:
            self.ended(connection, connection.answer, 0)

    def parse(self, connection: Connection, now_ns: int) -> None:
        """Answer the request in the inbox if all of it is there."""
        head, mark, rest = connection.inbox.partition(b"\r\n\r\n")
        if not mark:
            return
        fields = (line.partition(b":") for line in head.split(b"\r\n")[1:])
        length = sum(int(text) for name, _, text in fields if name.lower() == b"content-length")
        if len(rest) < length:
            return
        del connection.inbox[: len(head) + 4 + length]
        path = head.split(b" ", 2)[1].decode().partition("?")[0]
        body = json.loads(rest[:length]) if length else {}
        if path.endswith("/completions") and body.get("stream"):
            self.start(connection, Answer(self.started, body, self.args.model, now_ns))
            return
        counters = {
            "num_requests_running": self.in_flight,
            "prompt_tokens_total": self.input_tokens,
            "generation_tokens_total": self.output_tokens,
        }
        plain = reply(path, body, self.args.model, counters, tokenizes=not self.args.no_tokenize)
        self.write(connection, plain)

    def start(self, connection: Connection, answer: Answer) -> None:
        """Take a streamed request: its first event is due after TTFT and its phase."""
        connection.answer = answer
        due = answer.received_ns + int(self.args.ttft_s * 1e9)
        if self.args.lockstep:
            due = int(-(-due // self.gap_ns) * self.gap_ns)
        else:
            due += int(answer.serial * _GOLDEN % 1 * self.gap_ns)
        answer.first_due_ns = due
        heapq.heappush(self.due, (due, answer.serial, connection, answer))
        self.started += 1
        self.input_tokens += answer.input_tokens
        self.in_flight += 1
        if self.in_flight > 1 and not self.is_run:
            self.is_run = True
            print("run", answer.received_ns, flush=True)

    def send_due(self) -> None:
        """Send events that are due, some at a time so that requests are stamped in time."""
        due, gap_ns = self.due, self.gap_ns
        for _ in range(_SENDS_AT_ONCE):
            if not due or due[0][0] > time.monotonic_ns():
                return
            due_ns, serial, connection, answer = due[0]
            if connection.answer is not answer:  # its client has gone
                heapq.heappop(due)
                continue
            data = answer.next_event()
            sent_ns = time.monotonic_ns()
            self.log.events.extend((serial, due_ns, sent_ns))
            self.output_tokens += 1
            self.write(connection, data)
            if answer.sent < answer.asked:
                next_ns = answer.first_due_ns + int(answer.sent * gap_ns)
                heapq.heapreplace(due, (next_ns, serial, connection, answer))
            else:
                heapq.heappop(due)
                if connection.answer is answer:
                    self.ended(connection, answer, sent_ns)

    def ended(self, connection: Connection, answer: Answer, now_ns: int) -> None:
        """Note a request that is over (end 0: its client went away)."""
        row = (answer.serial, connection.number, answer.received_ns, now_ns)
        self.log.requests.extend((*row, answer.input_tokens, answer.sent))
        connection.answer = None
        self.in_flight -= 1
        if not self.in_flight:
            self.is_run = False
            print("idle", time.monotonic_ns(), flush=True)

    def write(self, connection: Connection, data: bytes) -> None:
        """Send, and keep what a full socket does not take."""
        taken = 0
        if not connection.outbox:
            try:
                taken = connection.socket.send(data)
            except BlockingIOError:
                pass
            except OSError:
                self.close(connection)
                return
        if taken < len(data):
            self.log.blocked += 1
            connection.outbox += data[taken:]
            self.poll.modify(connection.socket.fileno(), select.EPOLLIN | select.EPOLLOUT)

    def flush(self, connection: Connection) -> None:
        """Send what was kept."""
        data, connection.outbox = bytes(connection.outbox), bytearray()
        self.poll.modify(connection.socket.fileno(), select.EPOLLIN)
        self.write(connection, data)


def options() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description="A server of known pace on 127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rate", type=float, default=46.0, help="events a second of a stream")
    parser.add_argument("--ttft-s", type=float, default=0.2)
    parser.add_argument("--lockstep", action="store_true", help="all events on one grid")
    parser.add_argument("--model", default="paced")
    parser.add_argument("--log", default="", help="folder for the times of all events")
    parser.add_argument("--no-tokenize", action="store_true", help="it knows no real tokenizer")
    parser.add_argument("--max-s", type=float, default=1800.0, help="then it ends by itself")
    return parser.parse_args()


def _stop(*_: object) -> None:
    raise SystemExit


def main() -> None:
    """Serve until told to stop."""
    args = options()
    server = Server(args)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    priority = raise_priority()
    gc.freeze()
    gc.disable()  # nothing in the loop makes cycles
    print("port", server.listener.getsockname()[1], flush=True)
    try:
        server.serve()
    finally:
        if args.log:
            server.log.write(Path(args.log))
        print(json.dumps({"priority": priority, **server.log.summary()}), flush=True)


if __name__ == "__main__":
    main()

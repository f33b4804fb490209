"""One keep-alive connection to the server: a non-blocking socket with at most one request on it."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import ssl
import sys
import time
from collections.abc import Callable
from typing import Final, Protocol

from tco.measure.address import Address
from tco.measure.client_writer import ClientWriter
from tco.measure.poller import CAN_READ, CAN_WRITE, Poller
from tco.measure.response_end import ResponseEnd

IDLE: Final = -1
_SO_TIMESTAMPNS = 35  # Linux on all but a few old processors; its value is also the message's type
_WAITS = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Owner(Protocol):
    """Who is told what becomes of a connection."""

    def opened(self, connection: Connection) -> None:
        """It stands."""

    def answered(self, connection: Connection) -> None:
        """The response to its request is complete."""

    def lost(self, connection: Connection, *, is_closed: bool) -> None:
        """It is gone, or could not be made; `is_closed`: by the server, in good order."""


class Connection:
    """A socket, what is still to be sent on it, and where its response stands.

    `collected` is the response's bytes where they are asked for, else None; `error` says why
    it could not be made.
    """

    __slots__ = (
        "_address", "_files", "_is_shaking", "_log", "_out", "_owner", "_poller", "_receive",
        "_sock", "begun_ns", "collected", "connect_ns", "end", "error", "is_open", "number",
        "request", "sent_ns",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        *,
        address: Address,
        poller: Poller,
        files: dict[int, Callable[[int], None]],
        log: ClientWriter,
        owner: Owner,
    ) -> None:
        self.number = number
        self.is_open = False
        self.request = IDLE
        self.begun_ns = self.connect_ns = self.sent_ns = 0
        self.end = ResponseEnd()
        self.collected: bytearray | None = None
        self.error = ""
        self._address, self._poller, self._files = address, poller, files
        self._log, self._owner = log, owner
        self._sock: socket.socket | None = None
        self._is_shaking = False
        self._out = memoryview(b"")
        self._receive = log.receive_unstamped

    @property
    def is_down(self) -> bool:
        """Say whether it neither stands nor is being made."""
        return self._sock is None

    def connect(self) -> None:
        """Begin to connect; the owner hears how it went."""
        self.begun_ns = time.monotonic_ns()
        sock = socket.socket(self._address.family, socket.SOCK_STREAM)
        sock.settimeout(0)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._receive = self._log.receive_unstamped
        if sys.platform == "linux" and self._address.tls is None:
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
                self._receive = self._log.receive
        self._sock = sock
        self._files[sock.fileno()] = self.handle
        self._poller.watch(sock.fileno(), CAN_READ | CAN_WRITE)
        code = sock.connect_ex(self._address.address)
        if code not in (0, errno.EINPROGRESS):
            self.give_up(os.strerror(code))

    def send(self, request: int, data: bytes, *, collects: bool) -> None:
        """Send a request, all at once if the kernel takes it."""
        self.request = request
        self.end = ResponseEnd()
        self.collected = bytearray() if collects else None
        self._out = memoryview(data)
        self._flush()
        if self._out:
            assert self._sock is not None  # noqa: S101  only an open connection sends
            self._poller.change(self._sock.fileno(), CAN_READ | CAN_WRITE)

    def close(self) -> None:
        """Drop the connection without a word to the owner."""
        sock, self._sock = self._sock, None
        self.is_open = self._is_shaking = False
        self.request = IDLE
        self._out = memoryview(b"")
        if sock is not None:
            self._poller.forget(sock.fileno())
            del self._files[sock.fileno()]
            sock.close()

    def give_up(self, error: str) -> None:
        """Leave off connecting."""
        self.error = error
        self._drop(is_closed=False)

    def handle(self, events: int) -> None:
        """Do what the socket is ready for."""
        if events == CAN_READ and self.is_open:
            self._read()
        elif not self.is_open:
            self._open()
        else:
            if events & CAN_WRITE:
                self._flush()
                if not self._out and self._sock is not None:
                    self._poller.change(self._sock.fileno(), CAN_READ)
            if events & ~CAN_WRITE:
                self._read()
        # What TLS has decrypted already the poller does not see.
        while isinstance(self._sock, ssl.SSLSocket) and self.is_open and self._sock.pending():
            self._read()

    def _read(self) -> None:
        """Read, and see whether the response is complete: all the work an event costs."""
        log, sock, request = self._log, self._sock, self.request
        assert sock is not None  # noqa: S101  only a socket gives events
        try:
            length = self._receive(sock, request)
        except _WAITS:
            return
        except OSError:
            self._drop(is_closed=False)
            return
        if not length:
            self._drop(is_closed=True)
            return
        if request >= 0:
            if self.collected is not None:
                self.collected += log.block[log.start : log.stop]
            if self.end.feed(log.block, log.start, log.stop):
                self._owner.answered(self)

    def _open(self) -> None:
        sock = self._sock
        assert sock is not None  # noqa: S101  only a socket gives events
        try:
            if not self._is_shaking:
                _require_connected(sock)
                if self._address.tls is not None:
                    sock = self._wrap(sock, self._address.tls)
            if isinstance(sock, ssl.SSLSocket):
                self._is_shaking = True
                sock.do_handshake()
        except ssl.SSLWantReadError:
            self._poller.change(sock.fileno(), CAN_READ)
            return
        except ssl.SSLWantWriteError:
            self._poller.change(sock.fileno(), CAN_WRITE)
            return
        except BlockingIOError:
            return
        except OSError as error:
            self.give_up(error.strerror or str(error))
            return
        self._is_shaking = False
        self.is_open = True
        self.connect_ns = time.monotonic_ns() - self.begun_ns
        self._poller.change(sock.fileno(), CAN_READ)
        self._owner.opened(self)

    def _wrap(self, sock: socket.socket, tls: ssl.SSLContext) -> ssl.SSLSocket:
        wrapped = tls.wrap_socket(
            sock, server_hostname=self._address.host, do_handshake_on_connect=False
        )
        self._sock = wrapped
        return wrapped

    def _flush(self) -> None:
        sock = self._sock
        assert sock is not None  # noqa: S101  only an open connection sends
        try:
            while self._out:
                self._out = self._out[sock.send(self._out) :]
        except _WAITS:
            pass
        except OSError:
            self._out = memoryview(b"")  # the end shows when it is read
        self.sent_ns = time.monotonic_ns()

    def _drop(self, *, is_closed: bool) -> None:
        request, end = self.request, self.end
        self.close()
        self.request, self.end = request, end  # for the owner to account for
        self._owner.lost(self, is_closed=is_closed)
        self.request = IDLE


def _require_connected(sock: socket.socket) -> None:
    """Raise why a socket could not connect; BlockingIOError where that is not known yet."""
    code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if code:
        raise OSError(code, os.strerror(code))
    try:
        sock.getpeername()
    except OSError as error:
        if error.errno == errno.ENOTCONN:
            raise BlockingIOError from error
        raise

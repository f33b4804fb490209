"""Reads sockets for the load client, and has a thread write what came to disk."""

from __future__ import annotations

import errno
import queue
import socket
import struct
import threading
import time
from array import array
from pathlib import Path
from typing import IO, Final

from tco.measure.client_log import CLOCK_ONLY, RECORDS

_BLOCK_BYTES = 1 << 20
_ROOM_BYTES = 1 << 18  # the most that one read takes
_READS_OF_A_BLOCK = 32_768
_WAITING_BLOCKS = 256
_EXTRAS_BYTES = 64
_ROWS: Final = tuple(name for name in RECORDS if name not in ("bytes", "reads", "stamps"))
_STAMP = struct.Struct("@qq")


class ClientWriter:
    """Reads sockets into blocks; a thread writes full blocks to disk and hands them back.

    The last read lies in block[start:stop].
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.failure: OSError | None = None
        self.block = bytearray(_BLOCK_BYTES + _ROOM_BYTES)
        self.start = self.stop = 0
        self.reads = 0
        self._view = memoryview(self.block)
        self._bytes_before = 0
        self._read_rows, self._stamps = array("q"), bytearray()
        self._rows = {name: array("q") for name in _ROWS}
        self._files: dict[str, IO[bytes]] = {
            name: (folder / f"{name}.bin").open("wb", buffering=0) for name in RECORDS
        }
        self._free: queue.SimpleQueue[bytearray] = queue.SimpleQueue()
        self._queue: queue.SimpleQueue[tuple[str, bytearray | array[int], int] | None]
        self._queue = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    def receive(self, sock: socket.socket, request: int) -> int:
        """Read what has arrived, with the kernel's stamp of it; return its length (0: the end)."""
        if self.stop > _BLOCK_BYTES:
            self._next_block()
        start = self.stop
        length, extras, _, _ = sock.recvmsg_into((self._view[start:],), _EXTRAS_BYTES)
        self.start, self.stop = start, start + length
        self._stamps += extras[0][2] if extras else _now()
        self._read_rows.extend((request, length))
        self.reads += 1
        return length

    def receive_unstamped(self, sock: socket.socket, request: int) -> int:
        """Read what has arrived where the kernel does not stamp it, or TLS hides its stamps."""
        if self.stop > _BLOCK_BYTES:
            self._next_block()
        start = self.stop
        length = sock.recv_into(self._view[start:])
        self.start, self.stop = start, start + length
        self._stamps += _now()
        self._read_rows.extend((request, length))
        self.reads += 1
        return length

    def last_stamp_ns(self) -> int:
        """Return when the last read arrived: on the monotonic clock, by its last offset."""
        seconds, ns = _STAMP.unpack_from(self._stamps, len(self._stamps) - _STAMP.size)
        if seconds == CLOCK_ONLY:
            return int(ns)
        return min(int(seconds * 1_000_000_000 + ns) - self._offset_ns, time.monotonic_ns())

    @property
    def total_bytes(self) -> int:
        """Bytes kept so far."""
        return self._bytes_before + self.stop

    def request(self, *fields: int) -> None:
        """Keep one ended request: the values of REQUEST_FIELDS in order."""
        self._rows["requests"].extend(fields)

    def poll(self, from_ns: int, until_ns: int) -> None:
        """Say between which times all that was read since the last poll arrived."""
        self._rows["polls"].extend((from_ns, until_ns, self.reads))
        if len(self._read_rows) > 2 * _READS_OF_A_BLOCK:
            self._next_block()

    def late(self, time_ns: int, late_ns: int) -> None:
        """Keep how late the loop woke."""
        self._rows["late"].extend((time_ns, late_ns))

    def read_clocks(self) -> None:
        """Keep the offset of the wall clock, of which the kernel's stamps are."""
        best_ns = 1 << 62
        for _ in range(3):
            before_ns, wall_ns, after_ns = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
            if after_ns - before_ns < best_ns:
                best_ns, middle_ns = after_ns - before_ns, (before_ns + after_ns) // 2
                self._offset_ns = wall_ns - middle_ns
        self._rows["clock"].extend((middle_ns, self._offset_ns))

    def close(self) -> None:
        """Write what is left."""
        self._next_block()
        self._queue.put(None)
        self._writer.join()
        for file in self._files.values():
            file.close()

    def _next_block(self) -> None:
        if self._queue.qsize() > _WAITING_BLOCKS * len(RECORDS) and self.failure is None:
            self.failure = OSError(errno.EIO, "the disk is slower than the answers come in")
        # Bytes go first: a row on disk never points past the bytes on disk.
        self._queue.put(("bytes", self.block, self.stop))
        self._queue.put(("stamps", self._stamps, len(self._stamps)))
        for name, rows in (("reads", self._read_rows), *self._rows.items()):
            self._queue.put((name, rows, len(rows) * rows.itemsize))
        self._bytes_before += self.stop
        self._read_rows, self._stamps = array("q"), bytearray()
        self._rows = {name: array("q") for name in self._rows}
        try:
            self.block = self._free.get_nowait()
        except queue.Empty:
            self.block = bytearray(_BLOCK_BYTES + _ROOM_BYTES)
        self._view = memoryview(self.block)
        self.start = self.stop = 0

    def _write(self) -> None:
        while (item := self._queue.get()) is not None:
            name, block, length = item
            view = memoryview(block).cast("B")[:length]
            try:
                while view and self.failure is None:
                    view = view[self._files[name].write(view) :]
            except OSError as error:
                self.failure = error  # the loop sees it, and ends the run
            if name == "bytes" and isinstance(block, bytearray):
                self._free.put(block)


def _now() -> bytes:
    return _STAMP.pack(CLOCK_ONLY, time.monotonic_ns())

"""What the load client keeps on disk: every read, and every request, as int64 rows.

`bytes.bin` holds all bytes in the order they were read; a row of `reads.bin` is (request,
time ns, length); a row of `requests.bin` is `REQUEST_FIELDS`; a row of `late.bin` is (time
ns, how late ns the client's loop woke then). Times are CLOCK_MONOTONIC,
which parent and client share on one machine.
"""

from __future__ import annotations

import queue
import threading
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import numpy as np
import numpy.typing as npt

_BLOCK_BYTES = 1 << 20
_ROWS_OF_A_BLOCK = 3 * 32_768

REQUEST_FIELDS: Final = (
    "request", "stream", "is_first", "intended_ns", "sent_ns", "end_ns", "end",
    "input_tokens", "output_tokens", "connect_ns", "row", "session", "turn",
)  # fmt: skip
# How a request ended, as the transport saw it; what the bytes say is for the parser.
RECORDS: Final = ("bytes", "reads", "requests", "late")
ENDS: Final = ("complete", "closed", "timeout", "connection_lost", "aborted")


class ClientLog:
    """Takes reads at the cost of a copy; a thread writes full blocks to disk."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.failure: OSError | None = None
        self._handed_over_bytes = 0
        self._bytes = bytearray()
        self._reads = array("q")
        self._requests = array("q")
        self._late = array("q")
        self._files: dict[str, IO[bytes]] = {
            name: (folder / f"{name}.bin").open("wb", buffering=0) for name in RECORDS
        }
        self._queue: queue.SimpleQueue[tuple[str, bytes | bytearray] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    def read(self, request: int, time_ns: int, data: memoryview) -> None:
        """Keep one read; `data` is copied."""
        self._bytes += data
        self._reads.extend((request, time_ns, len(data)))
        if len(self._bytes) > _BLOCK_BYTES or len(self._reads) > _ROWS_OF_A_BLOCK:
            self._hand_over()

    @property
    def total_bytes(self) -> int:
        """Bytes kept so far."""
        return self._handed_over_bytes + len(self._bytes)

    def request(self, *fields: int) -> None:
        """Keep one ended request: the values of REQUEST_FIELDS in order."""
        self._requests.extend(fields)

    def late(self, time_ns: int, late_ns: int) -> None:
        """Keep how late the loop woke: what arrived meanwhile was stamped as late."""
        self._late.extend((time_ns, late_ns))

    def close(self) -> None:
        """Write what is left."""
        self._hand_over()
        self._queue.put(None)
        self._writer.join()
        for file in self._files.values():
            file.close()

    def _hand_over(self) -> None:
        # Bytes go first: a read row on disk never points past the bytes on disk.
        self._handed_over_bytes += len(self._bytes)
        self._queue.put(("bytes", self._bytes))
        self._queue.put(("reads", self._reads.tobytes()))
        self._queue.put(("requests", self._requests.tobytes()))
        self._queue.put(("late", self._late.tobytes()))
        self._bytes = bytearray()
        self._reads = array("q")
        self._requests = array("q")
        self._late = array("q")

    def _write(self) -> None:
        while (item := self._queue.get()) is not None:
            name, block = item
            view = memoryview(block)
            try:
                while view and self.failure is None:
                    view = view[self._files[name].write(view) :]
            except OSError as error:
                self.failure = error  # the loop sees it, and ends the run


@dataclass(frozen=True, slots=True)
class ClientRecords:
    """The rows of one run and the bytes behind them; `offsets` bounds each read's bytes."""

    requests: npt.NDArray[np.int64]
    late: npt.NDArray[np.int64]
    reads: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    data: npt.NDArray[np.uint8]

    def column(self, name: str) -> npt.NDArray[np.int64]:
        """Return one field of every request."""
        return self.requests[:, REQUEST_FIELDS.index(name)]


def read_records(folder: Path) -> ClientRecords:
    """Read what the client kept, requests in the order they were sent."""
    requests = np.fromfile(folder / "requests.bin", dtype=np.int64)
    requests = requests.reshape(-1, len(REQUEST_FIELDS))
    reads = np.fromfile(folder / "reads.bin", dtype=np.int64).reshape(-1, 3)
    path = folder / "bytes.bin"
    data = (
        np.memmap(path, dtype=np.uint8, mode="r")
        if path.stat().st_size
        else np.empty(0, dtype=np.uint8)
    )
    offsets = np.concatenate([[0], np.cumsum(reads[:, 2])]).astype(np.int64)
    late = np.fromfile(folder / "late.bin", dtype=np.int64).reshape(-1, 2)
    return ClientRecords(requests[np.argsort(requests[:, 0])], late, reads, offsets, data)

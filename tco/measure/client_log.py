"""What the load client keeps on disk, and how it is read back: every read, every request.

Files of int64 rows: `requests.bin` (REQUEST_FIELDS); `reads.bin` (request, length), a row a
read, whose bytes follow each other in `bytes.bin`; `stamps.bin`, for each read the kernel's
receive time (wall clock: s, ns) or (-1, monotonic ns) where there is none; `polls.bin` (ns from
which what was read may have arrived, ns until, reads so far); `clock.bin` (monotonic ns, wall
less monotonic ns); `late.bin` (ns, how late ns the loop woke then). Each process of the client
has a folder of its own, `part-N`, where there are several.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from tco.units import NS_PER_S

Ints = npt.NDArray[np.int64]
REQUEST_FIELDS: Final = (
    "request", "stream", "is_first", "intended_ns", "sent_ns", "end_ns", "end",
    "input_tokens", "output_tokens", "connect_ns", "row", "session", "turn",
)  # fmt: skip
RECORDS: Final = ("bytes", "reads", "stamps", "polls", "clock", "requests", "late")
# How a request ended, as the transport saw it; what the bytes say is for the parser.
ENDS: Final = ("complete", "closed", "timeout", "connection_lost", "aborted")
CLOCK_ONLY: Final = -1
PART_GLOB: Final = "part-*"


@dataclass(frozen=True, slots=True)
class ProcessRecords:
    """The rows of one client process and the bytes behind them.

    Attributes:
        requests: REQUEST_FIELDS, in the order they were sent.
        late: (ns, how late ns the loop woke then).
        read_request, read_ns: of each read, the request and when its last byte arrived.
        read_since_ns: no byte of it arrived before.
        is_stamped: whether the kernel stamped it; else `read_ns` is when it was read.
        offsets: bounds of each read's bytes in `data`.
    """

    requests: Ints
    late: Ints
    read_request: Ints
    read_ns: Ints
    read_since_ns: Ints
    is_stamped: npt.NDArray[np.bool_]
    offsets: Ints
    data: npt.NDArray[np.uint8]

    def column(self, name: str) -> Ints:
        """Return one field of every request."""
        return self.requests[:, REQUEST_FIELDS.index(name)]


@dataclass(frozen=True, slots=True)
class ClientRecords:
    """What each process of the client kept."""

    processes: tuple[ProcessRecords, ...]


def read_records(folder: Path) -> ClientRecords:
    """Read what the client's processes kept in a folder."""
    parts = sorted(folder.glob(PART_GLOB)) or [folder]
    return ClientRecords(tuple(map(_read_process, parts)))


def _read_process(folder: Path) -> ProcessRecords:
    requests = _rows(folder, "requests", len(REQUEST_FIELDS))
    reads, polls = _rows(folder, "reads", 2), _rows(folder, "polls", 3)
    since_ns, until_ns = _bounds(polls, len(reads))
    stamps = _rows(folder, "stamps", 2)[: len(reads)]
    path = folder / "bytes.bin"
    return ProcessRecords(
        requests=requests[np.argsort(requests[:, 0])],
        late=_rows(folder, "late", 2),
        read_request=reads[:, 0],
        read_ns=np.clip(_monotonic(stamps, _rows(folder, "clock", 2)), since_ns, until_ns),
        read_since_ns=since_ns,
        is_stamped=stamps[:, 0] != CLOCK_ONLY,
        offsets=np.concatenate([[0], np.cumsum(reads[:, 1])]).astype(np.int64),
        data=np.memmap(path, dtype=np.uint8, mode="r")
        if path.stat().st_size
        else np.empty(0, dtype=np.uint8),
    )


def _rows(folder: Path, name: str, width: int) -> Ints:
    values = np.fromfile(folder / f"{name}.bin", dtype=np.int64)
    return values[: len(values) // width * width].reshape(-1, width)


def _bounds(polls: Ints, reads: int) -> tuple[Ints, Ints]:
    """Return between which times each read arrived; a last poll may be missing."""
    far = np.array([[polls[-1, 1] if len(polls) else 0, np.iinfo(np.int64).max, reads]])
    whole = np.concatenate([polls, far])
    of = np.searchsorted(whole[:, 2], np.arange(reads), side="right")
    return whole[of, 0], whole[of, 1]


def _monotonic(stamps: Ints, clock: Ints) -> Ints:
    """Bring the kernel's stamps (wall clock) to the monotonic clock.

    Between two readings of the offset it changed evenly (a clock that is being set); where it
    jumped, the bounds of the poll hold what is left of the error.
    """
    is_stamped = stamps[:, 0] != CLOCK_ONLY
    if not is_stamped.any():
        return stamps[:, 1]
    wall = stamps[:, 0] * NS_PER_S + stamps[:, 1]
    base_ns, base_offset = clock[0]
    # Differences to the first reading, which a float holds exactly enough.
    known = (clock[:, 0] - base_ns) + (clock[:, 1] - base_offset)
    change = np.interp(wall - (base_ns + base_offset), known, clock[:, 1] - base_offset)
    return np.where(is_stamped, wall - base_offset - change.astype(np.int64), stamps[:, 1])

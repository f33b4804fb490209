"""When the paced server really sent what: kept while it runs, read back after the run."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the server itself runs on the standard library alone
    import numpy as np
    import numpy.typing as npt

REQUEST_FIELDS: Final = (
    "request", "connection", "received_ns", "end_ns", "input_tokens", "output_tokens",
)  # fmt: skip
EVENT_FIELDS: Final = ("request", "due_ns", "sent_ns")


class PacedLog:
    """Rows of REQUEST_FIELDS and EVENT_FIELDS; how often a socket took less than all."""

    def __init__(self) -> None:
        self.requests, self.events = array("q"), array("q")
        self.blocked = 0

    def write(self, folder: Path) -> None:
        """Write `requests.bin` and `events.bin`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "requests.bin").write_bytes(self.requests.tobytes())
        (folder / "events.bin").write_bytes(self.events.tobytes())

    def summary(self) -> dict[str, float]:
        """Return how much was sent, and how late against the schedule (ms)."""
        due, sent = self.events[1 :: len(EVENT_FIELDS)], self.events[2 :: len(EVENT_FIELDS)]
        late = sorted(s - d for d, s in zip(due, sent, strict=True))
        at = {"p50": 0.5, "p99": 0.99, "max": 1.0} if late else {}
        return {
            "requests": len(self.requests) // len(REQUEST_FIELDS),
            "events": len(late),
            "blocked_writes": self.blocked,
            **{f"late_{k}_ms": late[int(q * (len(late) - 1))] / 1e6 for k, q in at.items()},
        }


@dataclass(frozen=True, slots=True)
class ServerLog:
    """What the server did: rows as in REQUEST_FIELDS and EVENT_FIELDS, in the order it did it.

    A request whose client went away has end_ns 0.
    """

    requests: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]


def read_log(folder: Path) -> ServerLog:
    """Read what the server left in its folder; requests in the order of their receipt."""
    import numpy as np

    requests, events = (
        np.fromfile(folder / f"{name}.bin", dtype=np.int64).reshape(-1, len(fields))
        for name, fields in (("requests", REQUEST_FIELDS), ("events", EVENT_FIELDS))
    )
    return ServerLog(requests[np.argsort(requests[:, 0])], events)

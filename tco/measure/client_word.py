"""What a load client says of itself on stdout: one line of JSON, a `ClientState`."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import time
from dataclasses import asdict

from tco.measure.cpu_wait import cpu_wait
from tco.measure.exchange import Tally


def say(event: str, *, tally: Tally, begun_ns: int, kept_bytes: int, **more: str) -> None:
    """Write the line; a parent that is gone does not hear it."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    line = {
        "event": event,
        "time_ns": time.monotonic_ns(),
        "begun_ns": begun_ns,
        **asdict(tally),
        "bytes": kept_bytes,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        **asdict(cpu_wait()),
        "real_time_processes": int(_is_real_time()),
        **more,
    }
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def _is_real_time() -> bool:
    """Say whether the scheduler runs this process before ordinary ones."""
    with contextlib.suppress(OSError, AttributeError):
        return os.sched_getscheduler(0) == os.SCHED_RR
    return False

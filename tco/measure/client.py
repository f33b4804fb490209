"""The load client: a process of its own that sends a workload and keeps all that comes back.

`python -m tco.measure.client` reads one line of JSON (a `ClientPlan`) on stdin, opens every
connection, says so, and starts the clock at the word `go` (`go NS`: at that monotonic time).
It writes one line of JSON on stdout every half second, and its records to the plan's folder.
The word `stop` ends the sending; requests in flight may finish. The end of stdin (the parent
is gone) ends all at once, and so do SIGTERM and SIGINT.

Per read it keeps the kernel's time stamp and the bytes, and looks for the end of the response;
what the bytes mean is worked out after the run.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys

from tco.measure.client_loop import Loop
from tco.measure.client_plan import ClientPlan


def main() -> None:
    """Run the plan on stdin."""
    # Unbuffered, byte by byte: what follows the plan is for the loop to read.
    text = b""
    while not text.endswith(b"\n"):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            return
        text += byte
    _allow_files()
    _ask_for_a_core()
    loop = Loop(ClientPlan.from_json(text.decode()))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: loop.end("signalled"))
    loop.run()


def _allow_files() -> None:
    """Lift the soft limit on open files, often 1,024, to the hard one: a stream is a file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _ask_for_a_core() -> None:
    """Ask to run when there is something to do, before what else the cores are busy with.

    The client takes a few hundredths of a core, but where an engine keeps all cores busy it
    would get them many milliseconds late: requests would leave late, and the load would come
    in waves. The writer thread has it, too, or the loop would wait for the interpreter's lock
    while that thread waits for a core. Only a privileged user is given this; any other runs
    as all processes do.
    """
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


if __name__ == "__main__":
    main()

"""A Trial is one run of one client against a server of known pace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.client import Client
from benchmarks.load import Load, Reported, Spread
from benchmarks.paced_log import ServerLog, read_log
from benchmarks.tree_cpu import end_rest, tree_cpu_s
from benchmarks.truth import Truth, run_rows, stamp_lag, truth_of

_LIMIT_S = 300.0
_PATIENCE_S = 5.0
_TAIL = 300
_ROOT = Path(__file__).parents[1]
_SETTINGS = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "PYTHONUNBUFFERED": "1"}


class FailedTrialError(Exception):
    """A run without a result; the text says why."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run.

    Attributes:
        load_average: of the machine over the minute before.
        cpu_run_s: CPU from the first request to the last event, all of the client's processes.
        cpu_s: the same to the end of its last process, so with what it works out at the end.
        lag: its stamps of events against the server's sends; None where it keeps none.
    """

    client: str
    output_tokens: int
    load_average: float
    cpu_run_s: float
    cpu_s: float
    truth: Truth
    reported: Reported
    lag: Spread | None


@dataclass(slots=True)
class PacedServer:
    """A running server; CPU of the client's processes (s) when its run began and last ended."""

    process: subprocess.Popen[str]
    port: int
    run_ns: int = 0
    cpu_at_run_s: float = 0.0
    cpu_at_idle_s: float = 0.0

    def listen(self) -> None:
        """Take the CPU time whenever the server says that a run begins or ends."""
        assert self.process.stdout is not None  # noqa: S101  we opened it
        for line in self.process.stdout:
            word, _, rest = line.partition(" ")
            if word == "run" and not self.run_ns:
                self.cpu_at_run_s, self.run_ns = tree_cpu_s({self.process.pid}), int(rest)
            elif word == "idle":
                self.cpu_at_idle_s = tree_cpu_s({self.process.pid})


@contextmanager
def paced_server(folder: Path, *options: str) -> Iterator[PacedServer]:
    """Run a server that leaves its log in the folder when the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.paced", "--log", str(folder), *options],
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
    )
    assert process.stdout is not None  # noqa: S101  we opened it
    try:
        server = PacedServer(process, int(process.stdout.readline().split()[1]))
        listener = threading.Thread(target=server.listen)
        listener.start()
        yield server
    finally:
        process.terminate()
        process.wait(_PATIENCE_S)
    listener.join()


def run_trial(client: Client, command: list[str], load: Load, options: tuple[str, ...]) -> Trial:
    """Run the client once; `load.url` is filled in.

    Raises:
        FailedTrialError: it failed, took too long, or left no result.
    """
    log_folder, load_average = load.folder / "server", os.getloadavg()[0]
    with paced_server(log_folder, "--no-tokenize", *options) as server:
        load = replace_url(load, server.port)
        argv = [*command, *client.arguments(load)]
        run_client(argv, load.folder / "client.log", lambda _: None, {"OPENAI_API_KEY": "none"})
        end_rest({server.process.pid}, _PATIENCE_S)
        cpu_at_end_s = tree_cpu_s({server.process.pid})
    log = run_rows(read_log(log_folder), server.run_ns)
    try:
        reported = client.read(load)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise FailedTrialError(f"its result cannot be read: {error!r}") from error
    return Trial(
        client=client.name,
        output_tokens=load.output_tokens,
        load_average=load_average,
        cpu_run_s=server.cpu_at_idle_s - server.cpu_at_run_s,
        cpu_s=cpu_at_end_s - server.cpu_at_run_s,
        truth=truth_of(log, load.streams),
        reported=reported,
        lag=_lag(log, reported),
    )


def _lag(log: ServerLog, reported: Reported) -> Spread | None:
    return None if reported.stamps is None else stamp_lag(log, reported.stamps)


def replace_url(load: Load, port: int) -> Load:
    """Return the load aimed at a port of this machine."""
    return replace(load, url=f"http://127.0.0.1:{port}")


def run_client(
    argv: list[str], log: Path, hear: Callable[[str], None], environ: Mapping[str, str]
) -> None:
    """Run a client's command to its end, in a session of its own.

    Args:
        argv: the command.
        log: takes what it prints.
        hear: called with each line as it is printed.
        environ: variables beside our own.

    Raises:
        FailedTrialError: it failed or took too long.
    """
    process = subprocess.Popen(
        argv,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        cwd=log.parent,
        env={**os.environ, **_SETTINGS, **environ},
        start_new_session=True,
    )
    listener = threading.Thread(target=_copy, args=(process, log, hear))
    listener.start()
    try:
        code = process.wait(_LIMIT_S)
    except subprocess.TimeoutExpired as error:
        raise FailedTrialError(f"it took more than {_LIMIT_S:.0f} s") from error
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        listener.join(_PATIENCE_S)
    if code:
        tail = log.read_text(encoding="utf-8", errors="replace")[-_TAIL:]
        raise FailedTrialError(f"it ended with exit code {code}: {tail}")


def _copy(process: subprocess.Popen[str], log: Path, hear: Callable[[str], None]) -> None:
    assert process.stdout is not None  # noqa: S101  we opened it
    with log.open("w", encoding="utf-8") as out:
        for line in process.stdout:
            out.write(line)
            hear(line)

"""Starts a scenario's engine, waits until it is ready, and ends it with all its processes."""

from __future__ import annotations

import datetime as dt
import secrets
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tco.errors import InputError
from tco.measure.engine_command import EngineCommand, engine_command, free_port
from tco.measure.engine_handle import EngineHandle, server_facts
from tco.measure.engine_http import EngineClient
from tco.measure.engine_process import START_ID_VARIABLE, end, spawn
from tco.measure.engine_record import EngineRecord, delete_record, end_abandoned, write_record
from tco.measure.interrupts import held_interrupts
from tco.measure.process_mark import process_state, this_process
from tco.measure.readiness import Loading, wait_until_ready
from tco.measurement import EngineFacts
from tco.scenario import Launch, Scenario

START_TIMEOUT_S = 600.0


class _Launch:
    """One start of an engine: exists before the process does, so that it can always be ended."""

    def __init__(self, command: EngineCommand, model: str, log_path: Path) -> None:
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.record = EngineRecord(
            start_id=secrets.token_hex(8),
            owner=this_process(),
            url=f"http://127.0.0.1:{command.port}",
            model=model,
            log_path=str(log_path),
            started_at=dt.datetime.now(dt.UTC),
        )

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process, its record first.

        Were we killed between the two, the start id in the environment of its
        processes would still lead to them.
        """
        with held_interrupts():
            write_record(self.record)
            env = {**self.command.env, START_ID_VARIABLE: self.record.start_id}
            self.process = spawn(self.command.argv, env, Path(self.record.log_path))
            state = process_state(self.process.pid)
            self.record = self.record.model_copy(update={"leader": state.mark if state else None})
            write_record(self.record)
        return self.process

    def keep(self) -> None:
        """Let the engine outlive us."""
        self.record = self.record.model_copy(update={"owner": None})
        write_record(self.record)

    def stop(self) -> None:
        """End all its processes; a second Ctrl-C meanwhile goes to KILL and abandons nothing."""
        with held_interrupts() as held:
            end(self.record.tree(), forced=lambda: held.count > 0, reap=self._reap)
            delete_record(self.record)

    def _reap(self) -> None:
        if self.process is not None:
            self.process.poll()


@contextmanager
def launched_engine(
    launch: Launch,
    *,
    log_path: Path,
    on_progress: Callable[[str], None],
    timeout_s: float = START_TIMEOUT_S,
) -> Iterator[EngineHandle]:
    """Start an engine, hand it out when ready, and end it however the block is left.

    Engines that an earlier `tco` left behind are ended first: they would share the
    machine with this one.

    Raises:
        InputError: what the scenario says of the engine cannot be used.
        EngineError: it cannot be started, was not ready in time, or cannot be ended.
    """
    command = engine_command(launch, port=free_port(), api_key=secrets.token_urlsafe(32))
    end_abandoned(on_progress)
    started = _Launch(command, launch.model, log_path)
    try:
        yield _ready(started, timeout_s=timeout_s, on_progress=on_progress)
    finally:
        started.stop()


def start_launched_to_stay(
    scenario: Scenario,
    *,
    log_path: Path,
    api_key: str | None,
    on_progress: Callable[[str], None],
) -> EngineHandle:
    """Start an engine that outlives us; `tco engine stop` ends it.

    Args:
        scenario: has `engine.launch`.
        log_path: where its log goes.
        api_key: what its clients will have to send; None for no key.
        on_progress: told what happens.

    Raises:
        InputError, EngineError: as `launched_engine`.
    """
    launch = scenario.engine.launch if scenario.engine else None
    if launch is None:
        raise InputError(
            "the scenario has no engine to start",
            key="engine.launch",
            remedy="add engine.launch with the model",
        )
    command = engine_command(launch, port=free_port(), api_key=api_key)
    end_abandoned(on_progress)
    started = _Launch(command, launch.model, log_path)
    try:
        handle = _ready(started, timeout_s=START_TIMEOUT_S, on_progress=on_progress)
        started.keep()
    except BaseException:
        started.stop()
        raise
    return handle


def _ready(
    started: _Launch, *, timeout_s: float, on_progress: Callable[[str], None]
) -> EngineHandle:
    command = started.command
    settings = [f"{name}={shlex.quote(value)}" for name, value in command.stated_env.items()]
    on_progress("starting: " + " ".join([*settings, shlex.join(command.stated_argv)]))
    process = started.start()
    record = started.record
    with EngineClient(record.url, command.api_key) as client:
        loading = Loading(
            process=process,
            tree=record.tree(),
            client=client,
            port=command.port,
            served_model=command.served_model,
            log_path=Path(record.log_path),
        )
        start_s = wait_until_ready(loading, timeout_s=timeout_s, on_progress=on_progress)
        server = server_facts(client, client.metrics())
    on_progress(f"the engine is ready after {start_s:.0f} s: {server.name} {server.version or ''}")
    return EngineHandle(
        url=record.url,
        served_model=command.served_model,
        api_key=command.api_key,
        facts=EngineFacts(
            name=server.name,
            version=server.version,
            model=record.model,
            model_is_dummy=command.model_is_dummy,
            attached=False,
            url=record.url,
            command=command.stated_argv,
            env=command.stated_env,
            settings=server.settings,
            start_s=start_s,
            start_id=record.start_id,
        ),
        log_path=Path(record.log_path),
        model_dir=command.model_dir,
        pid=process.pid,
        findings=(),
        alive=lambda: process.poll() is None,
    )

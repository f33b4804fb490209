"""The record of a trial whose engine did not start or answer: its settings, and its last words."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from tco.errors import EngineError
from tco.measure.engine_command import serve_line
from tco.measurement import Record
from tco.output_file import write_whole
from tco.scenario import Launch
from tco.tune.records import record_bytes

FAILED_NAME: Final = "failed.json"


class FailedStart(Record):
    """Why a trial has no measurement.

    Attributes:
        command: the line that starts this engine, without secrets.
        log_tail: the last lines of its log; the whole of it lies in `raw/engine.log`.
    """

    schema_: Literal["tco.failed-start/1"] = Field(alias="schema", default="tco.failed-start/1")
    message: str
    command: str
    log_tail: tuple[str, ...]


def write_failed(folder: Path, launch: Launch, error: EngineError) -> None:
    """Write the record into a trial's folder.

    Raises:
        InputError: it cannot be written.
    """
    found = FailedStart(
        message=error.message, command=serve_line(launch), log_tail=tuple(error.log_tail)
    )
    write_whole(folder / FAILED_NAME, record_bytes(found))

"""The record on disk of a started engine, so that a later `tco` can end one left behind."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from tco.measure.engine_process import EngineTree, end, members
from tco.measure.interrupts import held_interrupts
from tco.measure.process_mark import ProcessMark, boot_id, host_name, is_running
from tco.measurement import Record


class EngineRecord(Record):
    """A started engine and who answers for it; holds no key.

    Attributes:
        leader: the process started; None until it is known.
        owner: the `tco` that ends it; None for one that was started to stay.
    """

    schema_: Literal["tco.engine/1"] = Field(alias="schema", default="tco.engine/1")
    start_id: str = Field(pattern=r"^[0-9a-f]{8,64}$")
    host: str = Field(default_factory=host_name)
    boot_id: str = Field(default_factory=boot_id)
    leader: ProcessMark | None = None
    owner: ProcessMark | None = None
    url: str
    model: str
    log_path: str
    started_at: dt.datetime

    def tree(self) -> EngineTree:
        """Return what its processes are known by."""
        return EngineTree(self.start_id, self.leader)

    def is_abandoned(self) -> bool:
        """Say whether its owner is gone; one started to stay never is."""
        return self.owner is not None and not is_running(self.owner)


def records_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the records, by the XDG rules."""
    state = environ.get("XDG_STATE_HOME") or Path(environ.get("HOME", "~"), ".local/state")
    return Path(state).expanduser() / "tco" / "engines"


def write_record(record: EngineRecord) -> Path:
    """Write a record, replacing an older one of the same start."""
    folder = records_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{record.start_id}.json"
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    beside.write_text(record.model_dump_json(by_alias=True, indent=2) + "\n", encoding="utf-8")
    beside.replace(path)
    return path


def delete_record(record: EngineRecord) -> None:
    """Delete a record; one that is already gone is no error."""
    records_folder().joinpath(f"{record.start_id}.json").unlink(missing_ok=True)


def records() -> tuple[EngineRecord, ...]:
    """Return the records of this machine's present boot, oldest first.

    One from before a restart is deleted: its processes are gone. One of another
    machine (a shared home folder) is left alone.
    """
    found = []
    for path in records_folder().glob("*.json"):
        # A file that is no record, or that another tco just deleted, is not ours to judge.
        with suppress(OSError, ValidationError):
            found.append(EngineRecord.model_validate_json(path.read_bytes()))
    here = [record for record in found if record.host == host_name()]
    for record in here:
        if record.boot_id != boot_id():
            delete_record(record)
    kept = (record for record in here if record.boot_id == boot_id())
    return tuple(sorted(kept, key=lambda record: record.started_at))


def end_abandoned(on_progress: Callable[[str], None]) -> tuple[EngineRecord, ...]:
    """End every engine whose owner is gone, and no other; return those that still ran."""
    return _end([record for record in records() if record.is_abandoned()], on_progress)


def end_abandoned_and_kept(on_progress: Callable[[str], None]) -> tuple[EngineRecord, ...]:
    """End every engine whose owner is gone and those started to stay; return those that ran."""
    unowned = [record for record in records() if record.owner is None or record.is_abandoned()]
    return _end(unowned, on_progress)


def _end(
    to_end: list[EngineRecord], on_progress: Callable[[str], None]
) -> tuple[EngineRecord, ...]:
    ran = []
    for record in to_end:
        if members(record.tree()):
            on_progress(f"ending the engine at {record.url} ({record.model})")
            ran.append(record)
        with held_interrupts() as held:
            end(record.tree(), forced=lambda: held.count > 0, reap=lambda: None)
            delete_record(record)
    return tuple(ran)

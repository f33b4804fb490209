"""The record of a tuning on disk, as a report shows it: its ladder, or why there is none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from tco.errors import InputError
from tco.measurement import EngineFacts
from tco.measurement_file import read_measurement
from tco.scenario_file import LoadedScenario
from tco.search_document import Search
from tco.shapes import Shapes
from tco.tuning import Tuning

_MAX_BYTES: Final = 256 * 1024 * 1024
_LADDER: Final = "tco.tune/1"
_SEARCH: Final = "tco.search/1"

AnyRecord = Tuning | Search | Shapes
_MODELS: Final[dict[str | None, type[AnyRecord]]] = {
    _LADDER: Tuning,
    _SEARCH: Search,
    "tco.shapes/1": Shapes,
}


@dataclass(frozen=True, slots=True)
class TunedRecord:
    """What a file that should hold a tuning does hold.

    Attributes:
        place: of the file, in the user's words.
        tuning: None where it holds no ladder.
        engine: name and version of what was tuned; None where that is not known.
        why: there is no ladder to show, as the end of "The record …"; None where there is one.
    """

    place: str
    tuning: Tuning | None = None
    engine: str | None = None
    why: str | None = None


def tuned_record(loaded: LoadedScenario) -> TunedRecord | None:
    """Read the record that a scenario's tuned settings name, as seen from its file.

    It never fails: a report is made without its ladder too. None where the scenario names no
    record.
    """
    engine = loaded.scenario.engine
    tuned = None if engine is None else engine.tuned
    if tuned is None or tuned.record is None:
        return None
    return read_tuned_record(loaded.path.parent / tuned.record, tuned.record)


def is_of_tuning(path: Path) -> bool:
    """Say whether a file calls itself the record of a tuning, which has a report of its own."""
    try:
        return path.suffix == ".json" and _kind(path.read_bytes()) in _MODELS
    except (OSError, ValueError, RecursionError):
        return False


def read_any_record(path: Path) -> tuple[AnyRecord, str | None]:
    """Read the record of a tuning of any kind, with name and version of the engine.

    The latter is None where that is not known.

    Raises:
        InputError: it is not such a record, or not a whole one.
    """
    raw = path.read_bytes()
    model = _MODELS[_kind(raw)]
    try:
        record = model.model_validate_json(raw)
    except ValidationError:
        raise InputError(
            "is not a whole record of a tuning",
            file=str(path),
            remedy="give a record that `tco tune` wrote",
        ) from None
    if isinstance(record, Shapes):
        return record, None
    if isinstance(record, Search):
        return record, _words(engine_searched(record, path.parent))
    return record, _words(engine_tuned(record, path.parent))


def engine_searched(search: Search, folder: Path) -> EngineFacts | None:
    """Return the engine of a search, as the first trial tells whose measurement is there.

    Another host's worker keeps its measurements in a folder of its own.
    """
    files = (trial.measurement for trial in search.trials if trial.measurement is not None)
    for file in files:
        if (folder / file).is_file():
            return _engine_of(folder / file)
    return None


def engine_tuned(tuning: Tuning, folder: Path) -> EngineFacts | None:
    """Return the engine of a tuning, where a trial of its own settings is still there."""
    own = tuning.baseline
    return None if own is None else _engine_of(folder / own.measurement)


def read_tuned_record(path: Path, place: str) -> TunedRecord:
    """Read the record of a tuning, which messages call `place`."""
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            why = "is too large" if path.is_file() else "is not there"
            return TunedRecord(place, why=why)
        raw = path.read_bytes()
        kind = _kind(raw)
    except OSError as error:
        return TunedRecord(place, why=f"cannot be read: {error.strerror or error}")
    except (ValueError, RecursionError):  # no path, or no JSON
        kind = None
    if kind == _SEARCH:
        return TunedRecord(place, why="is of a search, which tries no ladder of steps")
    if kind != _LADDER:
        return TunedRecord(place, why="is not the record of a tuning")
    try:
        tuning = Tuning.model_validate_json(raw)
    except ValidationError:
        return TunedRecord(place, why="is not a whole record of a tuning")
    return TunedRecord(place, tuning, _words(engine_tuned(tuning, path.parent)))


def _kind(raw: bytes) -> str | None:
    tree = json.loads(raw)
    schema = tree.get("schema") if isinstance(tree, dict) else None
    return schema if isinstance(schema, str) else None


def _words(engine: EngineFacts | None) -> str | None:
    return None if engine is None else engine.name_and_version


def _engine_of(file: Path) -> EngineFacts | None:
    try:
        return read_measurement(file).measurement.engine
    except (InputError, ValueError):
        return None

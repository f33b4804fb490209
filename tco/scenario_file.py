"""A scenario as a file: read, overridden with `--set`, filled from catalog, bill and trace."""

from __future__ import annotations

import contextlib
import copy
import datetime as dt
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tco.catalog import catalog_row, filled
from tco.electricity import fill_power
from tco.errors import InputError
from tco.file_kind import wrong_schema
from tco.override import overridden, parse_override
from tco.scenario import Scenario
from tco.scenario_bill import with_bill
from tco.scenario_demand import with_demand
from tco.scenario_shape import hold_requests, with_means
from tco.scenario_template import scenario_text
from tco.validation import Place
from tco.yamlfile import YamlDocument, read_yaml, validate
from tco.yamltree import Loc

# Files count by their content; what is found in a bill fills other keys; limits of a tuning only
# judge what it measured.
_NOT_HASHED: Any = {
    "traffic": {"shape": {"trace": {"file"}}, "bill": {"files", "found"}},
    "engine": {"tuned": {"record"}},
    "tune": True,
}

__all__ = ["LoadedScenario", "load_scenario", "resolved", "scenario_sha256", "scenario_text"]


@dataclass(frozen=True, slots=True)
class LoadedScenario:
    """A scenario and where it came from.

    Attributes:
        scenario: as resolved: overrides applied, catalog rows filled in.
        path: the file.
        sha256: of the resolved scenario; formatting, comments and path do not count.
        document: the file's tree after overrides, which knows the lines.
    """

    scenario: Scenario
    path: Path
    sha256: str
    document: YamlDocument

    def place_of(self, key: str) -> Place:
        """Return where a dotted key stands, or the nearest key above it that is given."""
        return self.document.place(_loc(key))


def load_scenario(path: Path, sets: Sequence[str] = ()) -> LoadedScenario:
    """Read a scenario, apply `key=value` overrides, and fill in what it refers to.

    That is its hardware's catalog row, what its bill tells, and the means of its trace or session.

    Raises:
        InputError: with the file, or the `--set` argument, that the fault lies in.
    """
    return resolved(read_yaml(path), sets)


def resolved(read: YamlDocument, sets: Sequence[str] = ()) -> LoadedScenario:
    """Return the scenario of a file that was read, as `load_scenario` does.

    Raises:
        InputError: as `load_scenario`.
    """
    _refuse_other_file(read)
    overrides = [parse_override(text) for text in sets]
    document = overridden(read, overrides)
    tree = _with_region(_with_catalog(document), document)
    tree = with_means(with_bill(tree, document, overrides), document, overrides)
    tree = with_demand(tree, document)
    scenario = validate(Scenario, document, tree)
    hold_requests(scenario)
    return LoadedScenario(scenario, read.path, scenario_sha256(scenario), document)


def _refuse_other_file(read: YamlDocument) -> None:
    """Say that a file is one of tco's others before any key of it is found wrong."""
    wrong = wrong_schema(read.tree.get("schema"), "tco.scenario/1")
    if wrong is not None:
        place = read.place(("schema",))
        raise InputError(wrong[0], remedy=wrong[1], file=place.file, line=place.line, key="schema")


def scenario_sha256(scenario: Scenario) -> str:
    """Return the hash of what the scenario states: equal numbers and text, equal hash.

    A trace and a bill's files count by the hash of their content, not by their names; the record of
    a tuning does not count, nor do its limits.
    """
    tree = scenario.model_dump(by_alias=True, exclude=_NOT_HASHED)
    if tree["engine"] is not None and tree["engine"]["tuned"] is None:
        del tree["engine"]["tuned"]  # of an engine that was not tuned the hash is as ever
    text = json.dumps(
        tree,
        sort_keys=True,
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
        default=_plain,
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, dt.date):
        return value.isoformat()
    raise TypeError(f"a scenario holds no {type(value).__name__}")


def _with_catalog(document: YamlDocument) -> dict[str, Any]:
    tree: dict[str, Any] = copy.deepcopy(document.tree)
    _fill_hardware(document, "hardware", tree.get("hardware"), tree.get("power"))
    others = tree.get("other_hardware")
    for index, other in enumerate(others if isinstance(others, list) else ()):
        power = other.get("power") if isinstance(other, dict) else None
        _fill_hardware(document, f"other_hardware.{index}", other, power)
    return tree


def _fill_hardware(document: YamlDocument, key: str, hardware: object, power: object) -> None:
    row_id = hardware.get("catalog") if isinstance(hardware, dict) else None
    if isinstance(hardware, dict) and isinstance(row_id, str):
        with _placed(document, f"{key}.catalog"):
            filled(hardware, power if isinstance(power, dict) else None, catalog_row(row_id))


def _with_region(tree: dict[str, Any], document: YamlDocument) -> dict[str, Any]:
    """Fill the tree in place: it is our own copy."""
    _fill_region(document, "power", tree.get("power"), tree.get("currency"))
    others = tree.get("other_hardware")
    for index, other in enumerate(others if isinstance(others, list) else ()):
        power = other.get("power") if isinstance(other, dict) else None
        _fill_region(document, f"other_hardware.{index}.power", power, tree.get("currency"))
    return tree


def _fill_region(document: YamlDocument, key: str, power: object, currency: object) -> None:
    if isinstance(power, dict) and isinstance(power.get("region"), str):
        with _placed(document, f"{key}.region"):
            fill_power(power, currency)


@contextlib.contextmanager
def _placed(document: YamlDocument, key: str) -> Iterator[None]:
    """Give an InputError that names no file the place of the key."""
    try:
        yield
    except InputError as error:
        if error.file is not None:
            raise
        place = document.place(_loc(key))
        raise InputError(
            error.message, remedy=error.remedy, file=place.file, line=place.line, key=key
        ) from None


def _loc(key: str) -> Loc:
    return tuple(int(part) if part.isdigit() else part for part in key.split("."))

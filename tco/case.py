"""A case is a scenario with all that answers it: its measurement, the price tables, the date."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tco import __version__
from tco.errors import InputError
from tco.measurement import Measurement
from tco.measurement_file import published_measurement, read_measurement
from tco.prices import PriceTables, load_tables
from tco.results_folder import results_folder
from tco.scenario import Scenario, states_capacity
from tco.scenario_file import LoadedScenario, load_scenario


@dataclass(frozen=True, slots=True)
class Case:
    """What a comparison is made of.

    Attributes:
        measurement_sha256: of its file; None for a published figure, which has none.
        date: the scenario's, or today's.
    """

    loaded: LoadedScenario
    measurement: Measurement
    measurement_sha256: str | None
    tables: PriceTables
    date: dt.date


def load_case(
    scenario: Path,
    *,
    sets: Sequence[str] = (),
    measurement_file: Path | None = None,
    price_files: Sequence[Path] = (),
    today: dt.date | None = None,
) -> Case:
    """Read a scenario and what it is compared with.

    Args:
        scenario: its file.
        sets: `key=value` overrides.
        measurement_file: as `tco bench` wrote it; without one the scenario must publish a rate.
        price_files: the user's own tables, whose rows win.
        today: the date of a scenario that states none; the UTC date if left out.

    Raises:
        InputError: a file cannot be used, or there is no measurement.
    """
    loaded = load_scenario(scenario, sets)
    tables = load_tables(price_files)
    date = loaded.scenario.date or today or dt.datetime.now(tz=dt.UTC).date()
    if measurement_file is not None:
        found = read_measurement(measurement_file)
        _check_capacity(found.measurement, measurement_file)
        return Case(loaded, found.measurement, found.sha256, tables, date)
    shape = loaded.scenario.traffic.shape
    if loaded.scenario.measurement is None and not states_capacity(shape.mix):
        raise _no_measurement(loaded)
    start_of_day = dt.datetime.combine(date, dt.time(), tzinfo=dt.UTC)
    published = published_measurement(loaded.scenario, start_of_day, __version__)
    return Case(loaded, published, None, tables, date)


def measurement_for(case: Case, scenario: Scenario) -> Measurement:
    """Return the case's measurement, or a published one of the scenario at hand."""
    if case.measurement_sha256 is not None:
        return case.measurement
    return published_measurement(scenario, case.measurement.created_at, __version__)


@contextlib.contextmanager
def placed_errors(loaded: LoadedScenario) -> Iterator[None]:
    """Give an InputError that only knows its scenario key the file and line of that key."""
    try:
        yield
    except InputError as error:
        if error.file is not None:
            raise
        place = loaded.place_of(error.key) if error.key else None
        raise InputError(
            error.message,
            remedy=error.remedy,
            file=place.file if place else str(loaded.path),
            line=place.line if place else None,
            key=error.key,
        ) from None


def _check_capacity(measurement: Measurement, path: Path) -> None:
    try:
        rate = measurement.capacity().output_tok_per_s
    except ValueError as error:
        raise InputError(
            str(error), file=str(path), remedy="measure again with `tco bench`"
        ) from None
    if rate <= 0:
        raise InputError(
            f"the measurement's capacity is {rate:g} output tok/s, so there is no cost per token",
            file=str(path),
            remedy="measure again with `tco bench`",
        )


def _no_measurement(loaded: LoadedScenario) -> InputError:
    remedy = "run `tco bench` and give its file with -m, or state measurement.published"
    left = results_folder(loaded.scenario.name) / "measurement.json"
    if left.is_file():
        remedy = f"there is one of an earlier run: use it with -m {left}"
    return InputError(
        "the scenario has neither a measurement nor a published rate",
        file=str(loaded.path),
        key="measurement",
        remedy=remedy,
    )

"""A measurement on disk, read and written whole, or made of a published figure."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from tco.errors import InputError
from tco.file_kind import refuse_other_kind
from tco.input_file import read_bytes
from tco.measurement import (
    MeasuredShape,
    Measurement,
    PublishedFigure,
    measured_shape,
    rates_of,
)
from tco.output_file import write_whole
from tco.scenario import (
    MixEntry,
    Published,
    Scenario,
    mix_requests_per_s,
    mix_shares,
    states_capacity,
)
from tco.validation import Place, input_error

_MAX_BYTES = 256 * 1024 * 1024
_REMEDY = "give the measurement.json that `tco bench` or `tco import` wrote"


@dataclass(frozen=True, slots=True)
class LoadedMeasurement:
    """A measurement, the file it came from and the SHA-256 of that file's bytes."""

    measurement: Measurement
    path: Path
    sha256: str


def read_measurement(path: Path) -> LoadedMeasurement:
    """Read a measurement file.

    Raises:
        InputError: the file is missing, no JSON, or no `tco.measurement/1`.
    """
    place = str(path)
    raw = read_bytes(path, _MAX_BYTES, smaller=_REMEDY)
    refuse_other_kind(raw, "a measurement", path)
    if not raw.strip():
        raise InputError("is not a measurement: it is empty", file=place, remedy=_REMEDY)
    try:
        measurement = Measurement.model_validate_json(raw, strict=True)
    except ValidationError as error:
        raise _not_a_measurement(error, place) from None
    if "schema_" not in measurement.model_fields_set:
        raise InputError(
            "is not a measurement: it names no schema", file=place, key="schema", remedy=_REMEDY
        )
    return LoadedMeasurement(measurement, path, hashlib.sha256(raw).hexdigest())


def _not_a_measurement(error: ValidationError, file: str) -> InputError:
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        problem, line = first["ctx"]["error"], re.search(r"line (\d+)", first["msg"])
        return InputError(
            f"is not a measurement: not valid JSON ({problem.split(' at line')[0]})",
            file=file,
            line=int(line[1]) if line else None,
            remedy=_REMEDY,
        )
    fault = input_error(error, Measurement, lambda _: Place(file, None))
    return InputError(
        f"is not a measurement: {fault.message}", file=file, key=fault.key, remedy=_REMEDY
    )


def measurement_bytes(measurement: Measurement) -> bytes:
    """Return the file's bytes: the same measurement gives the same bytes."""
    text = measurement.model_dump_json(by_alias=True, indent=1)
    return (text + "\n").encode()


def write_measurement(measurement: Measurement, path: Path) -> None:
    """Write the measurement beside `path`, then put it in place, so that no half file is seen.

    Raises:
        InputError: the folder cannot be made or the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"its folder cannot be written: {error.strerror or error}",
            file=str(path),
            remedy="choose a place you may write to with -o",
        ) from error
    write_whole(path, measurement_bytes(measurement))


def published_measurement(
    scenario: Scenario, created_at: dt.datetime, tool_version: str
) -> Measurement:
    """Return the scenario's published figure as a measurement without points.

    Rates follow from the shape: requests/s = output tok/s ÷ output tokens, or total
    tok/s ÷ (input + output tokens). Of a mix whose shapes each state their capacity, it is
    what these give together.

    Raises:
        InputError: the scenario publishes no figure.
    """
    shape = measured_shape(scenario.traffic.shape)
    mix = scenario.traffic.shape.mix
    if mix is not None and states_capacity(mix):
        alone = [each.requests_per_s.value for each in mix if each.requests_per_s is not None]
        requests_per_s = float(mix_requests_per_s(mix_shares(mix), alone))
        published = PublishedFigure(source=_sources(mix), date=None)
    elif scenario.measurement is not None:
        figure = scenario.measurement.published
        requests_per_s = _requests_per_s(figure, shape)
        published = PublishedFigure(source=figure.source, date=figure.date)
    else:
        raise InputError(
            "the scenario has no published figure",
            key="measurement.published",
            remedy="run `tco bench`, or state measurement.published with its source",
        )
    return Measurement(
        tool_version=tool_version,
        created_at=created_at,
        origin="published",
        shape=shape,
        published_rates=rates_of(requests_per_s, shape),
        published=published,
    )


def _sources(mix: Sequence[MixEntry]) -> str:
    """Where the capacity of each shape is from."""
    named = [
        f"{each.name}: {each.requests_per_s.source}"
        for each in mix
        if each.requests_per_s is not None and each.requests_per_s.source
    ]
    return "; ".join(named) or "the scenario's capacity of each shape alone"


def _requests_per_s(figure: Published, shape: MeasuredShape) -> float:
    if figure.requests_per_s is not None:
        return figure.requests_per_s.value
    if figure.output_tok_per_s is not None:
        return figure.output_tok_per_s.value / shape.output_tokens
    assert figure.total_tok_per_s is not None  # noqa: S101  Published holds exactly one rate
    return figure.total_tok_per_s.value / (shape.input_tokens + shape.output_tokens)

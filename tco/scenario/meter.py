"""The power meter of a bench: found, left out, or named."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from tco.quantity import Model, at_most_one, fault, shown
from tco.scenario.http_url import http_url

Word = Literal["auto", "none", "nvml", "rapl"]


def _as_labels(raw: object) -> object:
    if not isinstance(raw, Mapping):
        raise fault(f"must be a mapping of labels to values, got {shown(raw)}")
    return {name: _label_values(str(name), values) for name, values in raw.items()}


def _label_values(name: str, raw: object) -> tuple[str, ...]:
    if not (name.isascii() and name.isidentifier()):
        raise fault(f"must have names of letters, digits and _, got {shown(name)}")
    values = raw if isinstance(raw, list | tuple) else (raw,)
    if not values or not all(type(value) in {str, int} for value in values):
        raise fault(f"must be text, or a list of texts, got {shown(raw)}", key=name)
    return tuple(str(value) for value in values)


_LabelInput = dict[str, str | int | list[str | int]]
Labels = Annotated[
    dict[str, tuple[str, ...]], BeforeValidator(_as_labels, json_schema_input_type=_LabelInput)
]


class PowerMeter(Model):
    """Which meter to read.

    Attributes:
        use: `auto` takes NVML and RAPL where they can be read, `none` no meter; `nvml` and
            `rapl` only that one, which must then be readable.
        prometheus: the URL of a Prometheus that scrapes a DCGM exporter.
        labels: which of its series; one value or several for a label.
        wall_csv: a wall meter's export, read after the run.
        timezone: of the times in it that state none; an IANA name or an offset like +02:00.
    """

    use: Word = "auto"
    prometheus: str | None = None
    labels: Labels = Field(default_factory=dict)
    wall_csv: str | None = Field(default=None, min_length=1)
    timezone: str | None = None

    @field_validator("prometheus")
    @classmethod
    def _http(cls, url: str | None) -> str | None:
        if url is None:
            return None
        return http_url(
            url,
            example="write for example http://127.0.0.1:9090",
            in_place_of_the_rest="leave user, query and fragment out",
        )

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        if name is not None:
            timezone_of(name)
        return name

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        at_most_one(self, "prometheus", "wall_csv")
        given = self.prometheus or self.wall_csv
        if given and self.use != "auto":
            raise fault(f"cannot be {self.use} beside a meter that is named", key="use")
        for key, owner in (("labels", "prometheus"), ("timezone", "wall_csv")):
            if getattr(self, key) and not getattr(self, owner):
                raise fault(f"needs `{owner}` beside it", key=key)
        return self


def timezone_of(name: str) -> dt.tzinfo:
    """Return a time zone by its IANA name, or by an offset like +02:00.

    Raises:
        PydanticCustomError: there is none of that name.
    """
    try:
        if name[:1] in {"+", "-"}:
            return dt.datetime.strptime(name, "%z").tzinfo or dt.UTC
        return zoneinfo.ZoneInfo(name)
    except (ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
        remedy = "write for example Europe/Berlin, UTC or +02:00"
        raise fault(f"must be a time zone, got {shown(name)}", remedy) from None


def _as_meter(raw: object) -> object:
    if isinstance(raw, str):
        return {"use": raw}
    if isinstance(raw, Mapping | PowerMeter):
        return raw
    known = "auto, none, nvml, rapl, {prometheus: URL} or {wall_csv: FILE}"
    raise fault(f"must be one of {known}, got {shown(raw)}")


MeterKey = Annotated[
    PowerMeter, BeforeValidator(_as_meter, json_schema_input_type=Word | PowerMeter)
]

"""A RunRecord is what a measurement holds besides its points, kept beside their records."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, Self

from pydantic import Field, ValidationError

from tco.errors import InputError
from tco.measurement import Measurement, Record
from tco.output_file import write_whole

RUN: Final = "run.json"


class RunRecord(Record):
    """The measurement without its points, the folders of these, and which were chosen."""

    schema_: Literal["tco.run_record/1"] = Field(alias="schema", default="tco.run_record/1")
    measurement: Measurement
    points: tuple[str, ...]
    capacity_point: int | None
    target_point: int | None

    @classmethod
    def of(cls, measurement: Measurement, folders: tuple[str, ...]) -> Self:
        """Return the record of a measurement whose points lie in these folders."""
        bare = {"points": (), "capacity_point": None, "target_point": None}
        return cls(
            measurement=measurement.model_copy(update=bare),
            points=folders,
            capacity_point=measurement.capacity_point,
            target_point=measurement.target_point,
        )

    def save(self, raw: Path) -> None:
        """Write it into the raw folder.

        Raises:
            InputError: it cannot be written.
        """
        write_whole(raw / RUN, self.model_dump_json(by_alias=True, indent=1) + "\n")


def load_run(raw: Path) -> RunRecord:
    """Read the record of a run from its raw folder.

    Raises:
        InputError: there is none, or it is damaged.
    """
    path = raw / RUN
    try:
        return RunRecord.model_validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        reason = error.strerror or str(error)
    except ValidationError as error:
        reason = error.errors(include_url=False)[0]["msg"]
    raise InputError(
        f"cannot be read: {reason}",
        file=str(path),
        remedy="give the raw folder that `tco bench` wrote, as it wrote it",
    )

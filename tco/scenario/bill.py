"""A provider's bill as a scenario's traffic: its files, and which part of them counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    BeforeValidator,
    Field,
    InstanceOf,
    PrivateAttr,
    StrictBool,
    StringConstraints,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from tco.bill import BillFacts
from tco.quantity import Date, Model, Positive, fault

_Text = Annotated[str, StringConstraints(min_length=1)]


def _as_list(raw: object) -> object:
    return [raw] if isinstance(raw, str) else raw


def as_bill(raw: object) -> object:
    """Return a bill that is stated as its file or files alone as the mapping it stands for."""
    return {"files": raw} if isinstance(raw, str | list) else raw


_Texts = Annotated[
    tuple[_Text, ...], BeforeValidator(_as_list, json_schema_input_type=str | tuple[_Text, ...])
]


class BillSource(Model):
    """Exports of a provider, whose sums are joined.

    Attributes:
        files: relative to the scenario's folder.
        model: patterns with `*` and `?`; a row counts where its model matches any of them.
        from_: the first day that counts, UTC.
        to: the last day that counts, UTC.
        requests_per_day: where the export counts no requests.
        same_weights: whether the models that were paid for are the ones that we would serve.
        sha256: of the files, sorted; found when they are read, or stated to be sure of them.
        found: what the files tell; found when they are read.
    """

    files: Annotated[_Texts, Field(min_length=1)]
    model: Annotated[_Texts, Field(min_length=1)] | None = None
    from_: Date | None = Field(default=None, alias="from")
    to: Date | None = None
    requests_per_day: Positive | None = None
    same_weights: StrictBool | None = None
    sha256: Annotated[_Texts, Field(min_length=1)] | None = None
    found: SkipJsonSchema[InstanceOf[BillFacts] | None] = None
    _folder: Path = PrivateAttr(default=Path())

    def model_post_init(self, context: object) -> None:
        """Keep the folder of the scenario's file, which is no part of what the scenario states."""
        if isinstance(context, Mapping):
            self._folder = context["folder"]

    @model_validator(mode="after")
    def _days_in_order(self) -> Self:
        if self.from_ is not None and self.to is not None and self.to < self.from_:
            raise fault(f"must not be before `from` ({self.from_}), got {self.to}", key="to")
        return self

    def paths(self) -> tuple[Path, ...]:
        """Return where the files lie."""
        return tuple(self._folder / file for file in self.files)

"""A SweepDocument is the JSON of a sweep: column names, rows of cells, findings."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tco.finding import Finding
from tco.part import Part


class SweepDocument(Part):
    """What `tco sweep --json` prints.

    Attributes:
        columns: a varied key each, `alternative`, then the figures.
        rows: one a point and alternative, in the order of `columns`; null means "there is none".
        findings: of the measurement on which all points rest, and of the sweep itself.
    """

    schema_: Literal["tco.sweep/1"] = Field(alias="schema")
    columns: tuple[str, ...]
    rows: tuple[tuple[float | str | bool | None, ...], ...]
    findings: tuple[Finding, ...]

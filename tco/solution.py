"""A Solution says at which values of a key a figure meets a target; `tco.solve/1`."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import Field

from tco.finding import Finding
from tco.part import Part


class Crossing(Part):
    """One value at which the target is met, or passed in a jump.

    Attributes:
        value: of the key; of a jump the first one after it.
        figure: at the value.
        before: the figure just before a jump (a replica more, a price's tier); None without one.
        rises: whether the figure grows with the key there.
    """

    value: float
    figure: float
    before: float | None
    rises: bool


class Answer(Part):
    """The values against one alternative.

    Attributes:
        alternative: None where the figure is own cost alone, or there is no alternative.
        now: the figure as the scenario is.
        met: in rising order of the value, the first ones where there are very many.
        more: how many others.
        nearest_value: where the target is missed by least, if it is not met.
        nearest_figure: the figure there.
        reason: why the target is not met.
    """

    alternative: str | None
    now: float | None
    met: tuple[Crossing, ...]
    more: int = 0
    nearest_value: float | None = None
    nearest_figure: float | None = None
    reason: Literal["not_reached", "changes_nothing", "no_figure"] | None = None


class Solution(Part):
    """Where a figure meets a target, against each alternative.

    Attributes:
        value_now: of the key; None where the scenario does not state it.
        low: the lowest value that was tried; `high` the highest.
    """

    schema_: Literal["tco.solve/1"] = Field(alias="schema", default="tco.solve/1")
    tool_version: str
    date: dt.date
    name: str
    key: str
    value_now: float | None
    field: str
    target: float
    low: float
    high: float
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...] = ()

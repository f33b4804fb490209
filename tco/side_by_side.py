"""A SideBySide is several scenarios and their answers: what differs, and what that does.

Its JSON is `tco.side_by_side/1`. Money is USD; shares are 0 to 1; `None` means "there is none".
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tco.comparison import Comparison
from tco.part import Part


class Side(Part):
    """One scenario and its answer.

    Attributes:
        label: its name, told apart by its file where another has the same.
        file: as it was given.
        measurement_file: likewise; None of a published rate.
    """

    label: str
    file: str
    measurement_file: str | None
    comparison: Comparison


class InputValue(Part):
    """A value of one scenario, in the unit its key carries; None where it is not stated."""

    value: float | bool | str | None
    low: float | None = None
    high: float | None = None


class DifferingInput(Part):
    """A key of the scenario whose value is not the same in all; one value a scenario."""

    key: str
    values: tuple[InputValue, ...]


class Step(Part):
    """The first scenario's answer with these keys alone as in another.

    Attributes:
        keys: one, or a section that can only be changed as a whole.
        saving: against the headline's alternative then, `against`.
        saving_change: less the first scenario's own.
    """

    keys: tuple[str, ...]
    against: str | None
    saving: float | None
    saving_change: float | None
    saving_usd_per_year: float | None
    saving_usd_per_year_change: float | None


class Attribution(Part):
    """What each difference does on the way from the first scenario to another.

    Attributes:
        scenario: the other one's place, from 0.
        steps: those that change the saving, the largest change first.
        changes_nothing: keys that differ and move no saving by themselves.
        not_alone: keys that cannot be changed by themselves, nor with their section.
        saving_change: with all changed together.
        sum_of_changes: of the steps; what it lacks to `saving_change` is of keys that act together.
    """

    scenario: int
    steps: tuple[Step, ...]
    changes_nothing: tuple[str, ...]
    not_alone: tuple[str, ...]
    saving_change: float | None
    sum_of_changes: float | None


class SideBySide(Part):
    """Several scenarios; the first is the one that the others are held against.

    Attributes:
        equal_inputs: keys whose values are the same in all.
        same_request: the tokens of a request are the same, so the cost of one may be compared.
        same_volume: all serve as many requests a year, so sums of money may be compared.
    """

    schema_: Literal["tco.side_by_side/1"] = Field(alias="schema", default="tco.side_by_side/1")
    tool_version: str
    sides: tuple[Side, ...]
    inputs: tuple[DifferingInput, ...]
    equal_inputs: int
    same_request: bool
    same_volume: bool
    attributions: tuple[Attribution, ...]

"""A WhatIf is a case that can be asked again with other values: for sweeps and for solving."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tco.case import Case, load_case, measurement_for
from tco.measurement import Measurement
from tco.prices import PriceTables
from tco.scenario import Scenario
from tco.scenario_file import load_scenario


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A case, and the scenario that it becomes under further values.

    Attributes:
        case: as stated.
        scenario: returns the scenario under `key=value` overrides, validated.
    """

    case: Case
    scenario: Callable[[Sequence[str]], Scenario]

    @property
    def tables(self) -> PriceTables:
        """Price rows that alternatives may name."""
        return self.case.tables

    def date_of(self, scenario: Scenario) -> dt.date:
        """Return the day whose prices hold."""
        return scenario.date or self.case.date

    def measurement_of(self, scenario: Scenario) -> Measurement:
        """Return the measurement that goes with a scenario."""
        return measurement_for(self.case, scenario)


def load_what_if(
    scenario: Path,
    *,
    sets: Sequence[str] = (),
    measurement_file: Path | None = None,
    price_files: Sequence[Path] = (),
) -> WhatIf:
    """Read a scenario and what it is compared with, to be varied.

    Raises:
        InputError: as `load_case`.
    """
    case = load_case(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )
    return WhatIf(case, lambda values: load_scenario(scenario, [*sets, *values]).scenario)

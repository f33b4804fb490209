"""The second currency of a workbook: its code, and the cell with its rate."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.workbook.formula import Term, if_, is_number
from tco.report.workbook.given import RATE_KEY
from tco.report.workbook.inputs import Inputs
from tco.scenario import Scenario


@dataclass(frozen=True, slots=True)
class SecondCurrency:
    """A currency that money is shown in beside USD, at the rate of the sheet Inputs."""

    code: str
    usd_per_unit: Term

    def of(self, usd: Term) -> Term:
        """Return an amount in it; a word that stands instead of an amount stays."""
        return if_(is_number(usd), usd / self.usd_per_unit, usd)


def second_currency(scenario: Scenario, inputs: Inputs) -> SecondCurrency | None:
    """Return the scenario's currency; None where it is USD alone."""
    code = scenario.currency.code
    return None if code == "USD" else SecondCurrency(code, inputs.given(RATE_KEY))

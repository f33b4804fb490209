"""Operations, finance, and the currency a report shows."""

from __future__ import annotations

import re
from typing import Literal, Self

from pydantic import model_validator

from tco.quantity import (
    Amount,
    Change,
    Date,
    Model,
    Positive,
    Quantity,
    Rate,
    Share,
    ShareBelowOne,
    Years,
    fault,
    shown,
)


class Operations(Model):
    """What it takes to run the fleet, in its first year.

    Attributes:
        colocation_usd_per_kw_month: for each kW of the servers' contracted IT load, which is
            `power.load_w`, before PUE.
        failures_per_accelerator_year: expected; each costs `repair_usd_per_failure`.
    """

    maintenance_share_per_year: Rate = Quantity(value=0.0)
    licence_usd_per_accelerator_year: Amount = Quantity(value=0.0)
    hosting_usd_per_month: Amount = Quantity(value=0.0)
    colocation_usd_per_kw_month: Amount = Quantity(value=0.0)
    failures_per_accelerator_year: Amount = Quantity(value=0.0)
    repair_usd_per_failure: Amount = Quantity(value=0.0)
    fte: Amount = Quantity(value=0.0)
    fte_usd_per_year: Amount = Quantity(value=0.0)
    other_usd_per_year: Amount = Quantity(value=0.0)
    growth_per_year: Change = Quantity(value=0.0)

    @model_validator(mode="after")
    def _in_pairs(self) -> Self:
        return self.hold_pairs()

    def hold_pairs(self, under: str = "") -> Self:
        """See that staff has a salary and repairs a number; `under` starts the key of a fault."""
        if self.fte.value > 0 and "fte_usd_per_year" not in self.model_fields_set:
            remedy = "say what one costs a year"
            raise fault("needs fte_usd_per_year beside it", remedy, key=f"{under}fte")
        repair, failures = "repair_usd_per_failure", "failures_per_accelerator_year"
        if self.repair_usd_per_failure.value > 0 and failures not in self.model_fields_set:
            remedy = "say how many are to be expected"
            raise fault(f"needs {failures} beside it", remedy, key=under + repair)
        return self


class OtherOperations(Model):
    """What other hardware costs to run where that differs; what is left out is the scenario's."""

    maintenance_share_per_year: Rate | None = None
    licence_usd_per_accelerator_year: Amount | None = None
    hosting_usd_per_month: Amount | None = None
    colocation_usd_per_kw_month: Amount | None = None
    failures_per_accelerator_year: Amount | None = None
    repair_usd_per_failure: Amount | None = None
    fte: Amount | None = None
    fte_usd_per_year: Amount | None = None
    other_usd_per_year: Amount | None = None

    def over(self, scenarios: Operations) -> Operations:
        """Return the scenario's operations with these in their place."""
        stated = {name: value for name, value in self if value is not None}
        return scenarios.model_copy(update=stated)


class Finance(Model):
    """How money of different years is put on one footing."""

    method: Literal["annuity", "straight_line"] = "annuity"
    discount_rate: Rate = Quantity(value=0.08)
    horizon_years: Years | None = None
    api_price_change_per_year: Change = Quantity(value=0.0)
    stress_api_price_change_per_year: Change = Quantity(value=-0.3)
    refresh_price_change_per_year: Change = Quantity(value=0.0)
    tax_rate: ShareBelowOne = Quantity(value=0.0)
    tax_book_value_share: Share | None = None


class Currency(Model):
    """The currency a report shows; money in the scenario is always USD."""

    code: str
    usd_per_unit: Positive = Quantity(value=1.0)
    source: str | None = None
    date: Date | None = None

    @model_validator(mode="after")
    def _code_and_rate(self) -> Self:
        if not re.fullmatch(r"[A-Z]{3}", self.code):
            raise fault(f"must be three capitals like EUR, got {shown(self.code)}")
        if self.code != "USD" and "usd_per_unit" not in self.model_fields_set:
            raise fault(
                f"needs a rate to show {self.code}",
                f"write {{code: {self.code}, usd_per_unit: 1.09}} with today's rate",
            )
        if self.code == "USD" and self.usd_per_unit.value != 1:
            raise fault(f"must be 1 for USD, got {self.usd_per_unit.value:g}", key="usd_per_unit")
        return self

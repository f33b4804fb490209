"""What is seen of a case at many points at once: as much as the fields asked for need."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tco.cost.carbon import Carbon, carbon, carbon_terms_of
from tco.cost.cash import CASH_FIGURES, CashTerms, cash_flows
from tco.cost.cash_terms import cash_terms_of
from tco.cost.evaluate import Evaluation, Inputs, evaluate, fleet_at_peak
from tco.cost.finance import CashFlow
from tco.cost.fleet import Fleet
from tco.cost.inputs import inputs_of
from tco.cost.number import FloatArray, Number
from tco.cost.reader import Reader
from tco.scenario import Scenario
from tco.units import SECONDS_PER_YEAR
from tco.what_if import WhatIf

CARBON_FIGURES = tuple(each.name for each in dataclasses.fields(Carbon))
# The figures of the cash flow that a comparison gives under the stress of the API's price.
STRESS_FIGURES: Mapping[str, Callable[[CashFlow, Number], Number]] = MappingProxyType(
    {f"stress_{name}": figure for name, figure in CASH_FIGURES.items() if name != "irr"}
)
_STRESS_KEY = "finance.stress_api_price_change_per_year"


@dataclass(frozen=True, slots=True)
class Seen:
    """One evaluation and what it rests on.

    Attributes:
        flows: the cash flow against each alternative, where a field asks for it;
            `stress_flows` and `carbon` likewise.
    """

    inputs: Inputs
    at: Evaluation
    flows: tuple[CashFlow, ...] = ()
    stress_flows: tuple[CashFlow, ...] = ()
    carbon: Carbon | None = None

    def requests_per_year(self) -> Number:
        """Return what the fleet serves."""
        return self.at.served_requests_per_s * SECONDS_PER_YEAR

    def peak_fleet(self) -> Fleet:
        """Return the fleet at the peak, as a comparison counts it."""
        return fleet_at_peak(self.inputs, self.at.fleet)


def seen_at(
    what_if: WhatIf,
    scenario: Scenario,
    overrides: Mapping[str, FloatArray],
    names: Sequence[str],
) -> Seen:
    """Return the evaluation that these fields need, and no more than they need.

    Raises:
        ValueError: a number outside its range.
    """
    measurement, date = what_if.measurement_of(scenario), what_if.date_of(scenario)
    inputs, _ = inputs_of(scenario, measurement, what_if.tables, date, overrides)
    evaluation = evaluate(inputs)
    read = Reader(scenario, overrides)

    def flows(
        figures: Mapping[str, object], terms: Callable[[], CashTerms]
    ) -> tuple[CashFlow, ...]:
        return cash_flows(inputs, evaluation, terms()) if _asks(names, figures) else ()

    return Seen(
        inputs=inputs,
        at=evaluation,
        flows=flows(CASH_FIGURES, lambda: cash_terms_of(scenario, overrides)[0]),
        stress_flows=flows(STRESS_FIGURES, lambda: _stressed(read)),
        carbon=carbon(carbon_terms_of(read), inputs, evaluation)
        if _asks(names, CARBON_FIGURES)
        else None,
    )


def keys_used(
    what_if: WhatIf,
    scenario: Scenario,
    overrides: Mapping[str, FloatArray],
    names: Sequence[str],
) -> frozenset[str]:
    """Return which of the overridden keys these fields rest on."""
    measurement, date = what_if.measurement_of(scenario), what_if.date_of(scenario)
    _, used = inputs_of(scenario, measurement, what_if.tables, date, overrides)
    if _asks(names, CASH_FIGURES):
        used |= cash_terms_of(scenario, overrides)[1]
    read = Reader(scenario, overrides)
    if _asks(names, STRESS_FIGURES):
        _stressed(read)
        used |= cash_terms_of(scenario, overrides)[1]
    if _asks(names, CARBON_FIGURES):
        carbon_terms_of(read)
    return used | read.used


def has_years(names: Sequence[str]) -> bool:
    """Say whether one of the fields is of a cash flow, which has an axis of years more."""
    return _asks(names, CASH_FIGURES) or _asks(names, STRESS_FIGURES)


def why_unused(what_if: WhatIf, scenario: Scenario, key: str, values: FloatArray) -> str | None:
    """Return what to do about a key that no figure asked for rests on; None if nothing is known."""
    if key.startswith("other_hardware."):
        return (
            "other hardware is ranked by `tco compare` alone; to vary it, make it the scenario's "
            "own, with --set 'hardware={rent: {usd_per_hour: 2.5}}'"
        )
    for field in ("npv_usd", "stress_npv_usd", "kg_co2e_per_year"):
        if key in keys_used(what_if, scenario, {key: values}, [field]):
            return f"ask for a field that rests on it, such as {field}"
    return None


def _stressed(read: Reader) -> CashTerms:
    terms, _ = cash_terms_of(read.scenario, read.overrides)
    return dataclasses.replace(terms, api_price_change_per_year=read(_STRESS_KEY))


def _asks(names: Sequence[str], figures: Mapping[str, object] | Sequence[str]) -> bool:
    return any(name in figures for name in names)

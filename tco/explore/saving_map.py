"""A map of the levelised saving over the two inputs that nobody knows: use, and API prices.

The same evaluation and cash flow as a sweep, over arrays: along, the utilisation, or the demand
where the scenario has one, the fleet sized anew; up, how API prices change a year.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable

import numpy as np

from tco.comparison import AlternativeResult, Comparison, Reason, SavingMap
from tco.cost.answers import present
from tco.cost.cash import cash_flows
from tco.cost.cash_terms import cash_terms_of
from tco.cost.contender import with_batch_prices
from tco.cost.evaluate import evaluate
from tco.cost.finance import levelised_saving
from tco.cost.inputs import inputs_of
from tco.cost.number import FloatArray
from tco.errors import InputError
from tco.measurement import Measurement
from tco.prices import PriceTables
from tco.scenario import Scenario
from tco.units import SECONDS_PER_DAY

_UTILISATIONS = tuple(n / 10 for n in range(1, 11))
# Of the stated demand.
_FACTORS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
_CHANGES = (-0.5, -0.4, -0.3, -0.2, -0.1, 0.0, 0.1)
# Nearer than this to a stated value, a round one makes way for it.
_NEAR = 0.035
_CHANGE_KEY = "finance.api_price_change_per_year"


def with_saving_map(
    comparison: Comparison,
    scenario: Scenario,
    measurement: Measurement,
    tables: PriceTables,
    *,
    date: dt.date,
) -> Comparison:
    """Return the comparison with its map against the headline's alternative, or why it has none.

    Args:
        comparison: of the same scenario, measurement, tables and date.
        scenario: what the user states.
        measurement: what was observed of one replica.
        tables: price rows that alternatives may name.
        date: the day whose prices are in force.

    Raises:
        InputError: numbers that do not fit together.
    """
    rival = comparison.headline_alternative()
    reason = _why_none(scenario, rival)
    if rival is None or reason is not None:
        return comparison.model_copy(update={"saving_map_reason": reason})
    both = with_batch_prices(scenario, tables, date)
    key, along, shown = _along(comparison, scenario)
    stated = scenario.finance.api_price_change_per_year.value
    changes = _with_stated(_CHANGES, stated)
    flat_along, flat_change = (each.ravel() for each in np.meshgrid(along, changes))
    overrides = {**_load(scenario, key, flat_along), _CHANGE_KEY: flat_change}
    inputs, _ = inputs_of(both, measurement, tables, date, overrides)
    index = comparison.alternatives.index(rival)
    inputs = dataclasses.replace(inputs, alternatives=(inputs.alternatives[index],))
    try:
        terms, _ = cash_terms_of(both, overrides)
        (flow,) = cash_flows(inputs, evaluate(inputs), terms)
    except ValueError as error:
        raise InputError(f"the figures do not fit together: {error}") from None
    saving = np.broadcast_to(
        np.asarray(levelised_saving(flow, inputs.server.discount_rate)), flat_along.shape
    ).reshape(len(changes), len(along))
    is_demand = scenario.traffic.demand is not None
    found = SavingMap(
        alternative=rival.name,
        along="requests_per_day" if is_demand else "utilisation",
        along_values=shown,
        along_stated=_requests_per_day(comparison) if is_demand else _utilisation(scenario),
        api_price_changes_per_year=changes,
        api_price_change_stated=stated,
        levelised_saving=tuple(tuple(map(present, row)) for row in saving),
    )
    return comparison.model_copy(update={"saving_map": found})


def _utilisation(scenario: Scenario) -> float:
    stated = scenario.traffic.target_utilisation
    return 1.0 if stated is None else stated.value


def _why_none(scenario: Scenario, rival: AlternativeResult | None) -> Reason | None:
    if rival is None:
        return "no_alternative"
    if rival.levelised_saving is None:
        return "zero_price"
    horizon = cash_terms_of(scenario)[0].horizon_years
    return "within_first_year" if float(horizon) <= 1 else None


def _along(
    comparison: Comparison, scenario: Scenario
) -> tuple[str, tuple[float, ...], tuple[float, ...]]:
    """Return the key that varies, its values, and what is shown in their place."""
    demand = scenario.traffic.demand
    if demand is None:
        values = _with_stated(_UTILISATIONS, _utilisation(scenario))
        return "traffic.target_utilisation", values, values
    scale = 1.0 if demand.scale is None else demand.scale.value
    per_day = _requests_per_day(comparison)
    return (
        "traffic.demand.scale",
        tuple(scale * factor for factor in _FACTORS),
        tuple(per_day * factor for factor in _FACTORS),
    )


def _load(scenario: Scenario, key: str, values: FloatArray) -> dict[str, FloatArray]:
    """Return the overrides of the load; a stated peak moves with its average."""
    demand = scenario.traffic.demand
    if demand is None or demand.peak_output_tok_per_s is None:
        return {key: values}
    scale = 1.0 if demand.scale is None else demand.scale.value
    peak = demand.peak_output_tok_per_s.value * values / scale
    return {key: values, "traffic.demand.peak_output_tok_per_s": peak}


def _requests_per_day(comparison: Comparison) -> float:
    return comparison.served.requests_per_s * SECONDS_PER_DAY


def _with_stated(round_values: Iterable[float], stated: float) -> tuple[float, ...]:
    kept = (value for value in round_values if abs(value - stated) > _NEAR)
    return tuple(sorted((*kept, stated)))

"""Other ways to serve the same requests: bought, rented, or an API, on one horizon."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from tco.comparison import AlternativeResult, CostParts, Reason, Way
from tco.cost.cash import own_flow
from tco.cost.evaluate import Evaluation, Inputs, SizedDemand, evaluate, fleet_at_peak
from tco.cost.finance import invested_usd, own_present_value_usd, present_value_usd
from tco.cost.ownership import OneOff
from tco.cost.result import Basis
from tco.errors import InputError
from tco.scenario import Hardware, OtherHardware, Scenario, hardware_names
from tco.units import HOURS_PER_MONTH, HOURS_PER_YEAR, MONTHS_PER_YEAR, SECONDS_PER_HOUR

OWN_NAME = "as in the scenario"


def ways_of(
    scenario: Scenario,
    basis: Basis,
    results: Sequence[AlternativeResult],
    inputs_for: Callable[[Scenario], Inputs],
) -> tuple[Way, ...]:
    """Return the scenario's own way, then its other hardware, then every API with a price.

    All serve the same requests over the scenario's horizon; nothing where the scenario
    names no other hardware.

    Args:
        scenario: what the user states.
        basis: of the scenario's own hardware.
        results: against each API.
        inputs_for: what `evaluate` takes for the scenario with other hardware in it.

    Raises:
        InputError: figures that do not fit together.
    """
    if not scenario.other_hardware:
        return ()
    own = _hardware_way(OWN_NAME, scenario.hardware, basis, basis.inputs, basis.evaluation)
    ways = [own]
    names = hardware_names(scenario.other_hardware)
    for index, other in enumerate(scenario.other_hardware):
        key = f"other_hardware.{index}"
        try:
            inputs = _inputs(scenario, other, basis, inputs_for)
            at = evaluate(inputs)
            way = _hardware_way(names[index], other, basis, inputs, at)
        except ValueError as error:
            raise InputError(f"the figures do not fit together: {error}", key=key) from None
        lives = float(basis.inputs.server.life_years), float(inputs.server.life_years)
        life_years = lives[0] if own.terms == "purchase" else lives[1]
        ways.append(_against(own, basis.evaluation, way, at, life_years * MONTHS_PER_YEAR))
    return (*ways, *_apis(basis, results, own))


def break_even_hours(
    price_usd: float, rent_usd_per_hour: float, running_usd_per_hour: float
) -> float | None:
    """Return after how many hours buying has cost less than renting; None if never.

    h* = P ÷ (rent - running), none where rent <= running (Lenovo Press LP2225, 2025).
    """
    margin = rent_usd_per_hour - running_usd_per_hour
    return price_usd / margin if margin > 0 else None


def _inputs(
    scenario: Scenario,
    other: OtherHardware,
    basis: Basis,
    inputs_for: Callable[[Scenario], Inputs],
) -> Inputs:
    """Return the inputs of the same engine and requests on other hardware."""
    as_stated = scenario.model_copy(
        update={
            "hardware": other,
            "power": other.power_beside(scenario.power),
            "operations": other.operations.over(scenario.operations),
        }
    )
    inputs = inputs_for(as_stated)
    server = inputs.server
    if other.power is not None:
        # A meter saw the scenario's own server, not this one.
        stated = other.power
        server = dataclasses.replace(server, idle_w=stated.idle_w.value, load_w=stated.load_w.value)
    return dataclasses.replace(
        inputs,
        server=server,
        load=_same_requests(basis),
        accelerators_per_replica=basis.inputs.accelerators_per_replica,
        one_off=OneOff(inputs.one_off.usd, basis.terms.horizon_years),
    )


def _same_requests(basis: Basis) -> SizedDemand:
    """Return the scenario's demand; of a stated utilisation, what its replicas then serve."""
    if isinstance(basis.inputs.load, SizedDemand):
        return basis.inputs.load
    return SizedDemand(
        average_requests_per_s=basis.evaluation.served_requests_per_s,
        peak_requests_per_s=basis.evaluation.full_load_requests_per_s,
    )


def _terms(
    hardware: Hardware,
) -> Literal["purchase", "reserved_rental", "hourly_rental"]:
    if hardware.rent is None:
        return "purchase"
    return "hourly_rental" if hardware.rent.billing == "hourly" else "reserved_rental"


def _hardware_way(
    name: str, hardware: Hardware, basis: Basis, inputs: Inputs, at: Evaluation
) -> Way:
    flow = own_flow(inputs, at, basis.terms)
    return Way(
        name=name,
        terms=_terms(hardware),
        servers=float(fleet_at_peak(inputs, at.fleet).servers),
        usd_per_hour=float(at.usd_per_hour),
        usd_per_request=float(at.usd_per_request),
        usd_per_million_output=float(at.usd_per_million_output),
        usd_per_year=float(at.usd_per_hour) * HOURS_PER_YEAR,
        present_value_usd=float(own_present_value_usd(flow, inputs.server.discount_rate)),
        cash_at_start_usd=float(invested_usd(flow)),
        npv_usd_against_own=0.0,
        break_even_months=None,
        break_even_months_reason="not_buying_against_renting",
        parts_usd_per_hour=CostParts(
            **{name: float(line) for name, line in dataclasses.asdict(at.lines).items()}
        ),
    )


def _against(own: Way, own_at: Evaluation, way: Way, way_at: Evaluation, life_months: float) -> Way:
    """Return the way with what it saves, and after how many months buying beats renting.

    The months only where one of the two is bought and the other rented, and none beyond the life
    of what is bought: its price is then paid again.
    """
    saved_usd = own.present_value_usd - way.present_value_usd
    way = way.model_copy(update={"npv_usd_against_own": saved_usd})
    own_is_bought = own.terms == "purchase"
    if own_is_bought == (way.terms == "purchase"):
        return way
    bought, bought_at, rented, rented_at = (
        (own, own_at, way, way_at) if own_is_bought else (way, way_at, own, own_at)
    )
    # One-off sums of the rented fleet are paid either way; only what is paid more counts.
    hours = break_even_hours(
        bought.cash_at_start_usd - rented.cash_at_start_usd,
        float(rented_at.usd_per_hour - rented_at.lines.capital),
        float(bought_at.usd_per_hour - bought_at.lines.capital),
    )
    months = None if hours is None else hours / HOURS_PER_MONTH
    none: Reason | None = None
    if months is None:
        none = "rent_not_above_running"
    elif months > life_months:
        none = "not_within_life"
    return way.model_copy(
        update={
            "break_even_months": months if none is None else None,
            "break_even_months_reason": none,
            "break_even_months_unbounded": months,
            "life_months": life_months,
        }
    )


def _apis(basis: Basis, results: Sequence[AlternativeResult], own: Way) -> Iterator[Way]:
    rate = basis.inputs.server.discount_rate
    per_hour = float(basis.evaluation.served_requests_per_s) * SECONDS_PER_HOUR
    for flow, each in zip(basis.flows, results, strict=True):
        if each.usd_per_request <= 0:
            continue
        bill = float(present_value_usd(flow.api_usd, flow.year_ends, rate))
        yield Way(
            name=each.name,
            terms="api",
            servers=None,
            usd_per_hour=each.usd_per_request * per_hour,
            usd_per_request=each.usd_per_request,
            usd_per_million_output=each.usd_per_million_output,
            usd_per_year=each.usd_per_year,
            present_value_usd=bill,
            cash_at_start_usd=0.0,
            npv_usd_against_own=own.present_value_usd - bill,
            break_even_months=None,
            break_even_months_reason="not_buying_against_renting",
        )

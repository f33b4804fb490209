"""One evaluation: fleet, cost lines, cost of a request, and each API's bill for the same one.

The only implementation of the economics: every number may be a float or an array, and
arrays broadcast, so a sweep of a million points is this code run once.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from tco.cost.api_bill import ApiTerms
from tco.cost.api_bill import usd_per_request as api_usd_per_request
from tco.cost.break_even import utilisation_unbounded, within_full_load
from tco.cost.fleet import Fleet, fleet_by_hour, fleet_for_demand, one_server
from tco.cost.number import FloatArray, Number, as_number, non_negative, require, utilisation_of
from tco.cost.ownership import NO_ONE_OFF, CostLines, OneOff, Running, Server, cost_lines
from tco.request_mix import RequestMix
from tco.units import SECONDS_PER_HOUR, TOKENS_PER_MILLION


@dataclass(frozen=True, slots=True)
class SizedDemand:
    """A demand that the fleet is sized for.

    Attributes:
        peak_requests_per_s: what the fleet is sized on.
        target_peak_utilisation: the load a replica may take.
        availability: share of the time that a paid replica is up.
        spares: replicas beyond the peak.
        profile: 24 or 168 hourly weights, where the demand has them.
    """

    average_requests_per_s: Number
    peak_requests_per_s: Number
    target_peak_utilisation: Number = 1.0
    availability: Number = 1.0
    spares: Number = 0.0
    profile: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that an evaluation rests on.

    Attributes:
        input_tokens: of one request, cached ones included.
        capacity_requests_per_s: of one replica.
        load: the utilisation of one full server, or a demand.
        accelerators_per_replica: of one replica.
        rent_follows_profile: servers are paid by the hour, as the profile needs them.
        alternatives: the APIs' terms.
        one_off: paid once for the whole fleet.
        requests: the requests behind the mean one, where they are of several lengths.
    """

    input_tokens: Number
    output_tokens: Number
    capacity_requests_per_s: Number
    load: Number | SizedDemand
    server: Server
    running: Running
    accelerators_per_replica: Number = 1.0
    rent_follows_profile: bool = False
    alternatives: tuple[ApiTerms, ...] = ()
    one_off: OneOff = NO_ONE_OFF
    requests: RequestMix | None = None


@dataclass(frozen=True, slots=True)
class Rival:
    """One API against the fleet; NaN where there is no such number.

    Attributes:
        saving: 1 - own ÷ API; NaN against a price of 0.
        break_even_utilisation: NaN where even full load is dearer.
        break_even_unbounded: the same root, above 1 too.
    """

    usd_per_request: Number
    saving: Number
    break_even_utilisation: Number
    break_even_unbounded: Number


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one evaluation gives; money in USD, first year.

    Attributes:
        fleet: as paid for.
        full_load_requests_per_s: of the whole fleet.
    """

    fleet: Fleet
    lines: CostLines
    usd_per_hour: Number
    full_load_requests_per_s: Number
    served_requests_per_s: Number
    usd_per_request: Number
    usd_per_million_output: Number
    usd_per_million_total: Number
    rivals: tuple[Rival, ...]


def evaluate(inputs: Inputs) -> Evaluation:
    """Return the cost of the fleet and of a request, beside each API's.

    Cost of a request = USD per hour ÷ requests served per hour.

    Raises:
        ValueError: a number outside its range; utilisation 0 has no cost of a request.
    """
    non_negative(input_tokens=inputs.input_tokens)
    require(np.asarray(inputs.output_tokens) > 0, "output_tokens must be above 0")
    require(np.asarray(inputs.capacity_requests_per_s) > 0, "capacity must be above 0")
    return evaluate_fleet(inputs, sized_fleet(inputs))


def sized_fleet(inputs: Inputs) -> Fleet:
    """Return the fleet that the load takes.

    Raises:
        ValueError: a utilisation outside (0, 1], or a replica that fits in no server.
    """
    load, capacity = inputs.load, inputs.capacity_requests_per_s
    per_replica, per_server = inputs.accelerators_per_replica, inputs.server.accelerators
    if not isinstance(load, SizedDemand):
        utilisation_of(load)
        return one_server(load, per_replica, per_server)
    demand: dict[str, Number] = {
        "average": load.average_requests_per_s,
        "peak": load.peak_requests_per_s,
        "capacity": capacity,
        "target_peak_utilisation": load.target_peak_utilisation,
        "availability": load.availability,
        "spares": load.spares,
        "accelerators_per_replica": per_replica,
        "accelerators_per_server": per_server,
    }
    if inputs.rent_follows_profile and load.profile is not None:
        return fleet_by_hour(profile=load.profile, **demand)
    return fleet_for_demand(**demand)


def follows_hours(inputs: Inputs) -> bool:
    """Say whether servers are paid hour by hour, as the demand's profile needs them."""
    load = inputs.load
    return (
        inputs.rent_follows_profile and isinstance(load, SizedDemand) and load.profile is not None
    )


def fleet_at_peak(inputs: Inputs, fleet: Fleet) -> Fleet:
    """Return the fleet as it is at the peak: the one paid for, unless it follows the profile."""
    if not inputs.rent_follows_profile:
        return fleet
    return sized_fleet(dataclasses.replace(inputs, rent_follows_profile=False))


def evaluate_fleet(inputs: Inputs, fleet: Fleet) -> Evaluation:
    """Return the evaluation of a given fleet; its utilisation may be an array.

    Raises:
        ValueError: as `evaluate`.
    """
    utilisation_of(fleet.utilisation)
    lines = cost_lines(fleet, inputs.server, inputs.running, inputs.one_off)
    full_load = fleet.replicas * inputs.capacity_requests_per_s
    served = full_load * fleet.utilisation
    usd_per_request = lines.total / (served * SECONDS_PER_HOUR)
    idle = _usd_per_hour_at(inputs, fleet, 0.0)
    at_load = _usd_per_hour_at(inputs, fleet, 1.0)
    return Evaluation(
        fleet=fleet,
        lines=lines,
        usd_per_hour=lines.total,
        full_load_requests_per_s=full_load,
        served_requests_per_s=served,
        usd_per_request=usd_per_request,
        usd_per_million_output=usd_per_million(usd_per_request, inputs.output_tokens),
        usd_per_million_total=usd_per_million(
            usd_per_request, inputs.input_tokens + inputs.output_tokens
        ),
        rivals=tuple(
            _rival(
                api_usd_per_request(
                    terms, inputs.input_tokens, inputs.output_tokens, inputs.requests
                ),
                usd_per_request,
                idle,
                at_load,
                full_load,
            )
            for terms in inputs.alternatives
        ),
    )


def _usd_per_hour_at(inputs: Inputs, fleet: Fleet, utilisation: float) -> Number:
    at = dataclasses.replace(fleet, utilisation=utilisation)
    return cost_lines(at, inputs.server, inputs.running, inputs.one_off).total


def usd_per_million(usd_per_request: Number, tokens: Number) -> Number:
    """Return the whole cost of a request per million of its tokens [USD/M]."""
    return usd_per_request / tokens * TOKENS_PER_MILLION


def saving_share(own_usd: Number, api_usd: Number) -> Number:
    """Return 1 - own ÷ API, never clamped; NaN against a price of 0, where there is none.

    Raises:
        ValueError: a negative cost.
    """
    non_negative(own_usd=own_usd, api_usd=api_usd)
    api = np.asarray(api_usd, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return as_number(np.where(api > 0, 1 - own_usd / api, np.nan))


def _rival(
    api_usd: Number, own_usd: Number, idle: Number, at_load: Number, full_load: Number
) -> Rival:
    unbounded = utilisation_unbounded(
        usd_per_hour_at_idle=idle,
        usd_per_hour_at_load=at_load,
        api_usd_per_hour_at_load=api_usd * full_load * SECONDS_PER_HOUR,
    )
    return Rival(
        usd_per_request=api_usd,
        saving=saving_share(own_usd, api_usd),
        break_even_utilisation=within_full_load(unbounded),
        break_even_unbounded=unbounded,
    )

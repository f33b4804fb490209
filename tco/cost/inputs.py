"""From scenario, measurement and prices to the plain numbers that `evaluate` takes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import numpy as np

from tco.cost.cash_terms import horizon_years
from tco.cost.evaluate import Inputs, SizedDemand
from tco.cost.number import FloatArray, Number, as_number
from tco.cost.ownership import NO_ONE_OFF, OneOff, Running, Server
from tco.cost.reader import Reader
from tco.cost.requests import requests_of
from tco.cost.terms import terms_of
from tco.cost.watts import server_watts
from tco.measurement import Measurement
from tco.prices import PriceTables
from tco.scenario import Scenario, mix_requests_per_s, mix_shares, states_capacity
from tco.uncertainty import CAPACITY_KEY
from tco.units import SECONDS_PER_DAY


def inputs_of(
    scenario: Scenario,
    measurement: Measurement,
    tables: PriceTables,
    date: dt.date,
    overrides: Mapping[str, FloatArray] | None = None,
) -> tuple[Inputs, frozenset[str]]:
    """Return the inputs of `evaluate`, and which override keys they took.

    Args:
        scenario: what the user states.
        measurement: what was observed of one replica.
        tables: price rows that alternatives may name.
        date: prices are those in force on this day.
        overrides: arrays by scenario key.

    Raises:
        InputError: an alternative names no row, or a service that its row does not have.
    """
    read = Reader(scenario, overrides or {})
    return read_inputs(read, measurement, tables, date), frozenset(read.used)


def read_inputs(
    read: Reader, measurement: Measurement, tables: PriceTables, date: dt.date
) -> Inputs:
    """Return the inputs as the reader gives them; it then knows what they rest on.

    Raises:
        InputError: as `inputs_of`.
    """
    scenario = read.scenario
    return Inputs(
        input_tokens=read("traffic.shape.input_tokens"),
        output_tokens=read("traffic.shape.output_tokens"),
        capacity_requests_per_s=_capacity(read, measurement),
        load=_load(read),
        server=_server(read, measurement),
        running=_running(read),
        accelerators_per_replica=_accelerators_per_replica(read),
        rent_follows_profile=scales_with_demand(scenario),
        alternatives=tuple(
            terms_of(read, index, alternative, tables, date)
            for index, alternative in enumerate(scenario.alternatives)
        ),
        one_off=_one_off(read),
        requests=requests_of(scenario.traffic.shape),
    )


def _capacity(read: Reader, measurement: Measurement) -> Number:
    """Requests per second of one replica: its rate over the tokens of the scenario's request."""
    output_tokens = read("traffic.shape.output_tokens")
    published = "measurement.published."
    mix = read.scenario.traffic.shape.mix
    if measurement.origin == "published" and mix is not None and states_capacity(mix):
        alone = [read(f"traffic.shape.mix.{place}.requests_per_s") for place in range(len(mix))]
        return mix_requests_per_s(mix_shares(mix), alone)
    if measurement.origin == "published" and read.scenario.measurement is not None:
        if read.given(published + "requests_per_s"):
            return read(published + "requests_per_s")
        if read.given(published + "total_tok_per_s"):
            total_tokens = read("traffic.shape.input_tokens") + output_tokens
            return read(published + "total_tok_per_s") / total_tokens
        return read(published + "output_tok_per_s") / output_tokens
    return read(CAPACITY_KEY, measurement.capacity().output_tok_per_s) / output_tokens


def _load(read: Reader) -> Number | SizedDemand:
    demand = read.scenario.traffic.demand
    if demand is None:
        return read("traffic.target_utilisation", 1.0)
    key = "traffic.demand."
    output_tokens = read("traffic.shape.output_tokens")
    if read.given(key + "requests_per_day"):
        average = read(key + "requests_per_day") / SECONDS_PER_DAY
    elif read.given(key + "average_requests_per_s"):
        average = read(key + "average_requests_per_s")
    else:
        average = read(key + "average_output_tok_per_s") / output_tokens
    average = average * read(key + "scale", 1.0)
    profile = None
    peak = average * read(key + "peak_to_average", 1.0)
    if demand.profile is not None:
        profile = np.array([weight.value for weight in demand.profile])
        # A trace's busiest minute may lie above its busiest hour.
        peak = as_number(np.maximum(peak, average * (profile.max() / profile.mean())))
    elif read.given(key + "peak_output_tok_per_s"):
        peak = read(key + "peak_output_tok_per_s") / output_tokens
    return SizedDemand(
        average_requests_per_s=average,
        peak_requests_per_s=peak,
        target_peak_utilisation=read(key + "target_peak_utilisation", 1.0),
        availability=read(key + "availability", 1.0),
        spares=read(key + "spares"),
        profile=profile,
    )


def scales_with_demand(scenario: Scenario) -> bool:
    """Say whether the fleet is rented by the hour, as demand asks."""
    rent = scenario.hardware.rent
    return rent is not None and rent.billing == "hourly"


def _accelerators_per_replica(read: Reader) -> Number:
    if read.given("engine.accelerators"):
        return read("engine.accelerators")
    return _accelerators_per_server(read)


def _accelerators_per_server(read: Reader) -> Number:
    kind = "purchase" if read.scenario.hardware.purchase else "rent"
    return read(f"hardware.{kind}.accelerators", 1.0)


def _server(read: Reader, measurement: Measurement) -> Server:
    price_usd = read("hardware.purchase.price_usd")
    if read.given("hardware.purchase.residual_share"):
        residual_usd = read("hardware.purchase.residual_share") * price_usd
    else:
        residual_usd = read("hardware.purchase.residual_usd")
    accelerators = _accelerators_per_server(read)
    idle_w, load_w = server_watts(read, measurement, accelerators)
    return Server(
        price_usd=price_usd,
        one_off_usd=read("hardware.purchase.one_off_usd"),
        residual_usd=residual_usd,
        life_years=read("hardware.purchase.life_years", 1.0),
        discount_rate=read("finance.discount_rate"),
        method=read.scenario.finance.method,
        rent_usd_per_hour=read("hardware.rent.usd_per_hour"),
        accelerators=accelerators,
        idle_w=idle_w,
        load_w=load_w,
        contracted_w=read("power.load_w"),
        pue=read("power.pue", 1.0),
        usd_per_kwh=read("power.usd_per_kwh"),
    )


def _one_off(read: Reader) -> OneOff:
    key = "hardware.one_off."
    usd = read(key + "network_usd") + read(key + "rack_usd") + read(key + "migration_usd")
    return OneOff(usd=usd, years=horizon_years(read)) if np.any(usd) else NO_ONE_OFF


def _running(read: Reader) -> Running:
    key = "operations."
    return Running(
        maintenance_share_per_year=read(key + "maintenance_share_per_year"),
        licence_usd_per_accelerator_year=read(key + "licence_usd_per_accelerator_year"),
        hosting_usd_per_month=read(key + "hosting_usd_per_month"),
        colocation_usd_per_kw_month=read(key + "colocation_usd_per_kw_month"),
        failures_per_accelerator_year=read(key + "failures_per_accelerator_year"),
        repair_usd_per_failure=read(key + "repair_usd_per_failure"),
        fte=read(key + "fte"),
        fte_usd_per_year=read(key + "fte_usd_per_year"),
        other_usd_per_year=read(key + "other_usd_per_year"),
    )

"""From scenario, measurement and prices to the plain numbers that `evaluate` takes.

Every number is read by its scenario key, so that an array may stand in its place: that
is how a sweep varies a key.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from tco.cost.api_bill import ApiTerms, Tier
from tco.cost.evaluate import Inputs, SizedDemand
from tco.cost.number import FloatArray, Number
from tco.cost.ownership import Running, Server
from tco.errors import InputError
from tco.measurement import Measurement
from tco.prices import PriceRow, PriceTables
from tco.quantity import PriceQuantity, Quantity
from tco.scenario import Alternative, LengthSpread, Scenario
from tco.units import SECONDS_PER_DAY

# A day's price is taken at noon UTC; by-the-hour prices of a day are another matter.
_HOUR_OF_PRICE = 12


@dataclass(slots=True)
class Reader:
    """Reads a number by its dotted key; an override's array wins over the scenario's figure."""

    scenario: Scenario
    overrides: Mapping[str, FloatArray] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def given(self, key: str) -> bool:
        """Say whether the scenario states the key, or an override gives it."""
        return key in self.overrides or self._value(key) is not None

    def __call__(self, key: str, default: float = 0.0) -> Number:
        """Return the number at the key, or the default where there is none."""
        if key in self.overrides:
            self.used.add(key)
            return self.overrides[key]
        value = self._value(key)
        return default if value is None else value

    def _value(self, key: str) -> float | None:
        node: Any = self.scenario
        for part in key.split("."):
            node = node[int(part)] if part.isdigit() else getattr(node, part, None)
            if node is None:
                return None
        if isinstance(node, Quantity | PriceQuantity):
            node = node.value
        if isinstance(node, LengthSpread):
            node = node.mean.value
        return float(node) if isinstance(node, int | float | Decimal) else None


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
    inputs = Inputs(
        input_tokens=read("traffic.shape.input_tokens"),
        output_tokens=read("traffic.shape.output_tokens"),
        capacity_requests_per_s=_capacity(read, measurement),
        load=_load(read),
        server=_server(read, measurement),
        running=_running(read),
        accelerators_per_replica=_accelerators_per_replica(read),
        rent_follows_profile=_hourly(scenario),
        alternatives=tuple(
            _terms(read, index, alternative, tables, date)
            for index, alternative in enumerate(scenario.alternatives)
        ),
    )
    return inputs, frozenset(read.used)


def _capacity(read: Reader, measurement: Measurement) -> Number:
    """Requests per second of one replica: its rate over the tokens of the scenario's request."""
    output_tokens = read("traffic.shape.output_tokens")
    published = "measurement.published."
    if measurement.origin == "published" and read.scenario.measurement is not None:
        if read.given(published + "requests_per_s"):
            return read(published + "requests_per_s")
        if read.given(published + "total_tok_per_s"):
            total_tokens = read("traffic.shape.input_tokens") + output_tokens
            return read(published + "total_tok_per_s") / total_tokens
        return read(published + "output_tok_per_s") / output_tokens
    return measurement.capacity().output_tok_per_s / output_tokens


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
    profile = None
    peak = average * read(key + "peak_to_average", 1.0)
    if demand.profile is not None:
        profile = np.array([weight.value for weight in demand.profile])
        peak = average * (profile.max() / profile.mean())
    elif read.given(key + "peak_output_tok_per_s"):
        peak = read(key + "peak_output_tok_per_s") / output_tokens
    return SizedDemand(
        average_requests_per_s=average,
        peak_requests_per_s=peak,
        target_peak_utilisation=read(key + "target_peak_utilisation", 1.0),
        spares=read(key + "spares"),
        profile=profile,
    )


def _hourly(scenario: Scenario) -> bool:
    rent, demand = scenario.hardware.rent, scenario.traffic.demand
    if rent is None or rent.billing != "hourly":
        return False
    if demand is None or demand.profile is None:
        raise InputError(
            "billing: hourly needs traffic.demand with an hourly profile",
            key="hardware.rent.billing",
            remedy="state traffic.demand.profile, or use billing: reserved",
        )
    return True


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
    idle_w, load_w = _watts(read, measurement)
    return Server(
        price_usd=price_usd,
        one_off_usd=read("hardware.purchase.one_off_usd"),
        residual_usd=residual_usd,
        life_years=read("hardware.purchase.life_years", 1.0),
        discount_rate=read("finance.discount_rate"),
        method=read.scenario.finance.method,
        rent_usd_per_hour=read("hardware.rent.usd_per_hour"),
        accelerators=_accelerators_per_server(read),
        idle_w=idle_w,
        load_w=load_w,
        pue=read("power.pue", 1.0),
        usd_per_kwh=read("power.usd_per_kwh"),
    )


def _watts(read: Reader, measurement: Measurement) -> tuple[Number, Number]:
    """The server's idle and load power: a meter counts where it can stand for the wall."""
    metered = metered_power(measurement)
    if metered is None or not read.given("power.rest_of_server_w"):
        return read("power.idle_w"), read("power.load_w")
    scale = _accelerators_per_server(read) / metered.accelerators
    rest_w = read("power.rest_of_server_w")
    return metered.idle_w * scale + rest_w, metered.load_w * scale + rest_w


@dataclass(frozen=True, slots=True)
class MeteredAccelerators:
    """Watts of the measured accelerators together, idle and at capacity."""

    accelerators: int
    idle_w: float
    load_w: float


def metered_power(measurement: Measurement) -> MeteredAccelerators | None:
    """Return what an accelerator meter said at the capacity point, if there is one."""
    if measurement.capacity_point is None:
        return None
    power = measurement.points[measurement.capacity_point].power
    if power is None or power.covers != "accelerators" or not power.accelerators:
        return None
    idle_w = power.load_w if power.idle_w is None else power.idle_w
    return MeteredAccelerators(power.accelerators, idle_w, power.load_w)


def _running(read: Reader) -> Running:
    key = "operations."
    return Running(
        maintenance_share_per_year=read(key + "maintenance_share_per_year"),
        licence_usd_per_accelerator_year=read(key + "licence_usd_per_accelerator_year"),
        hosting_usd_per_month=read(key + "hosting_usd_per_month"),
        fte=read(key + "fte"),
        fte_usd_per_year=read(key + "fte_usd_per_year"),
        other_usd_per_year=read(key + "other_usd_per_year"),
    )


def _terms(
    read: Reader, index: int, alternative: Alternative, tables: PriceTables, date: dt.date
) -> ApiTerms:
    key = f"alternatives.{index}."
    own_cache = key + "cached_input_share"
    shared = "traffic.shape.cached_input_share"
    return ApiTerms(
        tiers=tuple(
            _tier(row) for row in price_rows(alternative, index, tables, date)
        ) or (_own_tier(read, key),),
        discount=read(key + "discount"),
        cached_input_share=read(own_cache if read.given(own_cache) else shared),
        token_ratio=read(key + "token_ratio", 1.0),
    )  # fmt: skip


def _own_tier(read: Reader, key: str) -> Tier:
    cached = key + "usd_per_million.cached_input"
    return Tier(
        input_usd=read(key + "usd_per_million.input"),
        cached_input_usd=read(cached) if read.given(cached) else None,
        output_usd=read(key + "usd_per_million.output"),
        request_fee_usd=read(key + "usd_per_request"),
    )


def price_rows(
    alternative: Alternative, index: int, tables: PriceTables, date: dt.date
) -> tuple[PriceRow, ...]:
    """Return the table's rows of the alternative's service on the day; none for an own price.

    Raises:
        InputError: no such offer, or no such service then.
    """
    if alternative.catalog is None:
        return ()
    noon = dt.datetime.combine(date, dt.time(_HOUR_OF_PRICE), tzinfo=dt.UTC)
    try:
        offer = tables.find(alternative.catalog).offer
        return offer.rows(alternative.service, noon)
    except InputError as error:
        raise InputError(
            error.message, key=f"alternatives.{index}.catalog", remedy=error.remedy
        ) from None
    except LookupError as error:
        services = ", ".join(offer.services())
        raise InputError(
            str(error),
            key=f"alternatives.{index}.service",
            remedy=f"the table has {services}",
        ) from None


def _tier(row: PriceRow) -> Tier:
    rates = row.usd_per_million
    inclusive = row.context_ge is not None
    threshold = row.context_ge if inclusive else row.context_gt
    return Tier(
        input_usd=float(rates.input),
        cached_input_usd=None if rates.cached_input is None else float(rates.cached_input),
        output_usd=float(rates.output),
        request_fee_usd=float(row.usd_per_request),
        above_tokens=-1.0 if threshold is None else float(threshold),
        inclusive=inclusive,
    )

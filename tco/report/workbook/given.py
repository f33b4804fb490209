"""The numbers that the workbook reckons from: each scenario key with its value, unit and source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from tco.comparison import Comparison
from tco.measurement import Measurement
from tco.quantity import PriceQuantity, Quantity
from tco.report.capacity import origin_words
from tco.report.inputs import is_share, unit_of
from tco.scenario import Demand, LengthSpread, Scenario, Traffic, states_capacity

CAPACITY = "capacity.output_tok_per_s"
IDLE_W, LOAD_W = "self_host.server_idle_w", "self_host.server_load_w"
METHODS = ("annuity", "straight_line")
_TRAFFIC = "How much traffic"
_AVERAGE_AND_PEAK = (
    "requests_per_day",
    "average_requests_per_s",
    "average_output_tok_per_s",
    "peak_to_average",
    "peak_output_tok_per_s",
)
_UNLIMITED = 1e15
RATE_KEY = "currency.usd_per_unit"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number (or word) of the scenario that the arithmetic takes.

    Attributes:
        key: of the scenario; a measured one has its field's name.
        free: it may be changed here; else it was found by tco and stays.
    """

    section: str
    key: str
    value: float | str
    source: str
    low: float | None = None
    high: float | None = None
    free: bool = True

    def unit(self) -> str:
        """Return the unit, from the key."""
        return "share" if is_share(self.key) else unit_of(self.key) or _UNITS.get(self.key, "")

    def limits(self) -> tuple[float, float] | None:
        """Return the least and largest value that makes sense; None of a word."""
        if isinstance(self.value, str):
            return None
        if self.key.endswith("pue") or self.key.endswith("peak_to_average"):
            return (1.0, _UNLIMITED)
        if re.search(r"(growth|change)_per_year$", self.key):
            return (-_ALMOST_ALL, _UNLIMITED)
        if self.key.endswith("_years"):
            return _YEARS
        if self.key == "finance.tax_rate" or self.key.endswith("discount"):
            return (0.0, _ALMOST_ALL)
        least = _LEAST if _POSITIVE.search(self.key) else 0.0
        return (1.0 if self.whole() and least else least, 1.0 if is_share(self.key) else _UNLIMITED)

    def whole(self) -> bool:
        """Say whether only whole numbers make sense."""
        return self.key.endswith(("accelerators", "spares"))


# What a cost is divided by: at 0 there is none.
_POSITIVE = re.compile(
    r"(input_tokens|output_tokens|utilisation|availability|tok_per_s|requests_per_s"
    r"|usd_per_unit|requests_per_day|scale|token_ratio|accelerators|by_year\.\d+|mean)$"
)
_LEAST, _ALMOST_ALL, _YEARS = 1e-6, 0.999999, (0.001, 100.0)
_UNITS = {
    RATE_KEY: "USD per unit of it",
    CAPACITY: "output tokens a second",
    "power.pue": "facility power ÷ IT power",
    "traffic.demand.peak_to_average": "peak ÷ average",
    "traffic.demand.spares": "replicas",
    "finance.method": "annuity or straight_line",
}


def name_of(key: str) -> str:
    """Return the name that formulas use for a key."""
    return re.sub(r"\W", "_", key)


def figures(
    scenario: Scenario, comparison: Comparison, measurement: Measurement
) -> Iterator[Figure]:
    """Yield every number that the arithmetic takes, in the order of the scenario."""
    yield from _shape(scenario)
    yield from _load(scenario)
    yield from _capacity(scenario, measurement)
    yield from _hardware(scenario)
    yield from _power(scenario, comparison)
    yield from _fields("Operations", scenario, "operations")
    yield from _finance(scenario)
    for index, alternative in enumerate(scenario.alternatives):
        yield from _alternative(index, alternative)
    currency = scenario.currency
    if currency.code != "USD":
        section = f"Second currency, {currency.code}: only shown, nothing rests on it"
        yield _figure(section, RATE_KEY, currency.usd_per_unit, source=currency.source)


def is_from_files(scenario: Scenario) -> bool:
    """Say whether the request is taken from a trace, a session, a mix or a bill."""
    shape = scenario.traffic.shape
    sources = (shape.trace, shape.session, shape.mix, scenario.traffic.bill)
    return any(each is not None for each in sources)


def _shape(scenario: Scenario) -> Iterator[Figure]:
    shape, section = scenario.traffic.shape, "The request"
    free = not is_from_files(scenario)
    for name in ("input_tokens", "cached_input_share", "output_tokens"):
        length, key = getattr(shape, name), f"traffic.shape.{name}"
        spread = isinstance(length, LengthSpread)
        quantity = length.mean if spread else length
        default = name not in shape.model_fields_set
        key = f"{key}.mean" if spread else key
        yield _figure(section, key, quantity, default=default, free=free)


def _load(scenario: Scenario) -> Iterator[Figure]:
    traffic = scenario.traffic
    if traffic.demand is not None:
        yield from _demand(traffic, traffic.demand)
        return
    target, key = traffic.target_utilisation, "traffic.target_utilisation"
    yield _figure(_TRAFFIC, key, target or Quantity(value=1.0), default=target is None)


def _demand(traffic: Traffic, demand: Demand) -> Iterator[Figure]:
    found = demand.from_trace is True or traffic.bill is not None
    for name in _AVERAGE_AND_PEAK:
        quantity = getattr(demand, name)
        if quantity is not None:
            yield _figure(_TRAFFIC, f"traffic.demand.{name}", quantity, free=not found)
    peaks = (demand.peak_to_average, demand.profile, demand.peak_output_tok_per_s)
    if not found and all(each is None for each in peaks):
        one = Quantity(value=1.0)
        yield _figure(_TRAFFIC, "traffic.demand.peak_to_average", one, default=True)
    for name in ("scale", "target_peak_utilisation", "availability", "spares"):
        quantity = getattr(demand, name)
        if quantity is not None:
            default = name not in demand.model_fields_set
            yield _figure(_TRAFFIC, f"traffic.demand.{name}", quantity, default=default)
    for place, factor in enumerate(traffic.by_year or ()):
        if place > 0:
            yield _figure(_TRAFFIC, f"traffic.by_year.{place}", factor)


def _capacity(scenario: Scenario, measurement: Measurement) -> Iterator[Figure]:
    section = "Capacity of one replica"
    mix = scenario.traffic.shape.mix
    if measurement.origin == "published" and mix is not None and states_capacity(mix):
        for place, entry in enumerate(mix):
            if entry.requests_per_s is not None:
                key = f"traffic.shape.mix.{place}.requests_per_s"
                yield _figure(section, key, entry.requests_per_s)
    elif measurement.origin == "published" and scenario.measurement is not None:
        published = scenario.measurement.published
        for name in ("requests_per_s", "total_tok_per_s", "output_tok_per_s"):
            quantity = getattr(published, name)
            if quantity is not None:
                key = f"measurement.published.{name}"
                yield _figure(section, key, quantity, source=published.source)
                break
    else:
        rate = measurement.capacity().output_tok_per_s
        yield Figure(section, CAPACITY, rate, f"{origin_words(measurement)}, no key of a scenario")
    engine = scenario.engine
    if engine is not None and engine.accelerators is not None:
        yield _figure(section, "engine.accelerators", engine.accelerators)


def _hardware(scenario: Scenario) -> Iterator[Figure]:
    section, hardware = "Hardware, one server", scenario.hardware
    bought, rented = hardware.purchase, hardware.rent
    if bought is not None:
        key = "hardware.purchase."
        for name in ("price_usd", "accelerators", "life_years", "one_off_usd"):
            default = name not in bought.model_fields_set
            yield _figure(section, key + name, getattr(bought, name), default=default)
        if bought.residual_share is not None:
            yield _figure(section, f"{key}residual_share", bought.residual_share)
        else:
            residual = bought.residual_usd
            nothing = residual or Quantity(value=0.0)
            yield _figure(section, f"{key}residual_usd", nothing, default=residual is None)
    if rented is not None:
        for name in ("usd_per_hour", "accelerators"):
            default = name not in rented.model_fields_set
            yield _figure(section, f"hardware.rent.{name}", getattr(rented, name), default=default)
    section = "Paid once for the whole fleet"
    yield from _fields(section, scenario.hardware, "one_off", prefix="hardware.")
    if hardware.embodied_kg_co2e is not None:
        yield _figure(section, "hardware.embodied_kg_co2e", hardware.embodied_kg_co2e)


def _power(scenario: Scenario, comparison: Comparison) -> Iterator[Figure]:
    power, section, own = scenario.power, "Power, one server", comparison.self_host
    if power is None:
        return
    costed = {"idle_w": (IDLE_W, own.server_idle_w), "load_w": (LOAD_W, own.server_load_w)}
    for name in ("idle_w", "load_w", "pue", "usd_per_kwh", "price_growth_per_year"):
        quantity = getattr(power, name)
        default = name not in power.model_fields_set
        yield _figure(section, f"power.{name}", quantity, default=default)
        key, watts = costed.get(name, ("", quantity.value))
        if watts != quantity.value:
            yield Figure(section, key, watts, "costed in its place: the power meter of the bench")
    if power.kg_co2e_per_kwh is not None:
        yield _figure(section, "power.kg_co2e_per_kwh", power.kg_co2e_per_kwh)


def _finance(scenario: Scenario) -> Iterator[Figure]:
    finance, section = scenario.finance, "Finance"
    default = "method" not in finance.model_fields_set
    yield Figure(section, "finance.method", finance.method, "default" if default else "scenario")
    yield from _fields(section, scenario, "finance")


def _alternative(index: int, alternative: Any) -> Iterator[Figure]:
    section = f"Alternative: {alternative.name or alternative.catalog or index}"
    key = f"alternatives.{index}."
    stated = alternative.model_fields_set
    prices = alternative.usd_per_million
    if prices is not None:
        for name in type(prices).model_fields:
            quantity = getattr(prices, name)
            if quantity is not None:
                source = quantity.source or alternative.source
                yield _figure(section, f"{key}usd_per_million.{name}", quantity, source=source)
    fee = alternative.usd_per_request
    if alternative.catalog is None:
        nothing = fee or PriceQuantity.model_validate({"value": 0})
        free = not alternative.is_bill
        yield _figure(section, f"{key}usd_per_request", nothing, default=fee is None, free=free)
    for name in ("discount", "token_ratio"):
        quantity, default = getattr(alternative, name), name not in stated
        yield _figure(section, key + name, quantity, default=default)
    for name in ("cached_input_share", "cache_write_5m_share", "cache_write_1h_share"):
        quantity = getattr(alternative, name)
        if quantity is not None:
            yield _figure(section, key + name, quantity)


def _fields(section: str, parent: BaseModel, name: str, *, prefix: str = "") -> Iterator[Figure]:
    """Yield all numbers of a part of the scenario, the defaults too."""
    part: BaseModel = getattr(parent, name)
    for field in type(part).model_fields:
        value = getattr(part, field)
        if isinstance(value, Quantity):
            default = field not in part.model_fields_set
            yield _figure(section, f"{prefix}{name}.{field}", value, default=default)


def _figure(
    section: str,
    key: str,
    quantity: Quantity | PriceQuantity,
    *,
    default: bool = False,
    free: bool = True,
    source: str | None = None,
) -> Figure:
    words = "default" if default else "scenario" if free else "found by tco in the traffic stated"
    return Figure(
        section,
        key,
        float(quantity.value),
        quantity.source or source or words,
        None if quantity.low is None else float(quantity.low),
        None if quantity.high is None else float(quantity.high),
        free,
    )

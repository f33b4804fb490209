"""What the keys of a scenario are called in words: one table for reports and the what-if page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType

from tco.report.inputs import is_share, unit_beside
from tco.report.numbers import number, percent
from tco.report.text import plain, shorten
from tco.uncertainty import CAPACITY_KEY

_NAME_LIMIT = 44
_OWNERS = {
    "alternatives": "alternative",
    "other_hardware": "other hardware",
    "mix": "kind of request",
}
# A `*` stands for an entry of a list, of which the words are said.
WORDS = MappingProxyType(
    {
        CAPACITY_KEY: "the measured rate",
        "traffic.target_utilisation": "utilisation",
        "traffic.demand.requests_per_day": "requests a day",
        "traffic.demand.average_requests_per_s": "requests a second, average",
        "traffic.demand.average_output_tok_per_s": "output rate, average",
        "traffic.demand.scale": "demand, times the trace's",
        "traffic.demand.peak_to_average": "peak, times the average",
        "traffic.demand.peak_output_tok_per_s": "output rate at the peak",
        "traffic.demand.profile.*": "hourly weight of the demand",
        "traffic.demand.target_peak_utilisation": "load at the peak",
        "traffic.demand.availability": "availability of a replica",
        "traffic.demand.spares": "spare replicas",
        "traffic.by_year.*": "demand in a later year, times the first's",
        "traffic.shape.input_tokens": "input tokens of a request",
        "traffic.shape.cached_input_share": "cached share of the input",
        "traffic.shape.output_tokens": "output tokens of a request",
        "traffic.shape.session.turns": "model calls in a session",
        "traffic.shape.session.system_tokens": "system prompt of a session",
        "traffic.shape.session.first_input_tokens": "task of a session",
        "traffic.shape.session.tool_output_tokens": "output of a tool",
        "traffic.shape.session.answer_tokens": "answer of a call",
        "traffic.shape.session.final_answer_tokens": "final answer of a session",
        "traffic.shape.session.tool_wait_s": "wait for a tool",
        "traffic.shape.session.think_s": "pause of a user",
        "traffic.shape.mix.*.weight": "weight",
        "traffic.shape.mix.*.input_tokens": "input tokens",
        "traffic.shape.mix.*.cached_input_share": "cached share of the input",
        "traffic.shape.mix.*.output_tokens": "output tokens",
        "traffic.shape.mix.*.requests_per_s": "capacity",
        "engine.accelerators": "accelerators of a replica",
        "engine.concurrency": "streams at once",
        "measurement.published.output_tok_per_s": "capacity of a replica, published",
        "measurement.published.total_tok_per_s": "capacity of a replica, published",
        "measurement.published.requests_per_s": "capacity of a replica, published",
        "hardware.purchase.price_usd": "price of a server",
        "hardware.purchase.accelerators": "accelerators in a server",
        "hardware.purchase.life_years": "life of the hardware",
        "hardware.purchase.residual_share": "residual value, of the price",
        "hardware.purchase.residual_usd": "residual value",
        "hardware.purchase.one_off_usd": "paid once, a server",
        "hardware.rent.usd_per_hour": "rent of a server",
        "hardware.rent.accelerators": "accelerators in a server",
        "hardware.one_off": "paid once for the fleet, USD",
        "hardware.one_off.network_usd": "network, once",
        "hardware.one_off.rack_usd": "racks, once",
        "hardware.one_off.migration_usd": "migration, once",
        "hardware.embodied_kg_co2e": "emissions of making a server",
        "power.idle_w": "power of a server, idle",
        "power.load_w": "power of a server, under load",
        "power.rest_of_server_w": "power of a server beside its accelerators",
        "power.pue": "PUE (facility power by server power)",
        "power.usd_per_kwh": "price of electricity",
        "power.kg_co2e_per_kwh": "carbon intensity of the grid",
        "power.price_growth_per_year": "growth of the price of electricity a year",
        "operations.fte": "staff",
        "operations.fte_usd_per_year": "pay of one of the staff",
        "operations.maintenance_share_per_year": "maintenance a year, of the price",
        "operations.licence_usd_per_accelerator_year": "licence",
        "operations.hosting_usd_per_month": "hosting",
        "operations.colocation_usd_per_kw_month": "colocation",
        "operations.failures_per_accelerator_year": "failures of accelerators",
        "operations.repair_usd_per_failure": "repair of a failure",
        "operations.other_usd_per_year": "other costs",
        "operations.growth_per_year": "growth of operating costs a year",
        "finance.discount_rate": "discount rate",
        "finance.horizon_years": "horizon",
        "finance.api_price_change_per_year": "change of API prices a year",
        "finance.stress_api_price_change_per_year": "change of API prices a year under the stress",
        "finance.refresh_price_change_per_year": "change of hardware prices a year",
        "finance.tax_rate": "tax on savings",
        "finance.tax_book_value_share": "book value at the end, of the price",
        "currency.usd_per_unit": "exchange rate",
        "other_hardware.*.purchase.price_usd": "price of a server",
        "other_hardware.*.purchase.life_years": "life of the hardware",
        "other_hardware.*.rent.usd_per_hour": "rent of a server",
        "alternatives.*.catalog": "prices",
        "alternatives.*.usd_per_million.input": "input price",
        "alternatives.*.usd_per_million.cached_input": "cached-input price",
        "alternatives.*.usd_per_million.cache_write_5m": "price of a cache write for 5 minutes",
        "alternatives.*.usd_per_million.cache_write_1h": "price of a cache write for an hour",
        "alternatives.*.usd_per_million.output": "output price",
        "alternatives.*.usd_per_request": "price of a request beside its tokens",
        "alternatives.*.discount": "discount",
        "alternatives.*.cached_input_share": "cached share of the input",
        "alternatives.*.cache_write_5m_share": "share written to the cache for 5 minutes",
        "alternatives.*.cache_write_1h_share": "share written to the cache for an hour",
        "alternatives.*.token_ratio": "tokens there per token of ours",
    }
)
_ENTRY = re.compile(r"(\w+)\.(\d+)(?=\.|$)")


def key_words(key: str, alternatives: Sequence[str] = ()) -> str:
    """Return what a key is called: `discount of a contract`; a key without words is its own.

    Args:
        key: of the scenario, or of the measured rate.
        alternatives: their names; without one it is named by its number.
    """
    said = WORDS.get(_pattern(key))
    if said is None:
        return plain(key)
    entry = _ENTRY.search(key)
    if entry is None or entry[1] not in _OWNERS:
        return said
    place = int(entry[2])
    if entry[1] == "alternatives" and place < len(alternatives):
        return f"{said} of {shorten(plain(alternatives[place]), _NAME_LIMIT)}"
    return f"{said} of {_OWNERS[entry[1]]} {place + 1}"


def titled(key: str, alternatives: Sequence[str] = ()) -> str:
    """Return the words of a key as they stand at the head of a row."""
    said = key_words(key, alternatives)
    return said if said == plain(key) else said[:1].upper() + said[1:]


def measured(key: str, alternatives: Sequence[str] = ()) -> str:
    """Return the same with the unit of the key's value, where that is no share."""
    said, unit = titled(key, alternatives), unit_beside(key)
    return said if not unit or unit in said.lower() else f"{said}, {unit}"


def value_words(key: str, value: float) -> str:
    """Return a value of the key: `30 %` of a share, else a bare number."""
    return percent(value) if is_share(key) else number(value)


def _pattern(key: str) -> str:
    """Return the key with `*` for each number, and of a length's mean the length."""
    return re.sub(r"\.\d+(?=\.|$)", ".*", key.removesuffix(".mean"))

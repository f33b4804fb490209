"""Every value of the scenario, with its unit, range, and source, the defaults marked."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from pydantic import BaseModel

from tco.bill import BillFacts
from tco.quantity import PriceQuantity, Quantity
from tco.report.numbers import MINUS, exact, percent
from tco.report.table import Column, Row, Table, row
from tco.report.text import shorten
from tco.scenario import Scenario, TunedSettings
from tco.secret_names import SECRET_NAME

_LONG = 12
_RANGE = 2
_VALUE_LIMIT = 600
_KEY_ROOM = 36
_DEFAULT = "default"
# The first pattern that fits the end of a key gives its unit.
_UNITS = (
    (r"usd_per_million\.\w+", "USD per million tokens"),
    (r"usd_per_accelerator_year", "USD per accelerator, year"),
    (r"usd_per_kw_month", "USD per kW, month"),
    (r"failures_per_accelerator_year", "a year for each accelerator"),
    (r"kg_co2e_per_kwh", "kg CO2e per kWh"),
    (r"kg_co2e", "kg CO2e"),
    (r"usd_per_kwh", "USD per kWh"),
    (r"usd_per_(\w+)", "USD per {}"),
    (r"_usd", "USD"),
    (r"tok_per_s", "tokens a second"),
    (r"requests_per_s", "requests a second"),
    (r"requests_per_day", "requests a day"),
    (r"tokens(\.\w+)?", "tokens"),
    (r"_w", "W"),
    (r"_ms", "ms"),
    (r"_s", "s"),
    (r"_minutes", "minutes"),
    (r"_years", "years"),
    (r"fte", "full-time people"),
)
_SHARE = re.compile(r"(share|utilisation|availability|_rate|per_year|discount|share_per_year)$")
_NOT_A_SHARE = re.compile(r"usd_per_year$|fte_usd_per_year$|accelerator_year$")


def inputs_table(scenario: Scenario) -> Table:
    """Return one row for each value of the scenario, in the order of its file.

    The column of ranges is left out when no value has one.
    """
    columns = tuple(map(Column, ("Key", "Value", "Range", "Source")))
    rows = tuple(map(_with_room, _model("", scenario)))
    caption = "The scenario, value by value"
    if any(each.cells[_RANGE].text for each in rows):
        return Table(caption, columns, rows, "ranges")
    columns = columns[:_RANGE] + columns[_RANGE + 1 :]
    shorter = tuple(Row(each.cells[:_RANGE] + each.cells[_RANGE + 1 :]) for each in rows)
    return Table(caption, columns, shorter, "inputs")


def stated_table(scenario: Scenario) -> Table:
    """Return the rows of `inputs_table` that the scenario states, without its defaults."""
    every = inputs_table(scenario)
    return dataclasses.replace(
        every, rows=tuple(line for line in every.rows if line.cells[-1].text != _DEFAULT)
    )


def default_words(scenario: Scenario) -> str | None:
    """Return what the scenario leaves at its default, each key with its value; None for nothing."""
    left = [line.cells for line in inputs_table(scenario).rows if line.cells[-1].text == _DEFAULT]
    if not left:
        return None
    listed = "; ".join(f"{key.text} {value.text}" for key, value, *_ in left)
    return f"Left at their defaults: {listed}."


def _with_room(line: Row) -> Row:
    """Return the row whose key stays whole where its wide column holds it in a line."""
    key, *others = line.cells
    return Row((dataclasses.replace(key, room=_KEY_ROOM), *others))


def unit_of(key: str) -> str:
    """Return the unit that the end of a dotted key names, or an empty string."""
    for pattern, words in _UNITS:
        found = re.search(f"(?:{pattern})$", key)
        if found:
            group = found.group(1) if found.groups() and found.group(1) else ""
            return words.format(group.replace("_", " "))
    return ""


def is_share(key: str) -> bool:
    """Say whether a key's value is a share, printed in percent."""
    return bool(_SHARE.search(key)) and not _NOT_A_SHARE.search(key)


def unit_beside(key: str) -> str:
    """Return the unit beside a key's printed value: of a share, printed in percent, none."""
    return "" if is_share(key) else unit_of(key)


def _model(prefix: str, model: BaseModel) -> Iterator[Row]:
    for name in type(model).model_fields:
        key = f"{prefix}{name.rstrip('_')}"
        yield from _value(key, getattr(model, name), default=name not in model.model_fields_set)


def _value(key: str, value: object, *, default: bool) -> Iterator[Row]:
    if value is None or isinstance(value, BillFacts | TunedSettings) or value in ({}, ()):
        return
    if isinstance(value, Quantity | PriceQuantity):
        yield _quantity(key, value, default=default)
    elif isinstance(value, BaseModel):
        yield from _defaults(key, value) if default else _model(f"{key}.", value)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _value(f"{key}.{name}", _kept_secret(name, inner), default=default)
    elif isinstance(value, tuple) and not _is_text_list(value):
        yield from _list(key, value, default=default)
    else:
        yield _scalar(key, value, default=default)


def _defaults(key: str, model: BaseModel) -> Iterator[Row]:
    for name in type(model).model_fields:
        yield from _value(f"{key}.{name}", getattr(model, name), default=True)


def _list(key: str, values: tuple[object, ...], *, default: bool) -> Iterator[Row]:
    if len(values) > _LONG and all(isinstance(each, Quantity) for each in values):
        weights = [each.value for each in values if isinstance(each, Quantity)]
        text = f"{len(weights)} weights, {exact(min(weights))} to {exact(max(weights))}"
        yield row(key, text, "", "")
        return
    for place, each in enumerate(values):
        yield from _value(f"{key}.{place}", each, default=default)


def _quantity(key: str, quantity: Quantity | PriceQuantity, *, default: bool) -> Row:
    low, high = quantity.low, quantity.high
    bounds = ""
    if low is not None or high is not None:
        low_text = _number(key, quantity.value if low is None else low)
        high_text = _number(key, quantity.value if high is None else high)
        bounds = f"{low_text} to {high_text}"
    source = quantity.source or (_DEFAULT if default else "scenario")
    return row(key, f"{_number(key, quantity.value)} {unit_beside(key)}", bounds, source)


def _number(key: str, value: float | Decimal) -> str:
    if is_share(key):
        return percent(float(value))
    if isinstance(value, Decimal):
        return f"{value:,f}".replace("-", MINUS)
    return exact(value)


def _scalar(key: str, value: object, *, default: bool) -> Row:
    if isinstance(value, tuple):
        text = " ".join(map(str, value))
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = str(value)
    if key != "name":
        text = shorten(text, _VALUE_LIMIT)
    return row(key, text, "", _DEFAULT if default else "scenario")


def _is_text_list(value: tuple[object, ...]) -> bool:
    return all(isinstance(each, str) for each in value)


def _kept_secret(name: str, value: object) -> object:
    if isinstance(value, str) and SECRET_NAME.search(name):
        return "(set; not printed)"
    return value

"""A Comparison as one long table in CSV: a row a figure, whole precision, for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from tco.comparison import AlternativeResult, Comparison
from tco.finding import Finding
from tco.spreadsheet_text import as_text, cut_to_cell

COLUMNS = ("section", "alternative", "figure", "at", "unit", "value", "reason")
# What an alternative or an uncertainty row is named by; it stands in a column of its own.
_APART = {"name", "flow_times_years", "net_flows_usd"}
# Of an entry about a key of the scenario these are in the key's unit.
_OF_THE_KEY = {"value", "low", "high"}
_UNITS = (
    (r"usd_per_million_output_price|million_(cached_)?input|cache_write_\w+", "USD/1e6 tokens"),
    (r"usd_per_million_output", "USD/1e6 output tokens"),
    (r"usd_per_million_total", "USD/1e6 total tokens"),
    (r"g_co2e_per_million_total", "g CO2e/1e6 total tokens"),
    (r"usd_per_(hour|year|month|request|session|kwh)", r"USD/{}"),
    (r"usd_per_request_of_mean", "USD/request"),
    (r"usd|_usd|usd_against_own", "USD"),
    (r"requests_per_(s|year|month|session)", "requests/{}"),
    (r"tok_per_s|^interval", "tokens/s"),
    (r"kwh_per_year", "kWh/year"),
    (r"kg_co2e_per_year", "kg CO2e/year"),
    (r"_years", "years"),
    (r"_months", "months"),
    (r"_ms", "ms"),
    (r"_w", "W"),
    (r"saving\w*|share|utilisation|^level|irr|probability_cheaper|change_per_year", "share"),
)  # fmt: skip
Scalar = str | float | bool | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: a figure of a section, against an alternative or none.

    Attributes:
        at: the utilisation or the year that it is of; None where it has neither.
        value: None where there is none; `reason` says why.
    """

    section: str
    figure: str
    value: Scalar
    unit: str = ""
    alternative: str = ""
    at: float | None = None
    reason: str = ""


def comparison_csv(comparison: Comparison) -> str:
    """Return the table as RFC 4180 says: a header, CRLF, quotes where needed."""
    return csv_text(COLUMNS, (cells_of(each) for each in figures(comparison)))


def csv_text(columns: Iterable[str], rows: Iterable[Iterable[Scalar]]) -> str:
    """Return rows under their columns as CSV; numbers in full, text that never is a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    for cells in rows:
        writer.writerow([_cell(each) for each in cells])
    return out.getvalue()


def figures(comparison: Comparison) -> Iterator[Figure]:
    """Yield every figure of the comparison, section by section."""
    for name in ("name", "date", "tool_version", "scenario_sha256", "measurement_sha256"):
        value = getattr(comparison, name)
        yield Figure("comparison", name, None if value is None else str(value))
    for section in ("capacity", "served", "service", "self_host", "bill"):
        yield from _leaves(section, getattr(comparison, section))
    for each in comparison.alternatives:
        yield from _leaves("alternatives", each, alternative=each.name)
        yield from _flows(each)
    for way in comparison.ways:
        yield from _leaves("ways", way, alternative=way.name)
    yield from _utilisation(comparison)
    yield from _uncertainty(comparison)
    for finding in comparison.findings:
        yield _finding(finding)


def unit_of_figure(figure: str) -> str:
    """Return the unit that the end of a figure's dotted name tells, or an empty string."""
    for pattern, words in _UNITS:
        for part in reversed(figure.split(".")):
            if found := re.search(rf"(?:{pattern})$", part):
                return words.format(*found.groups()[-1:])
    return ""


def _leaves(
    section: str, part: object, *, alternative: str = "", above: str = ""
) -> Iterator[Figure]:
    """Yield the single values below a part."""
    for name, value, reason in _fields(part):
        key = f"{above}{name}"
        if isinstance(value, BaseModel):
            yield from _leaves(section, value, alternative=alternative, above=f"{key}.")
        elif isinstance(value, tuple):
            yield from _listed(section, value, alternative, key)
        elif above or name not in _APART:
            unit = unit_of_figure(key)
            yield Figure(section, key, _scalar(value), unit, alternative, reason=reason)


def _fields(part: object) -> Iterator[tuple[str, object, str]]:
    """Yield name, value and, where there is none, why."""
    if isinstance(part, BaseModel):
        for name in type(part).model_fields:
            if not name.endswith("_reason"):
                yield name, getattr(part, name), getattr(part, f"{name}_reason", None) or ""


def _listed(
    section: str, parts: Iterable[object], alternative: str, above: str
) -> Iterator[Figure]:
    """Yield the values of a list: by the scenario's key that an entry is of, else by its place."""
    for place, each in enumerate(parts):
        key = getattr(each, "key", None)
        if key is None:
            if isinstance(each, BaseModel):
                inner = f"{above}.{place}."
                yield from _leaves(section, each, alternative=alternative, above=inner)
            elif above not in _APART:
                yield Figure(section, f"{above}.{place}", _scalar(each), alternative=alternative)
            continue
        for name, value, reason in _fields(each):
            if name != "key":
                unit = unit_of_figure(key if name in _OF_THE_KEY else f"{above}.{name}")
                figure = f"{above}.{key}.{name}"
                yield Figure(section, figure, _scalar(value), unit, alternative, reason=reason)


def _scalar(value: object) -> Scalar:
    return value if isinstance(value, str | float | int | None) else str(value)


def _flows(each: AlternativeResult) -> Iterator[Figure]:
    for year, flow in zip(each.flow_times_years, each.net_flows_usd, strict=False):
        yield Figure("cash_flow", "net_flows_usd", flow, "USD", each.name, year)


def _utilisation(comparison: Comparison) -> Iterator[Figure]:
    names = [each.name for each in comparison.alternatives]
    for row in comparison.utilisation:
        figure, at = "usd_per_million_output", row.utilisation
        cost = row.usd_per_million_output
        yield Figure("utilisation", figure, cost, unit_of_figure(figure), at=at)
        for name, saving in zip(names, row.saving, strict=True):
            yield Figure("utilisation", "saving", saving, "share", name, at)


def _uncertainty(comparison: Comparison) -> Iterator[Figure]:
    found = comparison.uncertainty
    if found is None:
        return
    apart = found.model_copy(update={"alternatives": ()})
    yield from _leaves("uncertainty", apart)
    for rival in found.alternatives:
        yield from _leaves("uncertainty", rival, alternative=rival.name)


def _finding(finding: Finding) -> Figure:
    words = f"{finding.message} {finding.advice}"
    return Figure("findings", finding.kind, finding.severity, reason=words)


def cells_of(figure: Figure) -> tuple[Scalar, ...]:
    """Return a row's cells, in the order of the columns."""
    return tuple(getattr(figure, name) for name in COLUMNS)


def _cell(value: Scalar) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return as_text(cut_to_cell(value)) if isinstance(value, str) else repr(value)

"""What the first page says beside the headline: key figures, what they rest on, omissions."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import AlternativeResult, Comparison, Reason
from tco.measurement import Measurement
from tco.report.capacity import interval_words, on_rate, origin_words, rule_words, seen_at_words
from tco.report.exchange import Exchange
from tco.report.figures import part_name
from tco.report.headline import none_because
from tco.report.numbers import exact, number, percent, short_usd, usd, years
from tco.report.text import plain, shorten
from tco.report.years import change_words
from tco.scenario import Scenario

_SOURCE_LIMIT = 120
_TITLES = (
    "Saving",
    "Saving, USD a year",
    "Cash at the start",
    "Net present value",
    "Levelised saving",
    "If API prices fall",
)
_MONEY_OF_BUYING = frozenset({"capital", "rental"})


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """One figure of the first page, the words under it, and the second currency's amount."""

    label: str
    value: str
    note: str
    also: str | None = None


def key_figures(
    comparison: Comparison, scenario: Scenario, exchange: Exchange | None
) -> tuple[KeyFigure, ...]:
    """Return the six figures of the decision, always all six, each a number or the reason.

    Saving at today's prices, USD a year, cash at the start, net present value, levelised saving,
    and the same with API prices falling as the scenario's stress says.
    """
    saving, yearly, cash, worth, levelised, stressed = _TITLES

    def money(title: str, amount_usd: float | None, note: str) -> KeyFigure:
        if amount_usd is None:
            return KeyFigure(title, "none", note)
        also = None if exchange is None else exchange.text(amount_usd)
        return KeyFigure(title, short_usd(amount_usd), note, also)

    paid_usd = comparison.self_host.cash_at_start_usd
    at_start = money(cash, 0.0 - paid_usd, "paid in year 0" if paid_usd else "nothing is bought")
    rival = comparison.headline_alternative()
    if rival is None:
        none = {title: KeyFigure(title, "none", "no alternative named") for title in _TITLES}
        return tuple((none | {cash: at_start}).values())
    span = _horizon_words(rival, scenario)
    npv = none_because(rival.npv_usd_reason) if rival.npv_usd is None else span
    return (
        _share(saving, rival.saving, rival.saving_reason, "at today's prices"),
        money(yearly, rival.saving_usd_per_year, "in the first year"),
        at_start,
        money(worth, rival.npv_usd, npv),
        _share(
            levelised,
            rival.levelised_saving,
            rival.levelised_saving_reason,
            f"API prices {change_words(scenario.finance.api_price_change_per_year.value)}",
        ),
        _stressed(stressed, rival),
    )


def years_words(comparison: Comparison) -> str:
    """Return what a year costs on either side, and the payback; without an alternative, own."""
    rival = comparison.headline_alternative()
    said = f"A year costs {usd(comparison.self_host.usd_per_year)} on own hardware"
    if rival is None:
        return f"{said}, {on_rate(comparison)}."
    payback = (
        none_because(rival.payback_years_reason)
        if rival.payback_years is None
        else years(rival.payback_years)
    )
    there = "as billed" if rival.is_bill else "at the API"
    api = f"{usd(rival.usd_per_year)} {there}"
    return f"{said}, {on_rate(comparison)}, and {api}. Payback: {payback}."


def basis(comparison: Comparison, measurement: Measurement) -> str:
    """Return what the own cost rests on: rate, interval, rule, origin, service level."""
    rates = comparison.capacity
    interval = "" if rates.interval is None else f", {interval_words(rates.interval)},"
    rule = f" ({words})" if (words := rule_words(rates)) else ""
    text = (
        f"Own cost rests on {number(rates.output_tok_per_s)} output tokens a second{interval} "
        f"for one replica at capacity{rule}, {origin_words(measurement)}"
    )
    if measurement.published is not None:
        source = shorten(plain(measurement.published.source), _SOURCE_LIMIT)
        dated = f", {date}" if (date := measurement.published.date) is not None else ""
        return f"{text} ({source}{dated})."
    engine = measurement.engine
    if engine is not None and engine.version:
        text += f" on {plain(engine.name)} {plain(engine.version)}"
    return f"{text}, {measurement.created_at.date()}.{seen_at_words(comparison)}"


def not_included(comparison: Comparison, scenario: Scenario) -> str:
    """Return which cost lines are zero and what the model leaves out, as one sentence."""
    parts = comparison.self_host.parts_usd_per_hour.model_dump()
    rent = scenario.hardware.rent
    power_in_rent = rent is not None and rent.power_included
    zero = [
        part_name(key).lower()
        for key, usd_per_hour in parts.items()
        if usd_per_hour == 0
        and key not in _MONEY_OF_BUYING
        and not (key == "power" and power_in_rent)
    ]
    lines = f"{', '.join(zero)} (zero in the scenario)" if zero else "no cost line is zero"
    in_rent = " Electricity is part of the rental." if power_in_rent else ""
    tax = "" if scenario.finance.tax_rate.value else "; no tax is taken off"
    return f"{lines}{tax}.{in_rent}"


def _share(title: str, share: float | None, reason: Reason | None, note: str) -> KeyFigure:
    if share is None:
        return KeyFigure(title, "none", none_because(reason))
    return KeyFigure(title, percent(share), note)


def _stressed(title: str, rival: AlternativeResult) -> KeyFigure:
    """The levelised saving with API prices falling (or as the scenario's stress has them)."""
    stress = rival.stress
    if stress is None:
        return KeyFigure(title, "none", "the comparison has no such case")
    change = change_words(stress.api_price_change_per_year)
    title = f"If API prices {change.partition(' ')[0]}"
    note = f"levelised saving, {percent(abs(stress.api_price_change_per_year))} a year"
    return _share(title, stress.levelised_saving, stress.levelised_saving_reason, note)


def _horizon_words(rival: AlternativeResult, scenario: Scenario) -> str:
    span = rival.flow_times_years[-1] if rival.flow_times_years else 0.0
    finance = scenario.finance
    tax = ", after tax" if finance.tax_rate.value else ""
    years_words = f"{exact(span)} {'year' if span == 1 else 'years'}"
    return f"over {years_words} at {percent(finance.discount_rate.value)}{tax}"

"""What the first page says beside the headline: key figures, what they rest on, omissions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tco.comparison import AlternativeResult, Comparison
from tco.measurement import Measurement
from tco.report.capacity import interval_words, on_rate, origin_words, rule_words, seen_at_words
from tco.report.exchange import Exchange
from tco.report.figures import part_name
from tco.report.headline import label, none_because
from tco.report.numbers import exact, number, percent, usd, years
from tco.report.text import plain, shorten
from tco.scenario import Scenario

_SOURCE_LIMIT = 120
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
    """Return own cost, and what it means against the headline's alternative."""

    def money(title: str, amount_usd: float, note: str) -> KeyFigure:
        also = None if exchange is None else exchange.text(amount_usd)
        return KeyFigure(title, usd(amount_usd), note, also)

    own = comparison.self_host
    first = money("Own hardware, a year", own.usd_per_year, on_rate(comparison))
    rival = comparison.headline_alternative()
    if rival is None:
        return (first,)
    years_words = _horizon_words(rival, scenario)
    cash = rival.net_flows_usd[0] if rival.net_flows_usd else None
    return (
        first,
        money("API, a year", rival.usd_per_year, shorten(label(rival), 40)),
        money("Saving, a year", rival.saving_usd_per_year, _saving_words(rival)),
        KeyFigure("Cash at the start", "none", none_because("no_investment"))
        if cash is None
        else money("Cash at the start", cash, "net flow of year 0"),
        KeyFigure("Net present value", "none", none_because(rival.npv_usd_reason))
        if rival.npv_usd is None
        else money("Net present value", rival.npv_usd, years_words),
        _figure("Levelised saving", rival, "levelised_saving", percent, years_words),
        _figure("Payback, simple", rival, "payback_years", years, "without the residual"),
        _figure(
            "Break-even", rival, "break_even_utilisation", percent, "utilisation at equal cost"
        ),
    )


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


def _figure(
    title: str,
    rival: AlternativeResult,
    name: str,
    form: Callable[[float], str],
    note: str,
) -> KeyFigure:
    value: float | None = getattr(rival, name)
    if value is None:
        return KeyFigure(title, "none", none_because(getattr(rival, f"{name}_reason")))
    return KeyFigure(title, form(value), note)


def _horizon_words(rival: AlternativeResult, scenario: Scenario) -> str:
    span = rival.flow_times_years[-1] if rival.flow_times_years else 0.0
    finance = scenario.finance
    tax = ", after tax" if finance.tax_rate.value else ""
    return f"over {exact(span)} years at {percent(finance.discount_rate.value)}{tax}"


def _saving_words(rival: AlternativeResult) -> str:
    return none_because(rival.saving_reason) if rival.saving is None else percent(rival.saving)

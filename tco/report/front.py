"""What the first page says beside the headline: key figures, omissions, findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tco.comparison import AlternativeResult, Comparison
from tco.finding import Finding
from tco.measurement import Measurement
from tco.report.figures import part_name
from tco.report.headline import DEMONSTRATION_KIND, chosen, label, none_because
from tco.report.numbers import number, percent, usd, years
from tco.report.text import plain, shorten
from tco.scenario import Scenario

_SEVERITIES = ("invalid", "warn", "info")
_SEVERITY_WORDS = {"invalid": "Invalid", "warn": "Note", "info": "For information"}
_ORIGIN_WORDS = {
    "measured": "measured by tco",
    "imported": "imported from another tool's result",
    "published": "published by others, not measured here",
}
_SOURCE_LIMIT = 120
_MONEY_OF_BUYING = frozenset({"capital", "rental"})


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """One figure of the first page, and the words under it."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding as it is printed."""

    severity: str
    severity_words: str
    path: str
    message: str
    advice: str


def key_figures(comparison: Comparison) -> tuple[KeyFigure, ...]:
    """Return own cost, and what it means against the headline's alternative."""
    own = comparison.self_host
    basis = f"on a {comparison.capacity.origin} rate"
    first = KeyFigure("Own hardware, a year", usd(own.usd_per_year), basis)
    rival = chosen(comparison)
    if rival is None:
        return (first,)
    return (
        first,
        KeyFigure("API, a year", usd(rival.usd_per_year), shorten(label(rival), 40)),
        KeyFigure("Saving, a year", usd(rival.saving_usd_per_year), _saving_words(rival)),
        _cash_at_start(rival),
        _figure("Net present value", rival.npv_usd, usd, none_because(rival.npv_usd_reason)),
        _figure(
            "Levelised saving",
            rival.levelised_saving,
            percent,
            none_because(rival.levelised_saving_reason),
        ),
        _figure(
            "Payback, simple", rival.payback_years, years, none_because(rival.payback_years_reason)
        ),
    )


def basis(comparison: Comparison, measurement: Measurement) -> str:
    """Return what the own cost rests on, with the origin of the rate."""
    rates = comparison.capacity
    text = (
        f"Own cost rests on {number(rates.output_tok_per_s)} output tokens a second for one "
        f"replica at capacity, {_ORIGIN_WORDS[rates.origin]}"
    )
    if measurement.published is not None:
        source = shorten(plain(measurement.published.source), _SOURCE_LIMIT)
        return f"{text} ({source}, {measurement.published.date})."
    engine = measurement.engine
    if engine is not None and engine.version:
        text += f" on {plain(engine.name)} {plain(engine.version)}"
    return f"{text}, {measurement.created_at.date()}."


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
    return f"{lines}; tax is not modelled.{in_rent}"


def findings(comparison: Comparison, measurement: Measurement) -> tuple[FindingLine, ...]:
    """Return every finding once, the invalid ones first."""
    every = _unique((*comparison.findings, *measurement.all_findings()))
    ordered = sorted(every, key=lambda finding: _SEVERITIES.index(finding.severity))
    return tuple(
        FindingLine(
            severity=finding.severity,
            severity_words=_SEVERITY_WORDS[finding.severity],
            path=plain(finding.path),
            message=_sentence(finding.message),
            advice=_sentence(finding.advice),
        )
        for finding in ordered
        if finding.kind != DEMONSTRATION_KIND or finding.message
    )


def _unique(every: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(every))


def _cash_at_start(rival: AlternativeResult) -> KeyFigure:
    title = "Cash at the start"
    if not rival.net_flows_usd:
        return KeyFigure(title, "none", none_because("no_investment"))
    return KeyFigure(title, usd(rival.net_flows_usd[0]), "net flow of year 0")


def _figure(title: str, value: float | None, form: object, why: str) -> KeyFigure:
    if value is None:
        return KeyFigure(title, "none", why)
    assert callable(form)  # noqa: S101  told to mypy
    return KeyFigure(title, form(value), _MEANINGS[title])


def _saving_words(rival: AlternativeResult) -> str:
    return none_because(rival.saving_reason) if rival.saving is None else percent(rival.saving)


def _sentence(text: str) -> str:
    text = plain(text)
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


_MEANINGS = {
    "Net present value": "against the API, over the life",
    "Levelised saving": "over the life, discounted",
    "Payback, simple": "without the residual",
}

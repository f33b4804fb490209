"""A Document is a finished report: strings only, one for PDF and HTML alike."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Comparison
from tco.measurement import Measurement
from tco.report.costs import (
    against_tables,
    cash_tables,
    own_table,
    parts_table,
    prices_table,
    sources_table,
    utilisation_tables,
)
from tco.report.figures import CostCurve, PartBars, cost_curve, part_bars
from tco.report.front import FindingLine, KeyFigure, basis, findings, key_figures, not_included
from tco.report.headline import (
    DEMONSTRATION,
    chosen,
    headline,
    is_demonstration,
    label,
    sentence,
)
from tco.report.inputs import inputs_table
from tco.report.numbers import count
from tco.report.provenance import provenance_tables
from tco.report.table import Table, facts
from tco.report.text import plain, shorten
from tco.scenario import Scenario

__all__ = ["DEMONSTRATION", "Document", "compose", "headline", "is_demonstration"]

_TITLE_LIMIT = 70
_CHOICE = "the cheapest with the same weights if there is one, else the cheapest"
_INVALID = "Invalid measurement: its figures must not be used"


@dataclass(frozen=True, slots=True)
class Document:
    """All that a template prints; every figure in it was formatted once, here or below."""

    title: str
    short_name: str
    author: str
    date: str
    banner: str | None
    headline: str
    basis: str
    rival: str | None
    key_figures: tuple[KeyFigure, ...]
    not_included: str
    findings: tuple[FindingLine, ...]
    curve: CostCurve
    bars: PartBars
    own: Table
    parts: Table
    prices: Table
    against: tuple[Table, ...]
    utilisation: tuple[Table, ...]
    cash: tuple[Table, ...]
    sources: Table
    inputs: Table
    files: Table
    provenance: tuple[Table, ...]


def compose(comparison: Comparison, scenario: Scenario, measurement: Measurement) -> Document:
    """Return the finished report of one comparison."""
    rival = chosen(comparison)
    short_name = shorten(plain(comparison.name), _TITLE_LIMIT)
    return Document(
        title=f"Cost comparison: {short_name}",
        short_name=short_name,
        author=f"tco {comparison.tool_version}",
        date=comparison.date.isoformat(),
        banner=_banner(comparison, measurement),
        headline=sentence(comparison),
        basis=basis(comparison, measurement),
        rival=None if rival is None else _rival_words(comparison, label(rival)),
        key_figures=key_figures(comparison),
        not_included=not_included(comparison, scenario),
        findings=findings(comparison, measurement),
        curve=cost_curve(comparison),
        bars=part_bars(comparison),
        own=own_table(comparison),
        parts=parts_table(comparison),
        prices=prices_table(comparison),
        against=against_tables(comparison),
        utilisation=utilisation_tables(comparison),
        cash=cash_tables(comparison),
        sources=sources_table(comparison),
        inputs=inputs_table(scenario),
        files=_files(comparison),
        provenance=provenance_tables(measurement),
    )


def is_invalid(comparison: Comparison, measurement: Measurement) -> bool:
    """Say whether any finding is `invalid`."""
    every = (*comparison.findings, *measurement.all_findings())
    return any(finding.severity == "invalid" for finding in every)


def _banner(comparison: Comparison, measurement: Measurement) -> str | None:
    due = (
        (is_demonstration(comparison), DEMONSTRATION),
        (is_invalid(comparison, measurement), _INVALID),
    )
    return ". ".join(words for needed, words in due if needed) or None


def _rival_words(comparison: Comparison, name: str) -> str:
    several = len(comparison.alternatives)
    if several == 1:
        return f"Compared with {name}."
    return f"Compared with {name}, chosen from {count(several)} alternatives: {_CHOICE}."


def _files(comparison: Comparison) -> Table:
    pairs = (
        ("Scenario file, SHA-256", comparison.scenario_sha256),
        ("Measurement file, SHA-256", comparison.measurement_sha256 or "none: published figure"),
        ("Prices in force on", comparison.date.isoformat()),
        ("Money is in", "USD"),
    )
    return facts("What this report was made from", pairs)

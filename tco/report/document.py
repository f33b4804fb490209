"""A Document is a finished report: strings only, one for PDF and HTML alike."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Comparison
from tco.measurement import Measurement
from tco.report.arrivals import Arrivals, arrivals
from tco.report.bill import bill_tables
from tco.report.capacity import capacity_words, on_rate, origin_words
from tco.report.certainty import certainty_words, held_words, sure_table, varied_table
from tco.report.costs import (
    against_tables,
    cash_tables,
    own_table,
    parts_table,
    utilisation_tables,
)
from tco.report.details import details_table
from tco.report.exchange import Exchange, exchange_of, exchange_table
from tco.report.figures import CostCurve, PartBars, band_words, cost_curve, part_bars
from tco.report.findings import FindingLine, findings
from tco.report.front import KeyFigure, basis, key_figures, not_included, years_words
from tco.report.headline import (
    DEMONSTRATION,
    INVALID,
    demonstration_words,
    headline,
    is_demonstration,
    label,
    sentence,
)
from tco.report.inputs import default_words, stated_table
from tco.report.lengths import Lengths, lengths
from tco.report.load_curve import LoadCurve, load_curve
from tco.report.loads import only_load_words
from tco.report.numbers import count
from tco.report.page_one import PageOne, page_one
from tco.report.paid import PaidChart, paid_chart, paid_table
from tco.report.points import point_tables, service_table
from tco.report.power import power_table
from tco.report.price_tables import prices_table, sources_table
from tco.report.provenance import provenance_tables
from tco.report.ranking import Ranking, ranking
from tco.report.saving_map import SavingHeatMap, heat_map, no_map_words
from tco.report.sessions import sessions_table
from tco.report.table import Table, facts
from tco.report.text import plain, shorten
from tco.report.tornado_chart import TornadoBars, tornado_bars
from tco.report.traffic import traffic_tables, traffic_words
from tco.report.tuned import TunedSection, tuned_section
from tco.report.ways import ways_table
from tco.report.years import stress_words
from tco.scenario import Scenario
from tco.traffic.shape import TrafficShape
from tco.tuned_record import TunedRecord

__all__ = ["DEMONSTRATION", "Document", "compose", "headline", "is_demonstration"]

_TITLE_LIMIT = 70
_CHOICE = "the cheapest with the same weights if there is one, else the cheapest"
_CURVE = "Own cost per million output tokens, and what the same request costs elsewhere"
_BARS = "From the hardware to USD per million output tokens, beside the API's cost"
_PAID = "Paid by then in USD, own hardware against the API"


@dataclass(frozen=True, slots=True)
class Document:
    """All that a template prints; every figure in it was formatted once, here or below.

    `first` are the findings that the first page has room for; all stand on the second, the
    `invalid` and `warn` ones as `findings`, the others as `notes`. `exchange` is None unless
    the scenario names a second currency, `loads` where fewer than two loads have a latency.
    """

    title: str
    short_name: str
    author: str
    date: str
    banner: str | None
    running_banner: str | None
    headline: str
    basis: str
    rival: str | None
    key_figures: tuple[KeyFigure, ...]
    stress: str | None
    certainty: str | None
    rate: str | None
    years: str
    not_included: str
    first: PageOne
    findings: tuple[FindingLine, ...]
    notes: tuple[FindingLine, ...]
    curve: CostCurve
    curve_caption: str
    bars: PartBars
    bars_caption: str
    exchange: Table | None
    own: Table
    parts: Table
    ranking: Ranking | None
    details: Table
    prices: Table
    ways: Table | None
    against: tuple[Table, ...]
    utilisation: tuple[Table, ...]
    band: str
    map: SavingHeatMap | None
    no_map: str | None
    sure: tuple[Table, ...]
    held: str | None
    tornado: TornadoBars | None
    paid: PaidChart | None
    paid_caption: str
    cash: tuple[Table, ...]
    traffic_words: str
    traffic: tuple[Table, ...]
    arrivals: Arrivals | None
    lengths: Lengths | None
    loads: LoadCurve | None
    loads_caption: str
    load_words: tuple[str, ...]
    load_tables: tuple[Table, ...]
    tuned: TunedSection | None
    sources: Table
    inputs: Table
    defaults: str | None
    files: Table
    provenance: tuple[Table, ...]


def compose(
    comparison: Comparison,
    scenario: Scenario,
    measurement: Measurement,
    traffic: TrafficShape | None = None,
    tuned: TunedRecord | None = None,
) -> Document:
    """Return the finished report of one comparison.

    `traffic` is what the scenario's trace holds, if it has one; `tuned` the record of the tuning
    that its engine's settings come from.
    """
    rival = comparison.headline_alternative()
    short_name = shorten(plain(comparison.name), _TITLE_LIMIT)
    exchange = exchange_of(scenario)
    every_finding = findings(comparison, measurement)
    warned = tuple(each for each in every_finding if each.severity != "info")
    figures = key_figures(comparison, scenario, exchange)
    rested = basis(comparison, measurement)
    compared = None if rival is None else _rival_words(comparison, label(rival))
    certainty = certainty_words(comparison)
    rate = (
        None
        if exchange is None
        else f"{exchange.words}; what is not marked {exchange.code} is in USD."
    )
    omitted = not_included(comparison, scenario)
    banner = print_first(comparison, measurement)
    said = sentence(comparison)
    year = years_words(comparison)
    return Document(
        title=f"Cost comparison: {short_name}",
        short_name=short_name,
        author=f"tco {comparison.tool_version}",
        date=comparison.date.isoformat(),
        banner=banner,
        running_banner=_running_banner(comparison, measurement),
        headline=said,
        basis=rested,
        rival=compared,
        key_figures=figures,
        stress=None if rival is None else stress_words(rival),
        certainty=certainty,
        rate=rate,
        years=year,
        not_included=omitted,
        first=page_one(
            warned,
            name=short_name,
            banner=banner,
            headline=said,
            basis=f"{rested} {compared or ''}",
            figures=figures,
            notes=(year, certainty, rate),
            omitted=f"Not included: {omitted}",
        ),
        findings=warned,
        notes=tuple(each for each in every_finding if each.severity == "info"),
        curve=cost_curve(comparison),
        curve_caption=f"{_CURVE}, {on_rate(comparison)}",
        bars=part_bars(comparison),
        bars_caption=f"{_BARS}, {on_rate(comparison)}",
        exchange=None if exchange is None else exchange_table(comparison, exchange),
        own=own_table(comparison),
        parts=parts_table(comparison),
        details=details_table(comparison),
        ranking=ranking(comparison),
        prices=prices_table(comparison),
        ways=ways_table(comparison),
        against=against_tables(comparison),
        utilisation=utilisation_tables(comparison),
        band=_band_words(comparison),
        map=heat_map(comparison),
        no_map=no_map_words(comparison),
        sure=tuple(filter(None, (sure_table(comparison), varied_table(comparison)))),
        held=held_words(comparison),
        tornado=tornado_bars(comparison),
        paid=paid_chart(comparison),
        paid_caption=f"{_PAID}, {on_rate(comparison)}",
        cash=tuple(filter(None, (paid_table(comparison), *cash_tables(comparison)))),
        traffic_words=traffic_words(scenario),
        traffic=(*bill_tables(comparison.bill), *traffic_tables(traffic)),
        arrivals=arrivals(traffic),
        lengths=lengths(traffic),
        loads=load_curve(measurement),
        loads_caption=f"Latency against throughput, one replica, {origin_words(measurement)}",
        load_words=_load_words(comparison, measurement),
        load_tables=_load_tables(comparison, measurement),
        tuned=tuned_section(tuned),
        sources=sources_table(comparison),
        inputs=stated_table(scenario),
        defaults=default_words(scenario),
        files=_files(comparison, exchange),
        provenance=provenance_tables(measurement),
    )


def is_invalid(comparison: Comparison, measurement: Measurement) -> bool:
    """Say whether any finding is `invalid`."""
    every = (*comparison.findings, *measurement.all_findings())
    return any(finding.severity == "invalid" for finding in every)


def print_first(comparison: Comparison, measurement: Measurement) -> str | None:
    """Return what must be read before any figure: an invalid measurement, a demonstration."""
    invalid = INVALID if is_invalid(comparison, measurement) else None
    return ". ".join(filter(None, (invalid, demonstration_words(comparison)))) or None


def _running_banner(comparison: Comparison, measurement: Measurement) -> str | None:
    demonstration = DEMONSTRATION if is_demonstration(comparison) else None
    invalid = INVALID if is_invalid(comparison, measurement) else None
    return ". ".join(filter(None, (invalid, demonstration))) or None


def _rival_words(comparison: Comparison, name: str) -> str:
    several = len(comparison.alternatives)
    if several == 1:
        return f"Compared with {name}."
    return f"Compared with {name} from {count(several)} alternatives: {_CHOICE}."


def _band_words(comparison: Comparison) -> str:
    """What the band on the chart of the first page is, or why it has none."""
    if words := band_words(comparison):
        return (
            f"The band on page one is the {words}: every range is drawn but those of utilisation "
            "and demand, and the fleet stays as sized. The table has its ends."
        )
    return "Page one has no band of own cost: no range and no measured interval moves it."


def _load_words(comparison: Comparison, measurement: Measurement) -> tuple[str, ...]:
    """What stands above the loads; where there is no chart, what it would have said."""
    return tuple(
        filter(None, (capacity_words(comparison, measurement), only_load_words(measurement)))
    )


def _load_tables(comparison: Comparison, measurement: Measurement) -> tuple[Table, ...]:
    tables = (
        service_table(measurement),
        *point_tables(measurement),
        power_table(comparison, measurement),
        sessions_table(measurement),
    )
    return tuple(table for table in tables if table is not None)


def _files(comparison: Comparison, exchange: Exchange | None) -> Table:
    pairs = (
        ("Scenario file, SHA-256", comparison.scenario_sha256),
        ("Measurement file, SHA-256", comparison.measurement_sha256 or "none: no file"),
        ("Prices in force on", comparison.date.isoformat()),
        ("Money is in", "USD" if exchange is None else f"USD; {exchange.words}"),
    )
    return facts("What this report was made from", pairs)

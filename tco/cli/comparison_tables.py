"""A comparison as terminal tables: headline, cost parts, alternatives, break-even, findings."""

from __future__ import annotations

from rich.console import Console

from tco.cli.terminal_findings import STYLES
from tco.cli.terminal_table import Table, print_table, print_words
from tco.cli.terminal_table import add_row as _add
from tco.cli.terminal_table import table_of as _table
from tco.comparison import AlternativeResult, Comparison
from tco.measurement import Measurement
from tco.plural import several
from tco.report.capacity import capacity_words
from tco.report.certainty import SURE_HEADS, certainty_words, rival_of, sure_rows
from tco.report.costs import fleet_words, split_words
from tco.report.details import detail_texts
from tco.report.figures import part_name
from tco.report.findings import findings
from tco.report.headline import above_reach, label, none_because, sentence
from tco.report.numbers import number, percent, tenth_percent, usd, usd_column, years
from tco.report.ways import WAY_HEADS, way_rows
from tco.report.years import year_rows

_SHOWN_UTILISATIONS = (0.1, 0.25, 0.5, 0.75, 1.0)


def print_comparison(
    comparison: Comparison, measurement: Measurement, console: Console | None = None
) -> None:
    """Print the comparison on stdout; markup in names is shown as it is written."""
    out = console or Console(highlight=False)
    print_words(sentence(comparison), out, style="bold")
    print_words(capacity_words(comparison, measurement), out)
    if (sure := certainty_words(comparison)) is not None:
        print_words(sure, out)
    for table in (
        _cost_parts(comparison),
        _details(comparison),
        _footprint(comparison),
        _alternatives(comparison),
        *_sessions(comparison),
        _break_evens(comparison),
        *_years(comparison),
        *_hybrids(comparison),
        *_ways(comparison),
        *_sure(comparison),
        _utilisation(comparison),
    ):
        if table.rows:
            out.print()
            print_table(table, out)
    found = findings(comparison, measurement)
    if found:
        out.print()
    for finding in found:
        print_words(
            f" {finding.message} {finding.advice}",
            out,
            first=f"{finding.severity_words.lower()}:",
            style=STYLES[finding.severity],
        )


def _cost_parts(comparison: Comparison) -> Table:
    own = comparison.self_host
    servers = several(own.servers, "server")
    fleet = fleet_words(own) if own.has_idle_accelerators() else servers
    table = _table(f"Own cost, first year, {fleet}", "line", "USD per hour")
    parts = own.parts_usd_per_hour.model_dump()
    names = [*map(part_name, parts), "Together"]
    for cells in zip(names, usd_column([*parts.values(), own.usd_per_hour]), strict=True):
        _add(table, *cells)
    return table


def _details(comparison: Comparison) -> Table:
    table = _table("What own cost holds, and what it does not", "", "as stated", "USD a year of it")
    for texts in detail_texts(comparison):
        _add(table, *texts)
    return table


def _footprint(comparison: Comparison) -> Table:
    own = comparison.self_host
    table = _table("Energy and greenhouse gas, first year", "", "a year")
    for title, value, reason in (
        ("Energy, kWh", own.energy_kwh_per_year, own.energy_kwh_per_year_reason),
        ("Greenhouse gas, kg CO2e", own.kg_co2e_per_year, own.kg_co2e_per_year_reason),
    ):
        words = f"none: {none_because(reason)}" if value is None else number(value)
        _add(table, title, words)
    return table


def _alternatives(comparison: Comparison) -> Table:
    own = comparison.self_host
    of_mean = any(each.mean_misleads() for each in comparison.alternatives)
    table = _table(
        "The same requests, USD",
        "",
        "per request",
        *(("of mean length",) if of_mean else ()),
        "per M output tokens",
        "per M total tokens",
        "a year",
        "saving",
    )
    _add(
        table,
        "own hardware",
        usd(own.usd_per_request),
        *(("",) if of_mean else ()),
        usd(own.usd_per_million_output),
        usd(own.usd_per_million_total),
        usd(own.usd_per_year),
        "",
    )
    for each in comparison.alternatives:
        _add(
            table,
            label(each),
            usd(each.usd_per_request),
            *((_of_mean(each),) if of_mean else ()),
            usd(each.usd_per_million_output),
            usd(each.usd_per_million_total),
            usd(each.usd_per_year),
            none_because(each.saving_reason) if each.saving is None else percent(each.saving),
        )
    return table


def _of_mean(each: AlternativeResult) -> str:
    """One request of mean lengths; of tiered prices it costs other than the requests' mean."""
    return "" if each.usd_per_request_of_mean is None else usd(each.usd_per_request_of_mean)


def _sessions(comparison: Comparison) -> list[Table]:
    """Return a table of what a session costs, where the traffic has any."""
    requests, own = comparison.requests_per_session, comparison.self_host.usd_per_session
    if requests is None or own is None:
        return []
    table = _table(f"A session of {requests:.3g} requests", "", "USD per session")
    _add(table, "own hardware", usd(own))
    for each in comparison.alternatives:
        if each.usd_per_session is not None:
            _add(table, label(each), usd(each.usd_per_session))
    return [table]


def _hybrids(comparison: Comparison) -> list[Table]:
    """Return a table of the cheapest splits, where a demand has a profile to split."""
    if not any(each.hybrid for each in comparison.alternatives):
        return []
    table = _table(
        "Own a base, send the overflow to the API: the cheapest split",
        "with",
        "own base",
        "USD a year",
        "saving against the API",
        "against all own",
    )
    for each in comparison.alternatives:
        split = each.hybrid
        money = [] if split is None else [usd(split.usd_per_year)]
        if split is not None:
            savings = (split.saving_against_api, split.saving_against_all_own)
            money += ["none" if share is None else percent(share) for share in savings]
        _add(table, label(each), split_words(each), *money)
    return [table]


def _break_evens(comparison: Comparison) -> Table:
    table = _table("Break-even", "against", "utilisation", "requests a month", "payback", "NPV")
    for each in comparison.alternatives:
        npv = none_because(each.npv_usd_reason) if each.npv_usd is None else usd(each.npv_usd)
        _add(
            table,
            label(each),
            _even_utilisation(comparison, each),
            _even_volume(each),
            _payback(each),
            npv,
        )
    return table


def _years(comparison: Comparison) -> list[Table]:
    """Return the cash flow against each alternative, as stated and in the stress."""
    times = [each.flow_times_years[-1] for each in comparison.alternatives if each.flow_times_years]
    if not times:
        return []
    columns = ("levelised saving", "NPV", "IRR", "payback", "payback, discounted")
    table = _table(f"Over {years(times[0])}", "against", *columns)
    for each in comparison.alternatives:
        for place, (change, *cells) in enumerate(year_rows(each)):
            name = f"- if API prices {change}" if place else label(each)
            _add(table, name, *cells)
    return [table]


def _sure(comparison: Comparison) -> list[Table]:
    """Return the interval against each alternative, and what each range alone moves."""
    found, rival = comparison.uncertainty, rival_of(comparison)
    against = comparison.headline_alternative()
    if found is None or against is None:
        return []
    table = _table(f"How sure: {percent(found.level)} of {found.draws:,} draws", *SURE_HEADS)
    for cells in sure_rows(comparison):
        _add(table, *cells)
    tornado = None if rival is None else rival.saving_tornado
    if tornado is None or not tornado.bars:
        return [table]
    stated = f"{label(against)}, {percent(tornado.base)} as stated"
    bars = _table(
        f"One range at a time: the saving against {stated}",
        "figure", "from", "to", "saving at low", "at high",
    )  # fmt: skip
    for bar in tornado.bars:
        ends = (number(bar.low), number(bar.high), percent(bar.at_low), percent(bar.at_high))
        _add(bars, bar.key, *ends)
    return [table, bars]


def _ways(comparison: Comparison) -> list[Table]:
    """Return other hardware beside the scenario's own and the APIs, the cheapest first."""
    if not comparison.ways:
        return []
    # A year tells what an hour does, and the table is the widest.
    shown = [place for place, head in enumerate(WAY_HEADS) if head != "USD per hour"]
    heads = (WAY_HEADS[place] for place in shown)
    table = _table("Ways to serve the same requests, over one horizon", *heads)
    for cells in way_rows(comparison):
        _add(table, *(cells[place] for place in shown))
    return [table]


def _even_utilisation(comparison: Comparison, each: AlternativeResult) -> str:
    if each.break_even_utilisation is None:
        return none_because(each.break_even_utilisation_reason)
    above = " (out of reach)" if above_reach(comparison, each) else ""
    return f"{percent(each.break_even_utilisation)}{above}"


def _even_volume(each: AlternativeResult) -> str:
    if each.break_even_requests_per_month is None:
        return none_because(each.break_even_requests_per_month_reason)
    above = "" if each.break_even_within_capacity else " (above capacity)"
    return f"{each.break_even_requests_per_month:,.0f}{above}"


def _payback(each: AlternativeResult) -> str:
    if each.payback_years is None:
        return none_because(each.payback_years_reason)
    return years(each.payback_years)


def _utilisation(comparison: Comparison) -> Table:
    shown = [row for row in comparison.utilisation if row.utilisation in _SHOWN_UTILISATIONS]
    at = [percent(row.utilisation) for row in shown]
    table = _table("The same fleet at other utilisations", "", *at)
    own = usd_column([row.usd_per_million_output for row in shown])
    _add(table, "own, USD per M output tokens", *own)
    for place, each in enumerate(comparison.alternatives):
        savings = [row.saving[place] for row in shown]
        cells = ["none" if share is None else tenth_percent(share) for share in savings]
        _add(table, f"saving against {label(each)}", *cells)
    return table

"""A comparison as terminal tables: headline, cost parts, alternatives, break-even, findings."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.measure import Measurement as Width
from rich.table import Table
from rich.text import Text

from tco.comparison import AlternativeResult, Comparison
from tco.measurement import Measurement
from tco.report.capacity import capacity_words
from tco.report.certainty import SURE_HEADS, certainty_words, rival_of, sure_rows
from tco.report.costs import split_words
from tco.report.details import detail_texts
from tco.report.findings import findings
from tco.report.headline import headline, in_ascii, label, none_because
from tco.report.numbers import number, percent, usd, years
from tco.report.ways import WAY_HEADS, way_rows
from tco.report.years import year_rows

_SHOWN_UTILISATIONS = (0.1, 0.25, 0.5, 0.75, 1.0)
_WIDEST = 400
_STYLES = {"info": "dim", "warn": "yellow", "invalid": "bold red"}


def print_comparison(
    comparison: Comparison, measurement: Measurement, console: Console | None = None
) -> None:
    """Print the comparison on stdout; markup in names is shown as it is written."""
    out = console or Console(highlight=False)
    out.print(Text(headline(comparison), style="bold"))
    out.print(Text(in_ascii(capacity_words(comparison, measurement))))
    if (sure := certainty_words(comparison)) is not None:
        out.print(Text(in_ascii(sure)))
    for table in (
        _cost_parts(comparison),
        _details(comparison),
        _alternatives(comparison),
        *_sessions(comparison),
        _break_evens(comparison),
        *_years(comparison),
        *_hybrids(comparison),
        *_ways(comparison),
        *_sure(comparison),
        _utilisation(comparison),
    ):
        # A title of the table's own would be wrapped to the table's width.
        title, table.title = table.title, None
        out.print()
        out.print(title)
        _print_whole(table, out)
    found = findings(comparison, measurement)
    if found:
        out.print()
    for finding in found:
        line = Text(in_ascii(f"{finding.severity}: {finding.message} {finding.advice}"))
        line.stylize(_STYLES[finding.severity], 0, len(finding.severity))
        out.print(line)


def _print_whole(table: Table, out: Console) -> None:
    """Print a table wider than the terminal if its numbers would be cut else."""
    least = Width.get(out, out.options.update(max_width=_WIDEST), table).minimum
    out.print(table, width=max(least, out.width), crop=False)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=Text(title), pad_edge=False, collapse_padding=True, box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        table.add_column(
            Text(column),
            justify="right" if index else "left",
            overflow="fold",
            min_width=_longest_word(column),
        )
    return table


def _add(table: Table, *cells: str) -> None:
    table.add_row(*(Text(cell) for cell in cells))
    for column, cell in zip(table.columns[1:], cells[1:], strict=False):
        column.min_width = max(column.min_width or 0, _longest_word(cell))


def _longest_word(cell: str) -> int:
    """Return how wide a cell must be so that no number in it is cut."""
    return max(map(len, cell.split(" ")))


def _cost_parts(comparison: Comparison) -> Table:
    own = comparison.self_host
    servers = f"{own.servers} server" + ("s" if own.servers != 1 else "")
    table = _table(f"Own cost, first year, {servers}", "line", "USD per hour")
    for name, line_usd in own.parts_usd_per_hour.model_dump().items():
        _add(table, name, usd(line_usd))
    _add(table, "total", usd(own.usd_per_hour))
    return table


def _details(comparison: Comparison) -> Table:
    table = _table("What own cost holds, and what it does not", "", "as stated", "USD a year of it")
    for texts in detail_texts(comparison):
        _add(table, *map(in_ascii, texts))
    own = comparison.self_host
    for title, value, reason in (
        ("energy, kWh a year", own.energy_kwh_per_year, own.energy_kwh_per_year_reason),
        ("kg CO2e a year", own.kg_co2e_per_year, own.kg_co2e_per_year_reason),
    ):
        words = ("none", none_because(reason)) if value is None else (number(value), "")
        _add(table, title, *words)
    return table


def _alternatives(comparison: Comparison) -> Table:
    own = comparison.self_host
    of_mean = any(each.mean_misleads() for each in comparison.alternatives)
    table = _table(
        "The same request",
        "",
        "USD per request",
        *(("of mean length",) if of_mean else ()),
        "per M output",
        "per M total",
        "USD a year",
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
        _add(table, label(each), in_ascii(split_words(each)), *money)
    return [table]


def _break_evens(comparison: Comparison) -> Table:
    table = _table("Break-even", "against", "utilisation", "requests a month", "payback", "NPV")
    for each in comparison.alternatives:
        npv = none_because(each.npv_usd_reason) if each.npv_usd is None else usd(each.npv_usd)
        _add(table, label(each), _even_utilisation(each), _even_volume(each), _payback(each), npv)
    return table


def _years(comparison: Comparison) -> list[Table]:
    """Return the cash flow against each alternative, as stated and in the stress."""
    times = [each.flow_times_years[-1] for each in comparison.alternatives if each.flow_times_years]
    if not times:
        return []
    columns = ("API prices", "levelised saving", "NPV", "IRR", "payback", "discounted")
    table = _table(f"Over {number(times[0])} years", "against", *columns)
    for each in comparison.alternatives:
        for place, cells in enumerate(year_rows(each)):
            _add(table, "" if place else label(each), *cells)
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
    table = _table("Ways to serve the same requests, over one horizon", *WAY_HEADS)
    for cells in way_rows(comparison):
        _add(table, *cells)
    return [table]


def _even_utilisation(each: AlternativeResult) -> str:
    if each.break_even_utilisation is None:
        return none_because(each.break_even_utilisation_reason)
    return percent(each.break_even_utilisation)


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
    savings = [f"saving: {label(each)}" for each in comparison.alternatives]
    table = _table("The same fleet at other utilisations", "utilisation", "per M output", *savings)
    for row in comparison.utilisation:
        if row.utilisation in _SHOWN_UTILISATIONS:
            cells = ["none" if share is None else percent(share) for share in row.saving]
            _add(table, percent(row.utilisation), usd(row.usd_per_million_output), *cells)
    return table

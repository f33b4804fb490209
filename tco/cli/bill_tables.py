"""A bill as terminal tables: its files, its sums by model, its hours, and what it lacks."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from tco.bill.summary import BillSummary, BillSums
from tco.cli.terminal_table import Table, add_row, print_table, table_of
from tco.cli.workload_tables import bars
from tco.report.headline import in_ascii
from tco.report.numbers import count, percent, several, usd_column
from tco.report.text import visible

_HEADS = ("model", "requests", "input tokens", "cached", "output tokens", "USD")


def print_bill(summary: BillSummary) -> None:
    """Print the bill on stdout; names are shown as they are written."""
    out = Console(highlight=False)
    for file in summary.files:
        days = f"{file.first_day} to {file.last_day}"
        out.print(Text(visible(f"{file.name}: {file.format}, {days}")))
    out.print(Text(_period(summary)))
    print_table(_sums(summary), out)
    for line in (*_reasons(summary), *_hours(summary), _lacks(summary)):
        out.print(Text(visible(line)))
    for finding in summary.findings:
        said = (each[:1].upper() + each[1:] for each in (finding.message, finding.advice))
        out.print(Text(visible(f"{finding.word}: {'. '.join(said)}.")))


def _period(summary: BillSummary) -> str:
    if summary.days is None:
        return f"No common period: {summary.period_reason}"
    days = several(summary.days, "day")
    period = f"Counted: {summary.first_day} to {summary.last_day} (UTC), {days}"
    requests = summary.total.requests
    if requests is not None:
        period += f", {requests / summary.days:,.1f} requests a day"
    return period


def _sums(summary: BillSummary) -> Table:
    table = table_of("", *_HEADS)
    named = [(each.model or "(no model named)", each) for each in summary.by_model]
    rows = (*named, ("total", summary.total))
    money = usd_column([sums.usd for _, sums in rows], absent="not told")
    for (name, sums), paid in zip(rows, money, strict=True):
        add_row(table, name, *_counts(sums), paid)
    return table


def _counts(sums: BillSums) -> tuple[str, ...]:
    counts = (sums.requests, sums.input_tokens, sums.cached_tokens, sums.output_tokens)
    return tuple(map(_count, counts))


def _count(number: float | None) -> str:
    return "not told" if number is None else count(round(number))


def _hours(summary: BillSummary) -> list[str]:
    hours = summary.requests_by_hour
    if hours is None or max(hours) == 0:
        return []
    what = "requests" if summary.total.requests is not None else "output tokens"
    head = f"Mean {what} by hour of the day, UTC; the busiest hour has {max(hours):,.4g}"
    scaled = [round(hour / max(hours) * 1000) for hour in hours]
    return [head, *(f"  {line}" for line in bars(scaled)), "  0           12         23", ""]


def _reasons(summary: BillSummary) -> list[str]:
    """Say of which models the money is not told, and why, where that of others is."""
    if summary.total.usd is None:
        return []
    why: dict[str, list[str]] = {}
    for each in summary.by_model:
        if each.usd_reason:
            why.setdefault(each.usd_reason, []).append(each.model or "(no model named)")
    return [f"USD not told of {', '.join(names)}: {reason}." for reason, names in why.items()]


def _lacks(summary: BillSummary) -> str:
    share = summary.cached_input_share
    cached = "" if share is None else in_ascii(f"Cached share of the input: {percent(share)}. ")
    lacks = ", ".join(summary.lacks)
    return cached + (f"Not told: {lacks}." if lacks else "All that a scenario takes is told.")

"""The answers of several scenarios in columns, each row with what keeps it from being compared."""

from __future__ import annotations

from collections.abc import Callable

from tco.comparison import AlternativeResult, Comparison
from tco.report.capacity import interval_words
from tco.report.costs import figure_words
from tco.report.headline import label, none_because
from tco.report.numbers import count, number, percent, usd, years
from tco.report.side_names import side_layout
from tco.report.table import Column, Row, Table, row
from tco.report.text import shorten
from tco.side_by_side import SideBySide

_OTHER_REQUEST = " (different requests: not comparable)"
_OTHER_VOLUME = " (different volumes)"


def answers_table(side_by_side: SideBySide, heads: tuple[Column, ...]) -> Table:
    """Return the figures of each scenario; one that differs in meaning too says so in its row."""
    sides = side_by_side.sides
    request = "" if side_by_side.same_request else _OTHER_REQUEST
    volume = "" if side_by_side.same_volume else _OTHER_VOLUME
    compared = [side.comparison for side in sides]
    rivals = [each.headline_alternative() for each in compared]

    def own(title: str, text: Callable[[Comparison], str]) -> Row:
        return row(title, *map(text, compared))

    def against(
        title: str, text: Callable[[AlternativeResult], str], *, strong: bool = False
    ) -> Row:
        cells = ["none" if rival is None else text(rival) for rival in rivals]
        return row(title, *cells, strong=strong)

    def figure(title: str, name: str, form: Callable[[float], str], *, strong: bool = False) -> Row:
        return against(title, lambda rival: figure_words(rival, name, form), strong=strong)

    rows = (
        against("Compared with", lambda rival: shorten(label(rival), 44)),
        figure("Saving", "saving", percent, strong=True),
        row("Interval of the saving", *map(_interval, compared)),
        figure(f"Saving, USD a year{volume}", "saving_usd_per_year", usd),
        own(f"Own, USD a year{volume}", lambda each: usd(each.self_host.usd_per_year)),
        figure(f"API, USD a year{volume}", "usd_per_year", usd),
        own(f"Cash at the start, USD{volume}", _cash),
        figure(f"Net present value, USD{volume}", "npv_usd", usd),
        figure("Levelised saving", "levelised_saving", percent),
        against("Levelised if API prices change (stress)", _stress),
        figure("Payback, simple", "payback_years", years),
        own(f"Own, USD per request{request}", lambda each: usd(each.self_host.usd_per_request)),
        figure(f"API, USD per request{request}", "usd_per_request", usd),
        own(
            f"Own, USD per M output tokens{request}",
            lambda each: usd(each.self_host.usd_per_million_output),
        ),
        figure(f"API, USD per M output tokens{request}", "usd_per_million_output", usd),
        own("Utilisation", lambda each: percent(each.self_host.utilisation)),
        figure("Break-even utilisation", "break_even_utilisation", percent),
        figure(f"Break-even requests a month{request}", "break_even_requests_per_month", count),
        own("Servers", lambda each: count(each.self_host.servers)),
        own("Capacity of a replica, tok/s", lambda each: number(each.capacity.output_tok_per_s)),
        own("its interval", lambda each: interval_words(each.capacity.interval)),
        own("its origin", lambda each: each.capacity.origin),
    )
    return Table(
        "The answers side by side", (Column("Figure"), *heads), rows, side_layout(len(sides))
    )


def _interval(comparison: Comparison) -> str:
    rival = comparison.headline_alternative()
    if rival is None:
        return f"none: {none_because('no_alternative')}"
    found, sure = comparison.uncertainty, comparison.how_sure(rival)
    if found is not None and sure is not None and sure.saving is not None:
        return f"{percent(sure.saving.low)} to {percent(sure.saving.high)} ({percent(found.level)})"
    return "none: no range moves it"


def _cash(comparison: Comparison) -> str:
    return usd(0.0 - comparison.self_host.cash_at_start_usd)


def _stress(rival: AlternativeResult) -> str:
    stress = rival.stress
    if stress is None:
        return "none"
    change = percent(stress.api_price_change_per_year)
    if stress.levelised_saving is None:
        return f"none: {none_because(stress.levelised_saving_reason)}"
    return f"{percent(stress.levelised_saving)} at {change} a year"

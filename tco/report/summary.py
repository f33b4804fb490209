"""A Summary is the answer in twelve lines of eighty columns, for a terminal or the log of a CI."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from tco.comparison import AlternativeResult, Comparison
from tco.measurement import Measurement
from tco.report.capacity import on_rate
from tco.report.costs import figure_words
from tco.report.document import print_first
from tco.report.findings import findings
from tco.report.headline import in_ascii, label, none_because, verdict
from tco.report.numbers import number, percent, usd, years
from tco.report.text import plain
from tco.report.years import change_words

MOST_LINES, MOST_COLUMNS = 12, 80
_NAME_COLUMNS = 60
_TITLE_COLUMNS, _FIRST_COLUMNS = 12, 20


def summary_lines(comparison: Comparison, measurement: Measurement) -> tuple[str, ...]:
    """Return the lines: name, what must be read first, answer, money, years, the worst findings."""
    first = print_first(comparison, measurement)
    lines = [f"{cut(plain(comparison.name), _NAME_COLUMNS)}, {comparison.date}"]
    lines += [f"{first}."] if first else []
    lines += _answer(comparison)
    told = [
        f"{each.severity_words.lower()}: {each.message} {each.advice}"
        for each in findings(comparison, measurement)
        # The second line says it.
        if not each.message.startswith("Method demonstration")
    ]
    room = MOST_LINES - len(lines)
    if len(told) > room:
        more = len(told) - room + 1
        several = "finding" if more == 1 else "findings"
        told = [*told[: room - 1], f"and {more} more {several}: see the report"]
    return tuple(cut(in_ascii(line), MOST_COLUMNS) for line in (*lines, *told))


def cut(text: str, columns: int) -> str:
    """Return the text, cut with an ellipsis where it is wider than that many columns."""
    if cell_len(text) <= columns:
        return text
    return set_cell_size(text, columns - 1).rstrip() + "…"


def _answer(comparison: Comparison) -> Iterator[str]:
    own, rival = comparison.self_host, comparison.headline_alternative()
    at = f"at {percent(own.utilisation)} utilisation, {on_rate(comparison)}"
    if rival is None:
        yield "The scenario names no alternative to compare own hardware with"
        yield f"  {at}"
        yield _line("Own cost", f"{usd(own.usd_per_year)} a year", _per_million(comparison))
        return
    if rival.saving is None:
        yield f"No saving to state: {none_because(rival.saving_reason)}"
    else:
        yield f"Own hardware {verdict(rival.saving, label(rival))}"
    yield f"  {at}"
    yield _line("Own cost", f"{usd(own.usd_per_year)} a year", _per_million(comparison))
    cost = f"{usd(rival.usd_per_million_output)} per million output tokens"
    yield _line("API", f"{usd(rival.usd_per_year)} a year", cost)
    saved = f"{usd(rival.saving_usd_per_year)} a year"
    yield _line("Saving", saved, _interval(comparison, rival))
    payback = figure_words(rival, "payback_years", years)
    even = rival.break_even_utilisation
    at_even = "no break-even" if even is None else f"break-even at {percent(even)} utilisation"
    yield _line("Payback", payback, at_even)
    yield _line("Levelised", figure_words(rival, "levelised_saving", percent), _value(rival))
    if (stress := rival.stress) is not None:
        prices = change_words(stress.api_price_change_per_year)
        levelised = figure_words(stress, "levelised_saving", percent)
        yield f"If API prices {prices}: levelised {levelised}, NPV {usd(stress.npv_usd)}"


def _line(title: str, first: str, second: str) -> str:
    return f"{title:<{_TITLE_COLUMNS}}{f'{first}  ':<{_FIRST_COLUMNS}}{second}"


def _per_million(comparison: Comparison) -> str:
    return f"{usd(comparison.self_host.usd_per_million_output)} per million output tokens"


def _interval(comparison: Comparison, rival: AlternativeResult) -> str:
    """Return the interval of the saving: from the ranges, else from the measured rate alone."""
    found, sure = comparison.uncertainty, comparison.how_sure(rival)
    if found is not None and sure is not None and sure.saving is not None:
        ends = f"{percent(sure.saving.low)} to {percent(sure.saving.high)}"
        return f"{percent(found.level)} interval {ends}"
    if (within := rival.saving_interval) is not None:
        return f"{percent(within.low)} to {percent(within.high)} ({plain(within.covers)})"
    return "no interval: no range moves it"


def _value(rival: AlternativeResult) -> str:
    if rival.npv_usd is None:
        return f"net present value none: {none_because(rival.npv_usd_reason)}"
    over = f" over {number(rival.flow_times_years[-1])} years" if rival.flow_times_years else ""
    return f"net present value {usd(rival.npv_usd)}{over}"

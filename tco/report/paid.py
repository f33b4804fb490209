"""What has been paid by each time, own against the API: what the chart shows, and its table."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import AlternativeResult, Comparison, PaidBy
from tco.report.capacity import on_rate
from tco.report.headline import label, none_because
from tco.report.numbers import exact, short_usd, usd, usd_column, years
from tco.report.table import Column, Table, row
from tco.report.text import shorten
from tco.report.years import end_words

_NAME_LIMIT = 26
_HEAD_LIMIT = 44
_HEADROOM = 1.12


@dataclass(frozen=True, slots=True)
class PaidLine:
    """One side: its running sum (years, USD) and the words at its end."""

    label: str
    amount: str
    places: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class PaidChart:
    """Both running sums over the horizon.

    Attributes:
        meet: payback (years) and the sum of both there (USD); None where they do not meet.
        meet_words: of the mark, or why there is none.
    """

    own: PaidLine
    api: PaidLine
    meet: tuple[float, float] | None
    meet_words: str
    horizon_years: float
    high_usd: float
    description: str


def paid_chart(comparison: Comparison) -> PaidChart | None:
    """Return the chart against the headline's alternative; None where there is no cash flow."""
    rival = comparison.headline_alternative()
    if rival is None or not rival.paid_by:
        return None
    last = rival.paid_by[-1]
    name = shorten(label(rival), _NAME_LIMIT)
    own = PaidLine(
        "own hardware",
        short_usd(last.own_usd),
        tuple((each.years, each.own_usd) for each in rival.paid_by),
    )
    api = PaidLine(
        name, short_usd(last.api_usd), tuple((each.years, each.api_usd) for each in rival.paid_by)
    )
    meet = _meet(rival)
    words = _meet_words(rival)
    return PaidChart(
        own=own,
        api=api,
        meet=meet,
        meet_words=words,
        horizon_years=last.years,
        high_usd=max(last.own_usd, last.api_usd) * _HEADROOM or 1.0,
        description=f"Line chart of what has been paid over {exact(last.years)} years: own "
        f"hardware from {usd(rival.paid_by[1].own_usd if _starts_with_cash(rival) else 0)} at the "
        f"start to {own.amount} at the end, {name} from $0 to {api.amount}; {words}.",
    )


def paid_table(comparison: Comparison) -> Table | None:
    """Return the numbers of the chart at the start and at every year's end."""
    rival = comparison.headline_alternative()
    if rival is None or not rival.paid_by:
        return None
    at = tuple({each.years: each for each in rival.paid_by}.values())
    columns = (
        usd_column([each.own_usd for each in at]),
        usd_column([each.api_usd for each in at]),
        usd_column([each.ahead_usd for each in at]),
    )
    heads = ("Own hardware", shorten(label(rival), _HEAD_LIMIT), "Ahead by")
    return Table(
        f"Paid by then, USD, {on_rate(comparison)}",
        (Column("When"), *(Column(head, numeric=True) for head in heads)),
        tuple(
            row(end_words(each.years), *texts) for each, *texts in zip(at, *columns, strict=True)
        ),
    )


def _starts_with_cash(rival: AlternativeResult) -> bool:
    return len(rival.paid_by) > 1 and rival.paid_by[1].years == 0


def _meet(rival: AlternativeResult) -> tuple[float, float] | None:
    """Where the sums meet: the payback, and what the API has cost by then."""
    at = rival.payback_years
    if at is None:
        return None
    return at, _api_usd(rival.paid_by, at)


def _api_usd(sums: tuple[PaidBy, ...], at_years: float) -> float:
    before = max((each for each in sums if each.years <= at_years), key=lambda each: each.years)
    after = min(
        (each for each in sums if each.years >= at_years),
        key=lambda each: each.years,
        default=before,
    )
    span = after.years - before.years
    share = (at_years - before.years) / span if span > 0 else 0.0
    return before.api_usd + share * (after.api_usd - before.api_usd)


def _meet_words(rival: AlternativeResult) -> str:
    if rival.payback_years is None:
        return f"no payback: {none_because(rival.payback_years_reason)}"
    return f"payback {years(rival.payback_years)}"

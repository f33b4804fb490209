"""What own cost holds and leaves out: every key that adds to it, even where it adds nothing."""

from __future__ import annotations

from tco.comparison import Comparison, CostDetail
from tco.report.inputs import is_share
from tco.report.key_words import measured
from tco.report.numbers import exact, percent, usd
from tco.report.table import Column, Table, row

_LATER = "in the cash flow"
_LEFT_OUT = "not included"


def detail_texts(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    """Return name, value and what it adds to a year's own cost, as they are printed."""
    return tuple(
        (measured(each.key), _value(each), _adds(each)) for each in comparison.self_host.details
    )


def details_table(comparison: Comparison) -> Table:
    """Return what own cost holds and leaves out; a dollar may be in several of its rows."""
    columns = (
        Column("In own cost, or not"),
        Column("As stated", numeric=True),
        Column("USD a year of it", numeric=True),
    )
    rows = tuple(row(*texts) for texts in detail_texts(comparison))
    return Table("What own cost holds, and what it does not", columns, rows, "details")


def _value(detail: CostDetail) -> str:
    return percent(detail.value) if is_share(detail.key) else exact(detail.value)


def _adds(detail: CostDetail) -> str:
    if not detail.included:
        return _LEFT_OUT
    return _LATER if detail.usd_per_year is None else usd(detail.usd_per_year)

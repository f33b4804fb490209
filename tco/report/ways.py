"""All ways to serve the same requests, the cheapest over the horizon first."""

from __future__ import annotations

from tco.comparison import Comparison, Way
from tco.report.headline import none_because
from tco.report.numbers import several, usd_column
from tco.report.table import Column, Table, row
from tco.report.text import plain, shorten

WAY_HEADS = (
    "Way",
    "Paid",
    "USD per hour",
    "per M output",
    "USD, first year",
    "At the start",
    "Present value",
    "Against own",
    "Buying pays after",
)
# The columns of money, each with one number of decimals.
_AMOUNTS = (
    "usd_per_hour",
    "usd_per_million_output",
    "usd_per_year",
    "cash_at_start_usd",
    "present_value_usd",
    "npv_usd_against_own",
)
_TERMS = {
    "purchase": "bought",
    "reserved_rental": "reserved rent",
    "hourly_rental": "rent by the hour",
    "api": "API",
}
_NAME_LIMIT = 44


def way_rows(comparison: Comparison) -> tuple[tuple[str, ...], ...]:
    """Return one row a way, by present value."""
    ranked = sorted(comparison.ways, key=lambda way: way.present_value_usd)
    amounts = [usd_column([getattr(way, name) for way in ranked]) for name in _AMOUNTS]
    return tuple(
        (shorten(plain(way.name), _NAME_LIMIT), _paid(way), *texts, _break_even(way))
        for way, *texts in zip(ranked, *amounts, strict=True)
    )


def ways_table(comparison: Comparison) -> Table | None:
    """Return the ways as a table of the report; None where the scenario has only its own."""
    if not comparison.ways:
        return None
    columns = tuple(Column(head, numeric=place > 1) for place, head in enumerate(WAY_HEADS))
    rows = tuple(row(*cells) for cells in way_rows(comparison))
    caption = "Ways to serve the same requests, over one horizon"
    return Table(caption, columns, rows, layout="ways")


def _paid(way: Way) -> str:
    """Say how it is paid, and whether hosting is paid beside the rent."""
    parts = way.parts_usd_per_hour
    is_rented = way.terms in {"reserved_rental", "hourly_rental"}
    hosting = ", and hosting" if is_rented and parts is not None and parts.hosting > 0 else ""
    return _TERMS[way.terms] + hosting


def _break_even(way: Way) -> str:
    if way.break_even_months is not None:
        return several(way.break_even_months, "month")
    if way.break_even_months_unbounded is not None:
        return f"not within its life ({several(way.break_even_months_unbounded, 'month')})"
    if way.break_even_months_reason == "rent_not_above_running":
        return none_because(way.break_even_months_reason)
    return ""

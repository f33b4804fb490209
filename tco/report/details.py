"""What own cost holds and leaves out: every key that adds to it, even where it adds nothing."""

from __future__ import annotations

from tco.comparison import Comparison, CostDetail
from tco.report.inputs import is_share
from tco.report.numbers import exact, percent, usd
from tco.report.table import Column, Table, row

_NAMES = {
    "traffic.demand.spares": "Spare replicas",
    "hardware.purchase.one_off_usd": "One-off, USD per server",
    "hardware.one_off": "One-off, USD for the fleet",
    "power.pue": "PUE, power beyond the servers'",
    "operations.fte": "Staff, full-time people",
    "operations.licence_usd_per_accelerator_year": "Licence, USD per accelerator and year",
    "operations.maintenance_share_per_year": "Maintenance, of the price a year",
    "operations.failures_per_accelerator_year": "Repairs, failures per accelerator and year",
    "operations.hosting_usd_per_month": "Hosting, USD per server and month",
    "operations.colocation_usd_per_kw_month": "Colocation, USD per kW and month",
    "operations.other_usd_per_year": "Other, USD a year",
    "operations.growth_per_year": "Growth of operations a year",
    "power.price_growth_per_year": "Growth of the price of electricity a year",
    "finance.api_price_change_per_year": "Change of API prices a year",
    "finance.tax_rate": "Tax on savings",
}
_LATER = "in the cash flow"
_LEFT_OUT = "not included"


def detail_texts(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    """Return name, value and what it adds to a year's own cost, as they are printed."""
    return tuple(
        (_NAMES.get(each.key, each.key), _value(each), _adds(each))
        for each in comparison.self_host.details
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

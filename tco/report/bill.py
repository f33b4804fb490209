"""The bill that traffic and today's spend are taken from, as the report's facts."""

from __future__ import annotations

from tco.comparison import BillResult
from tco.report.numbers import count, several, usd
from tco.report.table import Table, pairs_table
from tco.report.text import plain, shorten

_NAME_LIMIT = 80
_NOT_TOLD = "not told"


def bill_tables(bill: BillResult | None) -> tuple[Table, ...]:
    """Return the bill's facts; nothing without one."""
    return () if bill is None else (pairs_table("Today's bill", _facts(bill)),)


def _facts(bill: BillResult) -> list[tuple[str, str]]:
    counted = "" if bill.is_counted else " (stated, the bill counts none)"
    cached = bill.cached_tokens
    return [
        ("Files", shorten(plain(", ".join(bill.files)), _NAME_LIMIT)),
        ("Format", ", ".join(bill.formats)),
        ("Days, UTC", f"{bill.first_day} to {bill.last_day}, {several(bill.days, 'day')}"),
        ("Requests", count(round(bill.requests)) + counted),
        ("Input tokens", count(round(bill.input_tokens))),
        ("of these cached", _NOT_TOLD if cached is None else count(round(cached))),
        ("Output tokens", count(round(bill.output_tokens))),
        ("Spend in these days", _NOT_TOLD if bill.usd is None else usd(bill.usd)),
        ("Spend a month", _NOT_TOLD if bill.usd_per_month is None else usd(bill.usd_per_month)),
    ]

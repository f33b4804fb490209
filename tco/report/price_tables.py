"""The tables of prices: what each alternative asks, and where that was found."""

from __future__ import annotations

from tco.comparison import AlternativeResult, Comparison
from tco.report.headline import label, priced_name
from tco.report.numbers import usd_column
from tco.report.table import Column, Table, row
from tco.report.text import shorten

WEIGHTS = {True: "same", False: "other", None: "unknown"}
# A bill is one sum, and has no prices per million tokens.
_IN_BILL = "as billed"
_NAMES_LIMIT = 60


def prices_table(comparison: Comparison) -> Table:
    """Return what each alternative asks, and what the same request costs there."""
    rivals = comparison.alternatives
    of_mean = any(each.mean_misleads() for each in rivals)
    writes = _writes(rivals)
    prices = (
        usd_column([each.usd_per_million_input for each in rivals]),
        usd_column([each.usd_per_million_cached_input for each in rivals], absent="as fresh"),
        *writes.values(),
        usd_column([each.usd_per_million_output_price for each in rivals]),
    )
    bills = (
        usd_column([each.usd_per_request for each in rivals]),
        *((_of_mean(rivals),) if of_mean else ()),
        usd_column([each.usd_per_million_output for each in rivals]),
        usd_column([each.usd_per_year for each in rivals]),
    )
    rows = tuple(
        row(
            label(each),
            WEIGHTS[each.same_weights],
            *((_IN_BILL,) * len(prices) if each.is_bill else listed),
            *cost,
        )
        for each, listed, cost in zip(
            rivals, zip(*prices, strict=True), zip(*bills, strict=True), strict=True
        )
    )
    mean_title = ("Of mean length",) if of_mean else ()
    bill = ("A request", *mean_title, "Per M output", "A year")
    titles = ("Input", "Cached", *writes, "Output", *bill)
    columns = (
        Column("Alternative"),
        Column("Weights"),
        *(Column(title, numeric=True) for title in titles),
    )
    return Table(
        "Price list in USD per million tokens, and the cost of the same request",
        columns,
        rows,
        layout="prices wide" if of_mean or writes else "prices",
    )


def _writes(rivals: tuple[AlternativeResult, ...]) -> dict[str, tuple[str, ...]]:
    """The columns of prices for writing to a cache, where some alternative is billed for it."""
    prices = {
        "Write, 5 min": [each.usd_per_million_cache_write_5m for each in rivals],
        "Write, 1 h": [each.usd_per_million_cache_write_1h for each in rivals],
    }
    return {
        title: usd_column(column)
        for title, column in prices.items()
        if any(usd is not None for usd in column)
    }


def _of_mean(rivals: tuple[AlternativeResult, ...]) -> tuple[str, ...]:
    """What one request of mean lengths would cost, where the requests cost other on average."""
    bills = [
        each.usd_per_request_of_mean if each.mean_misleads() else each.usd_per_request
        for each in rivals
    ]
    return usd_column(bills)


def sources_table(comparison: Comparison) -> Table:
    """Return where each price was found."""
    columns = ("Alternative", "Service", "Table", "Provider, model", "Date", "Row")
    rows = tuple(
        row(
            shorten(priced_name(each), _NAMES_LIMIT),
            each.price_source.service,
            shorten(each.price_source.table, _NAMES_LIMIT),
            shorten(
                ", ".join(filter(None, (each.price_source.provider, each.price_source.model)))
                or "not stated",
                _NAMES_LIMIT,
            ),
            str(each.price_source.date or "not stated"),
            (each.price_source.row_sha256 or "none")[:12],
        )
        for each in comparison.alternatives
    )
    return Table("Where the prices come from", tuple(map(Column, columns)), rows, layout="text")

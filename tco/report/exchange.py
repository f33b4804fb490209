"""The report's second currency: USD amounts at the scenario's stated rate."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Comparison
from tco.report.capacity import on_rate
from tco.report.headline import label
from tco.report.numbers import amount_column, exact
from tco.report.table import Column, Row, Table, row
from tco.report.text import plain, shorten
from tco.scenario import Scenario

_SOURCE_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Exchange:
    """A currency and its rate: `usd_per_unit` USD buy one unit; `words` say the source and date."""

    code: str
    usd_per_unit: float
    words: str

    def amount(self, amount_usd: float) -> float:
        """Return a USD amount in this currency."""
        return amount_usd / self.usd_per_unit

    def amounts(self, *amounts_usd: float | None) -> tuple[str, ...]:
        """Return USD amounts in this currency, with one number of decimals and without a sign."""
        return amount_column([None if usd is None else self.amount(usd) for usd in amounts_usd])

    def text(self, amount_usd: float) -> str:
        """Return one USD amount as `EUR 379,935`."""
        return f"{self.code}\u00a0{self.amounts(amount_usd)[0]}"


def exchange_of(scenario: Scenario) -> Exchange | None:
    """Return the currency to show beside USD, or None when there is none."""
    currency = scenario.currency
    if currency.code == "USD":
        return None
    rate = currency.usd_per_unit
    source = shorten(plain(currency.source or rate.source or "source not stated"), _SOURCE_LIMIT)
    date = currency.date or "date not stated"
    words = f"1 {currency.code} = {exact(rate.value)} USD ({source}, {date})"
    return Exchange(currency.code, rate.value, words)


def exchange_table(comparison: Comparison, exchange: Exchange) -> Table:
    """Return the main figures of both sides in the second currency."""
    own, rivals = comparison.self_host, comparison.alternatives
    million = exchange.amounts(
        own.usd_per_million_output, *(each.usd_per_million_output for each in rivals)
    )
    year = exchange.amounts(own.usd_per_year, *(each.usd_per_year for each in rivals))
    saved = exchange.amounts(*(each.saving_usd_per_year for each in rivals))
    cash = exchange.amounts(*(0.0 - own.cash_at_start_usd for _ in rivals))
    npv = exchange.amounts(*(each.npv_usd for each in rivals))
    rows: list[Row] = [row("Own hardware", million[0], year[0], "", "", "", strong=True)]
    columns = zip(rivals, million[1:], year[1:], saved, cash, npv, strict=True)
    rows += [row(label(rival), *texts) for rival, *texts in columns]
    titles = ("Per M output", "A year", "Saving a year", "Cash at start", "Present value")
    return Table(
        f"The main figures in {exchange.code}, {on_rate(comparison)}, at {exchange.words}",
        (Column(exchange.code), *(Column(title, numeric=True) for title in titles)),
        tuple(rows),
        layout="money",
    )

"""Price tables on a terminal: rows, quotes side by side, findings, changes."""

from __future__ import annotations

from decimal import Context, Decimal

from rich.console import Console
from rich.text import Text

from tco.cli.terminal_findings import print_findings
from tco.cli.terminal_table import add_row, print_table, table_of
from tco.finding import SEVERITY_WORDS
from tco.plural import several
from tco.price_changes import Changes
from tco.price_check import PriceCheck
from tco.price_files.table import plain
from tco.price_listing import Listing
from tco.price_quotes import Quote, Quotes
from tco.report.numbers import percent
from tco.report.text import visible
from tco.units import TOKENS_PER_MILLION

_BY_NAME = "*"
# As many digits as any price has; a table's 1.0399999999999998 was 1.04 once. JSON keeps them all.
_DIGITS = Context(prec=9)


def print_listing(listing: Listing) -> None:
    """Print the rows on stdout; prices are USD per million tokens."""
    out = Console(highlight=False)
    table = table_of("", "row", "input", "cached", "output", "services", "checked", "table")
    for row in listing.rows:
        prices = (
            row.input_usd_per_million,
            row.cached_input_usd_per_million,
            row.output_usd_per_million,
        )
        cells = (*map(_amount, prices), ", ".join(row.services), str(row.date or "?"))
        add_row(table, row.name, *cells, row.table.rpartition("/")[2])
    print_table(table, out)
    rows = several(len(listing.rows), "row")
    out.print(f"{rows}; USD per million tokens in force on {listing.date}, standard service.")
    if not listing.has_second:
        out.print("genai-prices holds some 2,000 more: name what you look for.")


def print_quotes(quotes: Quotes) -> None:
    """Print what each provider asks for the request, cheapest first."""
    out = Console(highlight=False)
    inputs, cached, outputs = (
        f"{plain(tokens):,f}"
        for tokens in (quotes.input_tokens, quotes.cached_input_tokens, quotes.output_tokens)
    )
    shape = f"{inputs} input tokens ({cached} of them cached) and {outputs} output tokens"
    out.print(Text(visible(f"{quotes.model} on {quotes.date}: a request of {shape}")))
    table = table_of("", "row", "1M requests", "input", "cached", "output", "checked")
    for quote in quotes.quotes:
        prices = (
            quote.input_usd_per_million,
            quote.cached_input_usd_per_million,
            quote.output_usd_per_million,
        )
        add_row(table, _row(quote), _bill(quote), *map(_amount, prices), str(quote.date or "?"))
    print_table(table, out)
    out.print("USD for a million such requests, and per million tokens; discounts not included.")
    tables = dict.fromkeys(quote.table for quote in quotes.quotes)
    out.print(Text(visible(f"From {', '.join(tables)}; --json says which row is whose.")))
    for quote in quotes.quotes:
        if quote.usd_per_request_reason:
            out.print(
                Text(visible(f"{quote.provider}/{quote.model}: {quote.usd_per_request_reason}"))
            )
    if any(quote.usd_per_request == 0 for quote in quotes.quotes):
        out.print("A price of nothing is free, a trial or local: no saving is computed against it.")
    if any(quote.same_by == "name" for quote in quotes.quotes):
        out.print(f"{_BY_NAME} same by name: no table says that the weights are the same.")
    print_findings(quotes.findings, out, names_path=True)


def print_check(check: PriceCheck) -> None:
    """Print the findings, the worst first, and how many there are."""
    out = Console(highlight=False)
    print_findings(check.findings, out, names_path=True)
    tables = several(len(check.tables), "table")
    counts = [
        _counted(sum(finding.severity == severity for finding in check.findings), word)
        for severity, word in SEVERITY_WORDS.items()
    ]
    out.print(f"{tables}, {check.rows} rows on {check.date}: {', '.join(counts)}")


def _counted(many: int, word: str) -> str:
    return f"{many:,} {word}" if word == "invalid" else several(many, word)


def print_changes(changes: Changes) -> None:
    """Print what moved, came and went."""
    out = Console(highlight=False)
    if changes.changed:
        table = table_of("", "row", "price", "amount", "old", "new", "change")
        for change in changes.changed:
            moved = "" if change.ratio is None else _signed(change.ratio - 1)
            add_row(table, change.name, change.row, change.amount.replace("_", " "),
                 _amount(change.old_usd), _amount(change.new_usd), moved)  # fmt: skip
        print_table(table, out)
    for words, names in (("added", changes.added), ("removed", changes.removed)):
        for name in names:
            out.print(Text(visible(f"{words}: {name}")))
    rows = len({change.name for change in changes.changed})
    out.print(
        f"{rows} changed, {len(changes.added)} added, {len(changes.removed)} removed, "
        f"{changes.unchanged} as before; USD per million tokens"
    )


def _row(quote: Quote) -> str:
    """Return the row's name, with its service if that is not the standard one."""
    service = "" if quote.service == "standard" else f", {quote.service}"
    mark = f" {_BY_NAME}" if quote.same_by == "name" else ""
    return f"{quote.provider}/{quote.model}{service}{mark}"


def _amount(usd: Decimal | None) -> str:
    return "-" if usd is None else f"{_DIGITS.plus(usd).normalize():,f}"


def _bill(quote: Quote) -> str:
    if quote.usd_per_request is None:
        return "-"
    return f"{quote.usd_per_request * TOKENS_PER_MILLION:,.2f}"


def _signed(share: float) -> str:
    return ("+" if share > 0 else "") + percent(share)

"""What must be said of a bill: what was left out, what stands out, and what nobody tells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from tco.bill.bill import Bill, BillFile, Period, day_of
from tco.bill.sums import Cell, Sums
from tco.finding import Finding
from tco.plural import several
from tco.units import SECONDS_PER_DAY

_PATH = "traffic.bill"
# Amortised money that differs more than this from what was billed is another figure.
_COMMITMENT_SHARE = 0.01
_MOST_NAMED = 6
_CENT_USD = 0.01


def period_notes(
    bill: Bill, period: Period, by_day: Mapping[int, float] | None
) -> Iterator[Finding]:
    """Yield what is to be said of the days that are covered."""
    if period.is_cut:
        yield Finding.of(
            "bill_partial_days",
            "info",
            _PATH,
            "days that the bill holds only in part are left out: it counts from "
            f"{period.first_day()} to {period.last_day()}",
            "state from and to if you mean other days",
        )
    if period.days() < 1:
        yield Finding.of(
            "bill_is_short",
            "warn",
            _PATH,
            f"the bill covers {period.days() * 24:.3g} hours, and stands for a whole year",
            "export a month",
            value=period.days(),
            limit=1.0,
        )
    whole = range(period.start_s, period.end_s - SECONDS_PER_DAY + 1, SECONDS_PER_DAY)
    empty = [] if by_day is None else [day for day in whole if not by_day.get(day)]
    if empty:
        yield Finding.of(
            "bill_days_without_requests",
            "info",
            _PATH,
            f"{several(len(empty), 'day')} of the bill's {len(whole)} {_has(len(empty))} no "
            f"requests, the first is {day_of(empty[0])}; they count as days without any",
            "state from and to if the export does not hold these days",
            value=float(len(empty)),
        )
    if any(file.has_more for file in bill.files):
        names = ", ".join(file.name for file in bill.files if file.has_more)
        yield Finding.of(
            "bill_has_more_pages",
            "warn",
            _PATH,
            f"{names}: the last page says that others follow",
            "fetch them (next_page) and name all files, unless they are here already",
        )


def sum_notes(bill: Bill, total: Sums, usd: object) -> Iterator[Finding]:
    """Yield what is to be said of the sums."""
    if usd is None:
        yield Finding.of(
            "bill_without_cost",
            "warn",
            _PATH,
            "the bill tells tokens and no money, so there is no spend to compare with",
            "name the provider's cost export beside it: files: [usage, costs]",
        )
    elif total.usd <= 0:
        yield Finding.of(
            "bill_is_not_positive",
            "warn",
            _PATH,
            f"the bill comes to ${float(total.usd):,.2f}: there is no spend to compare with",
            "take a period that was paid for, or compare with the list price",
            value=float(total.usd),
            limit=0.0,
        )
    if total.cached_tokens > total.input_tokens and total.input_tokens > 0:
        yield Finding.of(
            "bill_caches_more_than_input",
            "invalid",
            _PATH,
            "the bill has more cached than input tokens, so no scenario can start from it",
            "export it again",
            value=float(total.cached_tokens),
            limit=float(total.input_tokens),
        )
    if total.credits:
        yield Finding.of(
            "bill_has_credits",
            "info",
            _PATH,
            f"{several(total.credits, 'row')} of the bill {_is(total.credits)} below 0 (credits, "
            f"refunds): ${float(total.credits_usd):,.2f} in all, which the spend is less by",
            "leave them out of the file if they will not come again",
            value=float(total.credits_usd),
        )
    yield from _files_notes(bill, total)


def service_notes(rows: Iterable[tuple[BillFile, Cell, Sums]]) -> Iterator[Finding]:
    """Yield what is to be said where a cloud's bill has charges of several services."""
    usd: defaultdict[str, float] = defaultdict(float)
    for file, cell, sums in rows:
        if file.provider == "any":
            service = (cell.model or "no service").split("/", 1)[0]
            usd[service] += float(sums.usd)
    if len(usd) > 1:
        listed = ", ".join(f"{name} ${amount:,.2f}" for name, amount in sorted(usd.items())[:6])
        yield Finding.of(
            "bill_of_several_services",
            "warn",
            _PATH,
            f"the spend is of {len(usd)} services: {listed}",
            'pick those of the model with traffic.bill.model, such as "Service name/*"',
            value=float(len(usd)),
            limit=1.0,
        )


def product_notes(rows: Iterable[tuple[BillFile, Cell, Sums]]) -> Iterator[Finding]:
    """Yield what is to be said of money that was, or may have been, paid for other products."""
    told = list(rows)
    used = {cell.model for _, cell, sums in told if sums.usage_rows}
    other: defaultdict[str, float] = defaultdict(float)
    unclear: defaultdict[str, float] = defaultdict(float)
    ungrouped: defaultdict[str, float] = defaultdict(float)
    for file, cell, sums in told:
        name = cell.model or "no name"
        if sums.other_usd:
            other[name] += float(sums.other_usd)
        if sums.unclear_usd and cell.model not in used:
            unclear[name] += float(sums.unclear_usd)
        if file.has_cost and not file.has_usage and cell.model is None and sums.usd:
            ungrouped[file.name] += float(sums.usd)
    if other:
        whole = sum(other.values())
        yield Finding.of(
            "bill_other_products",
            "info",
            _PATH,
            f"${whole:,.2f} of the costs are not of text tokens, and are left out: "
            f"{_dearest(other)}",
            "add to the own side what would replace them, if you need them still",
            value=whole,
        )
    if unclear:
        whole = sum(unclear.values())
        yield Finding.of(
            "bill_unknown_items",
            "warn",
            _PATH,
            f"${whole:,.2f} of the costs have names that tell no model of the usage, and count as "
            f"text tokens all the same: {_dearest(unclear)}",
            "take what is none out of the file, or pick models with traffic.bill.model",
            value=whole,
        )
    if ungrouped:
        whole = sum(ungrouped.values())
        yield Finding.of(
            "bill_costs_not_grouped",
            "warn",
            _PATH,
            f"${whole:,.2f} of the costs in {', '.join(ungrouped)} name no product, so they may "
            "hold images, storage or searches beside the tokens, and other models",
            "export them grouped by line item (OpenAI) or by description (Anthropic)",
            value=whole,
        )


def _dearest(usd: Mapping[str, float]) -> str:
    """Return the dearest names with their sums, and how many there are besides."""
    ordered = sorted(usd.items(), key=lambda item: (-item[1], item[0]))
    listed = ", ".join(f"{name} {_money(amount)}" for name, amount in ordered[:_MOST_NAMED])
    rest = len(usd) - _MOST_NAMED
    return listed + (f" and {rest} more" if rest > 0 else "")


def _money(usd: float) -> str:
    return f"${usd:,.2f}" if abs(usd) >= _CENT_USD else f"${usd:.2g}"


def _files_notes(bill: Bill, total: Sums) -> Iterator[Finding]:
    left_out = sum(file.left_out for file in bill.files)
    if left_out:
        yield Finding.of(
            "bill_left_out",
            "info",
            _PATH,
            f"{several(left_out, 'record')} of the log {_is(left_out)} left out: they failed, or "
            "the proxy's own cache answered them",
            "nothing, if these would not reach your own hardware either",
            value=float(left_out),
        )
    twice = sum(file.twice for file in bill.files)
    if twice:
        yield Finding.of(
            "bill_rows_twice",
            "info",
            _PATH,
            f"{several(twice, 'request')} {_is(twice)} in the files twice, and counted once",
            "name files that do not overlap",
            value=float(twice),
        )
    if total.untold_usd and any(file.has_usage and file.has_cost for file in bill.files):
        yield from _rows_without_cost(bill, total)
    yield from _commitments(total)


def _rows_without_cost(bill: Bill, total: Sums) -> Iterator[Finding]:
    if bill.has_cost() and not any(file.has_cost and not file.has_usage for file in bill.files):
        yield Finding.of(
            "bill_rows_without_cost",
            "warn",
            _PATH,
            f"{several(total.untold_usd, 'row')} of usage {_has(total.untold_usd)} no cost, so the "
            "spend is too low",
            "give these models a price where the log is written, or leave them out with `model`",
            value=float(total.untold_usd),
        )


def _commitments(total: Sums) -> Iterator[Finding]:
    billed, effective = float(total.usd), float(total.effective_usd)
    if effective > 0 and abs(billed - effective) > _COMMITMENT_SHARE * effective:
        yield Finding.of(
            "bill_has_commitments",
            "warn",
            _PATH,
            f"billed are ${billed:,.2f}, and ${effective:,.2f} with commitments and prepayments "
            "spread over what they cover; what is billed counts",
            "take a period whose commitments are billed in it",
            value=billed,
            limit=effective,
        )


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _has(number: int) -> str:
    return "has" if number == 1 else "have"

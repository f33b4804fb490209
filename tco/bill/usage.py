"""From a bill to what a scenario takes of it: sums, what they lack, and when requests come."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence

from tco.bill.bill import Bill, Period
from tco.bill.facts import BillFacts
from tco.bill.notes import period_notes, product_notes, service_notes, sum_notes
from tco.bill.sums import Cell, Sums
from tco.traffic.error import TrafficError
from tco.units import HOURS_PER_DAY, HOURS_PER_WEEK, SECONDS_PER_DAY, SECONDS_PER_HOUR

# 1970 began on a Thursday, and a week begins on Monday.
_FIRST_MONDAY_S = 4 * SECONDS_PER_DAY


def bill_facts(
    bill: Bill,
    *,
    models: Sequence[str] = (),
    first: dt.date | None = None,
    last: dt.date | None = None,
    requests_per_day: float | None = None,
) -> BillFacts:
    """Return what a scenario takes of the bill.

    Args:
        bill: as it was read.
        models: patterns (`*` and `?`), of which a row's model matches any.
        first: the first day that counts.
        last: the last day that counts.
        requests_per_day: where the export counts none.

    Raises:
        TrafficError: what a scenario cannot do without is not there, or stands twice.
    """
    if not bill.has_usage():
        raise TrafficError(
            "holds costs without the usage that they are of",
            remedy="name the provider's usage export beside it: files: [costs, usage]",
        )
    period = bill.period(first, last)
    rows = [(cell, sums) for _, cell, sums in bill.cells(models, period)]
    total = summed(sums for _, sums in rows)
    requests, is_counted = _requests(total, period, requests_per_day)
    _check_tokens(bill, total, models)
    by_hour = load_by_hour(rows, is_counted=is_counted)
    by_day = load_by_day(rows, period, is_counted=is_counted)
    profile = None if by_hour is None else _profile(by_hour, period)
    usd = total.usd if bill.has_cost() else None
    return BillFacts(
        files=tuple(file.name for file in bill.files),
        formats=tuple(dict.fromkeys(file.format for file in bill.files)),
        first_day=period.first_day(),
        last_day=period.last_day(),
        days=period.days(),
        requests=requests,
        is_counted=is_counted,
        input_tokens=float(total.input_tokens),
        cached_tokens=float(total.cached_tokens) if knows_cached(bill, total) else None,
        output_tokens=float(total.output_tokens),
        usd=usd,
        profile=profile,
        busiest_day_to_average=_over_mean(by_day, period.days()),
        busiest_hour_to_average=None
        if by_hour is None or profile is None
        else _over_mean(by_hour, period.days() * HOURS_PER_DAY),
        findings=(
            *period_notes(bill, period, by_day),
            *sum_notes(bill, total, usd),
            *service_notes(bill.cells(models, period)),
            *product_notes(bill.cells(models, period)),
        ),
    )


def summed(parts: Iterable[Sums]) -> Sums:
    """Return all of them as one."""
    total = Sums()
    for part in parts:
        total.add(part)
    return total


def knows_cached(bill: Bill, total: Sums) -> bool:
    """Say whether every row of usage tells its cached tokens; FOCUS names them where there are any.

    A cloud without a meter for cached tokens may have none, or count them as others.
    """
    if "any" in bill.providers(usage=True):
        return total.cached_tokens > 0
    return total.untold_cached == 0


def _requests(total: Sums, period: Period, per_day: float | None) -> tuple[float, bool]:
    is_counted = total.untold_requests == 0 and total.usage_rows > 0
    if total.usage_rows == 0:
        raise TrafficError(
            f"holds no requests from {period.first_day()} to {period.last_day()}",
            remedy="see that `model`, `from` and `to` are of this bill",
        )
    if is_counted and per_day is not None:
        raise TrafficError(
            f"counts its own requests, {float(total.requests):,.0f} of them",
            key="requests_per_day",
            remedy="leave requests_per_day out",
        )
    if not is_counted and per_day is None:
        raise TrafficError(
            "does not count requests",
            key="requests_per_day",
            remedy="state traffic.bill.requests_per_day: your own mean, from your gateway or logs",
        )
    requests = float(total.requests) if per_day is None else per_day * period.days()
    if requests <= 0:
        raise TrafficError(
            f"holds 0 requests from {period.first_day()} to {period.last_day()}",
            remedy="take days on which there were some",
        )
    return requests, is_counted


def _check_tokens(bill: Bill, total: Sums, models: Sequence[str]) -> None:
    if total.unclear_tokens:
        raise TrafficError(
            f"does not say of {float(total.unclear_tokens):,.0f} tokens whether they are input "
            "or output",
            remedy="pick rows that say so with traffic.bill.model, or give the provider's usage",
        )
    if total.input_tokens <= 0 or total.output_tokens <= 0:
        kind = "input" if total.input_tokens <= 0 else "output"
        known = "" if not models else f"; it has {', '.join(bill.models())[:200]}"
        raise TrafficError(f"holds no {kind} tokens{known}", remedy="see that it is the right file")
    if total.cached_tokens > total.input_tokens:
        raise TrafficError("has more cached than input tokens", remedy="export it again")


def _weight(sums: Sums, *, is_counted: bool) -> float:
    """Return how much of the load it is: requests, or where nobody counts them, output tokens."""
    return float(sums.requests if is_counted else sums.output_tokens)


def load_by_hour(rows: Sequence[tuple[Cell, Sums]], *, is_counted: bool) -> dict[int, float] | None:
    """Return the load of each hour by its start; None where a bucket of usage is longer."""
    hours: dict[int, float] = defaultdict(float)
    for cell, sums in rows:
        if sums.usage_rows == 0:
            continue
        if cell.end_s - cell.start_s > SECONDS_PER_HOUR:
            return None
        hours[cell.start_s] += _weight(sums, is_counted=is_counted)
    return hours


def load_by_day(
    rows: Sequence[tuple[Cell, Sums]], period: Period, *, is_counted: bool
) -> dict[int, float] | None:
    """Return the load of each whole day by its start; None where a bucket of usage is longer."""
    days: dict[int, float] = defaultdict(float)
    for cell, sums in rows:
        if sums.usage_rows == 0:
            continue
        if cell.end_s - cell.start_s > SECONDS_PER_DAY:
            return None
        days[cell.start_s // SECONDS_PER_DAY * SECONDS_PER_DAY] += _weight(
            sums, is_counted=is_counted
        )
    return days if period.days() >= 1 else None


def _profile(by_hour: dict[int, float], period: Period) -> tuple[float, ...] | None:
    """Return the mean load of an hour of the week, of a day where the week is not whole."""
    if period.days() < 1:
        return None
    is_week = period.days() >= HOURS_PER_WEEK / HOURS_PER_DAY
    return hourly(by_hour, period, HOURS_PER_WEEK if is_week else HOURS_PER_DAY)


def hourly(by_hour: dict[int, float], period: Period, count: int) -> tuple[float, ...]:
    """Return the mean load of each hour of a day (24) or of a week (168, from Monday on)."""
    sums, times = [0.0] * count, [0] * count
    for hour_s in range(period.start_s, period.end_s, SECONDS_PER_HOUR):
        at = (hour_s - _FIRST_MONDAY_S) // SECONDS_PER_HOUR % count
        sums[at] += by_hour.get(hour_s, 0.0)
        times[at] += 1
    return tuple(total / number for total, number in zip(sums, times, strict=True))


def _over_mean(loads: dict[int, float] | None, length: float) -> float:
    """Return the highest load over the mean one; never below 1."""
    if not loads:
        return 1.0
    mean = sum(loads.values()) / length
    return max(1.0, max(loads.values()) / mean) if mean > 0 else 1.0

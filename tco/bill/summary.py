"""What a bill holds, for those who look at it before a scenario uses it (`tco.bill/1`)."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tco.bill.bill import Bill, Period
from tco.bill.notes import period_notes, product_notes, service_notes, sum_notes
from tco.bill.sums import Sums
from tco.bill.usage import hourly, knows_cached, load_by_day, load_by_hour, summed
from tco.finding import Finding
from tco.traffic.error import TrafficError
from tco.units import HOURS_PER_DAY


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class BillFileSummary(_Part):
    """One file: what wrote it, and the days that it covers."""

    name: str
    format: str
    sha256: str
    first_day: dt.date
    last_day: dt.date


class BillSums(_Part):
    """Sums of a period; None where the files do not tell, and of money why they do not."""

    requests: float | None
    input_tokens: float | None
    cached_tokens: float | None
    cache_write_tokens: float | None
    output_tokens: float | None
    usd: float | None
    usd_reason: str | None = None


class ModelSums(BillSums):
    """The sums of one model; `model` is None for rows that name none."""

    model: str | None


class BillSummary(_Part):
    """What a bill holds and what it lacks.

    Attributes:
        period_reason: why there is no common period, in words; the sums are then of all rows.
        requests_by_hour: mean requests (where none are counted, output tokens) by hour of the
            day, UTC; None where buckets are longer.
        lacks: what no file tells.
    """

    schema_: Literal["tco.bill/1"] = Field(alias="schema", default="tco.bill/1")
    files: tuple[BillFileSummary, ...]
    first_day: dt.date | None
    last_day: dt.date | None
    days: float | None
    period_reason: str | None
    total: BillSums
    cached_input_share: float | None
    by_model: tuple[ModelSums, ...]
    requests_by_hour: tuple[float, ...] | None
    lacks: tuple[str, ...]
    findings: tuple[Finding, ...]


def bill_summary(bill: Bill) -> BillSummary:
    """Return what the bill holds over the days that a scenario would count."""
    period, reason = _period(bill)
    rows = list(bill.cells(period=period))
    total = summed(sums for _, _, sums in rows)
    by_model: dict[str | None, Sums] = defaultdict(Sums)
    for _, cell, sums in rows:
        by_model[cell.model].add(sums)
    told = [(cell, sums) for _, cell, sums in rows]
    is_counted = total.untold_requests == 0
    by_hour = load_by_hour(told, is_counted=is_counted)
    by_day = None
    if period is not None and total.usage_rows > 0:
        by_day = load_by_day(told, period, is_counted=is_counted)
    whole = _sums(bill, total)
    share = None
    if whole.cached_tokens is not None and whole.input_tokens:
        share = whole.cached_tokens / whole.input_tokens
        # More than all is a fault of the export, which the notes say.
        share = share if share <= 1 else None
    return BillSummary(
        files=tuple(_file(bill, index) for index in range(len(bill.files))),
        first_day=None if period is None else period.first_day(),
        last_day=None if period is None else period.last_day(),
        days=None if period is None else period.days(),
        period_reason=reason,
        total=whole,
        cached_input_share=share,
        by_model=tuple(
            ModelSums(model=name, **_sums(bill, sums).model_dump())
            for name, sums in sorted(by_model.items(), key=lambda item: -item[1].usd)
            if sums.usage_rows or sums.cost_rows or sums.unclear_tokens
        ),
        requests_by_hour=None
        if by_hour is None or period is None or period.days() < 1 or total.usage_rows == 0
        else hourly(by_hour, period, HOURS_PER_DAY),
        lacks=tuple(_lacks(whole, has_hours=by_hour is not None)),
        findings=(
            *(() if period is None else period_notes(bill, period, by_day)),
            *sum_notes(bill, total, whole.usd),
            *service_notes(rows),
            *product_notes(rows),
        ),
    )


def _period(bill: Bill) -> tuple[Period | None, str | None]:
    try:
        return bill.period(), None
    except TrafficError as fault:
        return None, fault.message


def _file(bill: Bill, index: int) -> BillFileSummary:
    file = bill.files[index]
    span = Bill((file,)).period()
    return BillFileSummary(
        name=file.name,
        format=file.format,
        sha256=file.sha256,
        first_day=span.first_day(),
        last_day=span.last_day(),
    )


def _sums(bill: Bill, sums: Sums) -> BillSums:
    has_usage = sums.usage_rows > 0
    has_writes = has_usage and sums.cache_write_tokens > 0
    is_clear = has_usage and not sums.unclear_tokens
    reason = _usd_reason(bill, sums)
    return BillSums(
        requests=float(sums.requests) if has_usage and not sums.untold_requests else None,
        input_tokens=float(sums.input_tokens) if is_clear else None,
        cached_tokens=float(sums.cached_tokens) if is_clear and knows_cached(bill, sums) else None,
        cache_write_tokens=float(sums.cache_write_tokens) if has_writes else None,
        output_tokens=float(sums.output_tokens) if is_clear else None,
        usd=None if reason else float(sums.usd),
        usd_reason=reason,
    )


def _usd_reason(bill: Bill, sums: Sums) -> str | None:
    """Return why it is not told what was paid; None where it is."""
    if sums.cost_rows:
        return None
    with_cost = [file for file in bill.files if file.has_cost]
    if not with_cost:
        return "no file holds costs"
    named = any(cell.model for file in with_cost for cell, each in file.cells.items() if each.usd)
    return "no cost names this model" if named else "the costs are not grouped by model"


def _lacks(total: BillSums, *, has_hours: bool) -> list[str]:
    said = {
        "tokens": total.input_tokens,
        "requests": total.requests,
        "cached tokens": total.cached_tokens,
        "cost": total.usd,
        "hours": True if has_hours and total.input_tokens is not None else None,
    }
    return [name for name, value in said.items() if value is None]

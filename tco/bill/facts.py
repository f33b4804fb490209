"""What a scenario takes from a bill: a mean request, how many of them when, and the spend."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from tco.finding import Finding


@dataclass(frozen=True, slots=True)
class BillFacts:
    """A bill over its whole period, or over the part that is asked for.

    Attributes:
        files: names of its files.
        formats: what wrote them, in words.
        first_day: UTC.
        last_day: UTC, included.
        days: the length of the period; whole where the bill has a whole day.
        requests: in the period.
        is_counted: the export counts requests; else the scenario states them.
        input_tokens: cached ones included.
        cached_tokens: None where the export does not tell them.
        usd: what was paid; None where no file tells.
        profile: mean requests of an hour by hour of the day or of the week (from Monday 0:00
            UTC on); None where buckets are longer than an hour, or the period shorter than a day.
        busiest_day_to_average: requests of the busiest whole day over the mean day's.
        busiest_hour_to_average: likewise; None where `profile` is.
        findings: what must be said of it.
    """

    files: tuple[str, ...]
    formats: tuple[str, ...]
    first_day: dt.date
    last_day: dt.date
    days: float
    requests: float
    is_counted: bool
    input_tokens: float
    cached_tokens: float | None
    output_tokens: float
    usd: Decimal | None
    profile: tuple[float, ...] | None
    busiest_day_to_average: float
    busiest_hour_to_average: float | None
    findings: tuple[Finding, ...] = ()

    def requests_per_day(self) -> float:
        """Return the mean over the period."""
        return self.requests / self.days

    def usd_per_request(self) -> Decimal | None:
        """Return the spend of a mean request; None where nothing was paid, or nobody says."""
        if self.usd is None or self.usd <= 0:
            return None
        return self.usd / Decimal(repr(self.requests))

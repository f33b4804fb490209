"""The hours of the week by the price rows in force, and how many of the requests come then."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tco.errors import InputError
from tco.price_row import PriceRow
from tco.prices import PriceTables
from tco.scenario import Alternative, Scenario
from tco.units import DAYS_PER_WEEK, HOURS_PER_DAY, HOURS_PER_WEEK, SECONDS_PER_HOUR

# The day's price is the one that is valid at noon UTC, if it changes that very day.
_HOUR_OF_PRICE = 12


@dataclass(frozen=True, slots=True)
class HourRows:
    """The rows in force at some hours, in order, and the share of requests that come then.

    Attributes:
        of_hours: how much (0 to 1) of each hour of the week they hold, from Monday 00:00 UTC
            on; none where they hold all week.
    """

    share: float
    rows: tuple[PriceRow, ...]
    of_hours: tuple[float, ...] = ()


def hourly_weights(scenario: Scenario) -> tuple[float, ...]:
    """Return a weight for each hour of the week, Monday 00:00 UTC first.

    They are those of `traffic.demand.profile`, of which 24 are of every day; else all alike.
    """
    demand = scenario.traffic.demand
    if demand is None or demand.profile is None:
        return (1.0,) * HOURS_PER_WEEK
    weights = tuple(weight.value for weight in demand.profile)
    return weights * (HOURS_PER_WEEK // len(weights))


def price_hours(
    alternative: Alternative,
    index: int,
    tables: PriceTables,
    date: dt.date,
    weights: Sequence[float],
) -> tuple[HourRows, ...]:
    """Return the table's rows of the alternative's service by hour, those of most requests first.

    Valid are the rows of the date at noon UTC; their windows are those of a whole week. A price
    that is the same at all hours, or has no windows, is one group. None for an own price.

    Args:
        alternative: a row of the tables, and the service it is asked for.
        index: its place in the scenario, for errors.
        tables: the price tables.
        date: the day whose prices are in force.
        weights: of the week's hours.

    Raises:
        InputError: no such offer, no such service on the day, or none at some hour.
    """
    if alternative.catalog is None:
        return ()
    try:
        offer = tables.find(alternative.catalog).offer
    except InputError as error:
        raise InputError(
            error.message, key=f"alternatives.{index}.catalog", remedy=error.remedy
        ) from None
    noon = dt.datetime.combine(date, dt.time(_HOUR_OF_PRICE), tzinfo=dt.UTC)
    sold = [row for row in offer.prices if row.service == alternative.service]
    valid = tuple(row for row in sold if row.is_valid(noon))
    if not valid:
        raise InputError(
            f"{offer.model} has no {alternative.service} price in force on {date}",
            key=f"alternatives.{index}.service",
            remedy=f"the table has {', '.join(offer.services())}",
        )
    if not any(row.windows_utc for row in valid):
        return (HourRows(1.0, valid),)
    shares: dict[tuple[int, ...], float] = {}
    hours: dict[tuple[int, ...], list[float]] = {}
    for at, share_of_hour, share in _moments(valid, weights):
        open_ = tuple(place for place, row in enumerate(valid) if row.is_open(at))
        if not open_:
            raise InputError(
                f"{offer.model} has no {alternative.service} price on {at:%A} at {at:%H:%M} UTC, "
                "when requests come",
                key=f"alternatives.{index}.service",
                remedy="its rows need one without windows_utc, or windows that leave no gap",
            )
        shares[open_] = shares.get(open_, 0.0) + share
        of_hours = hours.setdefault(open_, [0.0] * HOURS_PER_WEEK)
        of_hours[at.weekday() * HOURS_PER_DAY + at.hour] += share_of_hour
    most_first = sorted(shares.items(), key=lambda item: -item[1])
    return tuple(
        HourRows(share, tuple(valid[place] for place in places), tuple(hours[places]))
        for places, share in most_first
    )


def _moments(
    rows: Sequence[PriceRow], weights: Sequence[float]
) -> Iterator[tuple[dt.datetime, float, float]]:
    """Yield every stretch with one price: its start, its share of its hour, and of requests."""
    windows = [window for row in rows for window in row.windows_utc]
    edges = {dt.timedelta(hours=hour) for hour in range(HOURS_PER_DAY + 1)}
    edges |= {_since_midnight(time) for window in windows for time in (window.from_, window.to)}
    # Any Monday: only weekdays count.
    monday = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    total = sum(weights)
    for day in range(DAYS_PER_WEEK):
        for start, end in itertools.pairwise(sorted(edges)):
            hour = int(start.total_seconds()) // SECONDS_PER_HOUR
            weight = weights[day * HOURS_PER_DAY + int(hour)]
            if weight > 0:
                share_of_hour = (end - start).total_seconds() / SECONDS_PER_HOUR
                at = monday + dt.timedelta(days=day) + start
                yield at, share_of_hour, weight * share_of_hour / total


def _since_midnight(time: dt.time) -> dt.timedelta:
    return dt.timedelta(
        hours=time.hour, minutes=time.minute, seconds=time.second, microseconds=time.microsecond
    )

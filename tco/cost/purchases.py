"""What is bought over the years: servers added, renewed at each end of life, and sold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.bounds import MAX_LIVES
from tco.cost.finance import ROUNDING
from tco.cost.number import FloatArray, Number, at_most_one, non_negative, require
from tco.cost.ownership import Server


@dataclass(frozen=True, slots=True)
class Purchase:
    """Servers bought at one time; every figure may be an array of points.

    Attributes:
        at_years: when; at the horizon, with nothing bought, where the point has no such purchase.
        sold_at_years: at the end of its life, or at the horizon that cuts it.
        paid_usd: price and one-off sum.
        value_usd: the residual; of servers cut by the horizon, with the straight-line share
            of price less residual that their life had left.
        book_usd: their value for tax when they go.
        written_off_usd_per_year: for tax, D = (P - book at the end of life) ÷ n.
    """

    at_years: Number
    sold_at_years: Number
    paid_usd: Number
    value_usd: Number
    book_usd: Number
    written_off_usd_per_year: Number

    def residual_usd(self, tax_rate: Number) -> Number:
        """Return what the sale brings, less tax on the gain over book value [USD].

        S - tau (S - book): Brealey, Myers & Allen, Principles of Corporate Finance.
        """
        return self.value_usd - tax_rate * (self.value_usd - self.book_usd)

    def written_off_usd(self, years: int) -> list[Number]:
        """Return what each year writes off for tax [USD]."""
        return [self.written_off_usd_per_year * self._held(float(year)) for year in range(years)]

    def _held(self, year: float) -> FloatArray:
        """Return the share of a year in which the servers are held."""
        until = np.minimum(self.sold_at_years, year + 1)
        return np.asarray(np.maximum(until - np.maximum(self.at_years, year), 0.0))


def purchases(
    server: Server,
    added: Sequence[Number],
    horizon_years: Number,
    price_change_per_year: Number = 0.0,
    book_share: Number | None = None,
) -> tuple[Purchase, ...]:
    """Return all purchases within the horizon.

    Servers are bought again at each end of their life, at price x (1 + change)^t; the residual
    is the same share of that price, and the one-off sum of a server is paid each time.

    Args:
        server: its price, life and residual.
        added: servers added at the start of each year.
        horizon_years: nothing is bought at it or after it.
        price_change_per_year: of a server's price, from today on.
        book_share: of the price, for tax at the end of life; None is the residual.

    Raises:
        ValueError: a negative sum, or a life that fits the horizon more than 100 times.
    """
    non_negative(price_usd=server.price_usd, residual_usd=server.residual_usd)
    non_negative(one_off_usd=server.one_off_usd)
    life, horizon = np.asarray(server.life_years), np.asarray(horizon_years)
    require(life > 0, "life_years must be above 0")
    require(horizon <= life * MAX_LIVES, f"the horizon must be at most {MAX_LIVES} lives")
    if book_share is not None:
        at_most_one(tax_book_value_share=book_share)
    found = []
    for year, servers in enumerate(added):
        lives = int(np.ceil(np.max((horizon - year) / life) - ROUNDING))
        for nth in range(lives):
            at_years = year + nth * life
            within = np.where(at_years < horizon - ROUNDING, servers, 0.0)
            start = np.minimum(at_years, horizon)
            end = np.minimum(start + life, horizon)
            change = (1 + np.asarray(price_change_per_year, dtype=float)) ** start
            found.append(_purchase(_priced(server, change, book_share), within, start, end))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Priced:
    """One server as it is bought at some time."""

    price_usd: Number
    paid_usd: Number
    residual_usd: Number
    book_usd: Number
    life_years: Number


def _priced(server: Server, change: Number, book_share: Number | None) -> _Priced:
    price, residual = server.price_usd * change, server.residual_usd * change
    return _Priced(
        price_usd=price,
        paid_usd=price + server.one_off_usd,
        residual_usd=residual,
        book_usd=residual if book_share is None else book_share * price,
        life_years=server.life_years,
    )


def _purchase(each: _Priced, servers: Number, start: Number, end: Number) -> Purchase:
    left = 1 - (end - start) / each.life_years
    to_write_off = each.paid_usd - each.book_usd
    return Purchase(
        at_years=start,
        sold_at_years=end,
        paid_usd=servers * each.paid_usd,
        value_usd=servers * (each.residual_usd + (each.price_usd - each.residual_usd) * left),
        book_usd=servers * (each.book_usd + to_write_off * left),
        written_off_usd_per_year=servers * to_write_off / each.life_years,
    )

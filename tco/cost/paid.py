"""What has been paid by each time of the horizon, for own hardware and at the API."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tco.comparison import PaidBy
from tco.cost.finance import ROUNDING, CashFlow, spent_until


def paid_by(flow: CashFlow) -> tuple[PaidBy, ...]:
    """Return the running sums of a single point's flow, in order of time [USD, undiscounted].

    Each year's cost is even over its year; a purchase is paid in one sum, so that its time
    stands twice, before it and after it. Residuals are left out, as in the payback, which is
    where the two sums first meet (NREL/TP-462-5173).
    """
    return tuple(_sums(flow))


def _sums(flow: CashFlow) -> Iterator[PaidBy]:
    for time in _times(flow):
        is_before = flow.bought_at_years < time - ROUNDING
        is_now = np.abs(flow.bought_at_years - time) <= ROUNDING
        own = float(spent_until(flow.own_usd, flow.year_ends, np.array([time])))
        own += float(np.sum(flow.bought_usd * is_before))
        now = float(np.sum(flow.bought_usd * is_now))
        api = float(spent_until(flow.api_usd, flow.year_ends, np.array([time])))
        for own_usd in (own, own + now) if now > 0 else (own,):
            yield PaidBy(years=time, own_usd=own_usd, api_usd=api, ahead_usd=api - own_usd)


def _times(flow: CashFlow) -> list[float]:
    every = np.sort(np.concatenate([[0.0], flow.year_ends, flow.bought_at_years]))
    kept = np.append(np.diff(every) > ROUNDING, True)
    return [float(time) for time in every[kept]]

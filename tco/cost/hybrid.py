"""Own a base and send the overflow to an API: the number of own replicas that is cheapest.

What fluctuates is dear to own and what is steady is dear to buy: the base is paid all year,
the overflow by the request. Every base from none (all to the API) to the whole fleet (nothing
to it) is costed, so the cheapest split is never dearer than either. What overflows comes at
the busy hours, and is billed at the prices of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.comparison import AlternativeResult, HybridSplit, Reason
from tco.cost.api_bill import usd_per_request_by_hours
from tco.cost.evaluate import Inputs, SizedDemand
from tco.cost.fleet import Fleet, filled_share, replica_load_limit, replicas_for, servers_for
from tco.cost.number import FloatArray, Number
from tco.cost.ownership import cost_lines
from tco.units import HOURS_PER_DAY, HOURS_PER_YEAR, SECONDS_PER_YEAR

# Beyond that many own replicas only so many bases, in equal steps, are looked at.
_MOST_BASES = 100_000


@dataclass(frozen=True, slots=True)
class Bases:
    """Bases of 0 … N own replicas, side by side.

    Attributes:
        replicas: that serve; spares are paid beside them, but not beside none.
        servers: whole ones, spares included.
        own_requests_per_s: served by the base, averaged over the hours of the profile.
        average_requests_per_s: the whole demand.
        own_usd_per_year: of the base.
        rates_per_s: the demand of each hour of the profile.
        limits_per_s: what each base takes of an hour; of the whole fleet no less than all.
    """

    replicas: FloatArray
    servers: FloatArray
    own_requests_per_s: FloatArray
    average_requests_per_s: float
    own_usd_per_year: FloatArray
    rates_per_s: FloatArray
    limits_per_s: FloatArray

    def usd_per_year(self, api_usd_per_request: float | FloatArray) -> FloatArray:
        """Return the cost of each base with its overflow at that price [USD/yr].

        Args:
            api_usd_per_request: one price, or one for each hour of the profile.
        """
        overflow_usd_per_s: FloatArray
        if isinstance(api_usd_per_request, np.ndarray):
            own = _mean_below(self.rates_per_s, self.limits_per_s, api_usd_per_request)
            # The last base is the whole fleet, and takes all.
            overflow_usd_per_s = own[-1] - own
        else:
            overflow_per_s = self.average_requests_per_s - self.own_requests_per_s
            overflow_usd_per_s = overflow_per_s * api_usd_per_request
        return self.own_usd_per_year + overflow_usd_per_s * SECONDS_PER_YEAR


def bases(inputs: Inputs) -> Bases | Reason:
    """Return every base that the demand allows, or why there is none.

    Each hour of the profile the base takes what it can at its target load, and the rest
    overflows. Where peaks are higher than an hour's mean, the base takes as much less.

    Raises:
        ValueError: a number outside its range.
    """
    load = inputs.load
    if not isinstance(load, SizedDemand) or load.profile is None:
        return "no_profile"
    if inputs.rent_follows_profile:
        return "scales_with_demand"
    average, peak = float(load.average_requests_per_s), float(load.peak_requests_per_s)
    capacity = inputs.capacity_requests_per_s
    shares = load.target_peak_utilisation, load.availability
    most = float(replicas_for(peak, capacity, shares[0], 0.0, shares[1]))
    replicas = np.unique(np.round(np.linspace(0, most, int(min(most, _MOST_BASES)) + 1)))
    rates = average * load.profile / load.profile.mean()
    peak_over_mean = peak / rates.max()
    limit = float(replica_load_limit(capacity, *shares)) / peak_over_mean
    limits = replicas * limit
    own = _mean_below(rates, limits)
    # The whole fleet takes all, to the last digit.
    own[-1], limits[-1] = average, max(limits[-1], rates.max())
    paid = np.where(replicas > 0, replicas + load.spares, 0.0)
    sizes = inputs.accelerators_per_replica, inputs.server.accelerators
    servers = np.asarray(servers_for(paid, *sizes))
    fleet = Fleet(
        replicas=paid,
        servers=servers,
        utilisation=own / np.maximum(paid, 1.0) / capacity,
        filled_share=filled_share(paid, servers, *sizes),
    )
    lines = cost_lines(fleet, inputs.server, inputs.running, inputs.one_off)
    own_usd_per_hour = np.asarray(lines.total)
    return Bases(
        replicas=replicas,
        servers=servers,
        own_requests_per_s=own,
        average_requests_per_s=average,
        own_usd_per_year=np.where(replicas > 0, own_usd_per_hour * HOURS_PER_YEAR, 0.0),
        rates_per_s=rates,
        limits_per_s=limits,
    )


def _mean_below(rates: FloatArray, limits: Number, worth: Number = 1.0) -> FloatArray:
    """Return the mean over the hours of min(rate, limit) x what one is worth, for each limit.

    By the sorted rates' running sums, so that memory is that of the limits alone.
    """
    order = np.argsort(rates)
    worths = np.broadcast_to(worth, rates.shape)[order]
    below = np.concatenate([[0.0], np.cumsum(rates[order] * worths)])
    above = np.concatenate([np.cumsum(worths[::-1])[::-1], [0.0]])
    hours = np.searchsorted(rates[order], limits)
    mean: FloatArray = (below[hours] + above[hours] * limits) / len(rates)
    return mean


def usd_per_request_by_profile(inputs: Inputs, index: int) -> float | FloatArray:
    """Return the API's price of a request in each hour of the profile; one, where all are alike.

    24 weights are of every day, so a price of theirs is the mean over the days of the week.
    """
    load = inputs.load
    bills = usd_per_request_by_hours(
        inputs.alternatives[index], inputs.input_tokens, inputs.output_tokens, inputs.requests
    )
    if len(bills) == 1 or not isinstance(load, SizedDemand) or load.profile is None:
        return float(sum(hour.share * usd for hour, usd in bills))
    of_week = np.asarray(sum(float(usd) * np.array(hour.of_hours) for hour, usd in bills))
    if len(load.profile) == HOURS_PER_DAY:
        return np.asarray(of_week.reshape(-1, HOURS_PER_DAY).mean(axis=0))
    return of_week


def cheapest_split(found: Bases, api_usd_per_request: float | FloatArray) -> HybridSplit:
    """Return the split of least cost at that price of a request; of equal ones the smallest.

    Args:
        found: every base.
        api_usd_per_request: one price, or one for each hour of the profile.
    """
    costs_usd = found.usd_per_year(api_usd_per_request)
    at = int(np.argmin(costs_usd))
    usd, all_api_usd, all_own_usd = (float(costs_usd[index]) for index in (at, 0, -1))
    own_per_s = float(found.own_requests_per_s[at])
    return HybridSplit(
        base_replicas=round(float(found.replicas[at])),
        servers=round(float(found.servers[at])),
        own_share=own_per_s / found.average_requests_per_s,
        overflow_requests_per_year=(found.average_requests_per_s - own_per_s) * SECONDS_PER_YEAR,
        usd_per_year=usd,
        saving_against_api=1 - usd / all_api_usd if all_api_usd > 0 else None,
        saving_against_all_own=1 - usd / all_own_usd if all_own_usd > 0 else None,
    )


def with_hybrids(
    inputs: Inputs, results: Sequence[AlternativeResult]
) -> tuple[AlternativeResult, ...]:
    """Return the results with the cheapest split of each, or why it has none.

    Raises:
        ValueError: as `bases`.
    """
    found = bases(inputs)
    return tuple(
        each.model_copy(update=_hybrid(inputs, index, found, each))
        for index, each in enumerate(results)
    )


def _hybrid(
    inputs: Inputs, index: int, found: Bases | Reason, result: AlternativeResult
) -> dict[str, object]:
    if not isinstance(found, Bases):
        return {"hybrid_reason": found}
    if result.usd_per_request == 0:
        return {"hybrid_reason": "zero_price"}
    return {"hybrid": cheapest_split(found, usd_per_request_by_profile(inputs, index))}

"""The fleet of each year, sized for its demand; servers once bought stay."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from tco.cost.evaluate import Evaluation, Inputs, SizedDemand, evaluate_fleet, sized_fleet
from tco.cost.fleet import Fleet, busy_share, filled_share
from tco.cost.number import Number


def evaluations_by_year(
    inputs: Inputs, first: Evaluation, factors: Sequence[Number], count: int
) -> list[Evaluation]:
    """Return each year's evaluation at today's prices.

    Args:
        inputs: what the first year's evaluation rests on.
        first: that evaluation.
        factors: on the first year's demand, the first 1; the last one repeats.
        count: years.

    Raises:
        ValueError: factors, and no demand to multiply.
    """
    years = [first]
    for factor in factors[1:count]:
        years.append(_in_year(inputs, years[-1].fleet, factor))
    return years + years[-1:] * (count - len(years))


def _in_year(inputs: Inputs, before: Fleet, factor: Number) -> Evaluation:
    """Size the fleet for a year's demand; servers once bought stay, busy or not."""
    demand = inputs.load
    if not isinstance(demand, SizedDemand):
        raise ValueError("demand by year needs a demand")
    average = demand.average_requests_per_s * factor
    peak = demand.peak_requests_per_s * factor
    demand = dataclasses.replace(demand, average_requests_per_s=average, peak_requests_per_s=peak)
    fleet = sized_fleet(dataclasses.replace(inputs, load=demand))
    if is_bought(inputs):
        replicas = np.maximum(before.replicas, fleet.replicas)
        servers = np.maximum(before.servers, fleet.servers)
        sizes = inputs.accelerators_per_replica, inputs.server.accelerators
        fleet = Fleet(
            replicas=replicas,
            servers=servers,
            utilisation=busy_share(average, replicas, inputs.capacity_requests_per_s),
            filled_share=filled_share(replicas, servers, *sizes),
        )
    return evaluate_fleet(inputs, fleet)


def is_bought(inputs: Inputs) -> bool:
    """Say whether servers are paid for when they come, at any point."""
    return bool(np.any(np.asarray(inputs.server.price_usd + inputs.server.one_off_usd) > 0))

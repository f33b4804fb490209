"""How busy a fleet can be over a year with its demand's shape, and whether a figure is in reach."""

from __future__ import annotations

import numpy as np

from tco.cost.evaluate import Inputs, SizedDemand, follows_hours
from tco.cost.fleet import Fleet
from tco.cost.number import Number, as_number

# A quotient that is within reach but for rounding is within reach.
_ROUNDING = 1e-9


def reachable_utilisation(inputs: Inputs, fleet: Fleet) -> Number:
    """Return the highest utilisation of the fleet as sized at which its peak is still served.

    target_peak_utilisation x availability x (replicas - spares) ÷ replicas ÷ peak-to-average;
    1 of a stated utilisation, which has no shape. The peak may take no more than sizing allows
    (`replica_load_limit`), and the year's mean is as much below it as the demand's average is
    below its peak. Rent by the hour follows the profile, so of that fleet's mean only the peaks
    within the hours count.

    Args:
        inputs: what the fleet was sized on.
        fleet: as paid for.
    """
    load = inputs.load
    if not isinstance(load, SizedDemand):
        return 1.0
    serving = (fleet.replicas - load.spares) / fleet.replicas
    limit = load.target_peak_utilisation * load.availability * serving
    return as_number(np.minimum(limit / peak_to_average(inputs, load), 1.0))


def is_within(utilisation: Number, reachable: Number) -> bool:
    """Say whether a single utilisation is no higher than a reachable one, but for rounding."""
    return bool(utilisation <= reachable * (1 + _ROUNDING))


def peak_to_average(inputs: Inputs, load: SizedDemand) -> Number:
    """Return how much the fleet is sized above the average; within an hour, if it follows them."""
    ratio: Number = load.peak_requests_per_s / load.average_requests_per_s
    if load.profile is not None and follows_hours(inputs):
        return ratio * float(load.profile.mean() / load.profile.max())
    return ratio

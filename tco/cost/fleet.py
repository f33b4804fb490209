"""How many replicas and servers a demand takes, and how busy they then are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tco.cost.number import (
    FloatArray,
    Number,
    as_number,
    at_most_one,
    non_negative,
    require,
)

# A quotient that is whole but for rounding must not buy another replica.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Fleet:
    """What is paid for.

    Attributes:
        replicas: paid replicas, spares included.
        servers: whole servers that hold them.
        utilisation: served ÷ (replicas x capacity), averaged over the year.
        filled_share: of the servers' accelerators, those that replicas hold; the others idle.

    Rent by the hour pays for means over the profile, which need not be whole.
    """

    replicas: Number
    servers: Number
    utilisation: Number
    filled_share: Number = 1.0

    @property
    def server_load(self) -> Number:
        """The mean load of a paid server, which its power rests on (0 to 1)."""
        return self.utilisation * self.filled_share


def whole(quotient: Number) -> Number:
    """Return the quotient rounded up, less a rounding error of 1e-9."""
    return as_number(np.ceil(np.asarray(quotient) - _ROUNDING))


def replica_load_limit(
    capacity: Number, target_peak_utilisation: Number, availability: Number = 1.0
) -> Number:
    """Return the rate that a fleet may count on from one paid replica, in the unit of `capacity`.

    capacity x target x availability: a replica that is up for that share of the time stands
    for that share of one.

    Raises:
        ValueError: a capacity not above 0, or a share outside (0, 1].
    """
    require(np.asarray(capacity) > 0, "capacity must be above 0")
    shares = {
        "target_peak_utilisation": target_peak_utilisation,
        "availability": availability,
    }
    at_most_one(**shares)
    for name, share in shares.items():
        require(np.asarray(share) > 0, f"{name} must be above 0")
    return capacity * target_peak_utilisation * availability


def replicas_for(
    peak: Number,
    capacity: Number,
    target_peak_utilisation: Number,
    spares: Number,
    availability: Number = 1.0,
) -> Number:
    """Return ceil(peak ÷ (capacity x target x availability)) + spares, at least one.

    NVIDIA, LLM Inference Benchmarking: How Much Does Your LLM Inference Cost?; Barroso,
    Hölzle & Ranganathan, The Datacenter as a Computer. Peak and capacity in one unit.

    Raises:
        ValueError: a rate not above 0, or a share outside (0, 1].
    """
    limit = replica_load_limit(capacity, target_peak_utilisation, availability)
    non_negative(peak=peak, spares=spares)
    needed = np.maximum(whole(peak / limit), 1.0)
    return as_number(needed + spares)


def servers_for(
    replicas: Number, accelerators_per_replica: Number, accelerators_per_server: Number
) -> Number:
    """Return ceil(replicas x accelerators of one ÷ accelerators of a server)."""
    return whole(replicas * accelerators_per_replica / accelerators_per_server)


def replicas_in(
    servers: Number, accelerators_per_replica: Number, accelerators_per_server: Number
) -> Number:
    """Return how many whole replicas the servers have room for."""
    room = np.asarray(servers * accelerators_per_server / accelerators_per_replica)
    return as_number(np.floor(room + _ROUNDING))


def filled_share(
    replicas: Number,
    servers: Number,
    accelerators_per_replica: Number,
    accelerators_per_server: Number,
) -> Number:
    """Return the share of the servers' accelerators that replicas hold; 1 of no server."""
    held = np.asarray(replicas * accelerators_per_replica)
    room = np.asarray(servers * accelerators_per_server)
    with np.errstate(invalid="ignore"):
        return as_number(np.where(room > 0, np.minimum(held / room, 1.0), 1.0))


def busy_share(average: Number, replicas: Number, capacity: Number) -> Number:
    """Return served ÷ (replicas x capacity); all, where sizing let a rounding error pass above it.

    Average and capacity in one unit.
    """
    share = np.asarray(average / (replicas * capacity))
    is_full = (share > 1) & (share <= 1 + 2 * _ROUNDING)
    return as_number(np.where(is_full, 1.0, share))


def fleet_for_demand(
    *,
    average: Number,
    peak: Number,
    capacity: Number,
    target_peak_utilisation: Number,
    spares: Number,
    accelerators_per_replica: Number,
    accelerators_per_server: Number,
    availability: Number = 1.0,
) -> Fleet:
    """Return the fleet sized on the peak; average, peak and capacity in one unit.

    Raises:
        ValueError: as `replicas_for`, or the average lies above the peak.
    """
    require(np.asarray(average) <= np.asarray(peak) * (1 + _ROUNDING), "average is above the peak")
    replicas = replicas_for(peak, capacity, target_peak_utilisation, spares, availability)
    servers = servers_for(replicas, accelerators_per_replica, accelerators_per_server)
    return Fleet(
        replicas=replicas,
        servers=servers,
        utilisation=busy_share(average, replicas, capacity),
        filled_share=filled_share(
            replicas, servers, accelerators_per_replica, accelerators_per_server
        ),
    )


def one_server(
    utilisation: Number, accelerators_per_replica: Number, accelerators_per_server: Number
) -> Fleet:
    """Return one server, filled with as many whole replicas as fit.

    Raises:
        ValueError: not even one fits.
    """
    fitting = np.asarray(replicas_in(1.0, accelerators_per_replica, accelerators_per_server))
    require(
        fitting >= 1,
        f"a replica of {accelerators_per_replica} accelerators does not fit "
        f"in a server of {accelerators_per_server}",
    )
    return Fleet(
        replicas=as_number(fitting),
        servers=1.0,
        utilisation=utilisation,
        filled_share=filled_share(fitting, 1.0, accelerators_per_replica, accelerators_per_server),
    )


def fleet_by_hour(
    *,
    average: Number,
    peak: Number,
    profile: FloatArray,
    capacity: Number,
    target_peak_utilisation: Number,
    spares: Number,
    accelerators_per_replica: Number,
    accelerators_per_server: Number,
    availability: Number = 1.0,
) -> Fleet:
    """Return the mean fleet paid for, when rent follows the profile hour by hour.

    Its power is that of the paid servers alone: linear power at their mean load is the mean
    of each hour's.

    Args:
        average: the average rate.
        peak: the rate that the busiest hour is sized on; each other hour's is as much smaller
            as its weight.
        profile: 24 or 168 hourly weights.
        capacity: of one replica, in the unit of `average`.
        target_peak_utilisation: the load each replica may take.
        spares: replicas kept beyond what the hour needs.
        accelerators_per_replica: of one replica.
        accelerators_per_server: of one server.
        availability: share of the time that a paid replica is up.

    Raises:
        ValueError: as `replicas_for`.
    """
    # Summed hour by hour: of a sweep, a week of arrays at once takes 168 times the memory.
    paid: Number = 0.0
    held: Number = 0.0
    for share in profile / profile.max():
        needed = replicas_for(peak * share, capacity, target_peak_utilisation, spares, availability)
        paid = paid + needed
        held = held + servers_for(needed, accelerators_per_replica, accelerators_per_server)
    paid, held = paid / len(profile), held / len(profile)
    return Fleet(
        replicas=paid,
        servers=held,
        utilisation=busy_share(average, paid, capacity),
        filled_share=filled_share(paid, held, accelerators_per_replica, accelerators_per_server),
    )

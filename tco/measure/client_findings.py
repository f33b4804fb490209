"""What a reader must know of the load client itself: late, starved, or kept from its cores."""

from __future__ import annotations

from typing import Final

from tco.finding import Finding
from tco.measure.on_measurement import on_measurement
from tco.measurement import ClientHealth

LATE_MS: Final = 10.0
STARVED_SHARE: Final = 0.7
SATURATED_SHARE: Final = 0.9
THROTTLED_SHARE: Final = 0.01
STOLEN_SHARE: Final = 0.02
BUSY_SHARE: Final = 0.1


def client_findings(client: ClientHealth) -> tuple[Finding | None, ...]:
    """Look at all there is to say of the client."""
    looks = (client_late, client_starved, cpu_throttled, cpu_stolen, cpu_busy)
    return tuple(look(client) for look in looks)


def client_late(client: ClientHealth) -> Finding | None:
    """Look for sends long after a stream became free, and for tokens stamped late."""
    lag = max(client.send_lag_p99_ms or 0.0, client.stamp_lag_p99_ms or 0.0)
    if lag <= LATE_MS:
        return None
    return on_measurement(
        "client_late",
        "warn",
        f"the load client was {lag:.1f} ms late at its 99th percentile",
        "run the client on a machine of its own, or lower the concurrency",
        value=lag,
        limit=LATE_MS,
    )


def client_starved(client: ClientHealth) -> Finding | None:
    """Look for a client that used up its one core."""
    if client.cpu_share <= STARVED_SHARE:
        return None
    return on_measurement(
        "client_starved",
        "invalid" if client.cpu_share > SATURATED_SHARE else "warn",
        f"the load client used {client.cpu_share:.0%} of a core; it may be the limit",
        "run the client on a faster core, or lower the concurrency",
        value=client.cpu_share,
        limit=STARVED_SHARE,
    )


def cpu_throttled(client: ClientHealth) -> Finding | None:
    """Look for time in which a CPU quota kept the client, and what shares its quota, still."""
    share = client.cpu_throttled_share
    if not share:
        return None
    return on_measurement(
        "cpu_throttled",
        "invalid" if share > THROTTLED_SHARE else "warn",
        f"a CPU quota of the control group was used up for {share:.1%} of the window; pauses of "
        "the client, and of an engine beside it, are not the engine's own",
        "raise the quota (Kubernetes: the CPU limit), or measure elsewhere",
        value=share,
        limit=0.0,
    )


def cpu_busy(client: ClientHealth) -> Finding | None:
    """Look for time in which the client could run and others held the cores."""
    share = client.cpu_wait_share
    if share is None or share <= BUSY_SHARE:
        return None
    return on_measurement(
        "cpu_busy",
        "warn",
        f"the load client waited for a core for {share:.0%} of the window; an engine on the same "
        "cores waits likewise, and shows as slower and with pauses",
        "let nothing else run on the machine, and give client and engine cores of their own",
        value=share,
        limit=BUSY_SHARE,
    )


def cpu_stolen(client: ClientHealth) -> Finding | None:
    """Look for time in which the hypervisor ran somebody else."""
    share = client.cpu_stolen_share
    if share is None or share <= STOLEN_SHARE:
        return None
    return on_measurement(
        "cpu_stolen",
        "warn",
        f"the hypervisor gave {share:.1%} of this machine's CPU time to others",
        "measure on a machine whose cores are not shared",
        value=share,
        limit=STOLEN_SHARE,
    )

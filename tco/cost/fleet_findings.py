"""What must be said of a fleet's size: what is paid and idle, and how near the next server is."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from tco.comparison import AlternativeResult, SelfHost, headline_of
from tco.cost.evaluate import Evaluation, Inputs, SizedDemand, evaluate, follows_hours
from tco.cost.fleet import replica_load_limit, replicas_in
from tco.finding import Finding
from tco.plural import several
from tco.scenario import Scenario

# A step further away than that much of the traffic is not near.
NEAR_SHARE = 0.15
# A step that changes the cost of a request by less is not worth a word.
_STEP_COST_SHARE = 0.05
# Just beyond a step.
_BEYOND = 1e-6
_MUCH_IDLE_SHARE = 0.25


def idle_findings(scenario: Scenario, inputs: Inputs, own: SelfHost) -> Iterator[Finding]:
    """Yield that accelerators of the paid servers hold no replica, and what would use them."""
    if not own.has_idle_accelerators():
        return
    paid, used = own.accelerators or 0, own.accelerators_used or 0
    idle = paid - used
    more = spare_room(inputs, own)
    yield Finding(
        kind="idle_accelerators",
        severity="warn" if idle / paid >= _MUCH_IDLE_SHARE else "info",
        path="traffic.demand" if scenario.traffic.demand else "engine.accelerators",
        message=f"{'at the peak, ' if follows_hours(inputs) else ''}"
        f"{several(own.replicas, 'replica')} on {used} of {paid} accelerators: "
        f"{idle} are paid and idle ({idle / paid:.1%})",
        advice=(
            f"{several(more, 'more replica')} would fit without another server: serve more with "
            "it, or take a server with fewer accelerators"
            if more
            else "take a server whose accelerators are a multiple of what a replica needs"
        ),
        value=idle / paid,
    )


def spare_room(inputs: Inputs, own: SelfHost) -> int:
    """Return how many more replicas the paid servers have room for."""
    sizes = inputs.accelerators_per_replica, inputs.server.accelerators
    return round(float(replicas_in(own.servers, *sizes))) - own.replicas


def step_findings(
    inputs: Inputs, at: Evaluation, results: Sequence[AlternativeResult]
) -> Iterator[Finding]:
    """Yield that a little more traffic takes another server, or a little less saves one.

    Rent that follows the hours has no such step.
    """
    load = inputs.load
    if not isinstance(load, SizedDemand) or follows_hours(inputs):
        return
    limit = replica_load_limit(
        inputs.capacity_requests_per_s, load.target_peak_utilisation, load.availability
    )
    sizes = inputs.accelerators_per_replica, inputs.server.accelerators
    for servers, beyond in ((at.fleet.servers, _BEYOND), (at.fleet.servers - 1, -_BEYOND)):
        serving = float(replicas_in(servers, *sizes) - load.spares)
        share = serving * float(limit) / float(load.peak_requests_per_s) - 1
        if serving < 1 or abs(share) > NEAR_SHARE:
            continue
        factor = (1 + share) * (1 + beyond)
        after = evaluate(dataclasses.replace(inputs, load=_scaled(load, factor)))
        changed = float(after.usd_per_request / at.usd_per_request) - 1
        if after.fleet.servers != at.fleet.servers and (
            changed >= _STEP_COST_SHARE if beyond > 0 else changed <= -_STEP_COST_SHARE
        ):
            yield _step(at, after, share, results, is_more=beyond > 0)


def _scaled(load: SizedDemand, factor: float) -> SizedDemand:
    return dataclasses.replace(
        load,
        average_requests_per_s=load.average_requests_per_s * factor,
        peak_requests_per_s=load.peak_requests_per_s * factor,
    )


def _step(
    at: Evaluation,
    after: Evaluation,
    share: float,
    results: Sequence[AlternativeResult],
    *,
    is_more: bool,
) -> Finding:
    traffic = f"{abs(share):.1%} {'more' if is_more else 'less'} traffic"
    if abs(share) <= _BEYOND:
        traffic = "any more traffic" if is_more else "the least less traffic"
    needs = f"takes {several(round(float(after.fleet.servers)), 'server')} instead of"
    return Finding(
        kind="server_step_above" if is_more else "server_step_below",
        severity="warn" if is_more else "info",
        path="traffic.demand",
        message=f"{traffic} {needs} {round(float(at.fleet.servers))}, and "
        + _change(at, after, results),
        advice="decide on the traffic that you are sure of, and sweep around it"
        if is_more
        else "a higher target_peak_utilisation, fewer spares or a flatter peak may save it too",
        value=share,
        limit=NEAR_SHARE,
    )


def _change(at: Evaluation, after: Evaluation, results: Sequence[AlternativeResult]) -> str:
    rival = headline_of(results)
    if rival is None or rival.saving is None:
        ratio = float(after.usd_per_request / at.usd_per_request)
        return f"a request then costs {ratio:.3g} times as much"
    index = next(place for place, each in enumerate(results) if each is rival)
    then = float(after.rivals[index].saving)
    return f"the saving against {rival.name} is then {then:.1%} instead of {rival.saving:.1%}"

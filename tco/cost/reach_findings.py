"""What must be said where the fleet as sized can't carry the traffic that breaks even."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tco.comparison import AlternativeResult, SelfHost, headline_of
from tco.cost.evaluate import Inputs, SizedDemand
from tco.cost.fleet_findings import spare_room
from tco.cost.reach import is_within, peak_to_average
from tco.finding import Finding
from tco.units import SECONDS_PER_MONTH

_ROUNDING = 1e-9


def reach_findings(
    inputs: Inputs, own: SelfHost, results: Sequence[AlternativeResult]
) -> Iterator[Finding]:
    """Yield each break-even above full load, and once those above the demand's reach."""
    above = {
        index: each.break_even_utilisation
        for index, each in enumerate(results)
        if each.break_even_utilisation is not None
        and not is_within(each.break_even_utilisation, own.reachable_utilisation)
    }
    if above:
        yield _above_reach(inputs, own, results, above)
    for index, each in enumerate(results):
        if each.break_even_utilisation is None and each.break_even_within_capacity is False:
            yield Finding(
                kind="break_even_above_capacity",
                severity="warn",
                path=f"alternatives.{index}",
                message=f"the break-even volume against {each.name} is more than the fleet "
                "can serve",
                advice=_room(inputs, own, each)
                or "it takes a cheaper or a faster fleet to get there",
                value=each.break_even_requests_per_month,
            )


def _above_reach(
    inputs: Inputs,
    own: SelfHost,
    results: Sequence[AlternativeResult],
    above: Mapping[int, float],
) -> Finding:
    """Return the finding of the headline's alternative, else of the first; others by number."""
    headline = headline_of(results)
    place = next((index for index in above if results[index] is headline), next(iter(above)))
    each, even, reach = results[place], above[place], own.reachable_utilisation
    others = [
        f"{other:.1%} against {results[index].name}"
        for index, other in above.items()
        if index != place
    ]
    also = f" (and {', '.join(others)})" if others else ""
    return Finding(
        kind="break_even_above_reach",
        severity="warn",
        path=f"alternatives.{place}",
        message=f"it takes {even:.1%} utilisation to break even against {each.name}{also}, and "
        f"this fleet reaches {reach:.1%} at most with this demand{_why(inputs)}",
        advice=_room(inputs, own, each)
        or "flatten the peak, raise target_peak_utilisation or keep fewer spares"
        + (", own a base and send the overflow to the API" if _splits(each) else "")
        + ", find a cheaper or a faster fleet, or see with `tco solve` whether more traffic helps",
        value=even,
        limit=reach,
    )


def _splits(each: AlternativeResult) -> bool:
    split = each.hybrid
    return split is not None and split.base_replicas > 0 and split.overflow_requests_per_year > 0


def _why(inputs: Inputs) -> str:
    """Return what keeps the fleet from full load."""
    load = inputs.load
    if not isinstance(load, SizedDemand):
        return ""
    peak = float(peak_to_average(inputs, load))
    reasons = {
        f"its peak is {peak:.3g} times its average": peak > 1 + _ROUNDING,
        f"a replica may take {float(load.target_peak_utilisation):.3g} of its capacity": (
            float(load.target_peak_utilisation) < 1
        ),
        f"it is up {float(load.availability):.3g} of the time": float(load.availability) < 1,
        "spares wait": float(load.spares) > 0,
    }
    said = [words for words, holds in reasons.items() if holds]
    return f": {', '.join(said)}" if said else ""


def _room(inputs: Inputs, own: SelfHost, each: AlternativeResult) -> str:
    """Return what filling the paid servers would do; "" where they are full.

    Cost at a volume is that of the servers, whatever number of replicas they hold, and power
    goes by the servers' load: so the break-even volume stays where it is.
    """
    load, more = inputs.load, spare_room(inputs, own)
    volume = each.break_even_requests_per_month
    if not isinstance(load, SizedDemand) or volume is None or more < 1:
        return ""
    serving = own.replicas - float(load.spares)
    full_load = own.replicas * float(inputs.capacity_requests_per_s) * SECONDS_PER_MONTH
    reached = own.reachable_utilisation * full_load * (serving + more) / serving
    idle = (own.accelerators or 0) - (own.accelerators_used or 0)
    suffices = is_within(volume, reached)
    return (
        f"put replicas on the {idle} accelerators that are paid and idle: {more} more in the same "
        + ("servers can serve it" if suffices else "servers come nearer, and can't serve it either")
    )

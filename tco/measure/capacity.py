"""Measures the capacity of a replica: at the concurrency stated, or by a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from tco.measure.points import Points
from tco.measure.search import Reason, Rules, Stop, found, next_load
from tco.measure.tried import Load, tried_of
from tco.measurement import Interval, LoadPoint

_EXPECTED_POINTS: Final = 8
SATURATED_LOAD: Final = 0.95  # an open loop at more of a saturated rate has no steady state


@dataclass(frozen=True, slots=True)
class Capacity:
    """What was found.

    Attributes:
        index: the point that is the capacity.
        low: the highest rate (requests/s) that kept the service level; None without a search
            for one, or where none did.
        high: the lowest rate that did not, if there is one.
        reason: why the search ended; `stated`: there was none.
    """

    index: int
    low: float | None
    high: float | None
    reason: Reason | Literal["stated"]

    @property
    def is_saturated(self) -> bool:
        """Say whether it is a closed loop's rate, beyond which nothing can be served."""
        return self.low is None and self.high is None


def measure_capacity(points: Points) -> Capacity:
    """Hold the loads that find the capacity of `points.plan`."""
    plan = points.plan
    later = plan.repeats - 1 + (plan.target_load < 1)
    if plan.concurrency is not None:
        points.expected = 1 + later
        points.measure(Load(streams=plan.concurrency), "curve", limit_s=plan.limit_s)
        return Capacity(0, None, None, "stated")
    while True:
        tried = [tried_of(point) for point in points.all]
        left = points.budget.points(reserved_s=later * points.budget.point_s())
        rules = Rules(has_slo=bool(plan.slo), points_left=left if tried else 1)
        step = next_load(tried, rules)
        if isinstance(step, Stop):
            result = found(tried, rules)
            return Capacity(result.index, result.low, result.high, step.reason)
        points.expected = later + min(len(tried) + left, max(len(tried) + 1, _EXPECTED_POINTS))
        points.measure(step, "search" if step.is_open else "curve")


def best_so_far(all_points: list[LoadPoint], *, is_search: bool, has_slo: bool) -> int:
    """Return the index of the point that is the capacity as far as is known."""
    tried = [tried_of(point) for point in all_points if point.purpose != "target"]
    return found(tried, Rules(has_slo=has_slo)).index if is_search else 0


def target_load(points: Points, capacity: Capacity) -> Load | None:
    """Return the open loop to verify the target load with; None: the capacity point is it."""
    share = points.plan.target_load
    most = SATURATED_LOAD if capacity.is_saturated else 1.0
    rate = points.all[capacity.index].rates.requests_per_s
    if capacity.low is not None:
        rate = capacity.low
    if rate <= 0 or share > most or (share == most and not capacity.is_saturated):
        return None
    return Load(requests_per_s=float(f"{share * rate:.4g}"))


def bracket(point: LoadPoint, capacity: Capacity) -> Interval | None:
    """Return the search's bracket as output rates (tok/s); None where it has no two ends.

    The rate delivered at the lower end may differ from the one offered by what chance leaves in
    flight at the window's ends; the bracket holds it.
    """
    if capacity.low is None or capacity.high is None or not point.rates.requests_per_s:
        return None
    rate = point.rates.output_tok_per_s
    tokens = rate / point.rates.requests_per_s
    return Interval(
        low=min(rate, capacity.low * tokens),
        high=max(rate, capacity.high * tokens),
        level=None,
        covers="from the last rate that kept the service level to the first that did not",
    )

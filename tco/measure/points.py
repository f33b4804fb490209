"""The points of a bench: measured one after the other, or taken up, and written each at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tco.measure.bench_plan import BenchPlan
from tco.measure.load_point import Purpose
from tco.measure.measure_point import Bed, PointAsked, measure_point
from tco.measure.point_key import PointKey
from tco.measure.point_plan import load_limits, session_s
from tco.measure.progress import Progress
from tco.measure.resume import KeptPoints
from tco.measure.service_level import requests_needed
from tco.measure.time_budget import TimeBudget
from tco.measure.tried import Load
from tco.measurement import HostFacts, LoadPoint
from tco.units import MS_PER_S

_FIRST_E2E_S: Final = 1.0
_FIRST_TOK_PER_S: Final = 20
_ENOUGH: Final = 1.1  # of the requests a quantile needs: some fail
_MOST_WINDOWS: Final = 3.0


class Points:
    """What a bench has measured so far, on one engine start after the other."""

    def __init__(
        self,
        plan: BenchPlan,
        kept: KeptPoints,
        host: HostFacts,
        written: Callable[[list[LoadPoint]], None],
    ) -> None:
        self.plan = plan
        self.all: list[LoadPoint] = []
        self.budget = TimeBudget(plan.limit_s * plan.repeats, plan.window_s)
        self.expected = plan.repeats
        self._kept, self._host, self._written = kept, host, written
        self._bed: Bed | None = None

    def move_to(self, bed: Bed) -> None:
        """Measure on another engine start from now on."""
        self._bed = bed

    def measure(
        self,
        load: Load,
        purpose: Purpose,
        *,
        limit_s: float | None = None,
        capacity_requests_per_s: float | None = None,
    ) -> LoadPoint:
        """Hold the load, or take up its point of an interrupted bench; write what is known.

        Args:
            load: what to hold.
            purpose: what it is for.
            limit_s: the most it may take; by its window if left out.
            capacity_requests_per_s: what the load is a share of, if it is known.
        """
        assert self._bed is not None  # noqa: S101  a bench moves to an engine first
        number, window_s = len(self.all), self.window_s(load)
        key = PointKey(
            scenario=self._bed.scenario,
            engine=self._bed.handle.facts,
            host=self._host,
            load=f"{purpose}: {load.words()}",
            window_s=window_s,
            number=number,
        ).sha256()
        point = self._kept.take(number, key)
        if point is None:
            e2e_s = self.e2e_s()
            limits = load_limits(
                load,
                window_s=window_s,
                limit_s=limit_s or self.budget.limit_s(window_s),
                e2e_s=e2e_s,
                session_s=session_s(self._bed.scenario, e2e_s=e2e_s) if load.is_open else None,
            )
            begun = time.monotonic()
            asked = PointAsked(
                number=number,
                load=load,
                purpose=purpose,
                limits=limits,
                e2e_s=e2e_s,
                events_per_s=self.events_per_s(load),
                capacity_requests_per_s=capacity_requests_per_s,
                key_sha256=key,
            )
            point = measure_point(replace(self._bed, progress=self._numbered(load)), asked)
            self.budget.spend(time.monotonic() - begun, point.window_s)
        else:
            self.budget.spend(point.run_s, point.window_s)
            self._numbered(load)(Progress("taken up", "from the bench that was interrupted"))
        self.all.append(point)
        self._written(self.all)
        return point

    def window_s(self, load: Load) -> float:
        """Return the window of a load: longer where the service level's quantiles need it."""
        wanted, rate = requests_needed(self.plan.slo), load.requests_per_s
        if not wanted or not rate:
            return self.plan.window_s
        most_s = min(_MOST_WINDOWS * self.plan.window_s, self.plan.limit_s / _MOST_WINDOWS)
        return max(self.plan.window_s, min(most_s, _ENOUGH * wanted / rate))

    def e2e_s(self) -> float:
        """Return how long a request took at the last point that kept up with its load."""
        known = [point for point in self.all if point.latency.e2e is not None]
        kept_up = [point for point in known if not _is_too_much(point)]
        for point in reversed(kept_up or known):
            if point.latency.e2e is not None:
                return point.latency.e2e.mean_ms / MS_PER_S
        return _FIRST_E2E_S

    def events_per_s(self, load: Load) -> float:
        """Return how many events a load may make: a token each, at the rate its streams could.

        A first point of many streams is given what they could do at twenty tokens a second.
        """
        streams = load.streams or 0
        if not self.all:
            return float(streams * _FIRST_TOK_PER_S)
        last = self.all[-1]
        seen = last.rates.output_tok_per_s
        if load.requests_per_s is not None:
            tokens = seen / last.rates.requests_per_s if last.rates.requests_per_s else 0.0
            return load.requests_per_s * tokens
        return seen * max(1.0, streams / max(1.0, last.concurrency_delivered or 1.0))

    def _numbered(self, load: Load) -> Callable[[Progress], None]:
        """Return a hearer of progress that adds which point it is, and the time left of all."""
        assert self._bed is not None  # noqa: S101  as above
        hear, begun, number = self._bed.progress, time.monotonic(), len(self.all) + 1
        of_points = max(number, self.expected)

        def heard(progress: Progress) -> None:
            left_s = max(0.0, self.budget.left_s - (time.monotonic() - begun))
            hear(
                replace(
                    progress,
                    point=number,
                    of_points=of_points,
                    load=load.words(),
                    bench_left_s=left_s,
                )
            )

        return heard


def _is_too_much(point: LoadPoint) -> bool:
    """Say whether a load was more than the engine takes: overloaded, or the level not kept."""
    return point.is_overloaded or (
        point.service_level is not None and point.service_level.holds is False
    )

"""A BenchPlan is what a scenario asks of a bench, checked before any engine is started."""

from __future__ import annotations

from dataclasses import dataclass

from tco.errors import InputError
from tco.measurement import MeasuredShape, measured_shape
from tco.scenario import Scenario
from tco.units import SECONDS_PER_MINUTE

_WINDOW_SHARE = 1 / 3  # of the time allowed: the rest is for warm-up and drain


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What to measure.

    Attributes:
        shape: the mean request.
        concurrency: the closed loop that is the capacity; None: the capacity is searched for.
        slo: limits in ms by key; empty without a service level.
        target_load: the share of the capacity at which service level and power are verified.
        seed: draws the prompts.
        window_s: the steady window.
        limit_s: for each of the repeats: its share of `bench.max_minutes`.
        repeats: how often the capacity is measured, each on an engine start of its own where
            we start it.
    """

    shape: MeasuredShape
    concurrency: int | None
    slo: dict[str, float]
    target_load: float
    seed: int
    window_s: float
    limit_s: float
    repeats: int


def bench_plan(scenario: Scenario) -> BenchPlan:
    """Return what to measure.

    Raises:
        InputError: the scenario has no engine, or asks for a window that does not fit into its
            time.
    """
    engine = scenario.engine
    if engine is None or (engine.launch is None and engine.attach is None):
        raise InputError(
            "the scenario has no engine to measure",
            key="engine",
            remedy="add engine.launch or engine.attach (docs/gpu-machine.md, docs/attach.md)",
        )
    repeats, window_s = int(scenario.bench.repeats.value), scenario.bench.window_s.value
    limit_s = scenario.bench.max_minutes.value * SECONDS_PER_MINUTE / repeats
    if window_s > limit_s * _WINDOW_SHARE:
        each = "" if repeats == 1 else f", {repeats} times over,"
        raise InputError(
            f"a window of {window_s:g} s{each} does not fit into "
            f"{scenario.bench.max_minutes.value:g} minutes with warm-up and drain",
            key="bench.window_s",
            remedy="keep it to a third of bench.max_minutes / bench.repeats",
        )
    return BenchPlan(
        shape=measured_shape(scenario.traffic.shape),
        concurrency=int(engine.concurrency.value) if engine.concurrency else None,
        slo={key: limit.value for key, limit in scenario.slo.items()},
        target_load=target_load(scenario),
        seed=scenario.bench.seed,
        window_s=window_s,
        limit_s=limit_s,
        repeats=repeats,
    )


def target_load(scenario: Scenario) -> float:
    """Return the load to verify, as a share of the capacity: that at the peak of a demand."""
    demand, stated = scenario.traffic.demand, scenario.traffic.target_utilisation
    if demand is not None:
        return demand.target_peak_utilisation.value
    return stated.value if stated is not None else 1.0

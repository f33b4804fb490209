"""What a reader must know of a power meter: whether it is costed, and what it did not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tco.cost.power import mean_power_w
from tco.cost.watts import meter, stands_for_server
from tco.finding import Finding
from tco.measurement import MeasuredPower, Measurement
from tco.scenario import Scenario

LINEAR_SHARE: Final = 0.1
_ADVICE: Final = {
    "accelerators": "state power.rest_of_server_w to cost what the meter saw",
    "package": "memory, accelerators and the rest are not in it; a wall meter sees all",
}


def power_findings(scenario: Scenario, measurement: Measurement) -> Iterator[Finding]:
    """Yield what must be said of the meter at the capacity point."""
    power = meter(measurement)
    if power is None:
        return
    if scenario.power is None:
        yield _no_electricity(power)
        return
    if not stands_for_server(power, rest_given=scenario.power.rest_of_server_w is not None):
        yield _only_shown(power)
        return
    if power.idle_w is None:
        yield _idle_stated(scenario.power.idle_w.value, power)
    yield from _other_accelerators(scenario, power)
    yield from _not_linear(measurement, power)


def _no_electricity(power: MeasuredPower) -> Finding:
    return Finding(
        kind="power_not_costed",
        severity="info",
        path="power",
        message=f"the {power.meter} meter saw {power.load_w:.0f} W, and the scenario costs no "
        "electricity",
        advice="state power.usd_per_kwh, unless a rental includes it",
        value=power.load_w,
    )


def _only_shown(power: MeasuredPower) -> Finding:
    return Finding(
        kind=f"power_of_{power.covers}_only",
        severity="info",
        path="power.rest_of_server_w",
        message=f"the {power.meter} meter saw {power.load_w:.0f} W of the {power.covers} only, "
        "so the scenario's own watts are costed",
        advice=_ADVICE[power.covers],
        value=power.load_w,
    )


def _idle_stated(stated_w: float, power: MeasuredPower) -> Finding:
    return Finding(
        kind="idle_power_not_measured",
        severity="info",
        path="power.idle_w",
        message=f"the {power.meter} meter has no idle figure, so the scenario's own "
        f"{stated_w:.0f} W is costed beside the measured load",
        advice="let the meter take readings more often, or state power.idle_w as measured",
        value=stated_w,
    )


def _other_accelerators(scenario: Scenario, power: MeasuredPower) -> Iterator[Finding]:
    """Look for idle accelerators taken for busy ones: the meter must see one busy replica.

    Accelerators are scaled to the server; at a wall meter the whole server must be busy.
    """
    server = scenario.hardware.purchase or scenario.hardware.rent
    in_server = server.accelerators.value if server is not None else 1.0
    stated = scenario.engine.accelerators if scenario.engine is not None else None
    busy = in_server if stated is None else stated.value
    seen = in_server if power.covers == "wall" else float(power.accelerators or busy)
    if seen <= busy:
        return
    yield Finding(
        kind="power_of_idle_accelerators",
        severity="warn",
        path="engine.accelerators",
        message=f"the {power.meter} meter saw {seen:.0f} accelerators, of which the engine uses "
        f"{busy:.0f}: a full server draws more than it saw",
        advice="measure with every accelerator busy"
        if power.covers == "wall"
        else "let the meter see the engine's accelerators alone (bench.meter)",
        value=seen,
        limit=busy,
    )


def _not_linear(measurement: Measurement, power: MeasuredPower) -> Iterator[Finding]:
    """Look for a target load whose power lies off the line that is costed."""
    if measurement.target_point in {None, measurement.capacity_point} or power.idle_w is None:
        return
    target = measurement.points[measurement.target_point or 0]
    at_target = target.power
    if at_target is None or at_target.meter != power.meter:
        return
    load = target.rates.output_tok_per_s / measurement.capacity().output_tok_per_s
    line_w = float(mean_power_w(power.idle_w, power.load_w, min(load, 1.0)))
    if not line_w or abs(at_target.load_w / line_w - 1) <= LINEAR_SHARE:
        return
    yield Finding(
        kind="power_not_linear",
        severity="info",
        path="power",
        message=f"at {load:.0%} load the {power.meter} meter saw {at_target.load_w:.0f} W, where "
        f"the straight line between idle and full load, which is costed, gives {line_w:.0f} W",
        advice="a server that is steadily half busy draws what the meter saw; one that is busy "
        "half of the time draws what is costed",
        value=at_target.load_w / line_w - 1,
        limit=LINEAR_SHARE,
    )

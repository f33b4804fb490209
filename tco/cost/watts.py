"""Whose watts are costed: the scenario's own, or a meter's where it stands for the server."""

from __future__ import annotations

from tco.cost.number import Number
from tco.cost.reader import Reader
from tco.measurement import MeasuredPower, Measurement


def server_watts(
    read: Reader, measurement: Measurement, accelerators_per_server: Number
) -> tuple[Number, Number]:
    """Return the server's idle and load power [W], before PUE.

    A wall meter counts as it is. An accelerator meter counts only with
    `power.rest_of_server_w`: watts x (accelerators of the server / those measured) + rest;
    a package meter never does. Where a meter says nothing of idle, the scenario does.
    """
    stated = read("power.idle_w"), read("power.load_w")
    power = meter(measurement)
    if power is None or not read.given("power.usd_per_kwh"):
        return stated
    if power.covers == "wall":
        return (stated[0] if power.idle_w is None else power.idle_w), power.load_w
    if not stands_for_server(power, rest_given=read.given("power.rest_of_server_w")):
        return stated
    scale = accelerators_per_server / (power.accelerators or 1)
    rest_w = read("power.rest_of_server_w")
    idle = stated[0] if power.idle_w is None else power.idle_w * scale + rest_w
    return idle, power.load_w * scale + rest_w


def meter(measurement: Measurement) -> MeasuredPower | None:
    """Return what a meter said at the capacity point, if there was one."""
    if measurement.capacity_point is None:
        return None
    return measurement.points[measurement.capacity_point].power


def stands_for_server(power: MeasuredPower, *, rest_given: bool) -> bool:
    """Say whether the meter's watts are costed in place of the scenario's own."""
    if power.covers == "wall":
        return True
    return power.covers == "accelerators" and bool(power.accelerators) and rest_given

"""What own cost holds and what it leaves out, scenario key by key, even where that is nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tco.comparison import CostDetail
from tco.cost.evaluate import Evaluation, Inputs, SizedDemand, sized_fleet
from tco.cost.hardware import annual_capital_usd
from tco.cost.number import Number
from tco.cost.ownership import colocation_usd_per_month, cost_lines, repairs_usd_per_year
from tco.quantity import Quantity
from tco.scenario import Scenario
from tco.units import HOURS_PER_YEAR, MONTHS_PER_YEAR


def details(scenario: Scenario, inputs: Inputs, evaluation: Evaluation) -> tuple[CostDetail, ...]:
    """Return every key that may add to own cost, with what it adds to the first year."""
    return (
        *_hardware(inputs, evaluation),
        *_operations(inputs, evaluation),
        _of_later_years("operations.growth_per_year", scenario.operations.growth_per_year),
        _of_later_years(
            "power.price_growth_per_year",
            scenario.power.price_growth_per_year if scenario.power else None,
        ),
        _of_later_years(
            "finance.api_price_change_per_year", scenario.finance.api_price_change_per_year
        ),
        _of_later_years("finance.tax_rate", scenario.finance.tax_rate),
    )


def _of_later_years(key: str, quantity: Quantity | None) -> CostDetail:
    value = quantity.value if quantity is not None else 0.0
    return CostDetail(key=key, value=value, included=value != 0, usd_per_year=None)


def _detail(key: str, value: Number, usd_per_year: Number, nothing: float = 0.0) -> CostDetail:
    return CostDetail(
        key=key,
        value=float(value),
        included=float(value) != nothing and float(usd_per_year) != 0,
        usd_per_year=float(usd_per_year),
    )


def _hardware(inputs: Inputs, evaluation: Evaluation) -> Iterator[CostDetail]:
    """Yield spares, one-off sums (a server's and the fleet's), and what PUE adds."""
    server, load, lines = inputs.server, inputs.load, evaluation.lines
    spares, spares_usd = 0.0, 0.0
    if isinstance(load, SizedDemand):
        bare = dataclasses.replace(inputs, load=dataclasses.replace(load, spares=0.0))
        without = cost_lines(sized_fleet(bare), server, inputs.running, inputs.one_off).total
        spares = float(load.spares)
        spares_usd = float(lines.total - without) * HOURS_PER_YEAR
    # A spare that fits in a server that is paid anyway is there, and costs nothing more.
    spare = _detail("traffic.demand.spares", spares, spares_usd)
    yield spare.model_copy(update={"included": spares > 0})
    one_off_usd_per_year = annual_capital_usd(
        server.one_off_usd, 0.0, server.discount_rate, server.life_years, server.method
    )
    yield _detail(
        "hardware.purchase.one_off_usd",
        server.one_off_usd,
        evaluation.fleet.servers * one_off_usd_per_year,
    )
    fleet_one_off = inputs.one_off
    yield _detail(
        "hardware.one_off",
        fleet_one_off.usd,
        annual_capital_usd(
            fleet_one_off.usd, 0.0, server.discount_rate, fleet_one_off.years, server.method
        ),
    )
    overhead_usd = lines.power * (1 - 1 / server.pue) * HOURS_PER_YEAR
    yield _detail("power.pue", server.pue, overhead_usd, nothing=1.0)


def _operations(inputs: Inputs, evaluation: Evaluation) -> Iterator[CostDetail]:
    server, running, servers = inputs.server, inputs.running, evaluation.fleet.servers
    staff_usd = running.fte * running.fte_usd_per_year
    accelerators = servers * server.accelerators
    hosting_usd = servers * running.hosting_usd_per_month * MONTHS_PER_YEAR
    colocation_usd = servers * colocation_usd_per_month(server, running) * MONTHS_PER_YEAR
    for name, usd_per_year in (
        ("fte", staff_usd),
        (
            "licence_usd_per_accelerator_year",
            accelerators * running.licence_usd_per_accelerator_year,
        ),
        (
            "maintenance_share_per_year",
            servers * server.price_usd * running.maintenance_share_per_year,
        ),
        ("failures_per_accelerator_year", servers * repairs_usd_per_year(server, running)),
        ("hosting_usd_per_month", hosting_usd),
        ("colocation_usd_per_kw_month", colocation_usd),
        ("other_usd_per_year", running.other_usd_per_year),
    ):
        yield _detail(f"operations.{name}", getattr(running, name), usd_per_year)

"""Own cost in formulas: the eight lines of the first year, and the cost of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tco.report.workbook.fleet import (
    Fleet,
    Sizing,
    demand_of,
    fleet_of,
    reachable_utilisation,
    sizing_of,
)
from tco.report.workbook.formula import Term, if_, payment
from tco.report.workbook.given import IDLE_W, LOAD_W
from tco.report.workbook.steps import LINES, Given, Let
from tco.scenario import Scenario
from tco.units import HOURS_PER_MONTH, HOURS_PER_YEAR, SECONDS_PER_HOUR, W_PER_KW

# A rental has no life; where no horizon is stated its years are these.
_RENTAL_YEARS = 3.0


@dataclass(frozen=True, slots=True)
class Own:
    """The fleet and its cost in the first year, as cells.

    Attributes:
        demand: average and peak [requests/s], where there is a demand.
        lines: USD per hour by name.
        idle_usd_per_hour: of everything, at no load; `full_usd_per_hour` at full load.
    """

    given: Given
    sizing: Sizing
    demand: tuple[Term, Term] | None
    fleet: Fleet
    lines: Mapping[str, Term]
    usd_per_hour: Term
    idle_usd_per_hour: Term
    full_usd_per_hour: Term
    full_load_requests_per_s: Term
    reachable_utilisation: Term
    requests_per_hour: Term
    usd_per_request: Term


def horizon_years(scenario: Scenario, given: Given) -> Term:
    """Return the horizon: as stated, else the life of a purchase, else a rental's."""
    if given.has("finance.horizon_years"):
        return given("finance.horizon_years")
    if scenario.hardware.purchase is not None:
        return given("hardware.purchase.life_years")
    return Term(f"{_RENTAL_YEARS:g}", _RENTAL_YEARS)


def residual_usd(given: Given) -> Term:
    """Return what one server still brings at the end of its life."""
    key = "hardware.purchase."
    if given.has(f"{key}residual_share"):
        return given(f"{key}residual_share") * given(f"{key}price_usd")
    return given(f"{key}residual_usd")


def one_off_usd(given: Given) -> Term:
    """Return what is paid once for the fleet."""
    key = "hardware.one_off."
    return given(f"{key}network_usd") + given(f"{key}rack_usd") + given(f"{key}migration_usd")


def own_of(scenario: Scenario, given: Given, let: Let) -> Own:
    """Return own cost of the first year."""
    sizing = sizing_of(scenario, given, let)
    demand = demand_of(given, let)
    fleet = fleet_of(sizing, given, demand, let)
    full_load = let("full_load_requests_per_s", fleet.replicas * sizing.capacity)
    requests_per_hour = let("requests_per_hour", full_load * fleet.utilisation * SECONDS_PER_HOUR)
    idle, full = power_ends(given, fleet, let)
    reachable = let("reachable_utilisation", reachable_utilisation(sizing, fleet, demand))
    lines = cost_lines(scenario, given, fleet, sizing, let)
    lines["power"] = let("power", idle + (full - idle) * fleet.utilisation)
    summed = lines[LINES[0]]
    for name in LINES[1:]:
        summed = summed + lines[name]
    usd_per_hour = let("usd_per_hour", summed)
    constant = usd_per_hour - lines["power"]
    return Own(
        given=given,
        sizing=sizing,
        demand=demand,
        fleet=fleet,
        lines=lines,
        usd_per_hour=usd_per_hour,
        idle_usd_per_hour=constant + idle,
        full_usd_per_hour=constant + full,
        full_load_requests_per_s=full_load,
        reachable_utilisation=reachable,
        requests_per_hour=requests_per_hour,
        usd_per_request=let("usd_per_request", usd_per_hour / requests_per_hour),
    )


def mean_watts(given: Given, fleet: Fleet) -> Term:
    """Return the mean power of a paid server at the fleet's load, before PUE [W]."""
    idle_w = given(IDLE_W, given("power.idle_w"))
    load_w = given(LOAD_W, given("power.load_w"))
    return idle_w + (load_w - idle_w) * (fleet.utilisation * fleet.filled_share)


def power_ends(given: Given, fleet: Fleet, let: Let) -> tuple[Term, Term]:
    """Return what the fleet's electricity costs an hour when idle, and at full load."""
    idle_w = given(IDLE_W, given("power.idle_w"))
    load_w = given(LOAD_W, given("power.load_w"))
    usd_per_w = given("power.pue", 1.0) * given("power.usd_per_kwh") / W_PER_KW
    idle = let("idle_usd_per_hour", fleet.servers * idle_w * usd_per_w)
    at_load_w = idle_w + (load_w - idle_w) * fleet.filled_share
    return idle, let("full_usd_per_hour", fleet.servers * at_load_w * usd_per_w)


def cost_lines(
    scenario: Scenario, given: Given, fleet: Fleet, sizing: Sizing, let: Let
) -> dict[str, Term]:
    """Return the lines but for electricity [USD/hour]."""
    buying, running = "hardware.purchase.", "operations."
    servers, accelerators = fleet.servers, sizing.per_server
    price = given(f"{buying}price_usd")
    paid = price + given(f"{buying}one_off_usd")
    life = given(f"{buying}life_years", 1.0)
    server = let("server_capital_usd_per_year", _spread(given, paid, residual_usd(given), life))
    horizon = horizon_years(scenario, given)
    one_off = let(
        "one_off_usd_per_year", _spread(given, one_off_usd(given), Term("0", 0.0), horizon)
    )
    repairs = given(f"{running}failures_per_accelerator_year") * given(
        f"{running}repair_usd_per_failure"
    )
    upkeep = given(f"{running}maintenance_share_per_year") * price + accelerators * repairs
    licence = given(f"{running}licence_usd_per_accelerator_year")
    space = given("power.load_w") / W_PER_KW * given(f"{running}colocation_usd_per_kw_month")
    hosting = given(f"{running}hosting_usd_per_month") + space
    staff = given(f"{running}fte") * given(f"{running}fte_usd_per_year")
    other = given(f"{running}other_usd_per_year")
    return {
        "capital": let("capital", (servers * server + one_off) / HOURS_PER_YEAR),
        "rental": let("rental", servers * given("hardware.rent.usd_per_hour")),
        "maintenance": let("maintenance", servers * upkeep / HOURS_PER_YEAR),
        "licence": let("licence", servers * accelerators * licence / HOURS_PER_YEAR),
        "hosting": let("hosting", servers * hosting / HOURS_PER_MONTH),
        "staff": let("staff", staff / HOURS_PER_YEAR),
        "other": let("other", other / HOURS_PER_YEAR),
    }


def _spread(given: Given, paid: Term, left: Term, years: Term) -> Term:
    """Return a sum's cost a year over its life, by the method that the inputs name."""
    rate = given("finance.discount_rate")
    annuity = payment(rate, years, paid, left)
    return if_(given("finance.method").is_("annuity"), annuity, (paid - left) / years)

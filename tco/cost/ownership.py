"""What a fleet costs an hour, line by line: capital, rental, power and operations."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tco.cost.fleet import Fleet
from tco.cost.hardware import Method, annual_capital_usd
from tco.cost.number import Number, non_negative
from tco.cost.power import power_usd_per_hour
from tco.units import HOURS_PER_MONTH, HOURS_PER_YEAR, W_PER_KW


@dataclass(frozen=True, slots=True)
class Server:
    """The terms of one server, bought or rented; what does not apply is 0.

    Attributes:
        accelerators: in the server.
        one_off_usd: paid once beside the price (delivery, installation).
        residual_usd: what it still brings at the end of its life.
        life_years: of a purchase; may be fractional.
        discount_rate: a share a year.
        rent_usd_per_hour: paid whether busy or idle.
        idle_w: of the whole server, before PUE; `load_w` likewise.
        contracted_w: IT load that colocation is paid for, busy or not.
    """

    accelerators: Number = 1.0
    price_usd: Number = 0.0
    one_off_usd: Number = 0.0
    residual_usd: Number = 0.0
    life_years: Number = 1.0
    discount_rate: Number = 0.0
    method: Method = "annuity"
    rent_usd_per_hour: Number = 0.0
    idle_w: Number = 0.0
    load_w: Number = 0.0
    contracted_w: Number = 0.0
    pue: Number = 1.0
    usd_per_kwh: Number = 0.0


@dataclass(frozen=True, slots=True)
class Running:
    """Operations of the first year.

    Attributes:
        maintenance_share_per_year: of the price of the servers.
        hosting_usd_per_month: of one server.
        colocation_usd_per_kw_month: of contracted IT load.
        failures_per_accelerator_year: expected number.
        fte: staff of the whole fleet, in full-time positions.
        other_usd_per_year: of the whole fleet.
    """

    maintenance_share_per_year: Number = 0.0
    licence_usd_per_accelerator_year: Number = 0.0
    hosting_usd_per_month: Number = 0.0
    colocation_usd_per_kw_month: Number = 0.0
    failures_per_accelerator_year: Number = 0.0
    repair_usd_per_failure: Number = 0.0
    fte: Number = 0.0
    fte_usd_per_year: Number = 0.0
    other_usd_per_year: Number = 0.0


@dataclass(frozen=True, slots=True)
class OneOff:
    """What is paid once for the whole fleet, whatever is bought or rented.

    Attributes:
        usd: network, racks, migration.
        years: over which it is spread, the horizon.
    """

    usd: Number = 0.0
    years: Number = 1.0


NO_ONE_OFF = OneOff()


@dataclass(frozen=True, slots=True)
class CostLines:
    """USD per hour of the whole fleet."""

    capital: Number
    rental: Number
    power: Number
    maintenance: Number
    licence: Number
    hosting: Number
    staff: Number
    other: Number

    @property
    def total(self) -> Number:
        """The sum of the lines [USD/h]."""
        lines: list[Number] = [getattr(self, each.name) for each in fields(self)]
        return sum(lines[1:], start=lines[0])

    @property
    def operations(self) -> Number:
        """The lines that grow by `operations.growth_per_year` [USD/h]."""
        return self.maintenance + self.licence + self.hosting + self.staff + self.other


def repairs_usd_per_year(server: Server, running: Running) -> Number:
    """Return the expected repairs of one server: its accelerators x failures x cost of one."""
    failures_per_year = server.accelerators * running.failures_per_accelerator_year
    return failures_per_year * running.repair_usd_per_failure


def colocation_usd_per_month(server: Server, running: Running) -> Number:
    """Return the rent of the space of one server, by its contracted IT load in kW.

    Wholesale colocation is priced per kW of contracted load and month, electricity apart
    (CBRE, North America Data Center Trends).
    """
    return server.contracted_w / W_PER_KW * running.colocation_usd_per_kw_month


def cost_lines(
    fleet: Fleet, server: Server, running: Running, one_off: OneOff = NO_ONE_OFF
) -> CostLines:
    """Return what the fleet costs an hour, line by line [USD/h].

    A server-year is the price over the life, hosting, and the licence times the
    accelerators, busy or not (NVIDIA, LLM Inference Benchmarking: How Much Does Your LLM
    Inference Cost?). Colocation is part of hosting, and expected repairs of maintenance.
    Every server draws power at the mean load of all: the fleet's utilisation, as far as
    replicas fill the servers. The one-off sum of a server is spread over its life like the
    price, the fleet's over the horizon.

    Raises:
        ValueError: a negative sum, a life of 0 or less, PUE below 1.
    """
    non_negative(one_off_usd=server.one_off_usd, rent_usd_per_hour=server.rent_usd_per_hour)
    non_negative(**{each.name: getattr(running, each.name) for each in fields(running)})
    servers = fleet.servers
    capital_usd_per_year = annual_capital_usd(
        server.price_usd + server.one_off_usd,
        server.residual_usd,
        server.discount_rate,
        server.life_years,
        server.method,
    )
    one_off_usd_per_year = annual_capital_usd(
        one_off.usd, 0.0, server.discount_rate, one_off.years, server.method
    )
    licence_usd_per_year = running.licence_usd_per_accelerator_year * server.accelerators
    share_usd_per_year = running.maintenance_share_per_year * server.price_usd
    maintenance_usd_per_year = share_usd_per_year + repairs_usd_per_year(server, running)
    space_usd_per_month = colocation_usd_per_month(server, running)
    hosting_usd_per_month = running.hosting_usd_per_month + space_usd_per_month
    return CostLines(
        capital=(servers * capital_usd_per_year + one_off_usd_per_year) / HOURS_PER_YEAR,
        rental=servers * server.rent_usd_per_hour,
        power=servers
        * power_usd_per_hour(
            server.idle_w,
            server.load_w,
            fleet.server_load,
            server.pue,
            server.usd_per_kwh,
        ),
        maintenance=servers * maintenance_usd_per_year / HOURS_PER_YEAR,
        licence=servers * licence_usd_per_year / HOURS_PER_YEAR,
        hosting=servers * hosting_usd_per_month / HOURS_PER_MONTH,
        staff=running.fte * running.fte_usd_per_year / HOURS_PER_YEAR,
        other=running.other_usd_per_year / HOURS_PER_YEAR,
    )

"""The fleet in formulas: capacity, replicas, servers, and how busy they are."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.workbook.formula import (
    Operand,
    Term,
    if_,
    largest,
    least,
    mean,
    sum_of_products,
    total,
    whole_above,
    with_rounding,
)
from tco.report.workbook.given import CAPACITY
from tco.report.workbook.steps import Given, Let
from tco.scenario import Scenario, mix_shares
from tco.units import SECONDS_PER_DAY

PROFILE = "traffic.demand.profile"
# Sizing lets a rounding error of 1e-9 pass, which may put the busy share as much above 1.
_JUST_FULL = 1 + 2e-9


@dataclass(frozen=True, slots=True)
class Fleet:
    """What is paid for, as cells."""

    replicas: Term
    servers: Term
    utilisation: Term
    filled_share: Term


@dataclass(frozen=True, slots=True)
class Sizing:
    """What fleets of any year are sized by.

    Attributes:
        by_hour: rent is paid hour by hour: as the profile needs servers, where there is one.
    """

    given: Given
    capacity: Term
    per_replica: Term
    per_server: Term
    by_hour: bool

    def follows_hours(self) -> bool:
        """Say whether servers are paid hour by hour, as the demand's profile needs them."""
        return self.by_hour and self.given.has(PROFILE)

    def of_demand(self, average: Term, peak: Term, let: Let) -> Fleet:
        """Return the fleet for a demand: sized on the peak, spares beside it."""
        key = "traffic.demand."
        limit = (
            self.capacity
            * self.given(f"{key}target_peak_utilisation", 1.0)
            * self.given(f"{key}availability", 1.0)
        )
        spares = self.given(f"{key}spares")
        if self.follows_hours():
            weights = self.given(PROFILE)
            hours = len(weights.number())  # type: ignore[arg-type]  # a range
            needed = whole_above(peak * weights / largest(weights) / limit)
            of_hours = needed + (needed < 1) + spares
            replicas = let("replicas", sum_of_products(of_hours) / hours)
            held = whole_above(of_hours * self.per_replica / self.per_server)
            servers = let("servers", sum_of_products(held) / hours)
        else:
            replicas = let("replicas", largest(whole_above(peak / limit), 1.0) + spares)
            servers = let("servers", self.servers_for(replicas))
        return self.busy(average, replicas, servers, let)

    def busy(self, average: Term, replicas: Term, servers: Term, let: Let) -> Fleet:
        """Return a fleet of so many with how busy it is."""
        share = average / (replicas * self.capacity)
        utilisation = let("utilisation", if_(share <= _JUST_FULL, least(share, 1.0), share))
        return Fleet(replicas, servers, utilisation, self.filled(replicas, servers, let))

    def servers_for(self, replicas: Term) -> Term:
        """Return the whole servers that hold so many replicas."""
        return whole_above(replicas * self.per_replica / self.per_server)

    def one_server(self, utilisation: Term, let: Let) -> Fleet:
        """Return one server with as many whole replicas as fit."""
        replicas = let("replicas", with_rounding(self.per_server / self.per_replica))
        servers = let("servers", as_term(1.0))
        share = let("utilisation", utilisation)
        return Fleet(replicas, servers, share, self.filled(replicas, servers, let))

    def filled(self, replicas: Term, servers: Term, let: Let) -> Term:
        """Return the share of the servers' accelerators that replicas hold."""
        held, room = replicas * self.per_replica, servers * self.per_server
        return let("filled_share", least(held / room, 1.0))


def as_term(operand: Operand) -> Term:
    """Return a constant of a formula."""
    return total(operand) if isinstance(operand, Term) else Term(f"{operand:g}", operand)


def sizing_of(scenario: Scenario, given: Given, let: Let) -> Sizing:
    """Return capacity and sizes of one replica and server."""
    capacity = let("capacity_requests_per_s", _capacity(scenario, given))
    kind = "purchase" if scenario.hardware.purchase else "rent"
    per_server = given(f"hardware.{kind}.accelerators", 1.0)
    per_replica = let("accelerators_per_replica", given("engine.accelerators", per_server))
    rent = scenario.hardware.rent
    by_hour = rent is not None and rent.billing == "hourly"
    return Sizing(given, capacity, per_replica, per_server, by_hour)


def demand_of(given: Given, let: Let) -> tuple[Term, Term] | None:
    """Return average and peak of the first year [requests/s]; None without a demand."""
    key = "traffic.demand."
    output_tokens = given("traffic.shape.output_tokens")
    if given.has(f"{key}requests_per_day"):
        average = given(f"{key}requests_per_day") / SECONDS_PER_DAY
    elif given.has(f"{key}average_requests_per_s"):
        average = given(f"{key}average_requests_per_s")
    elif given.has(f"{key}average_output_tok_per_s"):
        average = given(f"{key}average_output_tok_per_s") / output_tokens
    else:
        return None
    if given.has(f"{key}scale"):
        average = average * given(f"{key}scale")
    average = let("average_requests_per_s", average)
    peak = average * given(f"{key}peak_to_average", 1.0)
    if given.has(PROFILE):
        weights = given(PROFILE)
        peak = largest(peak, average * (largest(weights) / mean(weights)))
    elif given.has(f"{key}peak_output_tok_per_s"):
        peak = given(f"{key}peak_output_tok_per_s") / output_tokens
    return average, let("peak_requests_per_s", peak)


def fleet_of(sizing: Sizing, given: Given, demand: tuple[Term, Term] | None, let: Let) -> Fleet:
    """Return the fleet of the first year: for the demand, or one server as busy as stated."""
    if demand is None:
        return sizing.one_server(given("traffic.target_utilisation", 1.0), let)
    return sizing.of_demand(*demand, let)


def reachable_utilisation(sizing: Sizing, fleet: Fleet, demand: tuple[Term, Term] | None) -> Term:
    """Return the highest utilisation of the fleet as sized at which its peak is still served."""
    if demand is None:
        return as_term(1.0)
    (average, peak), key, given = demand, "traffic.demand.", sizing.given
    ratio = peak / average
    if sizing.follows_hours():
        ratio = ratio * (mean(given(PROFILE)) / largest(given(PROFILE)))
    serving = (fleet.replicas - given(f"{key}spares")) / fleet.replicas
    shares = given(f"{key}target_peak_utilisation", 1.0) * given(f"{key}availability", 1.0)
    return least(shares * serving / ratio, 1.0)


def _capacity(scenario: Scenario, given: Given) -> Term:
    input_tokens = given("traffic.shape.input_tokens")
    output_tokens = given("traffic.shape.output_tokens")
    published = "measurement.published."
    if given.has(f"{published}requests_per_s"):
        return given(f"{published}requests_per_s")
    if given.has(f"{published}total_tok_per_s"):
        return given(f"{published}total_tok_per_s") / (input_tokens + output_tokens)
    if given.has(f"{published}output_tok_per_s"):
        return given(f"{published}output_tok_per_s") / output_tokens
    if given.has(CAPACITY):
        return given(CAPACITY) / output_tokens
    seconds: Term | None = None
    for place, share in enumerate(mix_shares(scenario.traffic.shape.mix or ())):
        each = share / given(f"traffic.shape.mix.{place}.requests_per_s")
        seconds = each if seconds is None else seconds + each
    return 1.0 / seconds if seconds is not None else as_term(0.0)

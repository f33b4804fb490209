"""A Comparison is the answer: own cost against each alternative for the same request.

Its JSON (`tco.comparison/1`) is a contract. Money is USD; shares are 0 to 1; `None`
means "there is none", and the field ending in `_reason` says why.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from tco.finding import Finding
from tco.measurement import SloTerm
from tco.part import Part
from tco.uncertainty import RivalUncertainty, Uncertainty

CapacityRule = Literal[
    "stated_concurrency",
    "closed_loop",
    "open_loop",
    "service_level",
    "lowest_load",
    "imported",
    "published",
]
Reason = Literal[
    "dearer_at_full_load",
    "no_investment",
    "not_within_horizon",
    "not_within_life",
    "no_sign_change",
    "several_roots",
    "zero_price",
    "scales_with_demand",
    "no_power_stated",
    "no_intensity_stated",
    "no_profile",
    "rent_not_above_running",
    "not_buying_against_renting",
    "no_alternative",
    "within_first_year",
]


class Interval(Part):
    """A range and what it covers; `level` is None where it is no confidence interval."""

    low: float
    high: float
    level: float | None
    covers: str


class Capacity(Part):
    """Rates of one replica at capacity, and where they come from.

    Attributes:
        interval: of the output rate (tok/s).
        rule: how it was found: a closed loop of the streams that the scenario states; the best
            closed loop; an open loop without a service level; the highest open-loop rate that kept
            it, or the lowest load tried where none is known to; or as another tool or a source
            states it.
        streams: of the closed loop.
    """

    requests_per_s: float
    input_tok_per_s: float
    output_tok_per_s: float
    total_tok_per_s: float
    origin: Literal["measured", "imported", "published"]
    interval: Interval | None
    rule: CapacityRule | None = None
    streams: int | None = None


class ServiceVerdict(Part):
    """Whether the scenario's service level is kept, and at which load that was seen.

    Attributes:
        holds: None where nothing shows it: no measured point, or too few requests for a quantile.
        seen_at: the load to verify, or the capacity where there is no such point.
    """

    holds: bool | None
    seen_at: Literal["target", "capacity"] | None
    terms: tuple[SloTerm, ...]


class Served(Part):
    """Rates the whole fleet serves, averaged over the year."""

    requests_per_s: float
    input_tok_per_s: float
    output_tok_per_s: float
    total_tok_per_s: float


class CostParts(Part):
    """The fleet's cost line by line, in the unit of the field that holds it."""

    capital: float
    rental: float
    power: float
    maintenance: float
    licence: float
    hosting: float
    staff: float
    other: float


class CostDetail(Part):
    """A scenario key that adds to own cost, or to a cash flow: said even where it adds nothing.

    Attributes:
        key: of the scenario.
        value: as costed, in the key's unit.
        included: False where the value adds nothing.
        usd_per_year: what it adds to the first year's own cost; None where it adds to later
            years alone. Several may be of the same dollar (spares have electricity, too), so
            they are not to be summed.
    """

    key: str
    value: float
    included: bool
    usd_per_year: float | None


class SelfHost(Part):
    """The whole fleet in its first year.

    Attributes:
        reachable_utilisation: the highest at which the fleet as sized still serves the peak, in
            the demand's shape; 1 of a stated utilisation.
        cash_at_start_usd: paid at the start, for servers and once for the fleet.
        accelerators: of the paid servers.
        accelerators_used: of these, those that replicas hold; the others idle.
        details: what is in the cost lines, and what is not, key by key.
        energy_kwh_per_year: of all paid servers, PUE included.
        kg_co2e_per_year: energy x grid intensity, and a year's share of making the servers.
        parts_usd_per_hour: the cost lines; they sum to `usd_per_hour`.
        parts_usd_per_year: the same for a year.
        parts_usd_per_million_output: the same for a million output tokens.
        parts_share: of the whole, 0 to 1; None where the whole is 0.
        usd_per_session: of all requests of one; None where the traffic has no sessions.
        server_idle_w: as costed, of one server before PUE; `server_load_w` at full load.
    """

    utilisation: float
    servers: int
    replicas: int
    usd_per_hour: float
    usd_per_year: float
    requests_per_year: float
    usd_per_request: float
    usd_per_million_output: float
    usd_per_million_total: float
    parts_usd_per_hour: CostParts
    parts_usd_per_year: CostParts
    parts_usd_per_million_output: CostParts
    parts_share: CostParts | None
    cash_at_start_usd: float
    reachable_utilisation: float = 1.0
    accelerators: int | None = None
    accelerators_used: int | None = None
    usd_per_session: float | None = None
    server_idle_w: float = 0.0
    server_load_w: float = 0.0
    details: tuple[CostDetail, ...] = ()
    energy_kwh_per_year: float | None = None
    energy_kwh_per_year_reason: Reason | None = None
    kg_co2e_per_year: float | None = None
    kg_co2e_per_year_reason: Reason | None = None
    g_co2e_per_million_total: float | None = None
    g_co2e_per_million_total_reason: Reason | None = None

    def has_idle_accelerators(self) -> bool:
        """Say whether accelerators of the paid servers hold no replica."""
        paid, used = self.accelerators, self.accelerators_used
        return paid is not None and used is not None and used < paid


class PriceSource(Part):
    """Where an alternative's price comes from."""

    table: str
    provider: str | None
    model: str | None
    service: Literal["standard", "batch", "flex", "priority"]
    date: dt.date | None
    row_sha256: str | None


class Stress(Part):
    """The cash flow against one alternative if the API's price changed otherwise."""

    api_price_change_per_year: float
    levelised_saving: float | None
    levelised_saving_reason: Reason | None = None
    npv_usd: float
    payback_years: float | None
    payback_years_reason: Reason | None = None
    discounted_payback_years: float | None
    discounted_payback_years_reason: Reason | None = None


class PaidBy(Part):
    """What has been paid until then, undiscounted and after tax, residuals left out.

    A time at which hardware is bought stands twice, before the purchase and after it.

    Attributes:
        ahead_usd: what the API has cost more than own hardware by then.
    """

    years: float
    own_usd: float
    api_usd: float
    ahead_usd: float


class HybridSplit(Part):
    """The cheapest split of a demand between an own base and this API, in the first year.

    Attributes:
        base_replicas: own ones that serve, spares apart; 0 sends all to the API.
        servers: of the base, spares included.
        own_share: of the requests, served by the base.
        usd_per_year: base and overflow together.
        saving_against_api: share of the bill for all requests; None of a bill of 0.
        saving_against_all_own: share of the cost of the whole fleet; None of a cost of 0.
    """

    base_replicas: int
    servers: int
    own_share: float
    overflow_requests_per_year: float
    usd_per_year: float
    saving_against_api: float | None
    saving_against_all_own: float | None


class BillResult(Part):
    """The bill that the traffic and today's spend are taken from.

    Attributes:
        files: names of its files.
        days: its length.
        is_counted: the bill counts its requests; else the scenario states them.
        usd: what was paid in these days; None where no file tells.
        usd_per_month: the same for a twelfth of a year.
    """

    files: tuple[str, ...]
    formats: tuple[str, ...]
    first_day: dt.date
    last_day: dt.date
    days: float
    requests: float
    is_counted: bool
    input_tokens: float
    cached_tokens: float | None
    output_tokens: float
    usd: float | None
    usd_per_month: float | None


class PriceTier(Part):
    """List prices from a size of a request's input on, at some hours, and what is billed at them.

    Attributes:
        hours: which hours: 0 are those of most requests.
        hours_share: of the requests, that come at them.
        above_tokens: they hold for an input above this, or (`inclusive`) from it on; None: for any.
            Of several that hold the last one wins.
        usd_per_million_cached_input: None bills as fresh input; so do the prices of writing.
        usd_per_request: a fee beside the tokens.
        requests_share: of all requests, that pay these prices.
        uncached_tokens: of input, in our count, as the mean over all requests; the other
            tokens likewise, so that those of all tiers add up to a mean request.
    """

    hours: int
    hours_share: float
    above_tokens: float | None
    inclusive: bool
    usd_per_million_input: float
    usd_per_million_cached_input: float | None
    usd_per_million_output: float
    usd_per_million_cache_write_5m: float | None
    usd_per_million_cache_write_1h: float | None
    usd_per_request: float
    requests_share: float
    uncached_tokens: float
    cached_tokens: float
    output_tokens: float


class AlternativeResult(Part):
    """One alternative against the fleet, for the same requests.

    Attributes:
        saving: at today's prices; `levelised_saving` is over the horizon.
        break_even_utilisation: the smallest at which both cost the same; where it lies above
            `self_host.reachable_utilisation`, no demand of this shape gets there.
        break_even_within_capacity: whether the fleet as sized can serve the break-even volume, in
            the demand's shape.
        net_flows_usd: at `flow_times_years`, after tax.
        paid_by: the running sums of both sides; the payback is where they first meet.
        pays_back_then_loses: the running sum reaches 0, and is below it at the horizon, or the
            net present value is.
        stress: the cash flow with the API's price changing as the scenario's stress says.
        usd_per_request: the mean of the requests' bills, each in the tier of its own input.
        usd_per_request_of_mean: the bill of one request of mean lengths; None where all requests
            are taken to be alike, and it is the same.
        usd_per_million_cache_write_5m: what input written to the cache costs, and so for an hour;
            None where none is stated to be.
        is_bill: it is what a bill says was paid, and has no prices per million tokens.
        price_tiers: every price that some requests may pay, before any discount.
    """

    name: str
    price_source: PriceSource
    usd_per_million_input: float
    usd_per_million_cached_input: float | None
    usd_per_million_output_price: float
    usd_per_request: float
    usd_per_year: float
    usd_per_million_output: float
    usd_per_million_total: float
    saving: float | None
    saving_reason: Reason | None = None
    saving_interval: Interval | None
    saving_usd_per_year: float
    levelised_saving: float | None
    levelised_saving_reason: Reason | None = None
    break_even_utilisation: float | None
    break_even_utilisation_reason: Reason | None = None
    break_even_requests_per_month: float | None
    break_even_requests_per_month_reason: Reason | None = None
    break_even_within_capacity: bool | None
    npv_usd: float | None
    npv_usd_reason: Reason | None = None
    irr: float | None
    irr_reason: Reason | None = None
    payback_years: float | None
    payback_years_reason: Reason | None = None
    discounted_payback_years: float | None
    discounted_payback_years_reason: Reason | None = None
    net_flows_usd: tuple[float, ...]
    same_weights: bool | None
    usd_per_session: float | None = None
    flow_times_years: tuple[float, ...] = ()
    paid_by: tuple[PaidBy, ...] = ()
    pays_back_then_loses: bool = False
    stress: Stress | None = None
    hybrid: HybridSplit | None = None
    hybrid_reason: Reason | None = None
    usd_per_request_of_mean: float | None = None
    usd_per_million_cache_write_5m: float | None = None
    usd_per_million_cache_write_1h: float | None = None
    is_bill: bool = False
    price_tiers: tuple[PriceTier, ...] = ()

    def mean_misleads(self) -> bool:
        """Say whether the mean request costs other than the requests do on average."""
        of_mean = self.usd_per_request_of_mean
        return of_mean is not None and not math.isclose(of_mean, self.usd_per_request)


def headline_of(alternatives: Sequence[AlternativeResult]) -> AlternativeResult | None:
    """Return the bill that is paid today, else the cheapest alternative with a price.

    The same weights come before others.
    """
    priced = [each for each in alternatives if each.usd_per_request > 0]
    paid = next((each for each in priced if each.is_bill), None)
    if paid is not None:
        return paid
    same = [each for each in priced if each.same_weights]
    pool = same or priced or list(alternatives)
    return min(pool, key=lambda each: each.usd_per_request, default=None)


class UtilisationRow(Part):
    """The same fleet at another utilisation; one saving per alternative, in their order."""

    utilisation: float
    usd_per_million_output: float
    saving: tuple[float | None, ...]


class Way(Part):
    """One way to serve the same requests: hardware bought or rented, or an API.

    Attributes:
        terms: how it is paid.
        servers: of the first year, at its peak; None of an API.
        present_value_usd: of all that it costs over the one horizon, less residuals, after tax.
        cash_at_start_usd: paid at the start.
        npv_usd_against_own: how much less it costs than the scenario's own, at present value.
        break_even_months: of buying against renting at the first year's cost, where one of this
            and the scenario's own is bought and the other rented, and within the life of what is
            bought.
        break_even_months_unbounded: the same, beyond that life too.
        life_months: of what is bought of the two.
        parts_usd_per_hour: the lines of `usd_per_hour`; None of an API.
    """

    name: str
    terms: Literal["purchase", "reserved_rental", "hourly_rental", "api"]
    servers: float | None
    usd_per_hour: float
    usd_per_request: float
    usd_per_million_output: float
    usd_per_year: float
    present_value_usd: float
    cash_at_start_usd: float
    npv_usd_against_own: float
    break_even_months: float | None
    break_even_months_reason: Reason | None = None
    break_even_months_unbounded: float | None = None
    life_months: float | None = None
    parts_usd_per_hour: CostParts | None = None


class SavingMap(Part):
    """The levelised saving against one alternative over two inputs.

    Attributes:
        along: the first input, and its values in ascending order; of a demand, requests a day.
        along_stated: what the scenario states; one of the values, likewise the price change.
        api_price_changes_per_year: the second input, in ascending order.
        levelised_saving: a row a price change, each with one saving for each value along.
    """

    alternative: str
    along: Literal["utilisation", "requests_per_day"]
    along_values: tuple[float, ...]
    along_stated: float
    api_price_changes_per_year: tuple[float, ...]
    api_price_change_stated: float
    levelised_saving: tuple[tuple[float | None, ...], ...]


class Comparison(Part):
    """Own cost against every alternative; what `tco compare --json` prints.

    Attributes:
        currency: what a report shows beside USD; every amount in here is USD.
    """

    schema_: Literal["tco.comparison/1"] = Field(alias="schema", default="tco.comparison/1")
    tool_version: str
    date: dt.date
    scenario_sha256: str
    measurement_sha256: str | None
    name: str
    currency: str
    capacity: Capacity
    served: Served
    self_host: SelfHost
    alternatives: tuple[AlternativeResult, ...]
    utilisation: tuple[UtilisationRow, ...]
    findings: tuple[Finding, ...]
    service: ServiceVerdict | None = None
    requests_per_session: float | None = None
    bill: BillResult | None = None
    ways: tuple[Way, ...] = ()
    uncertainty: Uncertainty | None = None
    saving_map: SavingMap | None = None
    saving_map_reason: Reason | None = None

    def is_invalid(self) -> bool:
        """Say whether any finding is `invalid`: those of the measurement are among them."""
        return any(finding.severity == "invalid" for finding in self.findings)

    def headline_alternative(self) -> AlternativeResult | None:
        """Return the alternative that the headline compares with; see `headline_of`."""
        return headline_of(self.alternatives)

    def break_even_is_above_reach(self, alternative: AlternativeResult) -> bool:
        """Say whether break-even takes more than this demand's shape lets the fleet be used."""
        even, reach = alternative.break_even_utilisation, self.self_host.reachable_utilisation
        return even is not None and even > reach and not math.isclose(even, reach)

    def how_sure(self, alternative: AlternativeResult) -> RivalUncertainty | None:
        """Return how sure the result against one of the alternatives is; None without ranges."""
        if self.uncertainty is None:
            return None
        return self.uncertainty.alternatives[self.alternatives.index(alternative)]

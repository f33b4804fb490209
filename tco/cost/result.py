"""The result against one alternative: saving, break-evens and the cash flow of the years."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tco.comparison import AlternativeResult, Interval, Reason
from tco.cost.contender import Contender
from tco.cost.evaluate import Evaluation, Inputs, Rival, usd_per_million
from tco.cost.finance import (
    CashFlow,
    cash_flow,
    irr,
    levelised_saving,
    npv_usd,
    payback_years,
)
from tco.cost.inputs import scales_with_demand
from tco.cost.number import Number
from tco.scenario import Scenario
from tco.units import HOURS_PER_YEAR, SECONDS_PER_MONTH, SECONDS_PER_YEAR

# A rental has no life of its own; where no horizon is stated its cash flow spans this.
RENTAL_HORIZON_YEARS = 3.0


@dataclass(frozen=True, slots=True)
class Basis:
    """What the results against all alternatives share."""

    inputs: Inputs
    evaluation: Evaluation
    years: float
    growth_per_year: float
    api_change_per_year: float
    hourly: bool
    requests_per_session: float | None

    @classmethod
    def of(cls, scenario: Scenario, inputs: Inputs, evaluation: Evaluation) -> Basis:
        """Return the basis; the horizon is the purchase's life, or as stated for a rental."""
        finance, purchase = scenario.finance, scenario.hardware.purchase
        years = finance.horizon_years.value if finance.horizon_years else RENTAL_HORIZON_YEARS
        return cls(
            inputs=inputs,
            evaluation=evaluation,
            years=purchase.life_years.value if purchase else years,
            growth_per_year=scenario.operations.growth_per_year.value,
            api_change_per_year=finance.api_price_change_per_year.value,
            hourly=scales_with_demand(scenario),
            requests_per_session=scenario.traffic.shape.requests_per_session(),
        )

    def usd_per_session(self, usd_per_request: float) -> float | None:
        """Return the cost of a mean session [USD]; None where there are no sessions."""
        if self.requests_per_session is None:
            return None
        return usd_per_request * self.requests_per_session

    def flow(self, api_usd_per_year: float) -> CashFlow:
        """Return the cash flow against an API bill of that much in the first year.

        Operations grow; electricity and rent stay as they are.
        """
        server, lines = self.inputs.server, self.evaluation.lines
        servers = float(self.evaluation.fleet.servers)
        return cash_flow(
            investment_usd=servers * float(server.price_usd + server.one_off_usd),
            residual_usd=servers * float(server.residual_usd),
            opex_usd_first_year=float(lines.operations) * HOURS_PER_YEAR,
            opex_growth_per_year=self.growth_per_year,
            constant_usd_per_year=float(lines.power + lines.rental) * HOURS_PER_YEAR,
            api_usd_first_year=api_usd_per_year,
            api_change_per_year=self.api_change_per_year,
            years=self.years,
        )


def result_of(
    basis: Basis, index: int, contender: Contender, interval: Interval | None
) -> AlternativeResult:
    """Return the result against the alternative at `index`."""
    inputs, evaluation = basis.inputs, basis.evaluation
    rival = evaluation.rivals[index]
    api_usd = float(rival.usd_per_request)
    requests_per_year = float(evaluation.served_requests_per_s) * SECONDS_PER_YEAR
    flow = basis.flow(api_usd * requests_per_year)
    discount_rate = float(inputs.server.discount_rate)
    tokens = float(inputs.input_tokens + inputs.output_tokens)
    saving = _present(rival.saving)
    utilisation = _present(rival.break_even_utilisation)
    volume, volume_reason = _volume(basis, rival)
    rate, rate_reason = _irr(flow)
    payback, payback_reason = payback_years(flow)
    discounted, discounted_reason = payback_years(flow, discount_rate)
    levelised, levelised_reason = levelised_saving(flow, discount_rate)
    cached_usd = contender.tier.cached_input_usd
    return AlternativeResult(
        name=contender.name,
        price_source=contender.source,
        usd_per_million_input=float(contender.tier.input_usd),
        usd_per_million_cached_input=None if cached_usd is None else float(cached_usd),
        usd_per_million_output_price=float(contender.tier.output_usd),
        usd_per_request=api_usd,
        usd_per_year=api_usd * requests_per_year,
        usd_per_million_output=float(usd_per_million(api_usd, inputs.output_tokens)),
        usd_per_million_total=float(usd_per_million(api_usd, tokens)),
        saving=saving,
        saving_reason="zero_price" if saving is None else None,
        saving_interval=interval,
        saving_usd_per_year=(api_usd - float(evaluation.usd_per_request)) * requests_per_year,
        levelised_saving=levelised,
        levelised_saving_reason=levelised_reason,
        break_even_utilisation=utilisation,
        break_even_utilisation_reason=None if utilisation is not None else _why_none(rival),
        break_even_requests_per_month=volume,
        break_even_requests_per_month_reason=volume_reason,
        break_even_within_capacity=None if volume is None else utilisation is not None,
        npv_usd=npv_usd(flow, discount_rate),
        irr=rate,
        irr_reason=rate_reason,
        payback_years=payback,
        payback_years_reason=payback_reason,
        discounted_payback_years=discounted,
        discounted_payback_years_reason=discounted_reason,
        net_flows_usd=tuple(float(each) for each in flow.net_usd),
        same_weights=contender.same_weights,
        usd_per_session=basis.usd_per_session(api_usd),
    )


def _irr(flow: CashFlow) -> tuple[float | None, Reason | None]:
    return (None, "no_investment") if flow.own_usd[0] <= 0 else irr(flow)


def _volume(basis: Basis, rival: Rival) -> tuple[float | None, Reason | None]:
    """Return the requests a month at which both cost the same, above capacity too."""
    if basis.hourly:
        return None, "scales_with_demand"
    share = _present(rival.break_even_unbounded)
    if share is None:
        return None, _why_none(rival)
    full_load = float(basis.evaluation.full_load_requests_per_s)
    return share * full_load * SECONDS_PER_MONTH, None


def _why_none(rival: Rival) -> Reason:
    return "zero_price" if _present(rival.saving) is None else "dearer_at_full_load"


def _present(number: Number) -> float | None:
    value = float(number)
    return None if math.isnan(value) else value

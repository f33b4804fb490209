"""The result against one alternative: saving, break-evens and the cash flow of the years."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from tco.comparison import AlternativeResult, Interval, Reason
from tco.cost.answers import Answers, present
from tco.cost.api_bill import usd_per_request
from tco.cost.cash import CashTerms, cash_flows
from tco.cost.cash_terms import cash_terms_of
from tco.cost.contender import Contender
from tco.cost.evaluate import Evaluation, Inputs, Rival, follows_hours, usd_per_million
from tco.cost.finance import CashFlow
from tco.cost.number import Number
from tco.cost.paid import paid_by
from tco.cost.price_tiers import price_tiers
from tco.cost.reach import is_within, reachable_utilisation
from tco.scenario import Scenario
from tco.units import SECONDS_PER_MONTH, SECONDS_PER_YEAR


@dataclass(frozen=True, slots=True)
class Basis:
    """What the results against all alternatives share.

    Attributes:
        flows: the cash flow against each.
        stress_flows: the same with the API's price changing as `stress_change_per_year` says.
    """

    inputs: Inputs
    evaluation: Evaluation
    terms: CashTerms
    flows: tuple[CashFlow, ...]
    stress_flows: tuple[CashFlow, ...]
    stress_change_per_year: float
    follows_hours: bool
    requests_per_session: float | None

    @classmethod
    def of(cls, scenario: Scenario, inputs: Inputs, evaluation: Evaluation) -> Basis:
        """Return the basis of a scenario's evaluation."""
        terms, _ = cash_terms_of(scenario)
        stress = scenario.finance.stress_api_price_change_per_year.value
        stressed = dataclasses.replace(terms, api_price_change_per_year=stress)
        return cls(
            inputs=inputs,
            evaluation=evaluation,
            terms=terms,
            flows=cash_flows(inputs, evaluation, terms),
            stress_flows=cash_flows(inputs, evaluation, stressed),
            stress_change_per_year=stress,
            follows_hours=follows_hours(inputs),
            requests_per_session=scenario.traffic.shape.requests_per_session(),
        )

    def usd_per_session(self, usd_per_request: float) -> float | None:
        """Return the cost of a mean session [USD]; None where there are no sessions."""
        if self.requests_per_session is None:
            return None
        return usd_per_request * self.requests_per_session


def result_of(
    basis: Basis, index: int, contender: Contender, interval: Interval | None
) -> AlternativeResult:
    """Return the result against the alternative at `index`."""
    inputs, evaluation = basis.inputs, basis.evaluation
    rival, terms = evaluation.rivals[index], inputs.alternatives[index]
    api_usd = float(rival.usd_per_request)
    requests_per_year = float(evaluation.served_requests_per_s) * SECONDS_PER_YEAR
    cash = Answers.of(basis.flows[index], inputs.server.discount_rate)
    stress = Answers.of(basis.stress_flows[index], inputs.server.discount_rate)
    tokens = float(inputs.input_tokens + inputs.output_tokens)
    saving = present(rival.saving)
    utilisation = present(rival.break_even_utilisation)
    volume, volume_reason = _volume(basis, rival)
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
        levelised_saving=cash.levelised_saving,
        levelised_saving_reason=cash.levelised_saving_reason,
        break_even_utilisation=utilisation,
        break_even_utilisation_reason=None if utilisation is not None else _why_none(rival),
        break_even_requests_per_month=volume,
        break_even_requests_per_month_reason=volume_reason,
        break_even_within_capacity=_is_within(basis, rival, volume),
        npv_usd=cash.npv_usd,
        irr=cash.irr,
        irr_reason=cash.irr_reason,
        payback_years=cash.payback_years,
        payback_years_reason=cash.payback_years_reason,
        discounted_payback_years=cash.discounted_payback_years,
        discounted_payback_years_reason=cash.discounted_payback_years_reason,
        net_flows_usd=cash.net_flows_usd,
        same_weights=contender.same_weights,
        is_bill=contender.is_bill,
        usd_per_session=basis.usd_per_session(api_usd),
        flow_times_years=cash.times_years,
        paid_by=paid_by(basis.flows[index]),
        pays_back_then_loses=cash.pays_back_then_loses,
        stress=stress.stress(basis.stress_change_per_year),
        price_tiers=price_tiers(inputs, index),
        usd_per_request_of_mean=_of_mean(inputs, index),
        usd_per_million_cache_write_5m=_write_usd(
            terms.cache_write_5m_share, contender.tier.cache_write_5m_usd, contender.tier.input_usd
        ),
        usd_per_million_cache_write_1h=_write_usd(
            terms.cache_write_1h_share, contender.tier.cache_write_1h_usd, contender.tier.input_usd
        ),
    )


def _write_usd(share: Number, write_usd: Number | None, fresh_usd: Number) -> float | None:
    if not share:
        return None
    return float(fresh_usd if write_usd is None else write_usd)


def _of_mean(inputs: Inputs, index: int) -> float | None:
    if inputs.requests is None:
        return None
    terms = inputs.alternatives[index]
    return float(usd_per_request(terms, inputs.input_tokens, inputs.output_tokens))


def _volume(basis: Basis, rival: Rival) -> tuple[float | None, Reason | None]:
    """Return the requests a month at which both cost the same, above capacity too."""
    if basis.follows_hours:
        return None, "scales_with_demand"
    share = present(rival.break_even_unbounded)
    if share is None:
        return None, _why_none(rival)
    full_load = float(basis.evaluation.full_load_requests_per_s)
    return share * full_load * SECONDS_PER_MONTH, None


def _is_within(basis: Basis, rival: Rival, volume: float | None) -> bool | None:
    """Say whether the fleet as sized can serve the break-even volume, in the demand's shape."""
    if volume is None:
        return None
    reachable = reachable_utilisation(basis.inputs, basis.evaluation.fleet)
    return is_within(rival.break_even_unbounded, reachable)


def _why_none(rival: Rival) -> Reason:
    return "zero_price" if present(rival.saving) is None else "dearer_at_full_load"

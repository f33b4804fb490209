"""What one cash flow answers: each figure, or why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tco.comparison import Reason, Stress
from tco.cost.finance import (
    CashFlow,
    invested_usd,
    levelised_saving,
    npv_usd,
    payback_years,
    running_sum_usd,
)
from tco.cost.number import Number
from tco.cost.rate_of_return import rate_of_return


@dataclass(frozen=True, slots=True)
class Answers:
    """The figures of one cash flow; None is "none", with the reason beside it.

    Attributes:
        times_years: of the net flows, the first at 0.
    """

    npv_usd: float
    irr: float | None
    irr_reason: Reason | None
    payback_years: float | None
    payback_years_reason: Reason | None
    discounted_payback_years: float | None
    discounted_payback_years_reason: Reason | None
    levelised_saving: float | None
    levelised_saving_reason: Reason | None
    pays_back_then_loses: bool
    times_years: tuple[float, ...]
    net_flows_usd: tuple[float, ...]

    @classmethod
    def of(cls, flow: CashFlow, discount_rate: Number) -> Answers:
        """Return the figures of a single point's flow."""
        times, net = flow.net()
        found = rate_of_return(flow)
        bought = float(invested_usd(flow)) > 0
        simple = present(payback_years(flow)) if bought else None
        discounted = present(payback_years(flow, discount_rate)) if bought else None
        levelised = present(levelised_saving(flow, discount_rate))
        no_payback: Reason = "not_within_horizon" if bought else "no_investment"
        no_rate: Reason = "several_roots" if float(found.roots) > 1 else "no_sign_change"
        rate = present(found.rate) if bought else None
        return cls(
            npv_usd=float(npv_usd(flow, discount_rate)),
            irr=rate,
            irr_reason=_unless(rate, no_rate if bought else "no_investment"),
            payback_years=simple,
            payback_years_reason=_unless(simple, no_payback),
            discounted_payback_years=discounted,
            discounted_payback_years_reason=_unless(discounted, no_payback),
            levelised_saving=levelised,
            levelised_saving_reason=_unless(levelised, "zero_price"),
            pays_back_then_loses=simple is not None and _loses(flow, discount_rate),
            times_years=tuple(float(each) for each in times),
            net_flows_usd=tuple(float(each) for each in net),
        )

    def stress(self, api_price_change_per_year: float) -> Stress:
        """Return these figures as those of the stress with that change of the API's price."""
        return Stress(
            api_price_change_per_year=api_price_change_per_year,
            levelised_saving=self.levelised_saving,
            levelised_saving_reason=self.levelised_saving_reason,
            npv_usd=self.npv_usd,
            payback_years=self.payback_years,
            payback_years_reason=self.payback_years_reason,
            discounted_payback_years=self.discounted_payback_years,
            discounted_payback_years_reason=self.discounted_payback_years_reason,
        )


def _loses(flow: CashFlow, discount_rate: Number) -> bool:
    return float(running_sum_usd(flow)) < 0 or float(npv_usd(flow, discount_rate)) < 0


def present(number: Number) -> float | None:
    """Return a single number, None for NaN."""
    value = float(number)
    return None if math.isnan(value) else value


def _unless(figure: float | None, reason: Reason) -> Reason | None:
    return reason if figure is None else None

"""Money over the years: net flows, NPV, IRR, payback, and the saving over the horizon.

Purchase at t = 0, flows at year ends, rates nominal. A life that is not a whole number
of years ends with a part year: its share of a year's flow, and the residual, at t = n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tco.comparison import Reason
from tco.cost.number import FloatArray, non_negative, require

# x = 1/(1+r) from a return of a billion times the sum a year down to a loss of all but a trace.
_X_GRID = np.geomspace(1e-12, 1e4, 8001)
_HALVINGS = 60  # of a step of that grid: finer than a double can tell


@dataclass(frozen=True, slots=True)
class CashFlow:
    """Flows of owning against an API.

    Attributes:
        times_years: 0, 1, 2, …, n; the last may be a part year after the one before.
        own_usd: own spending at each time (purchase first), positive.
        api_usd: the API bill that it replaces, at each time.
        residual_usd: what the hardware still brings at the last time.
    """

    times_years: FloatArray
    own_usd: FloatArray
    api_usd: FloatArray
    residual_usd: float

    @property
    def without_residual_usd(self) -> FloatArray:
        """Net flows without the residual, as payback takes them."""
        return self.api_usd - self.own_usd

    @property
    def net_usd(self) -> FloatArray:
        """Net flows: API bill saved - own spending, with the residual at the end."""
        net = self.without_residual_usd.copy()
        net[-1] += self.residual_usd
        return net


def cash_flow(
    *,
    investment_usd: float,
    residual_usd: float,
    opex_usd_first_year: float,
    opex_growth_per_year: float,
    api_usd_first_year: float,
    api_change_per_year: float,
    years: float,
    constant_usd_per_year: float = 0.0,
) -> CashFlow:
    """Return the flows over `years`; year t grows from the first year as (1+g)^(t-1).

    `opex_usd_first_year` grows; `constant_usd_per_year` (rent, electricity) does not.
    Brealey, Myers & Allen, Principles of Corporate Finance.

    Raises:
        ValueError: years not above 0, or a negative sum.
    """
    require(years > 0, "life_years must be above 0")
    non_negative(
        investment_usd=investment_usd,
        residual_usd=residual_usd,
        opex_usd_first_year=opex_usd_first_year,
        api_usd_first_year=api_usd_first_year,
        constant_usd_per_year=constant_usd_per_year,
    )
    ends = np.array([*range(1, math.ceil(years)), years], dtype=float)
    lengths = np.diff(ends, prepend=0.0)
    power = np.arange(len(ends))
    grown = opex_usd_first_year * (1 + opex_growth_per_year) ** power
    opex = (grown + constant_usd_per_year) * lengths
    api = api_usd_first_year * (1 + api_change_per_year) ** power * lengths
    return CashFlow(
        times_years=np.concatenate([[0.0], ends]),
        own_usd=np.concatenate([[investment_usd], opex]),
        api_usd=np.concatenate([[0.0], api]),
        residual_usd=residual_usd,
    )


def present_value_usd(
    flows_usd: FloatArray, times_years: FloatArray, discount_rate: float
) -> float:
    """Return Σ F_t / (1+r)^t, from t = 0 [USD]."""
    return float(np.sum(flows_usd / (1 + discount_rate) ** times_years))


def npv_usd(flow: CashFlow, discount_rate: float) -> float:
    """Return the net present value of owning instead of buying from the API [USD]."""
    return present_value_usd(flow.net_usd, flow.times_years, discount_rate)


def irr(flow: CashFlow) -> tuple[float | None, Reason | None]:
    """Return the rate above -1 at which NPV is 0, or None and why there is none.

    None where no rate does it (`no_sign_change`) and where several do (`several_roots`).
    """
    roots = _roots(flow.net_usd, flow.times_years)
    if not roots:
        return None, "no_sign_change"
    if len(roots) > 1:
        return None, "several_roots"
    return 1 / roots[0] - 1, None


def _roots(flows_usd: FloatArray, times_years: FloatArray) -> list[float]:
    """Return the x = 1/(1+r) at which Σ F_t x^t crosses 0."""
    scale = np.max(np.abs(flows_usd))
    if scale == 0:
        return []
    flows = flows_usd / scale

    def scaled_npv(x: float | FloatArray) -> FloatArray:
        """NPV in units of the last discount factor where that exceeds 1: same sign, no overflow."""
        at = np.asarray(x)[..., None]
        powers: FloatArray = at ** np.where(at > 1, times_years - times_years[-1], times_years)
        return np.asarray(np.sum(flows * powers, axis=-1))

    def root_between(low: float, high: float) -> float:
        # By halves: scipy.optimize would take 0.4 s to import for these few lines.
        sign_low = np.sign(scaled_npv(low))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if np.sign(scaled_npv(middle)) == sign_low:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    signs = np.sign(scaled_npv(_X_GRID))
    at_zero = _X_GRID[signs == 0]
    crossings = np.flatnonzero(signs[:-1] * signs[1:] < 0)
    found = [root_between(float(_X_GRID[i]), float(_X_GRID[i + 1])) for i in crossings]
    return sorted(found + [float(x) for x in at_zero])


def payback_years(flow: CashFlow, discount_rate: float = 0.0) -> tuple[float | None, Reason | None]:
    """Return when the running sum of (discounted) flows without residual first reaches 0.

    Each year's flow is spread evenly over its year (NREL/TP-462-5173). None where nothing
    was invested, or where the horizon ends first.
    """
    if flow.own_usd[0] <= 0:
        return None, "no_investment"
    flows = flow.without_residual_usd / (1 + discount_rate) ** flow.times_years
    running = np.cumsum(flows)
    reached = np.flatnonzero(running[1:] >= 0)
    if not reached.size:
        return None, "not_within_horizon"
    year = int(reached[0]) + 1
    start, end = flow.times_years[year - 1], flow.times_years[year]
    share = -running[year - 1] / flows[year]
    return float(start + share * (end - start)), None


def levelised_saving(flow: CashFlow, discount_rate: float) -> tuple[float | None, Reason | None]:
    """Return 1 - PV(own costs less residual) ÷ PV(API bill) over the horizon."""
    own = flow.own_usd.copy()
    own[-1] -= flow.residual_usd
    api_pv = present_value_usd(flow.api_usd, flow.times_years, discount_rate)
    if api_pv <= 0:
        return None, "zero_price"
    return 1 - present_value_usd(own, flow.times_years, discount_rate) / api_pv, None

"""What owning a server costs a year: annuity or straight line, with a residual value."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tco.cost.number import Number, as_number, non_negative, require

Method = Literal["annuity", "straight_line"]


def capital_recovery_factor(discount_rate: Number, life_years: Number) -> Number:
    """Return the share of a sum due at each year's end to repay it over the life [1/yr].

    CRF = r(1+r)^n / ((1+r)^n - 1), and 1/n at r = 0 (Short, Packey & Holt 1995,
    NREL/TP-462-5173).

    Args:
        discount_rate: r, a share a year, 0 or more.
        life_years: n [years], above 0.

    Raises:
        ValueError: an argument is outside its range.
    """
    non_negative(discount_rate=discount_rate)
    require(np.asarray(life_years) > 0, "life_years must be above 0")
    rate = np.asarray(discount_rate, dtype=float)
    # expm1 and log1p keep the factor exact where r is tiny and (1+r)^n - 1 would cancel.
    grown = np.expm1(life_years * np.log1p(rate))
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = np.where(grown > 0, rate * (1 + grown) / grown, 1 / np.asarray(life_years))
    return as_number(factor)


def annual_capital_usd(
    price_usd: Number,
    residual_usd: Number,
    discount_rate: Number,
    life_years: Number,
    method: Method = "annuity",
) -> Number:
    """Return the yearly cost of capital [USD/yr].

    Annuity: (P - S/(1+r)^n) x CRF, payments at year ends, residual S received at t = n
    (Park, Contemporary Engineering Economics; NREL/TP-462-5173). Straight line:
    (P - S)/n, undiscounted (IAS 16).

    Raises:
        ValueError: a price or rate is negative, or the life is not above 0.
    """
    non_negative(price_usd=price_usd, residual_usd=residual_usd, discount_rate=discount_rate)
    require(np.asarray(life_years) > 0, "life_years must be above 0")
    if method == "straight_line":
        return (price_usd - residual_usd) / life_years
    present_residual = residual_usd * (1 + np.asarray(discount_rate, dtype=float)) ** -life_years
    factor = capital_recovery_factor(discount_rate, life_years)
    return as_number((price_usd - present_residual) * factor)

"""The sheet of workings: payback and rate of return, found step by step from the flows."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.headline import none_because
from tco.report.workbook.formula import (
    Term,
    all_of,
    any_of,
    first_place,
    how_many,
    how_many_numbers,
    if_,
    kth_smallest,
    least,
    picked,
    raised,
    root,
    sign,
    sum_of_products,
)
from tco.report.workbook.horizon import Years
from tco.report.workbook.page import Page
from tco.report.workbook.purchases import ROUNDING, Purchases
from tco.report.workbook.steps import MONEY

# 1/(1+r) from a return of a billion times the sum a year down to a loss of all but a trace.
_LOW, _STEPS_OF_TEN, _DECADES = -12, 20, 16
_GRID = [10 ** (_LOW + step / _STEPS_OF_TEN) for step in range(_DECADES * _STEPS_OF_TEN + 1)]
_HALVINGS = 38  # of a step of the grid: finer than a double can tell
_WIDTH, _COMMON, _EACH = 18.0, 4, 4
_TIME, _TRIAL, _VALUE = "0.0000", "0.000000000000", "#,##0.00"
_WORDS = (
    "Payback: when the sum of the flows without sales first reaches 0, each year's flow spread "
    "evenly over it. Rate of return: every change of sign of the net present value is looked for "
    f"among {len(_GRID)} trial rates; if there is exactly one, that step is halved {_HALVINGS} "
    "times."
)


@dataclass(frozen=True, slots=True)
class Found:
    """What the workings find of one flow; a text says why there is none."""

    irr: Term
    payback: Term
    discounted: Term


@dataclass(slots=True)
class Workings:
    """The sheet, which grows to the right by a group of columns for each alternative.

    Attributes:
        times: when years end and hardware is bought, in order.
        paid: for hardware before each time but the first; `paid_discounted` as present value.
        grid: trial values of 1/(1+r).
        hardware: the present value of all hardware at each.
    """

    page: Page
    years: Years
    bought: Purchases
    times: list[Term]
    paid: list[Term]
    paid_discounted: list[Term]
    grid: list[Term]
    hardware: list[Term]
    payback_row: int
    trial_row: int
    column: int = _COMMON

    @classmethod
    def of(cls, years: Years, bought: Purchases, banner: str | None) -> Workings:
        """Write what is the same for every alternative."""
        page = Page("Workings", (_WIDTH,) * _COMMON, landscape=True)
        page.head("Workings: payback and rate of return", banner, _WORDS)
        page.heading(
            "Years end, hardware is bought",
            "In order of time",
            "Paid for hardware before, USD",
            "The same, discounted",
        )
        first = (*years.ends.cells, *bought.at_cells)
        row, amount = page.row, len(first)
        for place, time in enumerate(first):
            page.put(0, time, "live", _TIME, row=row + place)
        unsorted = page.down(row, 0, amount)
        times = [
            page.put(1, kth_smallest(unsorted, place + 1), "live", _TIME, row=row + place)
            for place in range(amount)
        ]
        paid, discounted = [], []
        for place, before in enumerate(times[:-1], start=1):
            is_paid = bought.at <= before + ROUNDING
            usd, present = bought.paid * is_paid, bought.present_paid * is_paid
            paid.append(page.put(2, sum_of_products(usd), "live", MONEY, row=row + place))
            discounted.append(page.put(3, sum_of_products(present), "live", MONEY, row=row + place))
        page.row = row + amount + 1
        page.heading("Trial 1 ÷ (1 + rate)", "The rate", "Present value of hardware, USD")
        trials, grid, hardware = page.row, [], []
        for place, trial in enumerate(_GRID):
            x = page.put(0, trial, "given", "0.00E+00", row=trials + place)
            page.put(1, 1.0 / x - 1, "live", "0.00%", row=trials + place)
            value = _hardware(x, years, bought)
            hardware.append(page.put(2, value, "live", _VALUE, row=trials + place))
            grid.append(x)
        page.row = trials + len(grid) + 1
        return cls(page, years, bought, times, paid, discounted, grid, hardware, row, trials)

    def add(self, title: str, yearly: Term) -> Found:
        """Write the workings of one alternative's yearly flows and return what they find."""
        columns, self.column = self.column, self.column + _EACH
        self.page.widths += (_WIDTH,) * _EACH
        discounted = yearly * self.years.factors.range
        bought = self.bought.paid_at_start > 0
        return Found(
            irr=self._rate(title, columns, yearly, bought),
            payback=self._payback(f"{title}: payback", columns, yearly, self.paid),
            discounted=self._payback(
                f"{title}: discounted", columns + 2, discounted, self.paid_discounted
            ),
        )

    def _payback(self, title: str, column: int, yearly: Term, paid: list[Term]) -> Term:
        """Write when the running sum of flows first reaches 0."""
        page, years, row = self.page, self.years, self.payback_row
        page.put(column, f"{title}, flows so far, USD", "figures", row=row - 1)
        page.put(column + 1, "reaches 0 after, years", "figures", row=row - 1)
        sums = []
        for place, time in enumerate(self.times):
            span = years.lengths.range + (years.lengths.range <= 0)
            share = (time - years.starts.range) / span
            held = share * (share > 0) * (share < 1) + (share >= 1)
            spread = sum_of_products(yearly * held)
            sums.append(page.put(column, spread, "live", MONEY, row=row + place))
        for place in range(1, len(self.times)):
            start, end = self.times[place - 1], self.times[place]
            before, after = sums[place - 1] - paid[place - 1], sums[place] - paid[place - 1]
            crossing = start + if_(before < 0, -before / (after - before), 0.0) * (end - start)
            page.put(column + 1, if_(after >= 0, crossing, ""), "live", _TIME, row=row + place)
        reached = page.down(row + 1, column + 1, len(self.times) - 1)
        none = if_(
            self.bought.paid_at_start > 0,
            none_because("not_within_horizon"),
            none_because("no_investment"),
        )
        is_found = all_of(how_many_numbers(reached) > 0, self.bought.paid_at_start > 0)
        return if_(is_found, least(reached), none)

    def _rate(self, title: str, column: int, yearly: Term, bought: Term) -> Term:
        """Write the rate at which the present value is 0, if there is exactly one."""
        page, row, grid = self.page, self.trial_row, self.grid
        page.put(column, f"{title}: sign of the present value", "figures", row=row - 1)
        page.put(column + 1, "changes here", "figures", row=row - 1)
        signs = [
            page.put(column, sign(self._yearly(x, yearly) + hardware), "live", "0", row=row + place)
            for place, (x, hardware) in enumerate(zip(grid, self.hardware, strict=True))
        ]
        for place, here in enumerate(signs):
            met = here.is_(0.0)
            if place + 1 < len(signs):
                met = any_of(met, here * signs[place + 1] < 0)
            page.put(column + 1, if_(met, 1.0, 0.0), "live", "0", row=row + place)
        changes = page.down(row, column + 1, len(grid))
        how_often = how_many(changes, 1.0)
        at = if_(how_often.is_(1.0), first_place(changes, 1.0), 1.0)
        found = self._halved(column, yearly, signs, at)
        why = if_(how_often > 1, none_because("several_roots"), none_because("no_sign_change"))
        return if_(
            bought, if_(how_often.is_(1.0), 1.0 / found - 1, why), none_because("no_investment")
        )

    def _halved(self, column: int, yearly: Term, signs: list[Term], place: Term) -> Term:
        """Write the halvings of the step in which the sign changes."""
        page, count = self.page, len(signs)
        row = self.trial_row + count + 1
        for at, words in enumerate(("at least", "at most", "sign between")):
            page.put(column + at, words, "figures", row=row)
        trials = page.down(self.trial_row, 0, count)
        at_place = picked(page.down(self.trial_row, column, count), place)
        is_last = any_of(at_place.is_(0.0), place >= count)
        after = if_(is_last, place, place + 1)
        low = page.put(column, picked(trials, place), "live", _TRIAL, row=row + 1)
        high = page.put(column + 1, picked(trials, after), "live", _TRIAL, row=row + 1)
        for halving in range(_HALVINGS):
            middle = root(low * high)
            value = self._yearly(middle, yearly) + _hardware(middle, self.years, self.bought)
            at = row + 1 + halving
            same = page.put(column + 2, sign(value), "live", "0", row=at).is_(at_place)
            low, high = (
                page.put(column, if_(same, middle, low), "live", _TRIAL, row=at + 1),
                page.put(column + 1, if_(same, high, middle), "live", _TRIAL, row=at + 1),
            )
        return root(low * high)

    def _yearly(self, x: Term, yearly: Term) -> Term:
        return sum_of_products(yearly * raised(x, self.years.ends.range - _shift(x, self.years)))


def _shift(x: Term, years: Years) -> Term:
    """Return what is taken off every power: with 1/(1+r) above 1 they would overflow."""
    return if_(x > 1, years.horizon, 0.0)


def _hardware(x: Term, years: Years, bought: Purchases) -> Term:
    shift = _shift(x, years)
    sold = sum_of_products(bought.net * raised(x, bought.end - shift))
    return sold - sum_of_products(bought.paid * raised(x, bought.at - shift))

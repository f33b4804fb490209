"""The sheet of comparison: own hardware against each alternative, for the same requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tco.comparison import AlternativeResult
from tco.report.headline import label, none_because
from tco.report.workbook.cost import Cost
from tco.report.workbook.currency import SecondCurrency
from tco.report.workbook.formula import Operand, Term, all_of, any_of, if_, is_number, least
from tco.report.workbook.inputs import Inputs
from tco.report.workbook.page import RERUN, Page, Style
from tco.report.workbook.prices import Prices
from tco.report.workbook.steps import HOURLY, MONEY, PER_MILLION, SHARE, TINY
from tco.units import HOURS_PER_MONTH, SECONDS_PER_HOUR, TOKENS_PER_MILLION

# A root that is 1 but for rounding is 1.
_JUST_FULL = 1 + 1e-12
_JUST_WITHIN = 1 + 1e-9
_FIT_UPRIGHT = 3  # alternatives


# A figure of the cash flow: its title, one cell for each alternative, its number format.
YearFigure = tuple[str, tuple[Term, ...], str]


@dataclass(frozen=True, slots=True)
class Against:
    """The sheet, and its cells that other sheets take, by alternative."""

    page: Page
    saving: tuple[Term, ...]
    usd_per_year: tuple[Term, ...]
    saving_usd_per_year: tuple[Term, ...]
    usd_per_million_output: tuple[Term, ...]
    break_even_utilisation: tuple[Term, ...]


def against_page(cost: Cost, prices: Prices, inputs: Inputs, banner: str | None) -> Against:
    """Return the sheet of comparison."""
    offers = prices.offers
    page = Page(
        "Comparison", (56, *(24,) * max(len(offers), 1)), landscape=len(offers) > _FIT_UPRIGHT
    )
    page.head("Own hardware against each alternative", banner, "First year, at today's prices.")
    page.heading("", *(label(offer.result) for offer in offers), frozen=True)
    row = _Rows(page, prices.stale)
    api = row("USD per request there", prices.usd_per_request, TINY)
    row("Own USD per request", [cost.own.usd_per_request] * len(offers), TINY, ours=True)
    savings = [saving_of(cost.own.usd_per_request, each) for each in api]
    saving = row("Saving, of the bill there", savings, SHARE, "key", "saving")
    yearly = [each * cost.requests_per_year for each in api]
    bill = row("USD a year there", yearly, MONEY, name="usd_per_year")
    row("Own USD a year", [cost.usd_per_year] * len(offers), MONEY, ours=True)
    saved = [each - cost.usd_per_year for each in bill]
    saved_cells = row("Saving, USD a year", saved, MONEY, "key", "saving_usd_per_year")
    output_tokens = prices.given("traffic.shape.output_tokens")
    tokens = prices.given("traffic.shape.input_tokens") + output_tokens
    per_output = [each / output_tokens * TOKENS_PER_MILLION for each in api]
    million = row("USD per million output tokens there", per_output, PER_MILLION)
    per_total = [each / tokens * TOKENS_PER_MILLION for each in api]
    row("USD per million tokens there, input and output", per_total, PER_MILLION)
    even = _break_even(row, cost, api)
    _as_found(row, prices, inputs)
    return Against(page, saving, bill, saved_cells, million, even)


def add_years(against: Against, figures: Sequence[YearFigure]) -> None:
    """Write what the cash flow finds beneath the figures of the first year."""
    row = _Rows(against.page, (None,) * len(against.saving))
    against.page.section("Over the years (sheet Cash flow)")
    for title, cells, form in figures:
        row(title, cells, form)


def add_currency(
    against: Against, cost: Cost, currency: SecondCurrency, npv_usd: tuple[Term, ...]
) -> None:
    """Write the main figures in the second currency."""
    several, code = len(against.saving), currency.code
    row = _Rows(against.page, (None,) * several)
    against.page.section(f"In {code}, at the rate on the sheet Inputs")
    row(f"{code} a year there", [*map(currency.of, against.usd_per_year)], "#,##0")
    row(f"Own {code} a year", [currency.of(cost.usd_per_year)] * several, "#,##0")
    saved = [currency.of(each) for each in against.saving_usd_per_year]
    row(f"Saving, {code} a year", saved, "#,##0", "key")
    there = [currency.of(each) for each in against.usd_per_million_output]
    row(f"{code} per million output tokens there", there, "#,##0.0000")
    own = [currency.of(cost.usd_per_million_output)] * several
    row(f"Own {code} per million output tokens", own, "#,##0.0000")
    row(f"Net present value, {code}", [*map(currency.of, npv_usd)], "#,##0", "key")


def saving_of(own_usd: Term, api_usd: Term) -> Term:
    """Return 1 - own ÷ API, or why there is none."""
    return if_(api_usd > 0, 1 - own_usd / api_usd, none_because("zero_price"))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Writes a row of figures, one for each alternative, and returns its cells.

    Figures that rest on a bill are withheld where it is stale; `ours` do not.
    """

    page: Page
    stale: tuple[Term | None, ...]

    def __call__(
        self,
        title: str,
        contents: Sequence[Operand],
        form: str,
        style: Style = "live",
        name: str | None = None,
        *,
        ours: bool = False,
    ) -> tuple[Term, ...]:
        self.page.put(0, title, "label")
        cells = []
        for at, (each, stale) in enumerate(zip(contents, self.stale, strict=True)):
            named = None if name is None else f"api_{at}_{name}"
            with self.page.withheld(None if ours else stale):
                cells.append(self.page.put(1 + at, each, style, form, name=named))
        self.page.row += 1
        return tuple(cells)


def _break_even(row: _Rows, cost: Cost, api: tuple[Term, ...]) -> tuple[Term, ...]:
    own = cost.own
    row.page.section("Break-even")
    per_hour = own.full_load_requests_per_s * SECONDS_PER_HOUR
    bill = row("Bill there at full load, USD an hour", [each * per_hour for each in api], HOURLY)
    each = len(api)
    idled, filled = [own.idle_usd_per_hour] * each, [own.full_usd_per_hour] * each
    idle = row("Own cost when idle, USD an hour", idled, HOURLY, ours=True)
    full = row("Own cost at full load, USD an hour", filled, HOURLY, ours=True)
    margins = [b - (f - i) for b, f, i in zip(bill, full, idle, strict=True)]
    margin = row("Bill less what load adds to electricity", margins, HOURLY)
    whys = [
        if_(usd > 0, none_because("dearer_at_full_load"), none_because("zero_price")) for usd in api
    ]
    even = row(
        "Break-even utilisation, electricity as the load asks",
        [
            if_(all_of(m > 0, i <= m * _JUST_FULL), least(i / m, 1.0), why)
            for i, m, why in zip(idle, margin, whys, strict=True)
        ],
        SHARE,
        "key",
        "break_even_utilisation",
    )
    row(
        "Break-even utilisation, electricity as today",
        [
            if_(all_of(b > 0, own.usd_per_hour <= b), own.usd_per_hour / b, why)
            for b, why in zip(bill, whys, strict=True)
        ],
        SHARE,
    )
    reach = own.reachable_utilisation * _JUST_WITHIN
    monthly = own.full_load_requests_per_s * SECONDS_PER_HOUR * HOURS_PER_MONTH
    scales: Term | None = None
    if own.sizing.follows_hours():
        scales = Term(f'"{none_because("scales_with_demand")}"', none_because("scales_with_demand"))
    volume = row(
        "Break-even requests a month",
        [
            scales or if_(m > 0, i / m * monthly, why)
            for i, m, why in zip(idle, margin, whys, strict=True)
        ],
        "#,##0",
        "key",
        "break_even_requests_per_month",
    )
    row(
        "Break-even within what the fleet can serve",
        [
            if_(is_number(v), if_(i <= m * reach, "yes", "no"), "none")
            for v, i, m in zip(volume, idle, margin, strict=True)
        ],
        "",
        name="break_even_within_capacity",
    )
    return even


def _as_found(row: _Rows, prices: Prices, inputs: Inputs) -> None:
    """Write what only tco can find, and whether it still holds."""
    lines = [
        (title, [figure(offer.result) for offer in prices.offers], form)
        for title, form, figure in _AS_FOUND
    ]
    shown = [line for line in lines if any(value is not None for value in line[1])]
    if not shown and not any(prices.stale):
        return
    row.page.section("As tco found it: does not follow the inputs")
    for title, values, form in shown:
        row(title, ["none" if value is None else value for value in values], form, "fixed")
    moved = inputs.changed > 0
    checks = [moved if shown else stale or any_of() for stale in prices.stale]
    row("Whether it still holds", [if_(each, RERUN, "holds") for each in checks], "", "check")


_AS_FOUND: tuple[tuple[str, str, Callable[[AlternativeResult], float | None]], ...] = (
    (
        "Saving interval, low",
        SHARE,
        lambda it: it.saving_interval.low if it.saving_interval else None,
    ),
    (
        "Saving interval, high",
        SHARE,
        lambda it: it.saving_interval.high if it.saving_interval else None,
    ),
    ("Own base, replicas", "0", lambda it: float(it.hybrid.base_replicas) if it.hybrid else None),
    (
        "Own base, share of the requests",
        SHARE,
        lambda it: it.hybrid.own_share if it.hybrid else None,
    ),
    (
        "Base and overflow, USD a year",
        MONEY,
        lambda it: it.hybrid.usd_per_year if it.hybrid else None,
    ),
)

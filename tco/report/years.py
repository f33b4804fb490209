"""The cash flow of the years in words: against an API as stated, and in the stress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tco.comparison import AlternativeResult, Stress
from tco.report.headline import none_because
from tco.report.numbers import exact, percent, usd, years


def change_words(change_per_year: float) -> str:
    """Return how a price changes over the years: `stay`, `fall 30 % a year`."""
    if change_per_year == 0:
        return "stay"
    return f"{'fall' if change_per_year < 0 else 'rise'} {percent(abs(change_per_year))} a year"


def end_words(time_years: float) -> str:
    """Return the end of a year of the cash flow: `at the start`, `end of year 2`."""
    return "at the start" if time_years == 0 else f"end of year {exact(time_years)}"


def stress_words(rival: AlternativeResult) -> str | None:
    """Return the figures of the stress as one sentence."""
    stress = rival.stress
    if stress is None:
        return None
    change = change_words(stress.api_price_change_per_year)
    return (
        f"If API prices {change}: {_levelised_words(stress)}, net present "
        f"value {usd(stress.npv_usd)}, {_payback_words(stress)}."
    )


def stress_cells(rivals: Sequence[AlternativeResult]) -> Iterator[tuple[str, ...]]:
    """Yield rows of the stress: a title, and a cell for every alternative that has one."""
    found = [each.stress for each in rivals if each.stress is not None]
    if found:
        change = change_words(found[0].api_price_change_per_year)
        yield f"Levelised saving if API prices {change}", *map(_levelised, found)
        yield "Net present value then", *(usd(each.npv_usd) for each in found)


def year_rows(rival: AlternativeResult) -> Iterator[tuple[str, ...]]:
    """Yield the figures as stated, then those in the stress.

    Price change, levelised saving, NPV, rate of return, simple and discounted payback.
    """
    yield (
        "as stated",
        _or_reason(rival, "levelised_saving", percent),
        _or_reason(rival, "npv_usd", usd),
        _or_reason(rival, "irr", percent),
        _or_reason(rival, "payback_years", years),
        _or_reason(rival, "discounted_payback_years", years),
    )
    stress = rival.stress
    if stress is not None:
        yield (
            change_words(stress.api_price_change_per_year),
            _levelised(stress),
            usd(stress.npv_usd),
            "",
            _payback(stress),
            _or_reason(stress, "discounted_payback_years", years),
        )


def _payback_words(stress: Stress) -> str:
    if stress.payback_years is None:
        return f"no simple payback ({none_because(stress.payback_years_reason)})"
    return f"simple payback {_payback(stress)}"


def _levelised_words(stress: Stress) -> str:
    if stress.levelised_saving is None:
        return f"no levelised saving ({none_because(stress.levelised_saving_reason)})"
    return f"levelised saving {_levelised(stress)}"


def _levelised(stress: Stress) -> str:
    return _or_reason(stress, "levelised_saving", percent)


def _payback(stress: Stress) -> str:
    return _or_reason(stress, "payback_years", years)


def _or_reason(result: AlternativeResult | Stress, name: str, form: Callable[[float], str]) -> str:
    value: float | None = getattr(result, name)
    return none_because(getattr(result, f"{name}_reason")) if value is None else form(value)

"""The one sentence a reader takes away, and the alternative it compares with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tco.comparison import AlternativeResult, Comparison, Reason
from tco.report.capacity import on_rate
from tco.report.numbers import MINUS, NBSP, percent, times, usd
from tco.report.service import at_service_level
from tco.report.text import plain, shorten

INVALID = "Invalid measurement: its figures must not be used"
DEMONSTRATION = "Method demonstration: not a business case"
DEMONSTRATION_KIND = "method_demonstration"
_DEMONSTRATION_REASONS = {
    "engine": "the measured model has dummy weights",
    "alternatives": "no alternative is known to serve the same weights",
}
_NAME_LIMIT = 90
_TWICE = 2

REASONS: dict[Reason, str] = {
    "dearer_at_full_load": "dearer even at full load",
    "no_investment": "nothing is bought",
    "not_within_horizon": "not within the horizon",
    "not_within_life": "not within its life",
    "no_sign_change": "the flows never change sign",
    "several_roots": "more than one rate fits the flows",
    "zero_price": "the alternative's price is zero",
    "scales_with_demand": "the rental scales with demand",
    "rent_not_above_running": "renting costs no more than running",
    "not_buying_against_renting": "both are bought, or both rented",
    "no_alternative": "no alternative is named",
    "within_first_year": "API prices change from the second year on, and the horizon is one year",
    "no_power_stated": "the scenario states no watts",
    "no_profile": "the demand has no hourly profile",
    "no_intensity_stated": "no carbon intensity of electricity is stated",
}


def headline(comparison: Comparison) -> str:
    """Return the answer in plain characters, as the report's first page and a terminal print it."""
    return in_ascii(sentence(comparison))


def in_ascii(words: str) -> str:
    """Return our own words with plain characters in place of typographic ones."""
    return words.replace(NBSP, " ").replace(MINUS, "-").replace("≤", "<=")


def sentence(comparison: Comparison) -> str:
    """Return the answer: saving, utilisation, alternative, both costs, break-even.

    It begins as `quotable` has it.
    """
    return quotable(_answer(comparison), comparison)


def quotable(said: str, comparison: Comparison) -> str:
    """Return a sentence of figures so that none can be quoted as a business case that is none.

    That of an invalid measurement begins with that, and that of a demonstration with "Method
    demonstration:".
    """
    return quotable_of(said, {"": comparison})


def quotable_of(said: str, comparisons: Mapping[str, Comparison]) -> str:
    """Return a sentence of several comparisons likewise: it names those that it must warn of."""
    if shown := [name for name, each in comparisons.items() if is_demonstration(each)]:
        said = f"Method demonstration{_of(shown)}: {said[:1].lower()}{said[1:]}"
    if invalid := [name for name, each in comparisons.items() if each.is_invalid()]:
        said = f"{invalid_words(invalid)}. {said}"
    return said


def invalid_words(names: Sequence[str]) -> str:
    """Return what must be read first of these; of one without a name, `INVALID`."""
    before, after = INVALID.split(":", 1)
    return f"{before}{_of(names)}:{after}"


def _of(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if any(names) else ""


def demonstration_words(comparison: Comparison) -> str | None:
    """Return "Method demonstration …" and why, or None for a business case."""
    for finding in comparison.findings:
        if finding.kind == DEMONSTRATION_KIND:
            why = _DEMONSTRATION_REASONS.get(finding.path)
            return f"{DEMONSTRATION}: {why}" if why else DEMONSTRATION
    return None


def _answer(comparison: Comparison) -> str:
    own = comparison.self_host
    at = f"at {percent(own.utilisation)} utilisation{at_service_level(comparison)}"
    if comparison.capacity.origin != "measured":
        at += f", {on_rate(comparison)}"
    cost = f"{usd(own.usd_per_million_output)}"
    rival = comparison.headline_alternative()
    if rival is None:
        return (
            f"Own hardware costs {cost} per million output tokens {at}; "
            "the scenario names no alternative to compare it with."
        )
    if rival.saving is None:
        return (
            f"Own hardware costs {cost} per million output tokens {at}; there is no saving to "
            f"state against {_rival(comparison, rival)}: {none_because(rival.saving_reason)}."
        )
    both = f"{cost} instead of {usd(rival.usd_per_million_output)} per million output tokens"
    said = verdict(rival.saving, _rival(comparison, rival))
    sure = _interval(comparison, rival)
    return f"Own hardware {said}{sure} {at}: {both}. {_even(comparison, rival)}"


def _interval(comparison: Comparison, rival: AlternativeResult) -> str:
    """Return the interval of the saving and what it is from; nothing where no range moves it."""
    found, sure = comparison.uncertainty, comparison.how_sure(rival)
    if found is None or sure is None or sure.saving is None:
        return ""
    saving = sure.saving
    many = len(found.moving(comparison.alternatives.index(rival)))
    ranges = "1 ranged figure" if many == 1 else f"{many} ranged figures"
    ends = f"{percent(saving.low)} to {percent(saving.high)}"
    return f" ({percent(found.level)} interval of the saving {ends}, from {ranges})"


def _rival(comparison: Comparison, rival: AlternativeResult) -> str:
    """Return the alternative's name; the bill's with its amount, files and days."""
    bill = comparison.bill
    if not rival.is_bill or bill is None or bill.usd_per_month is None:
        return label(rival)
    files = shorten(plain(", ".join(bill.files)), _NAME_LIMIT)
    month = usd(bill.usd_per_month)
    return f"your bill of {month} a month ({files}, from {bill.first_day} to {bill.last_day})"


def label(rival: AlternativeResult) -> str:
    """Return the alternative's name, with provider and model where the name leaves them out."""
    source = rival.price_source
    name = priced_name(rival)
    known = [part for part in (source.provider, source.model) if part]
    missing = [part for part in known if part.lower() not in name.lower()]
    full = f"{name} ({', '.join(missing)})" if missing else name
    return shorten(plain(full), _NAME_LIMIT)


def priced_name(rival: AlternativeResult) -> str:
    """Return the alternative's name, with its service where that is not the standard one."""
    service = rival.price_source.service
    if service == "standard" or service in rival.name.lower():
        return rival.name
    return f"{rival.name} ({service})"


def none_because(reason: Reason | None) -> str:
    """Return why there is no number, in words."""
    return REASONS[reason] if reason else "not known"


def is_demonstration(comparison: Comparison) -> bool:
    """Say whether the figures show the method only (a dummy model, or other weights)."""
    return any(finding.kind == DEMONSTRATION_KIND for finding in comparison.findings)


def verdict(saving: float, rival: str) -> str:
    """Return the saving as a clause: `saves 12 % against X`, `costs 3.2 times as much as X`."""
    own_to_other = 1 - saving
    if saving >= 0:
        return f"saves {percent(saving)} against {rival}"
    if own_to_other >= _TWICE:
        return f"costs {times(own_to_other)} as much as {rival}"
    return f"costs {percent(-saving)} more than {rival}"


def above_reach(comparison: Comparison, rival: AlternativeResult) -> str:
    """Return that break-even lies above what the demand's shape allows; "" where it does not."""
    if not comparison.break_even_is_above_reach(rival):
        return ""
    reach = percent(comparison.self_host.reachable_utilisation)
    return f"above the {reach} that this demand lets the fleet reach"


def _of_what(comparison: Comparison, rival: AlternativeResult) -> str:
    """Return whose full load is too dear, where servers that are paid have room for more."""
    own = comparison.self_host
    if rival.break_even_utilisation_reason != "dearer_at_full_load":
        return ""
    if not own.has_idle_accelerators():
        return ""
    return f" of {own.accelerators_used:,} of its {own.accelerators:,} accelerators"


def _even(comparison: Comparison, rival: AlternativeResult) -> str:
    if rival.break_even_utilisation is None:
        why = none_because(rival.break_even_utilisation_reason)
        return f"There is no break-even utilisation: {why}{_of_what(comparison, rival)}."
    above = f", {words}" if (words := above_reach(comparison, rival)) else ""
    return f"Break-even is at {percent(rival.break_even_utilisation)} utilisation{above}."

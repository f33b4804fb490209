"""How sure the saving is: the interval of the draws, what it covers, and a probability if any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tco.comparison import AlternativeResult, Comparison
from tco.report.headline import label
from tco.report.key_words import key_words, measured, value_words
from tco.report.numbers import percent, tenth_percent, usd_column
from tco.report.table import Column, Table, row
from tco.report.text import shorten
from tco.uncertainty import Need, RivalUncertainty, Uncertainty, Varied

SURE_HEADS = (
    "against",
    "saving, median",
    "saving, from",
    "saving, to",
    "USD a year, from",
    "USD a year, to",
    "cheaper in",
)
_MOST_NAMED = 6
_NEEDS: dict[Need, str] = {
    "utilisation": "the utilisation or demand",
    "api_price": "the API's price",
    "capital": "the price or rent of the hardware",
}
_OF_A_ROW = " (a catalog row: its discount may carry one, or write its prices in the scenario)"
_NAME_LIMIT = 44


def rival_of(comparison: Comparison) -> RivalUncertainty | None:
    """Return how sure the result against the headline's alternative is; None without ranges."""
    rival = comparison.headline_alternative()
    return None if rival is None else comparison.how_sure(rival)


def certainty_words(comparison: Comparison) -> str | None:
    """Return what the interval covers, what it does not, and the probability or why there is none.

    None where nothing is ranged.
    """
    found, against = comparison.uncertainty, comparison.headline_alternative()
    if found is None or against is None:
        return None
    index = comparison.alternatives.index(against)
    name = shorten(label(against), _NAME_LIMIT)
    said = (_covers(comparison, found, index, name), _chance(found, index, name, against))
    return " ".join(filter(None, said))


def _covers(comparison: Comparison, found: Uncertainty, index: int, name: str) -> str:
    """Return which ranges the interval of the saving is from, or that none moves the saving."""
    rival = found.alternatives[index]
    if rival.saving_reason == "zero_price":
        return f"There is no saving against {name}, and no interval of one: its price is zero."
    many = len(found.held_against(index))
    if rival.saving is None:
        held = "1 figure is" if many == 1 else f"{many} figures are"
        ranged = _listed(comparison, found.varied)
        return (
            f"The saving against {name} has no interval, as no range moves it "
            f"(ranged: {ranged}); {held} held as stated."
        )
    held = "1 other figure is" if many == 1 else f"{many} other figures are"
    covered = _listed(comparison, found.moving(index))
    level = percent(found.level)
    return f"The {level} interval covers the ranges of {covered}; {held} held as stated."


def _listed(comparison: Comparison, varied: Sequence[Varied]) -> str:
    alternatives = _alternatives(comparison)
    names = [key_words(each.key, alternatives) for each in varied]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _chance(found: Uncertainty, index: int, name: str, against: AlternativeResult) -> str:
    """Return in what share of the draws own hardware is cheaper, or what a probability takes."""
    rival = found.alternatives[index]
    if rival.probability_cheaper is not None:
        chance = percent(rival.probability_cheaper)
        return f"Own hardware is cheaper than {name} in {chance} of {found.draws:,} draws."
    if not rival.probability_needs:
        return ""
    *first, last = (
        _NEEDS[need] + (_OF_A_ROW if need == "api_price" and _is_row(against) else "")
        for need in rival.probability_needs
    )
    bare = f"{', '.join(first)} and {last}" if first else last
    return f"No probability is stated against {name}: that takes a range of {bare}."


def _is_row(against: AlternativeResult) -> bool:
    return against.price_source.provider is not None


def _alternatives(comparison: Comparison) -> tuple[str, ...]:
    return tuple(each.name for each in comparison.alternatives)


def sure_rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Yield the cells under `SURE_HEADS`, a row an alternative."""
    found = comparison.uncertainty
    if found is None:
        return
    yearly = [rival.saving_usd_per_year for rival in found.alternatives]
    lows = usd_column([None if each is None else each.low for each in yearly])
    highs = usd_column([None if each is None else each.high for each in yearly])
    rivals = zip(comparison.alternatives, found.alternatives, lows, highs, strict=True)
    for each, rival, *money in rivals:
        saving = rival.saving
        shares = (
            ("none",) * 3
            if saving is None
            else tuple(map(tenth_percent, (saving.median, saving.low, saving.high)))
        )
        chance = rival.probability_cheaper
        yield (
            label(each),
            *shares,
            *money,
            "not stated" if chance is None else tenth_percent(chance),
        )


def sure_table(comparison: Comparison) -> Table | None:
    """Return the interval against each alternative; None without ranges."""
    found = comparison.uncertainty
    if found is None:
        return None
    first, *others = (head[:1].upper() + head[1:] for head in SURE_HEADS)
    heads = (Column(first), *(Column(head, numeric=True) for head in others))
    rows = tuple(row(shorten(name, 44), *cells) for name, *cells in sure_rows(comparison))
    caption = f"How sure, {percent(found.level)} of the draws"
    return Table(caption, heads, rows, layout="sure")


def varied_table(comparison: Comparison) -> Table | None:
    """Return the numbers that were drawn; None without ranges."""
    found = comparison.uncertainty
    if found is None:
        return None
    heads = (
        Column("Drawn"),
        *(Column(head, numeric=True) for head in ("As stated", "From", "To")),
        Column("How"),
    )
    names = _alternatives(comparison)
    rows = tuple(
        row(
            f"{measured(each.key, names)} ({each.key})",
            *(value_words(each.key, value) for value in (each.value, each.low, each.high)),
            _how(each),
        )
        for each in found.varied
    )
    caption = "What was drawn, each independently of the others"
    return Table(caption, heads, rows, layout="drawn")


def _how(varied: Varied) -> str:
    if varied.shape == "normal":
        return "normal, its 95 % interval"
    return f"{varied.shape}, whole numbers" if varied.whole else varied.shape


def held_words(comparison: Comparison) -> str | None:
    """Return what was held as stated; None without ranges."""
    if comparison.uncertainty is None:
        return None
    names = _alternatives(comparison)
    held = (key_words(each.key, names) for each in comparison.uncertainty.held)
    return f"Held as stated: {'; '.join(held)}."

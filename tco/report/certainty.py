"""How sure the saving is: the interval of the draws, what it covers, and a probability if any."""

from __future__ import annotations

from collections.abc import Iterator

from tco.comparison import Comparison
from tco.report.headline import label
from tco.report.numbers import number, percent, usd
from tco.report.table import Column, Table, row
from tco.report.text import shorten
from tco.uncertainty import CAPACITY_KEY, Need, RivalUncertainty, Uncertainty, Varied

SURE_HEADS = ("against", "saving, median", "from", "to", "USD a year, from", "to", "cheaper in")
_MOST_NAMED = 6
_NEEDS: dict[Need, str] = {
    "utilisation": "utilisation or demand",
    "api_price": "the API's price",
    "capital": "the price or rent of the hardware",
}


def rival_of(comparison: Comparison) -> RivalUncertainty | None:
    """Return how sure the result against the headline's alternative is; None without ranges."""
    rival = comparison.headline_alternative()
    return None if rival is None else comparison.how_sure(rival)


def certainty_words(comparison: Comparison) -> str | None:
    """Return what the interval covers, what it does not, and the probability or why there is none.

    None where nothing is ranged.
    """
    found, rival = comparison.uncertainty, rival_of(comparison)
    if found is None or rival is None:
        return None
    names = [_named(each) for each in found.varied]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    covers = ", ".join(names[:_MOST_NAMED]) + more
    held = f"{len(found.held)} other figures are held as stated"
    words = f"The {percent(found.level)} interval covers the ranges of {covers}; {held}."
    if rival.probability_cheaper is not None:
        chance = percent(rival.probability_cheaper)
        return f"{words} Own hardware is cheaper in {chance} of {found.draws:,} draws."
    if rival.probability_needs:
        bare = " and ".join(_NEEDS[need] for need in rival.probability_needs)
        return f"{words} No probability is stated while {bare} carries no range."
    return words


def _named(varied: Varied) -> str:
    return "the measured rate" if varied.key == CAPACITY_KEY else varied.key


def sure_rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Yield the cells under `SURE_HEADS`, a row an alternative."""
    found = comparison.uncertainty
    if found is None:
        return
    for each, rival in zip(comparison.alternatives, found.alternatives, strict=True):
        saving, yearly = rival.saving, rival.saving_usd_per_year
        shares = (
            ("none",) * 3
            if saving is None
            else tuple(map(percent, (saving.median, saving.low, saving.high)))
        )
        chance = rival.probability_cheaper
        yield (
            label(each),
            *shares,
            usd(yearly.low),
            usd(yearly.high),
            "not stated" if chance is None else percent(chance),
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
    rows = tuple(
        row(_named(each), *map(number, (each.value, each.low, each.high)), _how(each))
        for each in found.varied
    )
    caption = "What was drawn, each independently of the others"
    return Table(caption, heads, rows, layout="drawn")


def _how(varied: Varied) -> str:
    if varied.shape == "normal":
        return "normal, its 95 % interval"
    return f"{varied.shape}, whole numbers" if varied.whole else varied.shape


def held_words(found: Uncertainty | None) -> str | None:
    """Return what was held as stated; None without ranges."""
    if found is None:
        return None
    return f"Held as stated: {', '.join(each.key for each in found.held)}."

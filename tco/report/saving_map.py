"""What the map of the levelised saving shows: its cells, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Comparison, SavingMap
from tco.report.headline import none_because
from tco.report.numbers import count, percent, tenth_percent
from tco.report.text import plain, shorten

_NAME_LIMIT = 60
# How much of its colour a cell has: a trace at no saving, never so much that words drown.
_LEAST, _MOST = 0.06, 0.42
_TITLES = {
    "utilisation": "Utilisation of the hardware",
    "requests_per_day": "Requests a day, the fleet sized anew",
}


@dataclass(frozen=True, slots=True)
class MapCell:
    """One cell: its words, how much of its colour it has (0 to 1), and whether it saves.

    Attributes:
        is_stated: it is the scenario itself.
        ends_right: break-even lies between it and the cell on its right; likewise `ends_below`.
    """

    text: str
    tint: float
    saves: bool
    is_stated: bool
    ends_right: bool
    ends_below: bool


@dataclass(frozen=True, slots=True)
class MapRow:
    """One change of the API's prices, and its cells."""

    title: str
    cells: tuple[MapCell, ...]


@dataclass(frozen=True, slots=True)
class SavingHeatMap:
    """A table whose cells are shaded: the highest API prices first, words along both sides."""

    caption: str
    along_title: str
    along: tuple[str, ...]
    up_title: str
    rows: tuple[MapRow, ...]

    @property
    def columns(self) -> int:
        """Return how many columns the words along the top span."""
        return len(self.along)


def heat_map(comparison: Comparison) -> SavingHeatMap | None:
    """Return the map; None where the comparison has none."""
    found = comparison.saving_map
    if found is None:
        return None
    say = percent if found.along == "utilisation" else count
    last = len(found.along_values) - 1
    changes = found.api_price_changes_per_year

    def cell(place: int, column: int) -> MapCell:
        saving = found.levelised_saving[place][column]
        saves = _saves(saving)
        right = found.levelised_saving[place][min(column + 1, last)]
        below = found.levelised_saving[max(place - 1, 0)][column]
        return MapCell(
            text="none" if saving is None else tenth_percent(saving),
            tint=_LEAST + (_MOST - _LEAST) * min(abs(saving or 0.0), 1.0),
            saves=saves,
            is_stated=found.along_values[column] == found.along_stated
            and changes[place] == found.api_price_change_stated,
            ends_right=_saves(right) != saves,
            ends_below=_saves(below) != saves,
        )

    return SavingHeatMap(
        caption=f"Levelised saving against {_name(found)}, over two inputs",
        along_title=_TITLES[found.along],
        along=tuple(map(say, found.along_values)),
        up_title="API prices a year",
        rows=tuple(
            MapRow(_signed(changes[place]), tuple(cell(place, at) for at in range(last + 1)))
            for place in reversed(range(len(changes)))
        ),
    )


def no_map_words(comparison: Comparison) -> str | None:
    """Return why there is no map; None where there is one, or the comparison does not say."""
    reason = comparison.saving_map_reason
    return None if reason is None else f"No map of the saving is drawn: {none_because(reason)}."


def _name(found: SavingMap) -> str:
    return shorten(plain(found.alternative), _NAME_LIMIT)


def _saves(saving: float | None) -> bool:
    return saving is not None and saving >= 0


def _signed(change: float) -> str:
    return f"+{percent(change)}" if change > 0 else percent(change)

"""What the map of the levelised saving shows: its cells, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Comparison, SavingMap
from tco.report.headline import none_because
from tco.report.numbers import count, percent
from tco.report.text import plain, shorten

_NAME_LIMIT = 60
_TITLES = {
    "utilisation": "Utilisation of the hardware",
    "requests_per_day": "Requests a day, the fleet sized anew",
}


@dataclass(frozen=True, slots=True)
class MapCell:
    """One cell: its words, how deep its colour is (0 to 1), and whether it saves.

    Attributes:
        is_stated: it is the scenario itself.
    """

    text: str
    depth: float
    saves: bool
    is_stated: bool


@dataclass(frozen=True, slots=True)
class MapChart:
    """The cells row by row, the highest API prices first, and the words along both sides."""

    along_title: str
    along: tuple[str, ...]
    up_title: str
    up: tuple[str, ...]
    rows: tuple[tuple[MapCell, ...], ...]
    description: str


def map_chart(comparison: Comparison) -> MapChart | None:
    """Return the chart; None where the comparison has no map."""
    found = comparison.saving_map
    if found is None:
        return None
    say = percent if found.along == "utilisation" else count
    changes = tuple(reversed(found.api_price_changes_per_year))
    rows = tuple(reversed(found.levelised_saving))
    cells = tuple(
        tuple(
            _cell(saving, is_stated=_is_stated(found, value, change))
            for value, saving in zip(found.along_values, row, strict=True)
        )
        for change, row in zip(changes, rows, strict=True)
    )
    along, up = tuple(map(say, found.along_values)), tuple(map(_signed, changes))
    listed = "; ".join(
        f"{name} a year: {', '.join(cell.text for cell in row)}"
        for name, row in zip(up, cells, strict=True)
    )
    return MapChart(
        along_title=_TITLES[found.along],
        along=along,
        up_title="API prices a year",
        up=up,
        rows=cells,
        description=f"Heat map of the levelised saving against {_name(found)}. "
        f"{_TITLES[found.along]}: {', '.join(along)}. API prices {listed}.",
    )


def map_caption(comparison: Comparison) -> str | None:
    """Return what stands above the map; None where there is none."""
    found = comparison.saving_map
    return None if found is None else f"Levelised saving against {_name(found)}, over two inputs"


def no_map_words(comparison: Comparison) -> str | None:
    """Return why there is no map; None where there is one, or the comparison does not say."""
    reason = comparison.saving_map_reason
    return None if reason is None else f"No map of the saving is drawn: {none_because(reason)}."


def _name(found: SavingMap) -> str:
    return shorten(plain(found.alternative), _NAME_LIMIT)


def _is_stated(found: SavingMap, value: float, change: float) -> bool:
    return value == found.along_stated and change == found.api_price_change_stated


def _signed(change: float) -> str:
    return f"+{percent(change)}" if change > 0 else percent(change)


def _cell(saving: float | None, *, is_stated: bool) -> MapCell:
    if saving is None:
        return MapCell("none", 0.0, saves=False, is_stated=is_stated)
    return MapCell(percent(saving), min(abs(saving), 1.0), saves=saving >= 0, is_stated=is_stated)

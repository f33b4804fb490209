"""A table of the terminal: no number is cut, and a name breaks only between its parts."""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

from tco.report.headline import in_ascii
from tco.report.text import visible

# After a space, or a sign that joins two parts of a name or key; never within a number.
_BREAKS = re.compile(r"(?<= )|(?<=[A-Za-z0-9)\]][._/=,:&?-])(?=[A-Za-z(\[])")
# A name is not narrowed below the first for the sake of figures on one line, nor one of its parts
# below the second to keep the table within the terminal.
_NAME_WIDTH, _PART_WIDTH = 32, 20
_GAP = "  "


@dataclass(frozen=True, slots=True)
class Table:
    """A title, heads and rows of strings; the first column holds names, the others figures."""

    title: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


def table_of(title: str, *heads: str) -> Table:
    """Return a table without rows."""
    return Table(title, tuple(head[:1].upper() + head[1:] for head in heads))


def add_row(table: Table, *cells: str) -> None:
    """Add a row; cells that are left out are empty."""
    table.rows.append((*cells, *[""] * (len(table.heads) - len(cells))))


def print_table(table: Table, out: Console) -> None:
    """Print the table, wider than the terminal only if its numbers would be cut else."""
    rows_shown = [tuple(map(visible, cells)) for cells in (table.heads, *table.rows)]
    names, *figures = zip(*rows_shown, strict=True)
    least = [_widest(word for cell in column for word in cell.split(" ")) for column in figures]
    whole = [_widest(column) for column in figures]
    room = out.width - len(_GAP) * len(figures)
    width = _name_width(names, room - sum(whole), room - sum(least))
    grown = _grown(least, whole, room - width)
    # What a column's words leave of its width when wrapped to it would only part it from the next.
    widths = (width, *map(_used, figures, grown))
    head, *rows = (_lines(cells, widths) for cells in rows_shown)
    rule = ("-" if out.options.ascii_only else "─") * (sum(widths) + len(_GAP) * len(figures))
    lines = [*head, rule, *(line for row in rows for line in row)]
    out.print(Text(in_ascii(visible(table.title)), style="bold"), soft_wrap=True)
    out.print(Text(in_ascii("\n".join(lines))), soft_wrap=True)


def _used(column: Sequence[str], width: int) -> int:
    return _widest(line for cell in column for line in _wrapped(cell, width))


def _wrapped(cell: str, width: int) -> list[str]:
    return textwrap.wrap(cell, width, break_long_words=False, break_on_hyphens=False)


def _lines(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the lines of one row, the name on the left and figures set to the right."""
    columns = [
        broken(cell, width) if place == 0 else _wrapped(cell, width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return [
        _GAP.join(
            _padded(text, width, on_right=place == 0)
            for place, (text, width) in enumerate(zip(texts, widths, strict=True))
        ).rstrip()
        for texts in itertools.zip_longest(*columns, fillvalue="")
    ]


def _padded(text: str, width: int, *, on_right: bool) -> str:
    spaces = " " * (width - cell_len(text))
    return text + spaces if on_right else spaces + text


def _grown(least: Sequence[int], whole: Sequence[int], room: int) -> list[int]:
    """Return each width, grown from its least towards its whole, the nearest to it first."""
    widths = list(least)
    spare = room - sum(least)
    for place in sorted(range(len(least)), key=lambda place: whole[place] - least[place]):
        more = max(0, min(spare, whole[place] - least[place]))
        widths[place] += more
        spare -= more
    return widths


def _name_width(names: Sequence[str], room: int, most_room: int) -> int:
    """Return the width of the names.

    Args:
        names: the cells of the first column.
        room: what the figures leave where none is wrapped.
        most_room: what they leave where each is wrapped at every space.
    """
    longest = _widest(names)
    longest_part = _widest(part for each in names for part in parts(each))
    if longest <= room:
        return longest
    wanted = min(longest, most_room, _NAME_WIDTH)
    return max(room, wanted, min(longest_part, _PART_WIDTH))


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def print_words(words: str, out: Console, *, first: str = "", style: str = "") -> None:
    """Print sentences over as many lines as they need; a number keeps its unit beside it.

    Args:
        words: what is printed; a no-break space in it does not end a line.
        out: where.
        first: words before it that take the style; without any, all do.
        style: of rich.
    """
    plain = f"{first}{words}".replace("≤", "<=")  # which is wider
    text = Text(in_ascii("\n".join(_wrapped(plain, out.width))))
    text.stylize(style, 0, len(first) or len(text))
    out.print(text, soft_wrap=True)


def broken(name: str, width: int) -> list[str]:
    """Return the name as lines of at most that width; a part longer than that is cut."""
    lines = [""]
    for part in parts(name):
        if lines[-1] and cell_len((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
        whole = lines[-1].rstrip()
        if cell_len(whole) > width:
            space = lines[-1][len(whole) :]
            lines[-1:] = chop_cells(whole, width)
            lines[-1] += space
    return [line.rstrip() for line in lines]


def parts(name: str) -> list[str]:
    """Return what a name may be broken into: words, and the parts that a sign joins."""
    return _BREAKS.split(name)

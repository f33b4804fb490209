"""Writes the sheets of a workbook as an XLSX file: the same sheets, the same bytes."""

from __future__ import annotations

import datetime as dt
import io
import math
import os
import re
from typing import Any

import numpy as np

from tco.report.text import shorten
from tco.report.workbook.formula import Term
from tco.report.workbook.page import Cell, Chart, Series, Sheet, Style, quoted

_FONT = {"font_name": "Calibri", "font_size": 10, "valign": "vcenter"}
_WRAP = {"text_wrap": True}
_GREY = "#595959"
# Words in place of a figure stand where it would, and stay in their cell.
_FIGURE = {"align": "right", "shrink": True}
_FIXED = {"italic": True, "font_color": _GREY, "bg_color": "#EDEDED"}
_LOOKS: dict[Style, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 16},
    "banner": {"bold": True, "font_color": "#9C0006", "bg_color": "#FFC7CE", **_WRAP},
    "intro": {"font_color": _GREY, **_WRAP},
    "headline": {"bold": True, "font_size": 13, **_WRAP},
    "status": {"bold": True, "font_color": "#7F6000", **_WRAP},
    "heading": {"bold": True, "font_size": 11, "font_color": "#1F4E79", "bottom": 1},
    "column": {"bold": True, "bottom": 1, "bg_color": "#D9E2EC", **_WRAP},
    "words_column": {"bold": True, "bottom": 1, "bg_color": "#D9E2EC", "indent": 1, **_WRAP},
    "figures": {"bold": True, "bottom": 1, "bg_color": "#D9E2EC", "align": "right", **_WRAP},
    "label": {**_WRAP},
    "text": {**_WRAP},
    "words": {"font_color": _GREY, "indent": 1, **_WRAP},
    "note": {"font_color": _GREY, "indent": 1},
    "written": {"font_color": _GREY, **_FIGURE},
    "input": {
        "font_color": "#0000C0",
        "bg_color": "#FFF8D6",
        "border": 1,
        "border_color": "#BFB37F",
        "locked": False,
    },
    "given": {},
    "live": {**_FIGURE},
    "total": {"bold": True, "top": 1},
    "key": {"bold": True, **_FIGURE},
    "fixed": _FIXED,
    "fixed_words": {**_FIXED, "align": "right", **_WRAP},
    "check": {"bold": True, "font_color": "#9C0006", **_WRAP},
}
# Written over all columns of the sheet.
_ACROSS = {"banner", "intro", "headline", "status"}
# A letter is as wide as a unit of width, a bold or capital one wider.
_LETTER, _LINE_PT, _TITLE_PT, _PAD_PT, _MOST_LINES, _HEADLINE = 1.0, 13.5, 22.0, 2.0, 30, 1.7
# A unit of width on the screen.
_LETTER_PX = 7
# Of the file itself, as its properties show it.
_MOST_TITLE = 120
# What a spreadsheet would take for a formula once the cell is edited.
_ACTING = ("=", "+", "-", "@", "\t", "\r")


def write_workbook(sheets: tuple[Sheet, ...], title: str, author: str, date: dt.date) -> bytes:
    """Return the file; it bears the date, or that of SOURCE_DATE_EPOCH."""
    import xlsxwriter

    file = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
    }
    book = xlsxwriter.Workbook(file, options)
    book.set_properties(
        {"title": shorten(title, _MOST_TITLE), "author": author, "created": _created(date)}
    )
    looks = _Looks(book)
    for sheet in sheets:
        _write_sheet(book, sheet, looks)
    for sheet in sheets:
        for name in sheet.names:
            book.define_name(name.name, f"={name.address}")
    book.close()
    return file.getvalue()


def _created(date: dt.date) -> dt.datetime:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isdecimal():
        return dt.datetime.fromtimestamp(int(epoch), tz=dt.UTC).replace(tzinfo=None)
    return dt.datetime.combine(date, dt.time())


class _Looks:
    """The formats of the cells, each made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self.grey = book.add_format({"font_color": "#BFBFBF"})
        self._made: dict[tuple[Style, str, bool], Any] = {}

    def of(self, cell: Cell) -> Any:
        acting = isinstance(cell.content, str) and cell.content.startswith(_ACTING)
        key = (cell.style, cell.form, acting)
        if key not in self._made:
            look = {**_FONT, **_LOOKS[cell.style]}
            if cell.form:
                look["num_format"] = cell.form
            if acting:
                look["quote_prefix"] = True
            self._made[key] = self._book.add_format(look)
        return self._made[key]


def _write_sheet(book: Any, sheet: Sheet, looks: _Looks) -> None:
    page = book.add_worksheet(sheet.title)
    for column, width in enumerate(sheet.widths):
        page.set_column(column, column, width or None, None, {"hidden": not width})
    for row, points in _heights(sheet).items():
        page.set_row(row, points)
    for cell in sheet.cells:
        if cell.style in _ACROSS:
            page.merge_range(cell.row, 0, cell.row, len(sheet.widths) - 1, "", looks.of(cell))
        _write_cell(page, cell, looks.of(cell), f"{quoted(sheet.title)}!")
    for chart in sheet.charts:
        _insert(book, page, chart, sum(sheet.widths) * _LETTER_PX)
    for each in sheet.greyed:
        place = (each.row, each.column, each.last_row, each.last_column)
        look = {"type": "formula", "criteria": f"={each.formula}", "format": looks.grey}
        page.conditional_format(*place, look)
    _print_settings(page, sheet)


def _heights(sheet: Sheet) -> dict[int, float]:
    """Return the heights of rows whose words take several lines; not every reader finds them."""
    heights: dict[int, float] = {}
    for cell in sheet.cells:
        lines, words = 1, cell.content
        if isinstance(words, Term):
            words = words.value if isinstance(words.value, str) else 0.0
        if isinstance(words, str) and "text_wrap" in _LOOKS[cell.style]:
            width = sum(sheet.widths) if cell.style in _ACROSS else sheet.widths[cell.column]
            width = width or sum(sheet.widths)
            lines = math.ceil(len(words) * _letter(cell.style) / width)
        points = _TITLE_PT if cell.style == "title" else _LINE_PT * min(lines, _MOST_LINES)
        if points > _LINE_PT:
            heights[cell.row] = max(heights.get(cell.row, 0.0), points + _PAD_PT)
    return heights


def _letter(style: Style) -> float:
    return _LETTER * (_HEADLINE if style == "headline" else 1.0)


def _write_cell(page: Any, cell: Cell, look: Any, own_sheet: str) -> None:
    content, place = cell.content, (cell.row, cell.column)
    if isinstance(content, Term):
        text = content.text.replace(own_sheet, "")
        page.write_formula(*place, f"={text}", look, _cached(content))
    elif content == "":
        page.write_blank(*place, None, look)
    elif isinstance(content, str):
        page.write_string(*place, content, look)
    else:
        page.write_number(*place, content, look)
    if cell.choices:
        page.data_validation(*place, *place, {"validate": "list", "source": list(cell.choices)})
    elif cell.limits is not None:
        low, high = cell.limits
        page.data_validation(
            *place,
            *place,
            {
                "validate": "integer" if cell.whole else "decimal",
                "criteria": "between",
                "minimum": low,
                "maximum": high,
                "error_title": "Out of range",
                "error_message": f"A number from {low:g} to {high:g}",
            },
        )


def _cached(content: Term) -> float | str | bool:
    value = content.value
    if isinstance(value, str | bool):
        return value
    number = float(np.asarray(value))
    if np.isnan(number):
        raise ValueError(f"a formula has no value: {content.text}")
    return number


def _print_settings(page: Any, sheet: Sheet) -> None:
    page.hide_gridlines(2)
    page.set_paper(9)
    page.set_margins(0.4, 0.4, 0.6, 0.6)
    if sheet.landscape:
        page.set_landscape()
    page.fit_to_pages(1, 0)
    if sheet.breaks:
        page.set_h_pagebreaks(list(sheet.breaks))
    page.set_footer("&L&F, &A&RPage &P of &N")
    if sheet.frozen != (0, 0):
        page.freeze_panes(*sheet.frozen)
    if sheet.repeated_row is not None:
        page.repeat_rows(sheet.repeated_row)
    last_row = max((cell.row for cell in sheet.cells), default=0)
    ends = [chart.row + chart.height // 17 for chart in sheet.charts]
    columns = max((cell.column for cell in sheet.cells), default=0)
    page.print_area(0, 0, max([last_row, *ends]), max(columns, len(sheet.widths) - 1))


_KINDS: dict[str, dict[str, str]] = {
    "lines": {"type": "scatter", "subtype": "straight"},
    "columns": {"type": "column"},
    "bars": {"type": "bar"},
}


def _insert(book: Any, page: Any, chart: Chart, room: float) -> None:
    drawn = book.add_chart(_KINDS[chart.kind])
    for each in chart.series:
        drawn.add_series(_series(chart, each))
    drawn.set_title({"name": _said(chart.title), "name_font": {"size": 12}, "overlay": False})
    drawn.set_size({"width": min(chart.width, room), "height": chart.height})
    level, upright = _axes(chart)
    drawn.set_x_axis(level)
    drawn.set_y_axis(upright)
    drawn.set_legend({"position": "bottom"} if len(chart.series) > 1 else {"none": True})
    page.insert_chart(chart.row, chart.column, drawn, {"object_position": 2})


def _said(title: str) -> str:
    """Return a chart's title so that no word of it is taken for the address of a cell."""
    return re.sub(r"!(?=\$?[A-Z]+\$?\d)", "!\u2060", title)


def _series(chart: Chart, each: Series) -> dict[str, Any]:
    series: dict[str, Any] = {
        "name": f"={each.name}",
        "categories": f"={each.xs}",
        "values": f"={each.ys}",
    }
    if chart.kind == "lines":
        dashes = {"dash_type": "dash"} if each.dashed else {}
        return series | {"line": {"color": each.colour, "width": 2, **dashes}}
    overlap = {"overlap": 100, "gap": 60} if chart.overlaid else {}
    return series | {"fill": {"color": each.colour}, **overlap}


def _axes(chart: Chart) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the level axis and the upright one; figures run along the level one of bars."""
    names: dict[str, Any] = {"name": chart.x_title, "num_format": chart.x_form or "General"}
    figures: dict[str, Any] = {
        "name": chart.y_title,
        "num_format": chart.y_form or "General",
        "major_gridlines": {"visible": True, "line": {"color": "#D9D9D9"}},
        "log_base": 10 if chart.y_log else None,
        "min": chart.y_low,
        "max": chart.y_high,
        "crossing": chart.y_low,
    }
    # Names stay at the edge, where bars reach below zero too.
    names["label_position"] = "low"
    if chart.kind == "lines":
        names |= {"min": 0, "max": chart.x_high}
    if chart.kind == "bars":
        # Bars are listed from below; the first one belongs on top, the figures at the bottom.
        names |= {"reverse": True, "major_gridlines": {"visible": False}}
        figures["label_position"] = "high"
        return figures, names
    return names, figures

"""The workbook of several scenarios: a sheet that compares, then each one's own sheets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tco.report.headline import label
from tco.report.side_document import SideDocument
from tco.report.text import plain, shorten
from tco.report.workbook.formula import Term
from tco.report.workbook.given import name_of
from tco.report.workbook.page import Cell, Chart, Name, Page, Series, Sheet, letters, quoted
from tco.report.workbook.utilisation import COLOURS
from tco.side_by_side import InputValue, SideBySide

_NONE = "none"
_CHARTED = ("Own cost", "Bill there")
_NAME_LIMIT = 80
_FIT_UPRIGHT = 2  # scenarios
_CHART_ROWS = 19
_IN_CURRENCY = 4  # the column of a first sheet
_INTRO = (
    "Every figure follows the sheets of its scenario, which have its letter: change a yellow cell "
    "of A Inputs, and column A follows. Cells in grey italics do not follow."
)
_IN_ONE = "Money is in USD, and in {code} at the rate of each scenario's own sheet Inputs."
_IN_SEVERAL = (
    "Money is in USD: the scenarios share no other currency. One that has another shows it on its "
    "own sheets Summary and Comparison."
)
# A text, a sheet's name with its mark, or a word of a formula.
_TOKENS = re.compile(r'"(?:[^"]|"")*"|\'[^\']+\'!|[A-Za-z_][\w.]*!?')


def sides_workbook(
    side_by_side: SideBySide, document: SideDocument, books: Sequence[tuple[Sheet, ...]]
) -> tuple[Sheet, ...]:
    """Return the sheets of several scenarios; `books` are the sheets of each one's workbook."""
    lettered = [_lettered(sheets, letters(place)) for place, sheets in enumerate(books)]
    return (_sides_sheet(side_by_side, document, lettered), *sum(lettered, ()))


def _lettered(sheets: tuple[Sheet, ...], mark: str) -> tuple[Sheet, ...]:
    """Return a workbook's sheets with a letter before the titles, and the names that they define.

    Formulas and charts follow.
    """
    titles = {sheet.title for sheet in sheets}
    names = {name.name for sheet in sheets for name in sheet.names}

    def token(found: re.Match[str]) -> str:
        word = found[0]
        if word.endswith("!"):
            title = word[:-1].strip("'")
            return f"{quoted(f'{mark} {title}')}!"
        return f"{mark}_{word}" if word in names else word

    def renamed(text: str) -> str:
        return _TOKENS.sub(token, text)

    return tuple(_renamed(sheet, mark, titles, renamed) for sheet in sheets)


def _renamed(sheet: Sheet, mark: str, titles: set[str], renamed: Callable[[str], str]) -> Sheet:
    notes = {cell.row for cell in sheet.cells if (cell.column, cell.style) == (1, "note")}

    def cell(each: Cell) -> Cell:
        content = each.content
        if isinstance(content, Term):
            return replace(each, content=Term(renamed(content.text), content.value))
        # In the list of the sheets each title has a note beside it.
        is_title = each.column == 0 and each.row in notes and content in titles
        return replace(each, content=f"{mark} {content}") if is_title else each

    def series(each: Series) -> Series:
        return replace(each, name=renamed(each.name), xs=renamed(each.xs), ys=renamed(each.ys))

    return replace(
        sheet,
        title=f"{mark} {sheet.title}",
        cells=tuple(map(cell, sheet.cells)),
        names=tuple(Name(f"{mark}_{it.name}", renamed(it.address)) for it in sheet.names),
        charts=tuple(replace(it, series=tuple(map(series, it.series))) for it in sheet.charts),
        greyed=tuple(replace(it, formula=renamed(it.formula)) for it in sheet.greyed),
    )


@dataclass(frozen=True, slots=True)
class _Figure:
    """A cell of a scenario's sheets, to be shown again."""

    here: Term
    form: str
    unit: str = ""


def _sides_sheet(
    side_by_side: SideBySide, document: SideDocument, books: Sequence[tuple[Sheet, ...]]
) -> Sheet:
    sides, many = side_by_side.sides, len(books)
    page = Page("Side by side", (46, *(26,) * many, 22), landscape=many > _FIT_UPRIGHT)
    page.head(document.title, document.banner, _INTRO)
    code = _shared_currency(side_by_side)
    for note in (*_money_words(side_by_side, code), *document.notes):
        page.put(0, note, "intro")
        page.row += 1
    heads = [f"{letters(at)}: {_short(side.label)}" for at, side in enumerate(sides)]
    page.heading("Scenario", *heads, "Unit", words=(many + 1,), frozen=True)
    rivals = [side.comparison.headline_alternative() for side in sides]
    marks = page.row
    _row(page, "Letter of its sheets", [letters(at) for at in range(many)])
    _row(page, "File", [side.file for side in sides])
    _row(page, "Against", [_NONE if it is None else _short(label(it)) for it in rivals])
    answers = [_answers(sheets[0], code) for sheets in books]
    charted = []
    for title in dict.fromkeys(title for each in answers for title in each):
        charted += [page.row] if title in _CHARTED else []
        _row(page, title, [each.get(title, _NONE) for each in answers])
    _chart(page, charted, marks, many)
    if side_by_side.inputs:
        page.section("What differs in the inputs")
    inputs = [_inputs(sheets) for sheets in books]
    for differing in side_by_side.inputs:
        found = [
            each.get(f"{letters(at)}_{name_of(differing.key)}", _words(value))
            for at, (each, value) in enumerate(zip(inputs, differing.values, strict=True))
        ]
        _row(page, differing.key, found)
    return page.sheet()


def _shared_currency(side_by_side: SideBySide) -> str | None:
    """Return the currency that all scenarios show beside USD."""
    codes = {side.comparison.currency for side in side_by_side.sides}
    return None if "USD" in codes or len(codes) > 1 else min(codes)


def _money_words(side_by_side: SideBySide, code: str | None) -> tuple[str, ...]:
    """Say which money stands here where a scenario has more than USD."""
    if code is not None:
        return (_IN_ONE.format(code=code),)
    only_usd = all(side.comparison.currency == "USD" for side in side_by_side.sides)
    return () if only_usd else (_IN_SEVERAL,)


def _answers(summary: Sheet, code: str | None) -> Mapping[str, _Figure]:
    """Return the figures of a first sheet by their titles; money also in a currency, if any."""
    at = {(cell.row, cell.column): cell for cell in summary.cells}
    found = {}
    for cell in summary.cells:
        if cell.column != 1 or cell.style != "key":
            continue
        title, unit = (str(at[cell.row, column].content) for column in (0, 3))
        found[title] = replace(_figure(summary, cell), unit=unit)
        also = at.get((cell.row, _IN_CURRENCY))
        if code is not None and also is not None:
            there = _figure(summary, also)
            found[f"{title}, in {code}"] = replace(there, unit=unit.replace("USD", code))
    return found


def _inputs(sheets: Sequence[Sheet]) -> Mapping[str, _Figure]:
    """Return the cells of a scenario that have names."""
    by_address = {
        _address(sheet, cell): _figure(sheet, cell) for sheet in sheets for cell in sheet.cells
    }
    names = (name for sheet in sheets for name in sheet.names)
    return {it.name: by_address[it.address] for it in names if it.address in by_address}


def _figure(sheet: Sheet, cell: Cell) -> _Figure:
    content = cell.content
    value = content.value if isinstance(content, Term) else content
    return _Figure(Term(_address(sheet, cell), value), cell.form)


def _address(sheet: Sheet, cell: Cell) -> str:
    return f"{quoted(sheet.title)}!${letters(cell.column)}${cell.row + 1}"


def _words(value: InputValue) -> str | float:
    if value.value is None:
        return "not stated"
    if isinstance(value.value, bool):
        return "yes" if value.value else "no"
    return value.value


def _row(page: Page, title: str, contents: Sequence[_Figure | str | float]) -> None:
    page.put(0, title, "label")
    for at, each in enumerate(contents, start=1):
        if isinstance(each, _Figure):
            page.put(at, each.here, "key", each.form)
        else:
            page.put(at, each, "fixed_words")
    units = [each.unit for each in contents if isinstance(each, _Figure)]
    page.put(1 + len(contents), next(iter(units), ""), "note")
    page.row += 1


def _chart(page: Page, rows: Sequence[int], marks: int, many: int) -> None:
    page.row += 1
    series = tuple(
        Series(
            page.address(row, 0),
            page.across(marks, 1, many).text,
            page.across(row, 1, many).text,
            colour,
        )
        for row, colour in zip(rows, COLOURS, strict=False)
    )
    page.charts.append(
        Chart(
            kind="columns",
            title="Own cost and the bill there, USD a year",
            x_title="",
            y_title="",
            series=series,
            row=page.row,
            column=0,
            y_form="$#,##0",
            height=320,
        )
    )
    page.row += _CHART_ROWS


def _short(name: str) -> str:
    return shorten(plain(name), _NAME_LIMIT)

"""Writes several scenarios side by side as files, one a format, each whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from tco.measurement import Measurement
from tco.output_file import write_each
from tco.report.brand import Brand
from tco.report.findings import FindingLine
from tco.report.html import Medium, drawing, page
from tco.report.long_table import COLUMNS, Scalar, cells_of, csv_text, figures, unit_of_figure
from tco.report.markdown_text import code_block, escaped, markdown_findings, markdown_table
from tco.report.render import document_json, make_folder
from tco.report.side_chart import draw_side_bars, text_side_bars
from tco.report.side_document import SideDocument, compose_sides
from tco.scenario import Scenario
from tco.side_by_side import SideBySide

SIDE_FILE_NAMES = {
    "pdf": "report.pdf",
    "html": "report.html",
    "md": "report.md",
    "json": "side_by_side.json",
    "csv": "side_by_side.csv",
    "xlsx": "report.xlsx",
}


def render_sides(
    side_by_side: SideBySide,
    findings: Sequence[tuple[FindingLine, ...]],
    *,
    formats: Sequence[str],
    out_dir: Path,
    brand: Brand | None = None,
    based_on: Sequence[tuple[Scenario, Measurement]] = (),
) -> tuple[Path, ...]:
    """Write the report and return its files, in the order of the formats.

    `findings` are those of each scenario, its measurement's too; `brand` is that of PDF and HTML;
    `based_on` is what the workbook takes, of each side.

    Raises:
        InputError: the folder cannot be written.
    """
    document = compose_sides(side_by_side, findings)
    makers: dict[str, Callable[[], bytes | str]] = {
        "pdf": lambda: _pdf(document, brand),
        "html": lambda: sides_html(document, "screen", brand),
        "md": lambda: sides_markdown(document),
        "json": lambda: document_json(side_by_side),
        "csv": lambda: sides_csv(side_by_side),
        "xlsx": lambda: _xlsx(side_by_side, document, based_on),
    }
    contents = [(out_dir / SIDE_FILE_NAMES[name], makers[name]()) for name in formats]
    make_folder(out_dir)
    return write_each(contents)


def sides_html(document: SideDocument, medium: Medium, brand: Brand | None = None) -> str:
    """Return the page for a browser, or the source of the PDF."""
    chart = drawing(draw_side_bars(document.chart), document.chart.description)
    bars = chart.in_accent(None if brand is None else brand.accent)
    return page("report/side_by_side.html.j2", document, medium, brand, bars=bars)


def sides_markdown(document: SideDocument) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    said = [
        f"# {escaped(document.title)}",
        "" if document.banner is None else f"> **{escaped(document.banner)}.**",
        f"**{escaped(document.headline)}**",
        *map(escaped, document.notes),
        markdown_table(document.scenarios),
        f"**{escaped(document.chart_caption)}**\n\n{code_block(text_side_bars(document.chart))}",
        markdown_table(document.answers),
        "## What differs",
        escaped(document.inputs_words),
        "" if document.inputs is None else markdown_table(document.inputs),
        "## What each difference does" if document.steps else "",
        escaped(document.steps_words) if document.steps else "",
        *map(markdown_table, document.steps),
        *map(escaped, document.step_notes),
        "## Findings" if document.findings else "",
    ]
    for each in document.findings:
        said += [f"**{escaped(each.title)}**", markdown_findings(each.findings)]
    said.append(f"Written by {escaped(document.author)}, {document.date}.")
    return "\n\n".join(filter(None, said)) + "\n"


def sides_csv(side_by_side: SideBySide) -> str:
    """Return one long table: the rows of each scenario's comparison, inputs, steps."""
    return csv_text(("scenario", *COLUMNS), _rows(side_by_side))


def _rows(side_by_side: SideBySide) -> Iterator[Iterable[Scalar]]:
    labels = [side.label for side in side_by_side.sides]
    for side in side_by_side.sides:
        for figure in figures(side.comparison):
            yield side.label, *cells_of(figure)
    for each in side_by_side.inputs:
        unit = unit_of_figure(each.key)
        for name, value in zip(labels, each.values, strict=True):
            yield name, "inputs", "", each.key, None, unit, value.value, ""
    for attribution in side_by_side.attributions:
        name = labels[attribution.scenario]
        for step in attribution.steps:
            changes = (("saving_change", "share"), ("saving_usd_per_year_change", "USD/year"))
            for figure_name, unit in changes:
                value = getattr(step, figure_name)
                yield (
                    name,
                    "steps",
                    step.against,
                    figure_name,
                    None,
                    unit,
                    value,
                    " ".join(step.keys),
                )


def _pdf(document: SideDocument, brand: Brand | None) -> bytes:
    from tco.report.pdf import render_pdf

    return render_pdf(sides_html(document, "paper", brand))


def _xlsx(
    side_by_side: SideBySide,
    document: SideDocument,
    based_on: Sequence[tuple[Scenario, Measurement]],
) -> bytes:
    from tco.report.workbook.book import workbook_of
    from tco.report.workbook.sides import sides_workbook
    from tco.report.workbook.write import write_workbook

    sides = side_by_side.sides
    books = [
        workbook_of(side.comparison, scenario, measurement)
        for side, (scenario, measurement) in zip(sides, based_on, strict=True)
    ]
    date = max(side.comparison.date for side in sides)
    sheets = sides_workbook(side_by_side, document, books)
    return write_workbook(sheets, document.title, document.author, date)

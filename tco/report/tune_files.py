"""Writes the report of a tuning beside its record, one file a format, each whole or not at all."""

from __future__ import annotations

from pathlib import Path

from tco.output_file import write_whole
from tco.report.html import Medium, drawing, environment, font_addresses
from tco.report.markdown_text import code_block, escaped, markdown_table
from tco.report.tune_chart import draw_tune_bars, text_tune_bars
from tco.report.tune_document import TuneDocument, compose_tuning
from tco.tuning import Tuning

TUNE_FILE_NAMES = ("tune.pdf", "tune.html", "tune.md")


def render_tuning(tuning: Tuning, folder: Path, *, engine: str | None = None) -> tuple[Path, ...]:
    """Write the report as PDF, HTML and Markdown and return the files.

    Raises:
        InputError: the folder cannot be written.
    """
    from tco.report.pdf import render_pdf

    document = compose_tuning(tuning, engine=engine)
    contents = (
        render_pdf(tuning_html(document, "paper")),
        tuning_html(document, "screen").encode("utf-8"),
        tuning_markdown(document).encode("utf-8"),
    )
    paths = tuple(folder / name for name in TUNE_FILE_NAMES)
    for path, content in zip(paths, contents, strict=True):
        write_whole(path, content)
    return paths


def tuning_html(document: TuneDocument, medium: Medium) -> str:
    """Return the page for a browser, or the source of the PDF."""
    return (
        environment()
        .get_template("report/tune.html.j2")
        .render(
            doc=document,
            medium=medium,
            brand=None,
            charts=[drawing(draw_tune_bars(each), each.description) for each in document.charts],
            fonts=font_addresses() if medium == "screen" else {},
        )
    )


def tuning_markdown(document: TuneDocument) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    bars = [code_block(text_tune_bars(each)) for each in document.charts]
    said = [
        f"# {escaped(document.title)}",
        "" if document.banner is None else f"> **{escaped(document.banner)}.**",
        f"**{escaped(document.headline)}**",
        escaped(document.basis),
        markdown_table(document.ladder),
        f"**{escaped(document.chart_caption)}**",
        *bars,
        markdown_table(document.reasons) if document.reasons.rows else "",
        "## The best settings",
        escaped(document.best_words),
        code_block(document.serve),
        "## Findings" if document.findings else "",
        "\n".join(
            f"- **{line.severity_words}:** {escaped(line.message)} {escaped(line.advice)}"
            for line in document.findings
        ),
        markdown_table(document.provenance),
        f"Written by {escaped(document.author)}, {document.date}.",
    ]
    return "\n\n".join(filter(None, said)) + "\n"

"""Writes the report of a tuning beside its record, one file a format, each whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tco.output_file import write_each
from tco.report.html import Medium, ladder_drawings, page
from tco.report.tune_document import TuneDocument, compose_tuning
from tco.report.tune_markdown import tuning_markdown
from tco.tuning import Tuning

TUNE_FILE_NAMES = {"pdf": "tune.pdf", "html": "tune.html", "md": "tune.md"}


def render_tuning(
    tuning: Tuning,
    folder: Path,
    *,
    engine: str | None = None,
    formats: Sequence[str] = tuple(TUNE_FILE_NAMES),
) -> tuple[Path, ...]:
    """Write the report in these formats and return the files.

    Raises:
        InputError: the folder cannot be written.
    """
    document = compose_tuning(tuning, engine=engine)
    makers: dict[str, Callable[[TuneDocument], bytes | str]] = {
        "pdf": _pdf,
        "html": lambda each: tuning_html(each, "screen"),
        "md": tuning_markdown,
    }
    return write_each((folder / TUNE_FILE_NAMES[name], makers[name](document)) for name in formats)


def _pdf(document: TuneDocument) -> bytes:
    from tco.report.pdf import render_pdf

    return render_pdf(tuning_html(document, "paper"))


def tuning_html(document: TuneDocument, medium: Medium) -> str:
    """Return the page for a browser, or the source of the PDF."""
    return page("report/tune.html.j2", document, medium, charts=ladder_drawings(document))

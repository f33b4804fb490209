"""Writes a comparison as files, one a format, each whole or not at all."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from tco.comparison import Comparison
from tco.errors import InputError
from tco.measurement import Measurement
from tco.output_file import write_each
from tco.report.brand import Brand
from tco.report.document import Document, compose
from tco.scenario import Scenario
from tco.traffic.shape import TrafficShape
from tco.tuned_record import TunedRecord

FILE_NAMES = {
    "pdf": "report.pdf",
    "html": "report.html",
    "md": "report.md",
    "json": "comparison.json",
    "csv": "comparison.csv",
    "xlsx": "report.xlsx",
}
DEFAULT_FORMATS = ("pdf", "html", "json")


def render(
    comparison: Comparison,
    scenario: Scenario,
    measurement: Measurement,
    *,
    formats: Sequence[str],
    out_dir: Path,
    traffic: TrafficShape | None = None,
    tuned: TunedRecord | None = None,
    brand: Brand | None = None,
) -> tuple[Path, ...]:
    """Write the report and return its files, in the order of the formats.

    `traffic` is what the scenario's trace holds, if it has one; `tuned` the record of the tuning
    that its engine's settings come from; `brand` is that of PDF and HTML.

    Raises:
        InputError: a format is not known, or the folder cannot be written.
    """
    check_formats(formats)
    document = compose(comparison, scenario, measurement, traffic, tuned)
    makers: dict[str, Callable[[], bytes | str]] = {
        "pdf": lambda: _pdf(document, brand),
        "html": lambda: _html(document, brand),
        "md": lambda: _markdown(document),
        "json": lambda: document_json(comparison),
        "csv": lambda: _csv(comparison),
        "xlsx": lambda: _xlsx(comparison, scenario, measurement, document),
    }
    contents = [(out_dir / FILE_NAMES[name], makers[name]()) for name in formats]
    make_folder(out_dir)
    return write_each(contents)


def parse_formats(text: str, known: Iterable[str] = FILE_NAMES) -> tuple[str, ...]:
    """Return the formats of a list such as `pdf,html`, each once; `known` are those there are.

    Raises:
        InputError: a format does not exist, or none is named.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    check_formats(names, known)
    return names


def check_formats(formats: Sequence[str], known: Iterable[str] = FILE_NAMES) -> None:
    """Raise InputError for a format that does not exist, or when there is none."""
    names = tuple(known)
    listed = ", ".join(names)
    if not formats:
        raise InputError("needs at least one format", remedy=f"use {listed}", key="--format")
    for name in formats:
        if name not in names:
            fault = (
                f"there is no {name} of this report"
                if name in FILE_NAMES
                else f"does not know the format {name!r}"
            )
            raise InputError(fault, remedy=f"use {listed}", key="--format")


def claim_folder(folder: Path, formats: Sequence[str], *, force: bool) -> None:
    """Make the folder, after `check_folder`.

    Raises:
        InputError: it cannot be written, or holds a report and `force` is not given.
    """
    check_folder(folder, formats, force=force)
    make_folder(folder)


def check_folder(
    folder: Path, formats: Sequence[str], *, force: bool, names: Mapping[str, str] = FILE_NAMES
) -> None:
    """Show that the folder can be written, before any work is done; nothing is left there.

    Raises:
        InputError: it cannot be written, or holds a report and `force` is not given.
    """
    existing = [names[name] for name in formats if (folder / names[name]).exists()]
    if existing and not force:
        raise InputError(
            f"already holds {', '.join(existing)}",
            file=str(folder),
            remedy="give --force to overwrite, or another folder with -o",
        )
    nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise _cannot_write(folder, error) from error


def document_json(document: BaseModel) -> str:
    """Return a result as its JSON document."""
    tree = document.model_dump(mode="json", by_alias=True)
    return json.dumps(tree, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def make_folder(folder: Path) -> None:
    """Make the folder that a report goes to.

    Raises:
        InputError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(folder, error) from error


def _cannot_write(folder: Path, error: OSError) -> InputError:
    return InputError(
        f"cannot write the report: {error.strerror}",
        file=str(folder),
        remedy="choose a folder that can be written",
    )


def _pdf(document: Document, brand: Brand | None) -> bytes:
    from tco.report.html import render_html
    from tco.report.pdf import render_pdf

    return render_pdf(render_html(document, "paper", brand))


def _html(document: Document, brand: Brand | None) -> str:
    from tco.report.html import render_html

    return render_html(document, "screen", brand)


def _markdown(document: Document) -> str:
    from tco.report.markdown import render_markdown

    return render_markdown(document)


def _csv(comparison: Comparison) -> str:
    from tco.report.long_table import comparison_csv

    return comparison_csv(comparison)


def _xlsx(
    comparison: Comparison, scenario: Scenario, measurement: Measurement, document: Document
) -> bytes:
    from tco.report.workbook.book import workbook_of
    from tco.report.workbook.write import write_workbook

    sheets = workbook_of(comparison, scenario, measurement)
    return write_workbook(sheets, document.title, document.author, comparison.date)

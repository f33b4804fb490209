"""A SectionedReport is headings over tables, charts, words and commands, for every format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tco.output_file import write_each
from tco.report.findings import FindingLine
from tco.report.html import Drawing, Medium, drawing, page
from tco.report.markdown_text import code_block, escaped, markdown_findings, markdown_table
from tco.report.table import Table


class Chart(Protocol):
    """A described chart that can be drawn."""

    @property
    def description(self) -> str:
        """Return in words what it shows."""

    def svg(self) -> str:
        """Return the drawing."""

    def text(self) -> str:
        """Return it in a font of equal widths; nothing where a table beside it says the same."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart under its caption."""

    caption: str
    chart: Chart

    @property
    def drawing(self) -> Drawing:
        """Return the chart ready for a template."""
        return drawing(self.chart.svg(), self.chart.description)


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence or more; `is_note` where it explains what stands beside it."""

    text: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, to be copied."""

    text: str


Part = Table | Figure | Words | Command


@dataclass(frozen=True, slots=True)
class Section:
    """Parts under a heading; None for what follows the headline."""

    heading: str | None
    parts: tuple[Part, ...]

    @property
    def named_parts(self) -> tuple[tuple[str, Part], ...]:
        """Return each part with the name of its kind, for a template."""
        return tuple((type(part).__name__.lower(), part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class SectionedReport:
    """All that a template prints."""

    title: str
    kicker: str
    short_name: str
    author: str
    date: str
    banner: str | None
    headline: str
    findings: tuple[FindingLine, ...]
    sections: tuple[Section, ...]

    @property
    def running_banner(self) -> str | None:
        """Return what stands at the head of every page."""
        return self.banner


def write_sectioned(
    report: SectionedReport, folder: Path, names: Mapping[str, str], formats: Iterable[str]
) -> tuple[Path, ...]:
    """Write the report in these formats, each to the file that `names` has for it; return them.

    Raises:
        InputError: the folder cannot be written.
    """
    makers: dict[str, Callable[[SectionedReport], bytes | str]] = {
        "pdf": _pdf,
        "html": lambda each: sectioned_html(each, "screen"),
        "md": sectioned_markdown,
    }
    return write_each([(folder / names[kind], makers[kind](report)) for kind in formats])


def _pdf(report: SectionedReport) -> bytes:
    from tco.report.pdf import render_pdf

    return render_pdf(sectioned_html(report, "paper"))


def sectioned_html(report: SectionedReport, medium: Medium) -> str:
    """Return the page for a browser, or the source of the PDF."""
    return page("report/sectioned.html.j2", report, medium)


def sectioned_markdown(report: SectionedReport) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    said = [
        f"# {escaped(report.title)}",
        "" if report.banner is None else f"> **{escaped(report.banner)}.**",
        f"**{escaped(report.headline)}**",
        markdown_findings(report.findings),
        *(words for section in report.sections for words in _section(section)),
        f"Written by {escaped(report.author)}, {report.date}.",
    ]
    return "\n\n".join(filter(None, said)) + "\n"


def _section(section: Section) -> Iterator[str]:
    if section.heading is not None:
        yield f"## {escaped(section.heading)}"
    for part in section.parts:
        if isinstance(part, Table):
            yield markdown_table(part)
        elif isinstance(part, Figure):
            if text := part.chart.text():
                yield f"**{escaped(part.caption)}**\n\n{code_block(text)}"
        elif isinstance(part, Command):
            yield code_block(part.text)
        else:
            yield escaped(part.text)

"""A Document as GitHub-flavoured Markdown: what fits into a pull request or a wiki."""

from __future__ import annotations

from collections.abc import Iterable

from tco.report.document import Document
from tco.report.front import KeyFigure
from tco.report.markdown_text import code_block, escaped, markdown_findings, markdown_table
from tco.report.table import Column, Table, row
from tco.report.text_bars import draw_text_bars, text_bars
from tco.report.tune_markdown import ladder_markdown
from tco.report.tuned import TunedSection


def render_markdown(document: Document) -> str:
    """Return the page: answer, key figures, chart, alternatives, cost lines, findings, origin."""
    chart = draw_text_bars(text_bars(document.curve))
    said = (
        f"# {escaped(document.title)}",
        "" if document.banner is None else f"> **{escaped(document.banner)}.**",
        f"**{escaped(document.headline)}**",
        *(
            escaped(words)
            for words in (document.basis, document.rival, document.certainty)
            if words
        ),
        markdown_table(_figures(document.key_figures)),
        *(escaped(words) for words in (document.stress, document.rate) if words),
        f"**{escaped(document.curve_caption)}**\n\n{code_block(chart)}",
        f"Not included: {escaped(document.not_included)}",
        markdown_findings(document.findings),
        "## Alternatives" if document.prices.rows else "",
        markdown_table(document.prices) if document.prices.rows else "",
        *map(markdown_table, document.against),
        "" if document.exchange is None else markdown_table(document.exchange),
        "## Own cost",
        markdown_table(document.parts),
        *_tuned(document.tuned),
        "## Further findings" if document.notes else "",
        markdown_findings(document.notes),
        "## Where this comes from",
        markdown_table(document.sources),
        markdown_table(document.files),
        f"Written by {escaped(document.author)}, {document.date}.",
    )
    return "\n\n".join(filter(None, said)) + "\n"


def _figures(figures: Iterable[KeyFigure]) -> Table:
    columns = (Column("Key figure"), Column("Value", numeric=True), Column("Note"))
    rows = tuple(
        row(each.label, f"{each.value} ({each.also})" if each.also else each.value, each.note)
        for each in figures
    )
    return Table("Key figures", columns, rows)


def _tuned(section: TunedSection | None) -> tuple[str, ...]:
    """Return the section on the tuning, a block each."""
    if section is None:
        return ()
    head = ("## Tuning", escaped(section.words))
    if section.ladder is None:
        return head
    ladder = section.ladder
    return (*head, markdown_findings(ladder.findings), *ladder_markdown(ladder))

"""A TuneDocument as GitHub-flavoured Markdown: alone, and within the report of a scenario."""

from __future__ import annotations

from tco.report.markdown_text import code_block, escaped, markdown_findings, markdown_table
from tco.report.tune_chart import text_tune_bars
from tco.report.tune_document import TuneDocument


def tuning_markdown(document: TuneDocument) -> str:
    """Return the report of a tuning."""
    said = [
        f"# {escaped(document.title)}",
        "" if document.banner is None else f"> **{escaped(document.banner)}.**",
        f"**{escaped(document.headline)}**",
        *ladder_markdown(document),
        "## The best settings",
        escaped(document.best_words),
        code_block(document.serve),
        "## Findings" if document.findings else "",
        markdown_findings(document.findings),
        markdown_table(document.provenance),
        f"Written by {escaped(document.author)}, {document.date}.",
    ]
    return "\n\n".join(filter(None, said)) + "\n"


def ladder_markdown(document: TuneDocument) -> tuple[str, ...]:
    """Return the blocks of the ladder: table, chart, and why each step was decided so."""
    return (
        markdown_table(document.ladder),
        escaped(document.basis),
        f"**{escaped(document.chart_caption)}**",
        *(code_block(text_tune_bars(each)) for each in document.charts),
        markdown_table(document.reasons) if document.reasons.rows else "",
    )

"""The report of one ladder on several traffics."""

import re

import pypdf
import pytest

from tco.report.sectioned import sectioned_html
from tco.report.shapes_document import compose_shapes, render_shapes, shapes_headline
from tco.report.table import Table
from tests.report.shapes_samples import shapes


def squeezed(text):
    return re.sub(r"\s", "", text.replace("\u00ad", "").replace("−", "-"))


def test_every_format_carries_every_cell(tmp_path):
    pdf, html, markdown = render_shapes(shapes(), tmp_path)
    report = compose_shapes(shapes())
    tables = [part for each in report.sections for part in each.parts if isinstance(part, Table)]
    cells = [cell.text for table in tables for row in table.rows for cell in row.cells]
    assert any(cell.startswith("worse: −10.0") for cell in cells)
    texts = (
        "".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages),
        re.sub(r"<[^>]*>", "", html.read_text("utf-8")).replace("&#39;", "'"),
        markdown.read_text("utf-8").replace("\\", "").replace("\u200b", ""),
    )
    for text in texts:
        for said in (report.headline, "vllm serve code", *cells):
            assert squeezed(said) in squeezed(text)


@pytest.mark.parametrize(
    ("winner", "said"),
    [
        ("changes", "follow the traffic: each one's are worse"),
        ("same", "The same settings are best"),
        ("undecided", "not shown"),
        ("not_reached", "not measured yet"),
    ],
)
def test_the_headline_says_whether_the_winner_changes(winner, said):
    assert said in shapes_headline(shapes(winner))


def test_what_is_unfinished_says_so_and_a_name_is_text():
    report = compose_shapes(shapes(is_complete=False, names=("<script>x</script>", "code")))
    page = sectioned_html(report, "screen")
    assert "Unfinished" in page
    assert "<script" not in page

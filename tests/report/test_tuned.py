"""The section on the tuning that a scenario's settings come from."""

import io
import re

import pypdf
import pytest
from axe_playwright_python.sync_playwright import Axe
from markdown_it import MarkdownIt

from tco.report.document import compose
from tco.report.html import render_html
from tco.report.markdown import render_markdown
from tco.report.pdf import render_pdf
from tco.report.render import render
from tco.report.tune_document import compose_tuning
from tco.report.tuned import tuned_section
from tco.tuned_record import TunedRecord
from tests.report.tune_samples import MIXED, NASTY, NUMERIC, squeezed, step, tuning

GIVEN = tuning(*MIXED, is_complete=False, findings=(NUMERIC,))
RECORD = TunedRecord("tune/tune.json", GIVEN, "vllm 0.32.0")


@pytest.fixture
def document(make_comparison, scenario, searched):
    def make(record):
        return compose(make_comparison(), scenario, searched, tuned=record)

    return make


def test_every_format_carries_the_ladder_its_chart_and_its_findings(document):
    made = document(RECORD)
    ladder = compose_tuning(GIVEN, engine="vllm 0.32.0", record="tune/tune.json")
    assert made.tuned.ladder == ladder
    cells = [
        cell.text for table in (ladder.ladder, ladder.reasons) for row in table.rows
        for cell in row.cells
    ]  # fmt: skip
    page = render_html(made, "screen")
    pdf = pypdf.PdfReader(io.BytesIO(render_pdf(render_html(made, "paper"))))
    texts = (
        "".join(sheet.extract_text() for sheet in pdf.pages),
        re.sub(r"<[^>]*>", "", page).replace("&#39;", "'"),
        render_markdown(made).replace("\\", "").replace("\u200b", ""),
    )
    for text in texts:
        for said in (ladder.headline, ladder.banner, NUMERIC.message, *cells):
            assert squeezed(said) in squeezed(text)
    assert ladder.charts[0].description in page.replace("&#39;", "'")
    assert "1,250, kept" in texts[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_the_section_and_axe_finds_nothing(page, tmp_path, document, scheme):
    file = tmp_path / "report.html"
    file.write_text(render_html(document(RECORD), "screen"), encoding="utf-8")
    page.set_viewport_size({"width": 400, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(file.as_uri())
    assert [each["id"] for each in Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.locator("table.ladder").count() == 1


def test_a_scenario_that_names_no_record_has_no_section(document):
    made = document(None)
    assert made.tuned is None
    assert "<h2>Tuning</h2>" not in render_html(made, "screen")
    assert "## Tuning" not in render_markdown(made)


def test_without_a_ladder_the_section_says_which_file_and_why(document):
    made = document(TunedRecord(NASTY, why="is not there"))
    page, markdown = render_html(made, "screen"), render_markdown(made)
    for text in (page, markdown):
        assert "Tuning" in text
        assert "is not there." in text
    assert not re.search(r"<(script|link|iframe|object)\b", page)
    tokens = MarkdownIt("commonmark").enable(["table"]).parse(markdown)
    assert not any(token.type == "html_block" for token in tokens)


def test_a_long_place_is_cut():
    assert len(tuned_section(TunedRecord("x" * 10_000, why="is not there")).words) < 300


def test_any_number_of_steps_is_drawn(document):
    many = tuning(*(step(n) for n in range(1, 40)))
    page = render_html(document(TunedRecord("t.json", many)), "screen")
    assert page.count("Bar chart of output tokens per second by step") == 2


def test_the_same_record_gives_the_same_bytes(make_comparison, scenario, searched, tmp_path):
    def files(name):
        return [
            path.read_bytes()
            for path in render(
                make_comparison(), scenario, searched, formats=("pdf", "html", "md"),
                out_dir=tmp_path / name, tuned=RECORD,
            )
        ]  # fmt: skip

    assert files("one") == files("two")

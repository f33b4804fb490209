"""The report of a search, read by other people's readers."""

import re

import pypdf
import pytest
from markdown_it import MarkdownIt

from tco.report.search_document import compose_search, render_search
from tco.report.sectioned import Words, sectioned_html, sectioned_markdown
from tco.report.table import Table
from tco.tuning import TuneQuality
from tests.report.search_samples import OWN, confirmed, search, trial

NASTY = "<script>alert(1)</script> | `x` [y](http://z) @team"


def squeezed(text):
    return re.sub(r"\s", "", text.replace("\u00ad", "").replace("−", "-"))


def tables(report):
    return [part for each in report.sections for part in each.parts if isinstance(part, Table)]


def test_every_format_carries_every_cell(tmp_path):
    pdf, html, markdown = render_search(confirmed(), tmp_path, engine="vllm 0.32.0")
    assert [path.name for path in (pdf, html, markdown)] == [
        "search.pdf", "search.html", "search.md",
    ]  # fmt: skip
    report = compose_search(confirmed(), engine="vllm 0.32.0")
    cells = [cell.text for table in tables(report) for row in table.rows for cell in row.cells]
    assert "the engine did not start: CUDA out of memory" in cells
    assert "this engine takes no --async-scheduling" in cells
    texts = (
        "".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages),
        re.sub(r"<[^>]*>", "", html.read_text("utf-8")).replace("&#39;", "'"),
        markdown.read_text("utf-8").replace("\\", "").replace("\u200b", ""),
    )
    for text in texts:
        for said in (report.headline, confirmed().best.serve, *cells):
            assert squeezed(said) in squeezed(text)


def test_the_pdf_is_tagged_and_two_renders_are_the_same_bytes(tmp_path):
    (tmp_path / "again").mkdir()
    files = render_search(confirmed(), tmp_path)
    again = render_search(confirmed(), tmp_path / "again")
    assert [f.read_bytes() for f in files] == [f.read_bytes() for f in again]
    assert pypdf.PdfReader(files[0]).trailer["/Root"]["/MarkInfo"]["/Marked"]


@pytest.mark.parametrize(
    ("given", "banner", "said"),
    [
        (search(), None, "Nothing was measured yet."),
        (search(trial(1, failure="no")), None, "Every trial failed"),
        (
            search(trial(1, usd=3.0), is_complete=False, stopped="the time was up"),
            "Unfinished search",
            "not confirmed",
        ),
    ],
)
def test_a_search_without_a_result_says_so_and_is_still_a_whole_report(given, banner, said):
    report = compose_search(given)
    assert report.banner == banner
    assert said in report.headline
    for text in (sectioned_html(report, "screen"), sectioned_markdown(report)):
        assert given.best.serve in text
        assert banner is None or banner in text


def test_what_was_not_confirmed_is_not_called_so():
    report = compose_search(confirmed("reverted", "no gain shown", 1.01))
    (found,) = (table for table in tables(report) if table.layout == "found")
    assert [row.cells[0].text for row in found.rows] == ["Own", "Best found"]
    assert not any(row.strong for row in found.rows)
    assert "With the scenario's own settings" in sectioned_markdown(report)


def test_rows_of_the_result_are_the_starts_in_the_middle_of_the_turns():
    (found,) = (t for t in tables(compose_search(confirmed())) if t.layout == "found")
    assert [row.cells[3].text for row in found.rows] == ["$3.05", "$2.03"]


def test_the_answers_stand_beside_the_gain_and_what_is_not_used_beside_what_is():
    good = TuneQuality(passes=True, why="as before", mean_logprob_drift=0.01,
                       worst_logprob_drift=0.1, greedy_token_agreement=0.9)  # fmt: skip
    kept = confirmed()
    held = kept.confirmation.model_copy(update={"numerics": ("dtype",), "quality": good})
    drop = TuneQuality(passes=False, why="other answers")
    blocked = held.model_copy(
        update={"trial": 6, "best_trial": 6, "decision": "reverted", "is_blocked": True,
                "quality": drop}
    )  # fmt: skip
    report = compose_search(kept.model_copy(update={"confirmation": held, "blocked": blocked}))
    said = [part.text for part in report.sections[0].parts if isinstance(part, Words)]
    assert said[0] == "Trial 6, not used: dtype may change what the model answers; quality drops."
    assert said[1].startswith("Trial 8, kept: dtype may change what the model answers; quality h")
    assert "0.01 nats a token, 0.1 at worst" in said[1]
    (found,) = (table for table in tables(report) if table.layout == "found")
    assert [row.cells[0].text for row in found.rows] == [
        "Own", "Best, confirmed", "Best found, not used",
    ]  # fmt: skip


def test_the_saving_names_whom_it_is_against():
    assert "The saving is against Hosted." in sectioned_markdown(
        compose_search(confirmed(alternative="Hosted"))
    )


def test_any_setting_and_reason_is_text():
    report = compose_search(
        search(trial(1, usd=2.0, settings=OWN | {NASTY: NASTY}), trial(2, failure=NASTY))
    )
    assert not re.search(r"<(script|link|iframe|object)\b", sectioned_html(report, "screen"))
    tokens = MarkdownIt("commonmark").enable(["table"]).parse(sectioned_markdown(report))
    inline = {child.type for token in tokens for child in token.children or ()}
    assert inline <= {"text", "strong_open", "strong_close", "softbreak"}

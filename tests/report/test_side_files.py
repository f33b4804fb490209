"""The files of several scenarios, read by other people's readers."""

import csv
import io
import json
import re

import jsonschema
import pypdf
import pytest
from markdown_it import MarkdownIt

from tco.finding import Finding
from tco.report.findings import findings
from tco.report.pdf import render_pdf
from tco.report.side_chart import draw_side_bars, side_bars, text_side_bars
from tco.report.side_document import compose_sides, side_headline
from tco.report.side_files import render_sides, sides_csv, sides_html, sides_markdown
from tco.schemas import schema
from tco.side_by_side import Attribution, DifferingInput, InputValue, Side, SideBySide, Step

NASTY = "<script>alert(1)</script> | `x` [y](http://z) @team"


def made(make_comparison, make_rival, *, name="B", saving=0.2, **changes):
    other = make_comparison(alternatives=(make_rival(saving=saving),))
    sides = (
        Side(label="A", file="a.yaml", measurement_file=None, comparison=make_comparison()),
        Side(label=name, file="b.yaml", measurement_file="m.json", comparison=other),
    )
    step = Step(
        keys=("power.pue",),
        against="Together Nemotron",
        saving=0.3,
        saving_change=-0.1333,
        saving_usd_per_year=30_000.0,
        saving_usd_per_year_change=-18_533.0,
    )
    values = {
        "tool_version": "0.1.0",
        "sides": sides,
        "inputs": (
            DifferingInput(
                key="power.pue",
                values=(InputValue(value=1.3), InputValue(value=1.1, low=1.05, high=1.2)),
            ),
        ),
        "equal_inputs": 41,
        "same_request": True,
        "same_volume": True,
        "attributions": (
            Attribution(
                scenario=1,
                steps=(step,),
                changes_nothing=("date",),
                not_alone=(),
                saving_change=-0.2333,
                sum_of_changes=-0.1333,
            ),
        ),
    }
    return SideBySide.model_validate(values | changes)


@pytest.fixture
def found(make_comparison, make_rival):
    return made(make_comparison, make_rival)


@pytest.fixture
def said(found, measurement):
    return [findings(side.comparison, measurement) for side in found.sides]


def cells(document):
    tables = (document.scenarios, document.answers, document.inputs, *document.steps)
    return [cell.text for table in tables for row in table.rows for cell in row.cells]


def squeezed(text):
    return re.sub(r"\s", "", text.replace("\u00ad", "").replace("−", "-"))


def test_every_format_carries_every_figure_of_the_tables(found, said, tmp_path):
    formats = ("pdf", "html", "md", "json", "csv")
    paths = render_sides(found, said, formats=formats, out_dir=tmp_path / "out")
    assert [path.suffix for path in paths] == [f".{name}" for name in formats]
    document = compose_sides(found, said)
    pdf = "".join(page.extract_text() for page in pypdf.PdfReader(paths[0]).pages)
    html = re.sub(r"<[^>]*>", "", paths[1].read_text("utf-8")).replace("&#39;", "'")
    markdown = paths[2].read_text("utf-8").replace("\\", "")
    for text in (pdf, html, markdown):
        page = squeezed(text)
        for figure in (document.headline, document.inputs_words, *cells(document)):
            assert squeezed(figure) in page
    jsonschema.validate(json.loads(paths[3].read_text("utf-8")), schema("side_by_side"))


def test_two_renders_are_the_same_bytes(found, said, tmp_path):
    formats = ("pdf", "html", "md", "json", "csv")
    one, two = (
        [path.read_bytes() for path in render_sides(found, said, formats=formats, out_dir=folder)]
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two


def test_the_page_refers_to_nothing_outside_and_any_name_is_text(
    make_comparison, make_rival, measurement
):
    nasty = made(make_comparison, make_rival, name=NASTY)
    said = [findings(side.comparison, measurement) for side in nasty.sides]
    document = compose_sides(nasty, said)
    page = sides_html(document, "screen")
    assert not re.search(r"<(script|link|iframe|object)\b", page)
    assert "default-src 'none'" in page
    tokens = MarkdownIt("commonmark").enable(["table"]).parse(sides_markdown(document))
    inline = {child.type for token in tokens for child in token.children or ()}
    assert inline <= {"text", "strong_open", "strong_close"}
    assert not any(token.type == "html_block" for token in tokens)


def test_the_step_table_begins_with_the_first_and_ends_with_the_other(found, said):
    (table,) = compose_sides(found, said).steps
    titles = [row.cells[0].text for row in table.rows]
    assert titles == ["Nothing: as A", "power.pue", "All together: as B"]
    assert [row.cells[2].text for row in table.rows][1:] == [
        "\u221213.3\u00a0points",
        "\u221223.3\u00a0points",
    ]


def test_that_steps_do_not_add_up_is_said_with_both_sums(found, said):
    (note,) = compose_sides(found, said).step_notes
    assert "the steps sum to \u221213.3\u00a0points, all together make \u221223.3" in note
    assert "changing no saving by themselves: date" in note


def test_requests_or_volumes_that_differ_are_said_first(make_comparison, make_rival, measurement):
    other = made(make_comparison, make_rival, same_request=False, same_volume=False)
    said = [findings(side.comparison, measurement) for side in other.sides]
    notes = compose_sides(other, said).notes
    assert notes[0].startswith("The requests differ")
    assert "different numbers of requests" in notes[1]


def test_a_row_that_cannot_be_compared_says_so_in_its_title(
    make_comparison, make_rival, measurement
):
    def titles(**same):
        found = made(make_comparison, make_rival, **same)
        said = [findings(side.comparison, measurement) for side in found.sides]
        document = compose_sides(found, said)
        return [row.cells[0].text for row in document.answers.rows], document.steps

    alike, _ = titles()
    assert not any("different" in title for title in alike)
    other, steps = titles(same_request=False, same_volume=False)
    marked = {title.partition(" (different")[0] for title in other if "(different" in title}
    assert marked == {
        title for title in alike if "USD" in title or title == "Break-even requests a month"
    }
    assert all("different volumes" in table.columns[3].title for table in steps)


def test_a_bar_is_the_own_cost_as_a_share_of_the_apis(make_comparison, make_rival):
    sides = made(make_comparison, make_rival).sides
    chart = side_bars([("A", sides[0]), ("B", sides[1])])
    own = sides[0].comparison.self_host.usd_per_million_output
    api = sides[0].comparison.alternatives[0].usd_per_million_output
    assert sum(chart.bars[0].parts) == pytest.approx(own / api)
    assert "saves 20\u00a0%" in draw_side_bars(chart)
    lines = text_side_bars(chart).splitlines()
    assert len(lines) == 3
    assert all("┃" in line for line in lines)


def test_without_a_saving_the_bar_says_so(make_comparison, make_rival):
    none = make_rival(saving=None, saving_reason="zero_price", usd_per_million_output=0.0)
    free = make_comparison(alternatives=(none,))
    side = Side(label="free", file="f", measurement_file=None, comparison=free)
    chart = side_bars([("A", side)])
    assert chart.bars[0].parts == ()
    assert "no saving to state" in draw_side_bars(chart)


def test_the_csv_holds_figures_inputs_and_steps_of_each(found):
    rows = list(csv.DictReader(io.StringIO(sides_csv(found), newline="")))
    assert {row["scenario"] for row in rows} == {"A", "B"}
    inputs = [(row["scenario"], row["value"]) for row in rows if row["section"] == "inputs"]
    assert inputs == [("A", "1.3"), ("B", "1.1")]
    (step, _) = [row for row in rows if row["section"] == "steps"]
    assert (step["scenario"], step["value"], step["reason"]) == ("B", "-0.1333", "power.pue")


def test_many_inputs_run_over_pages_and_leave_none_empty(make_comparison, make_rival, measurement):
    many = tuple(
        DifferingInput(
            key=f"engine.launch.args.flag-{place}",
            values=(InputValue(value="yes"), InputValue(value="no")),
        )
        for place in range(90)
    )
    found = made(make_comparison, make_rival, inputs=many)
    document = compose_sides(
        found, [findings(side.comparison, measurement) for side in found.sides]
    )
    pages = pypdf.PdfReader(io.BytesIO(render_pdf(sides_html(document, "paper")))).pages
    begun = next(page for page in pages if "What differs in the inputs" in page.extract_text())
    assert "flag-0" in begun.extract_text().replace("\n", "")
    assert all(len(page.extract_text()) > 300 for page in pages)


def test_one_dear_scenario_leaves_the_others_their_bars(make_comparison, make_rival):
    sides = [*made(make_comparison, make_rival).sides]
    near = side_bars([("A", sides[0])])
    dear = make_comparison(
        alternatives=(make_rival(saving=-999.0, usd_per_million_output=0.00028),)
    )
    far = Side(label="dear", file="d", measurement_file=None, comparison=dear)
    both = side_bars([("A", sides[0]), ("B", far)])
    assert both.most == near.most
    assert both.bars[1].words == "costs 1,000 times as much"
    assert draw_side_bars(both).count("stroke:#fffffe") == 2
    assert "»" in text_side_bars(both).splitlines()[1]


def test_the_headline_begins_with_which_measurement_is_invalid(found, said):
    bad = Finding(kind="not_steady", severity="invalid", path="p", message="m", advice="a")
    first, other = found.sides
    worse = other.comparison.model_copy(update={"findings": (bad,)})
    sides = (first, other.model_copy(update={"comparison": worse}))
    spoilt = found.model_copy(update={"sides": sides})
    headline = compose_sides(spoilt, said).headline
    assert headline.startswith("Invalid measurement (B): its figures must not be used. Own hardw")
    assert side_headline(sides[1]).startswith("Invalid measurement: its figures must not be used.")
    assert side_headline(first).startswith("Own hardware saves")


def test_without_an_alternative_the_interval_says_so(make_comparison, make_rival, measurement):
    alone = Side(
        label="B", file="b", measurement_file=None, comparison=make_comparison(alternatives=())
    )
    found = made(make_comparison, make_rival)
    found = found.model_copy(update={"sides": (found.sides[0], alone)})
    document = compose_sides(
        found, [findings(side.comparison, measurement) for side in found.sides]
    )
    (interval,) = [
        row.cells[2].text
        for row in document.answers.rows
        if row.cells[0].text == "Interval of the saving"
    ]
    assert interval == "none: no alternative is named"

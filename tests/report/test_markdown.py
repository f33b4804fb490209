"""The report as Markdown: the figures of the other files, and no more than a pull request holds."""

import pytest
from markdown_it import MarkdownIt

from tco.report.document import compose
from tco.report.markdown import render_markdown
from tco.report.markdown_text import ZERO_WIDTH_SPACE
from tco.report.text_bars import TextBar, draw_text_bars, text_bars

NASTY = "[x](http://evil) | `y` <img src=x onerror=alert(1)> @team **bold** #1\n\n# Heading\n```"


@pytest.fixture(scope="session")
def page(comparison, scenario, measurement):
    return render_markdown(compose(comparison, scenario, measurement))


def parsed(page):
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page)


def words(page):
    inline = [child for token in parsed(page) for child in token.children or ()]
    return " ".join(child.content for child in inline).replace(ZERO_WIDTH_SPACE, "")


def test_it_has_the_headline_and_every_figure_of_its_tables(
    page, comparison, scenario, measurement
):
    document = compose(comparison, scenario, measurement)
    said = words(page)
    assert document.headline in said
    tables = (document.parts, document.prices, *document.against, document.files)
    cells = [cell.text for table in tables for row in table.rows for cell in row.cells]
    for figure in (*(each.value for each in document.key_figures), *cells):
        assert figure in said
    for finding in document.findings:
        assert finding.message in said


def test_every_table_is_a_table(page):
    tables = [token for token in parsed(page) if token.type == "table_open"]
    assert len(tables) == 6


@pytest.mark.parametrize("name", [NASTY, "x" * 5000, "日本語 | 😀", "\x1b[31m\u202e"])
def test_no_name_makes_anything_but_text(
    name, make_comparison, make_rival, make_scenario, measurement
):
    plain = render_markdown(
        compose(
            make_comparison(name="n", alternatives=(make_rival(name="n"),)),
            make_scenario(name="n"),
            measurement,
        )
    )
    nasty = render_markdown(
        compose(
            make_comparison(name=name, alternatives=(make_rival(name=name),)),
            make_scenario(name=name),
            measurement,
        )
    )
    kinds = [token.type for token in parsed(plain)]
    assert [token.type for token in parsed(nasty)] == kinds
    inline = {child.type for token in parsed(nasty) for child in token.children or ()}
    assert inline <= {"text", "strong_open", "strong_close"}


def test_the_bars_are_sorted_and_as_long_as_their_costs(comparison, scenario, measurement):
    curve = compose(comparison, scenario, measurement).curve
    bars = text_bars(curve)
    assert [bar.usd_per_million for bar in bars] == sorted(
        (bar.usd_per_million for bar in bars), reverse=True
    )
    assert sum("as here" in bar.label for bar in bars) == 1
    lines = draw_text_bars(bars).splitlines()
    longest, *others = (line.count("█") + line.count("░") for line in lines)
    top = bars[0].usd_per_million
    for bar, cells in zip(bars[1:], others, strict=True):
        assert cells == pytest.approx(bar.usd_per_million / top * longest, abs=0.51)
    assert all(len(line) <= 80 for line in lines)


def test_a_cost_of_nothing_has_no_bar_and_any_other_has_one():
    bars = (TextBar("dear", 90.0, own=False), TextBar("tiny", 1e-6, own=True),
            TextBar("nothing", 0.0, own=True))  # fmt: skip
    dear, tiny, nothing = draw_text_bars(bars).splitlines()
    assert dear.count("░") == 30
    assert tiny.count("█") == 1
    assert nothing == "nothing  $0"


def test_without_an_alternative_no_empty_table_stands(make_comparison, scenario, measurement):
    alone = render_markdown(compose(make_comparison(alternatives=()), scenario, measurement))
    assert "## Alternatives" not in alone
    assert "## Own cost" in alone


def test_two_renders_are_the_same(page, comparison, scenario, measurement):
    assert render_markdown(compose(comparison, scenario, measurement)) == page

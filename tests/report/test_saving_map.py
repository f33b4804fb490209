"""The map of the saving: a table whose shaded cells hold the numbers."""

import re

from tco.comparison import SavingMap
from tco.report.document import compose
from tco.report.html import render_html
from tco.report.saving_map import heat_map, no_map_words

FOUND = SavingMap(
    alternative="Together <Nemotron>",
    along="utilisation",
    along_values=(0.1, 0.6, 1.0),
    along_stated=0.6,
    api_price_changes_per_year=(-0.3, 0.0),
    api_price_change_stated=0.0,
    levelised_saving=((-2.5, -0.1, 0.2), (-1.0, 0.41, None)),
)


def test_the_cells_hold_the_savings_with_the_highest_prices_first(make_comparison):
    found = heat_map(make_comparison(saving_map=FOUND))
    texts = [[cell.text.replace("\u00a0", " ") for cell in row.cells] for row in found.rows]
    assert texts == [
        ["\u2212100.0 %", "41.0 %", "none"],
        ["\u2212250.0 %", "\u221210.0 %", "20.0 %"],
    ]
    assert [row.title.replace("\u00a0", " ") for row in found.rows] == ["0 %", "\u221230 %"]
    assert [[cell.is_stated for cell in row.cells] for row in found.rows] == [
        [False, True, False],
        [False, False, False],
    ]


def test_a_line_parts_what_saves_from_what_does_not(make_comparison):
    found = heat_map(make_comparison(saving_map=FOUND))
    assert [[cell.ends_right for cell in row.cells] for row in found.rows] == [
        [True, True, False],
        [False, True, False],
    ]
    assert [[cell.ends_below for cell in row.cells] for row in found.rows] == [
        [False, True, True],
        [False, False, False],
    ]


def test_a_greater_saving_or_loss_has_more_colour(make_comparison):
    first, second = heat_map(make_comparison(saving_map=FOUND)).rows
    assert first.cells[2].tint < second.cells[1].tint < second.cells[2].tint < first.cells[1].tint
    assert first.cells[0].tint == second.cells[0].tint  # beyond the whole bill no deeper


def test_screen_and_paper_have_it_as_a_table_with_heads(make_comparison, scenario, measurement):
    document = compose(make_comparison(saving_map=FOUND), scenario, measurement)
    for medium in ("screen", "paper"):
        page = render_html(document, medium)
        table = page[page.index('<table class="map">') :].partition("</table>")[0]
        assert "<caption>Levelised saving against Together &lt;Nemotron&gt;" in table
        assert table.count('scope="row"') == 2
        assert table.count('scope="col"') == 1 + len(FOUND.along_values)
        assert len(re.findall("<td", table)) == 6
        assert table.count("<strong>") == 1


def test_no_map_has_its_reason_in_words(make_comparison):
    comparison = make_comparison(saving_map_reason="within_first_year")
    assert heat_map(comparison) is None
    assert no_map_words(comparison).startswith("No map of the saving is drawn: API prices change")
    assert no_map_words(make_comparison(saving_map=FOUND)) is None

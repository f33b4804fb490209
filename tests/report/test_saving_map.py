"""The map of the saving, before and after a cell is drawn."""

from tco.comparison import SavingMap
from tco.report.saving_map import map_caption, map_chart, no_map_words
from tco.report.saving_map_chart import draw_map

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
    chart = map_chart(make_comparison(saving_map=FOUND))
    texts = [[cell.text.replace("\u00a0", " ") for cell in row] for row in chart.rows]
    assert texts == [["\u2212100 %", "41 %", "none"], ["\u2212250 %", "\u221210 %", "20 %"]]
    assert [each.replace("\u00a0", " ") for each in chart.up] == ["0 %", "\u221230 %"]
    assert [[cell.is_stated for cell in row] for row in chart.rows] == [
        [False, True, False],
        [False, False, False],
    ]


def test_its_words_hold_every_cell(make_comparison):
    chart = map_chart(make_comparison(saving_map=FOUND))
    for row in chart.rows:
        for cell in row:
            assert cell.text in chart.description


def test_a_thick_line_parts_what_saves_from_what_does_not(make_comparison):
    svg = draw_map(map_chart(make_comparison(saving_map=FOUND)))
    assert svg == draw_map(map_chart(make_comparison(saving_map=FOUND)))
    same = FOUND.model_copy(update={"levelised_saving": ((0.1, 0.2, 0.3), (0.2, 0.3, 0.4))})
    plain = draw_map(map_chart(make_comparison(saving_map=same)))
    # The one in the key, and five borders.
    assert plain.count('stroke-width:2"') == 1
    assert svg.count('stroke-width:2"') == 6


def test_no_map_has_its_reason_in_words(make_comparison):
    comparison = make_comparison(saving_map_reason="within_first_year")
    assert map_chart(comparison) is None
    assert map_caption(comparison) is None
    assert no_map_words(comparison).startswith("No map of the saving is drawn: API prices change")
    assert no_map_words(make_comparison(saving_map=FOUND)) is None

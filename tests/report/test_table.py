"""Cells and rows of finished strings."""

import pytest

from tco.report.table import Cell, pairs_table, row


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("operations.fte", ("operations.fte",)),
        (
            "operations.maintenance_share",
            ("operations.", "maintenance_", "share"),
        ),
        ("1,234,567.89 USD per million", ("1,234,567.89 USD per million",)),
        ("https://example.com/offer/a", ("https://example.", "com/", "offer/", "a")),
    ],
)
def test_a_long_word_may_end_a_line_after_its_joints_and_a_number_may_not(text, pieces):
    assert Cell(text).pieces == pieces
    assert "".join(Cell(text).pieces) == text


def test_only_a_whole_digest_is_set_as_one():
    assert Cell("0a" * 32).is_digest
    assert not Cell("0a" * 31).is_digest


def test_facts_two_to_a_row_read_down_the_left_half_first():
    table = pairs_table("odd", [("a", "1"), ("b", "2"), ("c", "3")])
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["a", "1", "c", "3"],
        ["b", "2", "", ""],
    ]


def test_a_cell_that_would_fill_a_page_is_cut_and_says_so():
    (cell,) = row("word " * 400).cells
    assert cell.text.endswith("… (cut; 1,999 letters in all)")
    assert len(cell.text) < 940
    assert row("word " * 100).cells[0].text == ("word " * 100).strip()

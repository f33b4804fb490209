"""What a cell holds: no formula, and no more than a spreadsheet takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.spreadsheet_text import as_text, cut_to_cell

MOST_UNITS = 32_767


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(st.text(alphabet=st.sampled_from("a é日😀\ud800"), max_size=6), st.integers(1, 20_000))
def test_no_cell_is_longer_than_excels_and_one_that_fits_is_whole(text, times):
    long = text * times
    cell = cut_to_cell(long)
    assert units(as_text(cell)) <= MOST_UNITS
    assert (cell == long) == (units(long) <= MOST_UNITS)


@pytest.mark.parametrize("letter", ["x", "日", "😀"])
def test_a_cut_text_says_so_and_keeps_its_beginning(letter):
    cell = cut_to_cell(letter * 40_000)
    assert cell.endswith("… (cut: 40000 characters)")
    assert set(cell.partition("…")[0]) == {letter}
    assert units(cell) > 32_000

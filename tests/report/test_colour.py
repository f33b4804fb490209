"""A colour can be read where its contrast says so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.report.colour import DARK_PAPER, contrast, readable_on

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000000", "#ffffff", 21), ("#777777", "#ffffff", 4.478), ("#0b5cad", "#0b5cad", 1)],
)
def test_the_ratio_is_that_of_the_standard(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=0.001)
    assert contrast(other, one) == contrast(one, other)


@given(COLOURS)
def test_any_colour_is_made_readable_on_a_dark_page(colour):
    assert contrast(readable_on(colour, DARK_PAPER, 4.5), DARK_PAPER) >= 4.5


@given(COLOURS)
def test_a_colour_that_is_readable_stays(colour):
    if contrast(colour, DARK_PAPER) >= 4.5:
        assert readable_on(colour, DARK_PAPER, 4.5) == colour

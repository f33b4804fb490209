"""How wide letters are, and how many lines a text takes."""

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from tco.report.letters import line_count, width_em
from tco.resources import data_dir


@pytest.mark.parametrize(("face", "bold"), [("Regular", False), ("SemiBold", True)])
def test_widths_are_those_of_the_fonts_that_the_report_carries(face, bold):
    font = TTFont(data_dir("templates") / "fonts" / f"Inter-{face}.ttf")
    names, advances, size = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    for code in range(32, 127):
        expected = advances[names[code]][0] / size
        assert width_em(chr(code), bold=bold) == pytest.approx(expected, abs=0.0006)


def test_a_letter_of_east_asia_is_a_square_and_an_accent_on_its_own_takes_no_room():
    assert width_em("漢字") == 2
    assert width_em("e\u0301") == width_em("e")


def test_a_text_breaks_at_spaces_and_a_long_word_wherever_it_must():
    assert line_count("", 10) == 0
    assert line_count("漢漢漢 漢漢漢", 5) == 2
    assert line_count("漢漢漢 漢漢漢", 7) == 1
    assert line_count("漢" * 11, 5) == 3


@given(st.text(st.sampled_from("Wil 漢é"), max_size=200), st.floats(2, 60))
def test_no_text_takes_fewer_lines_than_its_words_are_wide(text, wide):
    words = width_em("".join(text.split()))
    assert line_count(text, wide) * wide >= words - 1e-9

"""A drawing in the making."""

import xml.etree.ElementTree as ET

from tco.report.sheet import ACCENT, INK, PAPER, Sheet, width_of


def test_words_from_outside_are_shown_and_do_nothing():
    sheet = Sheet("one", 100)
    sheet.words('</text><script>$x$ & "quoted"', 1, 2)
    root = ET.fromstring(sheet.svg())  # noqa: S314  our own
    assert root[0].text == '</text><script>$x$ & "quoted"'


def test_words_with_a_back_hide_what_lies_under_them():
    sheet = Sheet("one", 100)
    sheet.words("abc", 50, 20, anchor="end", bold=True, backed=True)
    box, words = ET.fromstring(sheet.svg())  # noqa: S314  our own
    assert f"fill:{PAPER}" in box.get("style")
    assert float(box.get("x")) <= 50 - width_of("abc", bold=True)
    assert "font-weight:600" in words.get("style")


def test_marks_of_both_shapes_have_the_same_area_and_middle():
    sheet = Sheet("one", 100)
    sheet.mark("circle", 10, 20, radius=4, edge=INK, fill=PAPER, width=1)
    sheet.mark("square", 10, 20, radius=4, edge=INK, fill=PAPER, width=1)
    circle, square = ET.fromstring(sheet.svg())  # noqa: S314  our own
    side = float(square.get("width"))
    assert abs(side**2 / (3.1416 * float(circle.get("r")) ** 2) - 1) < 0.02
    assert float(square.get("x")) + side / 2 == 10


def test_ids_of_two_sheets_on_one_page_differ():
    def clipped(name):
        sheet = Sheet(name, 100)
        sheet.clip(0, 0, 10, 10)
        sheet.line(((0, 0), (1, 1)), colour=ACCENT, width=1, dashes="2 1")
        sheet.end_clip()
        return sheet.svg()

    assert 'id="one-clip-0"' in clipped("one")
    assert "url(#two-clip-0)" in clipped("two")
    ET.fromstring(clipped("one"))  # noqa: S314  our own

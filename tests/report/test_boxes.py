"""Boxes of a drawing: what touches, what lies within, what a line passes through."""

import pytest

from tco.report.boxes import Box, box_around

BOX = Box(10, 10, 20, 15)


def test_boxes_that_share_an_edge_do_not_overlap():
    assert not BOX.overlaps(Box(20, 10, 30, 15))
    assert BOX.overlaps(Box(19, 14, 30, 30))
    assert BOX.holds(BOX)
    assert not BOX.holds(BOX.wider_by(1))


@pytest.mark.parametrize(
    ("start", "end", "is_crossed"),
    [
        ((0, 0), (30, 60), False),
        ((0, 0), (30, 25), True),
        ((15, 0), (15, 30), True),
        ((9, 0), (9, 30), False),
        ((0, 12), (9, 12), False),
        ((12, 12), (13, 13), True),
        ((0, 12), (30, 12), True),
        ((0, 16), (30, 16), False),
    ],
)
def test_a_line_crosses_where_any_of_it_is_inside(start, end, is_crossed):
    assert BOX.is_crossed(start, end) is is_crossed
    assert BOX.is_crossed(end, start) is is_crossed


def test_a_mark_lies_in_the_middle_of_its_box():
    assert box_around((5, 7), 2) == (3, 5, 7, 9)

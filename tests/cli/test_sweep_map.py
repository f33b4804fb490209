"""A sweep on a terminal: numbers that can be read without colour, and what is left out."""

import io

import numpy as np
from rich.console import Console

from tco.cli.sweep_map import print_map
from tco.report.sweep_figure import Panel, SweepFigure


def shown(figure, width=80):
    out = io.StringIO()
    print_map(figure, Console(file=out, width=width, color_system=None))
    return out.getvalue()


def figure(rows, along, saving, **changes):
    values = {
        "title": "case",
        "along": "along.key",
        "along_values": np.array(along, dtype=float),
        "up": "up.key",
        "up_values": np.array(rows, dtype=float),
        "panels": (Panel("api", np.array(saving, dtype=float)),),
        "left_out": 0,
    }
    return SweepFigure(**values | changes)


def test_a_map_has_the_highest_value_on_top_and_the_numbers_in_its_cells():
    out = shown(figure([1, 2], [0.5, 1], [[-0.25, 0.1], [0.3, np.nan]]))
    lines = [line.split() for line in out.splitlines() if line.strip()]
    assert "up.key up, along.key along" in out
    assert lines[1:] == [["2", "30", "%", "none"], ["1", "-25", "%", "10", "%"], ["0.5", "1"]]


def test_one_number_gives_a_line_a_value_and_a_column_an_alternative():
    panels = (Panel("api", np.array([0.1, 0.2])), Panel("other", np.array([0.3, -2.0])))
    out = shown(figure([0], [1, 2], [], up=None, panels=panels))
    assert out.splitlines()[0] == "case: saving of own hardware"
    lines = [line.split() for line in out.splitlines() if line.strip()]
    assert lines[-2:] == [["1", "10", "%", "30", "%"], ["2", "20", "%", "-200", "%"]]


def test_what_does_not_fit_is_said():
    along = np.linspace(0, 1, 50)
    out = shown(figure([1, 2], along, np.zeros((2, 50)), left_out=3))
    assert max(map(len, out.splitlines())) <= 80
    assert "Not all values are shown" in out
    assert "3 more alternatives" in out

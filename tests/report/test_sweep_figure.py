"""The chart of a sweep: which number goes where, what is drawn, what is refused."""

import io

import numpy as np
import pytest
from PIL import Image

from tco.errors import InputError
from tco.report.sweep_chart import draw_sweep
from tco.report.sweep_figure import MOST_PANELS, sweep_figure


def rows(savings, *, names=("api",)):
    return [
        (y, x, name, savings(x, y))
        for y in (0.1, 0.2, 0.3)
        for x in (0.25, 0.5, 0.75, 1.0)
        for name in names
    ]


def test_of_two_numbers_the_last_goes_along_and_the_first_up():
    figure = sweep_figure("n", ["up", "along"], rows(lambda x, y: x - y))
    assert (figure.along, figure.up) == ("along", "up")
    assert figure.along_values.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert figure.up_values.tolist() == [0.1, 0.2, 0.3]
    assert figure.panels[0].saving[2].tolist() == pytest.approx([-0.05, 0.2, 0.45, 0.7])


def test_values_out_of_order_and_absent_savings_find_their_place():
    figure = sweep_figure("n", ["k"], [(2.0, "a", 0.5), (1.0, "a", None), (3.0, "a", 0.7)])
    assert figure.along_values.tolist() == [1.0, 2.0, 3.0]
    assert np.isnan(figure.panels[0].saving[0])
    assert figure.panels[0].saving[1:].tolist() == [0.5, 0.7]


def test_more_alternatives_than_panels_are_counted():
    names = [f"api {i}" for i in range(MOST_PANELS + 2)]
    figure = sweep_figure("n", ["up", "along"], rows(lambda x, y: x - y, names=names))
    assert len(figure.panels) == MOST_PANELS
    assert figure.left_out == 2
    assert "2 more alternatives not drawn" in draw_sweep(figure, ".svg").decode()


@pytest.mark.parametrize(
    ("keys", "given", "words"),
    [
        (["a", "b", "c"], [(1.0, 1.0, 1.0, "x", 0.1)], "one or two numbers"),
        (["a"], [("annuity", "x", 0.1), ("straight_line", "x", 0.2)], "--vary a has none"),
        (["a"], [(1.0, None, None)], "no alternative"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(keys, given, words):
    with pytest.raises(InputError, match=words):
        sweep_figure("n", keys, given)


@pytest.mark.parametrize("number_of_keys", [1, 2])
def test_a_drawing_is_the_same_bytes_again_and_names_the_break_even(number_of_keys):
    keys = ["up", "along"][-number_of_keys:]
    given = [row[-2 - number_of_keys :] for row in rows(lambda x, y: x - 2 * y)]
    figure = sweep_figure("n", keys, given if number_of_keys == 2 else given[:4] * 1)
    drawing = draw_sweep(figure, ".svg")
    assert drawing == draw_sweep(figure, ".svg")
    assert (b"break-even" in drawing) == (number_of_keys == 2)


def test_a_line_that_crosses_zero_says_near_what():
    figure = sweep_figure("n", ["k"], [(1.0, "a", -0.5), (2.0, "a", 0.5)])
    assert b"a: break-even near 1.5" in draw_sweep(figure, ".svg")


def test_a_png_is_a_picture_with_a_loss_and_a_saving_in_it():
    figure = sweep_figure("n", ["up", "along"], rows(lambda x, _: x - 0.6))
    picture = np.asarray(Image.open(io.BytesIO(draw_sweep(figure, ".png"))).convert("RGB")) / 255
    is_orange = (picture[..., 0] > picture[..., 2] + 0.15).mean()
    is_blue = (picture[..., 2] > picture[..., 0] + 0.15).mean()
    assert is_orange > 0.05
    assert is_blue > 0.05


@pytest.mark.parametrize("savings", [lambda x, _: x, lambda x, _: -x, lambda *_: None])
def test_it_draws_where_nothing_breaks_even_or_nothing_is_there(savings):
    assert draw_sweep(sweep_figure("n", ["up", "along"], rows(savings)), ".svg")

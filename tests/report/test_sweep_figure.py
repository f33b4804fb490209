"""The chart of a sweep: which number goes where, what is drawn, what is refused."""

import io

import numpy as np
import pytest
from PIL import Image

from tco.errors import InputError
from tco.report.saving_colours import SavingColours
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
        (["a", "b", "c"], [(1.0, 1.0, 1.0, "x", 0.1)], "one or two keys"),
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


def pixels(figure):
    return np.asarray(Image.open(io.BytesIO(draw_sweep(figure, ".png"))).convert("RGB")) / 255


def test_losses_of_more_than_the_whole_bill_are_seen_and_told_apart():
    figure = sweep_figure("n", ["k"], [(x, "a", -2.0 - 1 / x) for x in (0.1, 0.5, 1.0)])
    is_blue = pixels(figure)[..., 2] > pixels(figure)[..., 0] + 0.3
    assert is_blue.sum() > 2_000
    colours = SavingColours.of([np.array([[-12.0, -4.0, -3.0]])])
    shades = colours.colour_map()(colours.norm()(np.array([-12.0, -4.0, -3.0, 0.0])))
    assert len({tuple(each) for each in shades.round(2)}) == 4


@pytest.mark.parametrize(
    ("savings", "low", "high", "is_cut"),
    [
        ([-0.5, 0.25], -0.5, 0.25, False),
        ([0.2, 0.4], 0.0, 0.4, False),
        ([-9.0] + [0.1] * 30, -1.0, 0.1, True),
        ([-9.0, -8.0, -7.0], -9.0, 0.0, False),
        ([0.0, 0.0], 0.0, 0.01, False),
        ([np.nan], 0.0, 0.01, False),
    ],
)
def test_the_scale_of_colours_holds_nothing_and_the_savings(savings, low, high, is_cut):
    assert SavingColours.of([np.array(savings)]) == SavingColours(low, high, is_cut)


def test_a_saving_steps_where_a_server_is_added_or_the_figure_jumps():
    savings = [0.1, 0.2, 0.3, -0.5, -0.4, -0.3]
    rows_ = [(float(x), "a", saving, 1.0) for x, saving in enumerate(savings)]
    (panel,) = sweep_figure("n", ["k"], rows_).panels
    assert panel.steps(0).tolist() == [False, False, True, False, False]
    servers = [(float(x), "a", 0.1 * x, 1.0 + (x > 1)) for x in range(4)]
    (panel,) = sweep_figure("n", ["k"], servers).panels
    assert panel.steps(0).tolist() == [False, True, False]
    smooth = [(float(x), "a", 1 - 1 / x) for x in range(1, 9)]
    assert not sweep_figure("n", ["k"], smooth).panels[0].is_stepped()


def test_the_break_even_of_a_step_lies_between_its_neighbours():
    given = [(float(x), "a", saving, servers) for x, saving, servers in
             ((1, 0.1, 1.0), (2, 0.2, 1.0), (3, -0.1, 2.0), (4, 0.1, 2.0))]  # fmt: skip
    drawing = draw_sweep(sweep_figure("n", ["k"], given), ".svg").decode()
    assert "a: break-even between 2 and 3 and near 3.5" in drawing


def test_words_stand_along_an_axis_in_the_order_they_were_given():
    given = [(y, x, "a", 0.1) for y in (2.0, 1.0) for x in ("straight_line", "annuity")]
    figure = sweep_figure("n", ["up", "along"], given)
    assert figure.along_texts() == ("straight_line", "annuity")
    assert figure.up_texts() == ("1", "2")
    drawing = draw_sweep(figure, ".svg").decode()
    assert "straight_line" in drawing


@pytest.mark.parametrize("keys", [["up", "along"], ["along"]])
def test_one_point_and_gaps_are_drawn(keys):
    one = [(1.0, 2.0, "a", -0.4)[2 - len(keys) :]]
    assert draw_sweep(sweep_figure("n", keys, one), ".svg")
    gap = [*one, (1.0, 3.0, "a", None)[2 - len(keys) :]]
    assert draw_sweep(sweep_figure("n", keys, gap), ".svg")


def test_it_says_what_is_hatched():
    figure = sweep_figure("n", ["up", "along"], rows(lambda x, y: x - y if x < 1 else None))
    assert "hatched: no such figure" in draw_sweep(figure, ".svg").decode()


@pytest.mark.parametrize("savings", [lambda x, _: x, lambda x, _: -x, lambda *_: None])
def test_it_draws_where_nothing_breaks_even_or_nothing_is_there(savings):
    assert draw_sweep(sweep_figure("n", ["up", "along"], rows(savings)), ".svg")

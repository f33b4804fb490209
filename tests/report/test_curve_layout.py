"""The words of the cost curve's marks hide neither the curve nor a mark nor each other."""

import dataclasses
import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco import answer, load_case
from tco.comparison import UtilisationRow
from tco.report.boxes import box_around
from tco.report.charts import draw_cost_curve
from tco.report.curve_layout import CURVE_PT, MARK_PT, TOP_PT, curve_places, layout_of
from tco.report.figures import cost_curve
from tco.report.sheet import WIDTH_PT, width_of

REPORTS = Path(__file__).resolve().parents[2] / "reports"
FOLDERS = sorted(path.parent for path in REPORTS.glob("*/comparison.json"))


def assert_nothing_is_hidden(curve):
    layout = layout_of(curve)
    marks = [mark for mark in (curve.here, curve.break_even) if mark is not None]
    assert [each.text for each in layout.mark_words] == [mark.label for mark in marks]
    dots = [(layout.x.at(m.utilisation), layout.y.at(m.usd_per_million)) for m in marks]
    boxes = [each.box for each in layout.mark_words]
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
    strokes = list(itertools.pairwise(curve_places(curve, layout.x, layout.y)))
    for box in boxes:
        assert not any(box.overlaps(box_around(dot, MARK_PT)) for dot in dots)
        assert not any(box.wider_by(CURVE_PT / 2).is_crossed(*stroke) for stroke in strokes)
        assert box.left >= layout.x.start_pt
        assert box.right <= layout.x.end_pt
        assert box.top >= TOP_PT - 4


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_in_every_example_all_words_stand_free(folder):
    measured = folder / "measurement.json"
    case = load_case(
        folder / "scenario.yaml", measurement_file=measured if measured.exists() else None
    )
    curve = cost_curve(answer(case))
    assert_nothing_is_hidden(curve)
    assert f">{curve.here.label}<" in draw_cost_curve(curve)


@settings(max_examples=60)
@given(
    utilisation=st.floats(0.01, 1),
    idle_share=st.floats(0, 0.9),
    price=st.floats(0.01, 100),
    even=st.none() | st.floats(0.001, 1),
    others=st.lists(st.floats(0.01, 100), max_size=5),
    name=st.text("Wia ", min_size=1, max_size=60),
)
def test_words_stand_free_whatever_costs_what(  # noqa: PLR0917  what is drawn
    make_comparison, make_rival, utilisation, idle_share, price, even, others, name
):
    def own_usd(share):
        return 0.17 * (1 - idle_share + idle_share / share)

    rivals = [
        make_rival(name=name, usd_per_million_output=usd, break_even_utilisation=even)
        for usd in (price, *others)
    ]
    comparison = make_comparison(alternatives=tuple(rivals))
    own = comparison.self_host.model_copy(
        update={"utilisation": utilisation, "usd_per_million_output": own_usd(utilisation)}
    )
    rows = tuple(
        UtilisationRow(utilisation=n / 100, usd_per_million_output=own_usd(n / 100), saving=())
        for n in range(1, 101)
    )
    assert_nothing_is_hidden(
        cost_curve(comparison.model_copy(update={"self_host": own, "utilisation": rows}))
    )


def with_band(comparison, beyond):
    curve = cost_curve(comparison)
    rows = zip(curve.utilisation, curve.usd_per_million, strict=True)
    band = tuple((share, cost / (1 + beyond), cost * (1 + beyond)) for share, cost in rows)
    return dataclasses.replace(curve, band=band, band_words="90 % interval of own cost")


def test_a_band_that_is_seen_is_named_with_its_colour(comparison):
    curve = with_band(comparison, 0.4)
    assert layout_of(curve).is_band_seen
    assert ">90 % interval of own cost<" in draw_cost_curve(curve)


def test_a_band_too_narrow_to_be_seen_is_said_to_be_that_and_has_no_key(comparison):
    curve = with_band(comparison, 0.01)
    assert not layout_of(curve).is_band_seen
    svg = draw_cost_curve(curve)
    words = "90 % interval of own cost: too narrow to be seen here"
    assert f">{words}<" in svg
    assert f'x="{WIDTH_PT - width_of(words) - 12:.2f}'.rstrip("0") not in svg


def test_words_far_from_their_mark_are_led_back_to_it(comparison):
    curve = cost_curve(comparison)
    crowded = dataclasses.replace(
        curve,
        break_even=dataclasses.replace(
            curve.here, label="break-even 60 %, and much more to say of it"
        ),
    )
    assert_nothing_is_hidden(crowded)

"""The page offers the numbers that a scenario has and that an override can set."""

from decimal import Decimal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tco.scenario_template import scenario_text
from tco.ui.board import load_board
from tco.ui.inputs import digits

BASE = yaml.safe_load(scenario_text())


@pytest.fixture
def inputs(tmp_path):
    """Return the inputs, by key, of the scenario of `tco init` with top-level keys replaced."""

    def of(**replaced):
        path = tmp_path / "my.yaml"
        path.write_text(yaml.safe_dump(BASE | replaced, default_flow_style=None))
        return load_board(path).inputs

    return of


def test_each_slider_holds_its_number_between_its_ends(inputs):
    for each in inputs().values():
        low, value, high = (Decimal(text) for text in (each.low, each.value, each.high))
        assert low <= value <= high, each.key
        assert low < high, each.key
        assert 0 < Decimal(each.step) <= (high - low) / 50, each.key


def test_no_slider_begins_at_what_its_key_refuses(inputs):
    found = inputs()
    assert found["measurement.published.output_tok_per_s"].low == "200"
    assert found["traffic.target_utilisation"].low == "0.01"
    assert found["operations.fte"].low == "0"


def test_a_stated_range_is_the_span_of_the_slider(inputs):
    pue = inputs()["power.pue"]
    assert (pue.low, pue.high, pue.stated_range) == ("1.1", "1.6", "1.1 to 1.6")


def test_a_number_of_the_hardware_catalog_can_be_changed(inputs):
    assert inputs()["hardware.purchase.price_usd"].value == "96995.99"


def test_a_demand_takes_the_place_of_the_utilisation(inputs):
    traffic = {
        "shape": BASE["traffic"]["shape"],
        "demand": {"requests_per_day": 200_000, "peak_to_average": 2.5},
    }
    found = inputs(traffic=traffic)
    assert found["traffic.demand.requests_per_day"].high == "400000"
    assert found["traffic.demand.spares"].step == "1"
    assert "traffic.target_utilisation" not in found


def test_what_a_session_tells_is_changed_at_the_session(inputs):
    session = {
        "turns": 8,
        "system_tokens": 4000,
        "first_input_tokens": {"mean": 500, "p95": 1900},
        "tool_output_tokens": 300,
        "answer_tokens": 200,
    }
    found = inputs(traffic={"shape": {"session": session}})
    assert found["traffic.shape.session.first_input_tokens.mean"].value == "500"
    assert not {f"traffic.shape.{name}" for name in ("input_tokens", "output_tokens")} & set(found)


def test_each_alternative_and_shape_of_a_mix_goes_by_its_name(inputs):
    mix = [
        {"name": name, "weight": weight, "input_tokens": 900, "output_tokens": 90}
        for name, weight in (("chat", 3), ("search", 1))
    ]
    alternatives = [
        {"name": "contract", "usd_per_million": {"input": 0.1, "output": 0.4}},
        {"catalog": "together/openai/gpt-oss-120b"},
    ]
    found = inputs(traffic={"shape": {"mix": mix}}, alternatives=alternatives)
    assert found["traffic.shape.mix.1.weight"].full_label == "search: Weight"
    assert found["alternatives.0.usd_per_million.output"].full_label == "contract: Output price"
    assert "alternatives.1.discount" in found
    assert not [key for key in found if key.startswith("alternatives.1.usd_per_million")]


def test_rent_is_offered_where_hardware_is_rented(inputs):
    found = inputs(hardware={"rent": {"usd_per_hour": 2.5}}, power=None)
    assert found["hardware.rent.usd_per_hour"].value == "2.5"
    assert not [key for key in found if key.startswith(("power.", "hardware.purchase"))]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_digits_are_read_back_as_the_same_number(number):
    assert float(digits(number)) == number
    assert "e" not in digits(number).lower()

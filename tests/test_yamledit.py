"""A value written into a YAML text is read back there, and the rest stays as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.override import overridden, parse_override
from tco.scenario_template import PRESETS, scenario_text
from tco.yamledit import NoPlaceError, edited
from tco.yamlfile import YamlDocument
from tco.yamltree import parse_yaml

TEXT = """# head
traffic:
  # how long
  shape:
    input_tokens: 512   # in
  target_utilisation: 1.0
power: {idle_w: {value: 300, low: 100}, load_w: 900}
empty:
nothing: {}
items:
  # the first
  - name: one
    price: {in: 1}
  - price: {in: 2}
    name: two
# end
"""


def put(text, *sets):
    return edited(text, [parse_override(each) for each in sets])


def lines_changed(before, after):
    old, new = before.splitlines(), after.splitlines()
    return [line for line in new if line and line not in old]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ("traffic.shape.input_tokens=64", "    input_tokens: 64   # in"),
        ("power.idle_w=5", "power: {idle_w: 5, load_w: 900}"),
        ("power.idle_w.value=5", "power: {idle_w: {value: 5, low: 100}, load_w: 900}"),
        ("power.pue=1.2", "power: {pue: 1.2, idle_w: {value: 300, low: 100}, load_w: 900}"),
        ("empty=3", "empty: 3"),
        ("nothing.at.all=3", "nothing: {at: {all: 3}}"),
        ("traffic.shape.output_tokens=9", "    output_tokens: 9"),
        ("traffic.demand.spares=1", "  demand: {spares: 1}"),
        ("finance.discount_rate=0.1", "finance: {discount_rate: 0.1}"),
        ("items.0.price.in=7", "    price: {in: 7}"),
        ("items.0.discount=0.1", "    discount: 0.1"),
        ("items.1.discount=0.1", "    discount: 0.1"),
    ],
)
def test_only_the_line_of_the_key_is_written(change, line):
    after = put(TEXT, change)
    assert lines_changed(TEXT, after) == [line]
    assert "# head" in after
    assert "# the first" in after


@pytest.mark.parametrize("change", ["items=[]", "traffic=1", "items.0.name.first=1"])
def test_what_has_no_place_in_the_text_is_said(change):
    with pytest.raises(NoPlaceError):
        put(TEXT, change)


KEYS = ("power.pue", "power.usd_per_kwh", "traffic.target_utilisation", "finance.tax_rate",
        "hardware.purchase.price_usd", "alternatives.0.discount", "operations.fte",
        "traffic.shape.cached_input_share", "hardware.one_off.rack_usd", "traffic.demand.spares",
        "alternatives.0.usd_per_million.cached_input")  # fmt: skip


@given(
    st.sampled_from(sorted(PRESETS)),
    st.lists(st.tuples(st.sampled_from(KEYS), st.decimals(-9, 9, places=3)), max_size=6),
)
def test_an_edited_preset_reads_as_the_preset_under_the_overrides(preset, values):
    text = scenario_text(preset)
    overrides = [parse_override(f"{key}={value}") for key, value in values]
    document = YamlDocument(None, parse_yaml(text, "").root, "", {})
    expected = overridden(document, overrides).tree
    assert parse_yaml(edited(text, overrides), "").root == expected

"""A mix of shapes on one fleet: its means, its capacity, and each shape billed in its tier."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.case import load_case
from tco.cost.compare import compare
from tco.errors import InputError
from tco.measurement_file import write_measurement
from tco.prices import ListedOffer, Offer, PriceTables
from tco.scenario import MixEntry, mix_means, mix_requests_per_s, mix_shares
from tco.scenario_file import load_scenario

TEXT = """\
schema: tco.scenario/1
name: t
date: 2026-12-02
traffic:
  shape: SHAPE
  target_utilisation: 0.5
hardware:
  rent: {usd_per_hour: 7.2}
alternatives:
  - {catalog: p/m}
"""
CHAT = "{name: chat, weight: 3, input_tokens: 1000, output_tokens: 200, requests_per_s: 20}"
LONG = (
    "{name: long, input_tokens: 9000, cached_input_share: 0.5, output_tokens: 400, "
    "requests_per_s: {value: 2, source: a bench of it alone}}"
)
MIX = f"{{mix: [{CHAT}, {LONG}]}}"
ROWS = (
    {"usd_per_million": {"input": 1, "cached_input": 0.1, "output": 2}},
    {"usd_per_million": {"input": 2, "cached_input": 0.2, "output": 4}, "context_gt": 5000},
)


@pytest.fixture
def load(tmp_path):
    def loader(shape=MIX, *sets, text=TEXT):
        path = tmp_path / "s.yaml"
        path.write_text(text.replace("SHAPE", shape), encoding="utf-8")
        return load_case(path, sets=sets)

    return loader


def compared(case):
    offer = Offer(model="m", source="s", date="2026-12-01", prices=ROWS)
    return compare(
        case.loaded.scenario,
        case.measurement,
        PriceTables({"p/m": ListedOffer("t.yaml", "p", offer)}),
        scenario_sha256="0",
        measurement_sha256=None,
        date=case.date,
        tool_version="0",
    )


def fault(load, shape, *sets):
    with pytest.raises(InputError) as caught:
        load(shape, *sets)
    return caught.value


def test_the_means_weigh_requests_and_the_cached_share_weighs_input(load):
    shape = load().loaded.scenario.traffic.shape
    assert (shape.input_tokens.value, shape.output_tokens.value) == (3000, 250)
    # Of 3 x 1000 + 9000 tokens, 4500 are cached.
    assert shape.cached_input_share.value == pytest.approx(0.375)
    assert shape.input_tokens.source == "mean of the mix"


def test_the_capacity_adds_up_the_time_that_each_shape_takes(load):
    case = load()
    # Three of four requests take 1/20 s, one takes 1/2 s.
    expected = 4 / (3 / 20 + 1 / 2)
    answer = compared(case)
    assert answer.capacity.requests_per_s == pytest.approx(expected)
    assert answer.self_host.usd_per_request == pytest.approx(7.2 / 3600 / (expected / 2))
    assert case.measurement.published.source == "long: a bench of it alone"
    assert case.measurement.published.date is None


def test_each_shape_is_billed_in_its_own_tier(load):
    rival = compared(load()).alternatives[0]
    chat = 1000 * 1 + 200 * 2
    long = 4500 * 2 + 4500 * 0.2 + 400 * 4
    assert rival.usd_per_request == pytest.approx((3 * chat + long) / 4e6, rel=1e-12)
    mean = 3000 * 0.625 + 3000 * 0.375 * 0.1 + 250 * 2
    assert rival.usd_per_request_of_mean == pytest.approx(mean / 1e6, rel=1e-12)


def test_a_published_rate_is_of_the_whole_mix(load):
    rate = "measurement={published: {requests_per_s: 3, source: s, date: 2026-10-15}}"
    alone = MIX.replace(", requests_per_s: 20", "").replace(
        ", requests_per_s: {value: 2, source: a bench of it alone}", ""
    )
    assert compared(load(alone, rate)).capacity.requests_per_s == 3
    assert fault(load, alone).key == "measurement"
    both = fault(load, MIX, rate)
    assert "cannot stand beside the requests_per_s of each shape" in both.message


def test_a_measurement_gives_the_capacity_and_says_so(load, tmp_path):
    case = load()
    measured = case.measurement.model_copy(update={"origin": "imported"})
    write_measurement(measured, tmp_path / "m.json")
    again = load_case(tmp_path / "s.yaml", measurement_file=tmp_path / "m.json")
    assert "mix_capacity_unused" in {each.kind for each in compared(again).findings}
    assert "mix_capacity_unused" not in {each.kind for each in compared(case).findings}


@pytest.mark.parametrize(
    ("shape", "key", "message"),
    [
        (f"{{mix: [{CHAT}], input_tokens: 5}}", "traffic.shape.input_tokens", "exclude each other"),
        (f"{{mix: [{CHAT}], trace: t.csv}}", "traffic.shape.mix", "`trace` and `mix` exclude"),
        ("{mix: []}", "traffic.shape.mix", "mix must not be empty"),
        ("{mix: 5}", "traffic.shape.mix", "mix must be a list"),
        (f"{{mix: [{CHAT}, {CHAT}]}}", "traffic.shape.mix.1.name", "stands twice: `chat`"),
        (
            f"{{mix: [{CHAT}, {{name: b, input_tokens: 1, output_tokens: 1}}]}}",
            "traffic.shape.mix.1", "states no requests_per_s, and `chat` does",
        ),
        ("{mix: [{name: b, input_tokens: 1}]}", "traffic.shape.mix.0.output_tokens", "missing"),
        (MIX.replace("weight: 3", "weight: 0"), "traffic.shape.mix.0.weight", "above 0"),
    ],
)  # fmt: skip
def test_each_fault_is_said_at_its_line_and_key(load, shape, key, message):
    caught = fault(load, shape)
    assert (caught.key, caught.line) == (key, 5)
    assert message in caught.message


def test_a_mix_counts_in_the_hash_and_takes_the_place_of_lengths(load, tmp_path):
    first = load().loaded
    assert load(MIX, "traffic.shape.mix.0.weight=4").loaded.sha256 != first.sha256
    lengths = TEXT.replace("SHAPE", "{input_tokens: 5, output_tokens: 5}")
    path = tmp_path / "l.yaml"
    path.write_text(lengths, encoding="utf-8")
    mix = "traffic.shape.mix=[{name: a, input_tokens: 7, output_tokens: 1}]"
    assert load_scenario(path, [mix]).scenario.traffic.shape.input_tokens.value == 7


entries = st.lists(
    st.tuples(st.floats(0.1, 10), st.floats(1, 1e4), st.floats(0, 1), st.floats(1, 100)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=50)
@given(entries, st.floats(0.1, 10))
def test_the_scale_of_weights_does_not_count_and_a_mix_is_no_faster_than_its_fastest(rows, scale):
    def mix(factor):
        return [
            MixEntry(
                name=str(place), weight=weight * factor, input_tokens=tokens,
                cached_input_share=share if share > 1e-9 else 0, output_tokens=1,
                requests_per_s=rate,
            )
            for place, (weight, tokens, share, rate) in enumerate(rows)
        ]  # fmt: skip

    one, other = mix_means(mix(1)), mix_means(mix(scale))
    assert other.input_tokens == pytest.approx(one.input_tokens)
    rates = [rate for *_, rate in rows]
    got = mix_requests_per_s(mix_shares(mix(1)), rates)
    assert min(rates) * (1 - 1e-9) <= got <= max(rates) * (1 + 1e-9)
    assert mix_requests_per_s(mix_shares(mix(1)), [7.0] * len(rows)) == pytest.approx(7)

"""Which power meter a scenario names, and what it may not say."""

import datetime as dt

import pytest

from tco.errors import InputError
from tco.scenario.meter import PowerMeter, timezone_of
from tco.scenario_file import load_scenario

BASE = """\
schema: tco.scenario/1
name: test
traffic: {shape: {input_tokens: 8, output_tokens: 8}}
hardware: {rent: {usd_per_hour: 1}}
"""


@pytest.fixture
def meter(tmp_path):
    def load(*sets):
        path = tmp_path / "s.yaml"
        path.write_text(BASE)
        return load_scenario(path, sets).scenario.bench.meter

    return load


def test_a_meter_is_looked_for_unless_the_scenario_says_otherwise(meter):
    assert meter() == PowerMeter(use="auto")
    assert meter("bench.meter=none").use == "none"
    assert meter("bench.meter.use=rapl").use == "rapl"


def test_a_prometheus_has_labels_of_one_value_or_several(meter):
    text = '{prometheus: "http://127.0.0.1:9090/", labels: {instance: "a:9400", gpu: [0, "1"]}}'
    named = meter(f"bench.meter={text}")
    assert named.prometheus == "http://127.0.0.1:9090"
    assert named.labels == {"instance": ("a:9400",), "gpu": ("0", "1")}


@pytest.mark.parametrize(
    ("stated", "key", "said"),
    [
        ("bogus", "bench.meter.use", "'auto', 'none', 'nvml' or 'rapl', got 'bogus'"),
        ("null", "bench.meter", "got nothing"),
        ("{wall: a.csv}", "bench.meter.wall", "did you mean `wall_csv`?"),
        ("{timezone: UTC}", "bench.meter.timezone", "needs `wall_csv`"),
        ("{labels: {gpu: 0}}", "bench.meter.labels", "needs `prometheus`"),
        ("{wall_csv: a, use: nvml}", "bench.meter.use", "beside a meter that is named"),
        ("{wall_csv: a, prometheus: 'http://h'}", "bench.meter.wall_csv", "exclude each other"),
        ("{wall_csv: a, timezone: Mars/X}", "bench.meter.timezone", "write for example Europe"),
        ("{prometheus: 'ftp://h'}", "bench.meter.prometheus", "must be an http or https URL"),
        ("{prometheus: 'http://u:p@h'}", "bench.meter.prometheus", "leave user"),
        ("{prometheus: 'http://h', labels: {g-u: 0}}", "bench.meter.labels", "letters, digits"),
        ("{prometheus: 'http://h', labels: {gpu: 0.5}}", "bench.meter.labels.gpu", "got 0.5"),
        ("{prometheus: 'http://h', labels: 3}", "bench.meter.labels", "must be a mapping"),
    ],
)
def test_a_meter_that_cannot_be_is_refused_with_its_place(meter, stated, key, said):
    with pytest.raises(InputError) as caught:
        meter(f"bench.meter={stated}")
    assert caught.value.key == key
    assert said in str(caught.value)


def test_a_time_zone_is_a_name_or_an_offset():
    summer = dt.datetime(2026, 7, 1, tzinfo=timezone_of("Europe/Berlin"))
    assert summer.utcoffset() == dt.timedelta(hours=2)
    assert timezone_of("+05:30").utcoffset(None) == dt.timedelta(hours=5, minutes=30)

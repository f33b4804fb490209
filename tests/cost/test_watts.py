"""Whose watts are costed: a meter of accelerators or a package never stands for the wall."""

import datetime as dt
from types import SimpleNamespace

import pytest

from tco.cost.power_findings import power_findings
from tco.cost.reader import Reader
from tco.cost.watts import server_watts
from tco.measurement import MeasuredPower, MeasuredShape, Measurement
from tco.scenario import Scenario

SHAPE = {"input_tokens": 512, "output_tokens": 512}


def scenario(**power):
    tree = {
        "schema": "tco.scenario/1",
        "name": "case",
        "traffic": {"shape": {"input_tokens": {"mean": 512, "p95": 900}, "output_tokens": 512}},
        "hardware": {"purchase": {"price_usd": 1, "life_years": 1, "accelerators": 8}},
    }
    stated = {"idle_w": 300, "load_w": 1300, "usd_per_kwh": 0.1} | power
    return Scenario.model_validate(tree | {"power": stated})


def measured(meter, idle_w, load_w, accelerators):
    """A measurement whose capacity point has a meter; only its power and findings are read."""
    covers = {"rapl": "package", "wall": "wall"}.get(meter, "accelerators")
    power = MeasuredPower(
        meter=meter, covers=covers, accelerators=accelerators, idle_w=idle_w, load_w=load_w
    )
    point = SimpleNamespace(power=power, findings=())
    return Measurement.model_construct(
        tool_version="0",
        created_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC),
        origin="measured",
        shape=MeasuredShape(cached_input_share=0.0, **SHAPE),
        points=(point,),
        capacity_point=0,
        findings=(),
        published=None,
    )


@pytest.mark.parametrize(
    ("meter", "power", "expected", "said"),
    [
        (("nvml", 100, 500, 2), {}, (300, 1300), True),
        (("nvml", 100, 500, 2), {"rest_of_server_w": 250}, (650, 2250), False),
        (("nvml", None, 500, 2), {"rest_of_server_w": 250}, (300, 2250), False),
        (("nvml", 100, 500, None), {"rest_of_server_w": 250}, (300, 1300), True),
        (("rapl", 20, 90, None), {"rest_of_server_w": 250}, (300, 1300), True),
        (("dcgm", 100, 500, 2), {"rest_of_server_w": 250}, (650, 2250), False),
        (("dcgm", 100, 500, 2), {}, (300, 1300), True),
        (("wall", 400, 1100, None), {}, (400, 1100), False),
        (("wall", None, 1100, None), {}, (300, 1100), False),
    ],
)
def test_a_meter_is_costed_only_where_it_stands_for_the_server(meter, power, expected, said):
    case, seen = scenario(**power), measured(*meter)
    assert server_watts(Reader(case), seen, 8.0) == expected
    only = {"power_of_accelerators_only", "power_of_package_only"}
    assert any(finding.kind in only for finding in power_findings(case, seen)) is said


def test_a_length_by_mean_and_p95_is_read_as_its_mean():
    assert Reader(scenario())("traffic.shape.input_tokens") == 512

"""What a reader is told of a power meter, each finding provoked."""

from types import SimpleNamespace

import pytest

from tco.cost.power_findings import power_findings
from tco.measurement import MeasuredPower, Measurement
from tco.scenario import Scenario

ELECTRICITY = {"idle_w": 300, "load_w": 1300, "usd_per_kwh": 0.1, "rest_of_server_w": 250}


def scenario(power=ELECTRICITY, **more):
    tree = {
        "schema": "tco.scenario/1",
        "name": "case",
        "traffic": {"shape": {"input_tokens": 512, "output_tokens": 512}},
        "hardware": {"purchase": {"price_usd": 1, "life_years": 1, "accelerators": 8}},
    }
    return Scenario.model_validate(tree | ({"power": power} if power else {}) | more)


def seen(meter="wall", load_w=1100, idle_w=400, accelerators=None):
    covers = {"rapl": "package", "wall": "wall"}.get(meter, "accelerators")
    return MeasuredPower(
        meter=meter, covers=covers, accelerators=accelerators, idle_w=idle_w, load_w=load_w
    )


def measured(*powers, target=None):
    """A measurement of points at full and half rate; only power and rates are read."""
    points = tuple(
        SimpleNamespace(power=power, rates=SimpleNamespace(output_tok_per_s=1000 / (1 + i)))
        for i, power in enumerate(powers)
    )
    return Measurement.model_construct(points=points, capacity_point=0, target_point=target)


def kinds(case, measurement):
    return [finding.kind for finding in power_findings(case, measurement)]


def test_a_wall_meter_at_a_busy_server_needs_no_word():
    assert kinds(scenario(), measured(seen())) == []


def test_no_meter_needs_no_word_here():
    assert kinds(scenario(), measured(None)) == []


@pytest.mark.parametrize(
    ("meter", "kind", "advice"),
    [
        ("nvml", "power_of_accelerators_only", "rest_of_server_w"),
        ("dcgm", "power_of_accelerators_only", "rest_of_server_w"),
        ("rapl", "power_of_package_only", "wall meter"),
    ],
)
def test_a_meter_of_a_part_is_shown_and_not_costed(meter, kind, advice):
    bare = {key: value for key, value in ELECTRICITY.items() if key != "rest_of_server_w"}
    (finding,) = power_findings(scenario(bare), measured(seen(meter, accelerators=8)))
    assert finding.kind == kind
    assert advice in finding.advice
    assert "1100 W" in finding.message


def test_a_meter_without_a_price_of_electricity_is_not_costed():
    assert kinds(scenario(None), measured(seen())) == ["power_not_costed"]


def test_an_idle_figure_of_the_scenario_beside_a_measured_load_is_said():
    assert kinds(scenario(), measured(seen(idle_w=None))) == ["idle_power_not_measured"]


@pytest.mark.parametrize("power", [seen(), seen("nvml", accelerators=8)])
def test_a_replica_of_two_in_a_server_of_eight_leaves_six_idle_under_the_meter(power):
    case = scenario(engine={"accelerators": 2})
    (finding,) = power_findings(case, measured(power))
    assert finding.kind == "power_of_idle_accelerators"
    assert (finding.value, finding.limit) == (8, 2)
    assert kinds(case, measured(seen("nvml", accelerators=2))) == []


def test_a_target_whose_power_lies_off_the_costed_line_is_said():
    (finding,) = power_findings(scenario(), measured(seen(), seen(load_w=1000), target=1))
    assert finding.kind == "power_not_linear"
    assert "at 50% load" in finding.message
    assert "gives 750 W" in finding.message
    assert finding.value == pytest.approx(1000 / 750 - 1)


@pytest.mark.parametrize("at_target", [seen(load_w=800), seen("rapl", load_w=1000), None])
def test_a_target_near_the_line_or_of_another_meter_needs_no_word(at_target):
    assert kinds(scenario(), measured(seen(), at_target, target=1)) == []

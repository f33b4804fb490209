"""A price in another unit is said, and a usual one is not."""

import pytest

from tco.cost.unit_findings import unit_findings
from tco.scenario import Scenario

TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "traffic": {"shape": {"input_tokens": 500, "output_tokens": 500}, "target_utilisation": 0.5},
    "measurement": {"published": {"output_tok_per_s": 1e4, "source": "s", "date": "2026-10-15"}},
    "hardware": {"purchase": {"price_usd": 10000, "life_years": 3}},
}


def found(usd_per_kwh, usd_input, usd_output):
    scenario = Scenario.model_validate(
        TREE
        | {
            "power": {"idle_w": 100, "load_w": 1000, "usd_per_kwh": usd_per_kwh},
            "alternatives": [
                {"name": "api", "usd_per_million": {"input": usd_input, "output": usd_output}}
            ],
        }
    )
    return [(finding.path, finding.severity) for finding in unit_findings(scenario)]


@pytest.mark.parametrize("usd_per_kwh", [0, 0.04, 0.5, 2])
@pytest.mark.parametrize("usd", [0, 0.001, 0.05, 600, 2000])
def test_prices_that_are_asked_somewhere_are_not_doubted(usd_per_kwh, usd):
    assert found(usd_per_kwh, usd, usd) == []


@pytest.mark.parametrize(
    ("usd_per_kwh", "usd_input", "usd_output", "path"),
    [
        (14.37, 0.1, 0.5, "power.usd_per_kwh"),
        (0.1, 0.1, 0.0000005, "alternatives.0.usd_per_million.output"),
        (0.1, 0.0005, 0.5, "alternatives.0.usd_per_million.input"),
        (0.1, 0.1, 50000, "alternatives.0.usd_per_million.output"),
    ],
)
def test_a_price_that_nobody_asks_is_a_warning_at_its_key(usd_per_kwh, usd_input, usd_output, path):
    assert found(usd_per_kwh, usd_input, usd_output) == [(path, "warn")]

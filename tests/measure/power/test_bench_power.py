"""A bench with meters: what stands in its points is what they read."""

import sys
import time

import pytest
from fake_nvml import FakeGpu, fake_nvml

from tco.measure.run import bench
from tco.scenario import Scenario

pytestmark = pytest.mark.slow
WATTS = 300


def scenario(url, **more):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "metered",
            "traffic": {"shape": {"input_tokens": 32, "output_tokens": 20}},
            "engine": {"attach": {"url": url, "model": "paced"}, "concurrency": 4},
            "bench": {"window_s": 2, "max_minutes": 1, **more},
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
    )


def test_a_point_has_the_meters_watts_joules_of_its_run_and_joules_per_token(
    paced, monkeypatch, tmp_path
):
    gpu = FakeGpu(energy_mj=lambda: round(1000 * WATTS * time.monotonic()))
    library = fake_nvml(gpu)
    monkeypatch.setitem(sys.modules, "pynvml", library)
    late = {"wall_csv": str(tmp_path / "plug.csv")}
    with paced() as url:
        measured = bench(scenario(url, meter=late), out_dir=tmp_path, progress=lambda _: None)
    point = measured.points[measured.capacity_point]
    power = point.power
    assert (power.meter, power.covers, power.accelerators) == ("nvml", "accelerators", 1)
    assert power.load_w == pytest.approx(WATTS, rel=0.1)
    assert power.idle_w == pytest.approx(WATTS, rel=0.1)
    assert power.run_energy_j == pytest.approx(WATTS * point.run_s, rel=0.2)
    assert power.joules_per_output_token == pytest.approx(
        power.run_energy_j / point.tokens.client_output
    )
    assert power.samples >= 4
    assert "power_not_read" in {finding.kind for finding in point.findings}
    assert library.closed == 1

"""One trial: what of a start that failed, or broke the service level, is kept."""

import json

import pytest
from paced_scenario import write_paced

from tco.finding import Finding
from tco.scenario_file import load_scenario
from tco.tune.trial import measured, run_trial
from tco.tuning import TuneTrial


@pytest.fixture
def failed(tmp_path):
    write_paced(
        tmp_path / "s.yaml", args={"refuse-to-start": True, "api-token": "hidden"},
        env={"SOME_TOKEN": "hidden", "SHOWN": "1"},
    )  # fmt: skip
    return run_trial(
        load_scenario(tmp_path / "s.yaml"),
        number=4, step=1, role="candidate", folder=tmp_path, progress=lambda _: None,
    )  # fmt: skip


def test_a_start_that_failed_keeps_its_settings_and_the_end_of_the_engines_log(failed, tmp_path):
    assert "no kernel of that kind" in failed.failure
    folder = tmp_path / "trials" / "004"
    record = json.loads((folder / "failed.json").read_text(encoding="utf-8"))
    assert record["message"] == failed.failure
    assert "SHOWN=1" in record["command"]
    assert "--refuse-to-start" in record["command"]
    assert "hidden" not in record["command"]
    assert any("no kernel of that kind" in line for line in record["log_tail"])
    assert "no kernel of that kind" in (folder / "raw" / "engine.log").read_text(encoding="utf-8")


def test_a_broken_service_level_does_not_make_a_trial_invalid(failed, make_measurement):
    broken = Finding.of("slo_not_kept", "invalid", "points.0", "too slow", "lower the load")
    trial = measured(
        TuneTrial.model_validate(failed.model_dump() | {"failure": None}),
        make_measurement(findings=(broken,)), "m.json",
    )  # fmt: skip
    assert trial.invalid == ()

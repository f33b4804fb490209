from __future__ import annotations

import json
import sys
from unittest import mock

import pytest
from click.testing import CliRunner
from fake_nvml import LIBRARY_NOT_FOUND, NOT_SUPPORTED, FakeGpu, fake_nvml

from tco.cli.doctor import command
from tco.measure import doctor
from tco.measure.doctor import Check, can_report, diagnose
from tco.measure.power.rapl import RaplError


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Keep the user's own engines and records out of sight."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TCO_ENGINE_HOME", str(tmp_path / "engines"))
    monkeypatch.delenv("TCO_ENGINE_DIR", raising=False)


def test_missing_engine_is_no_failure_and_its_remedy_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    checks = diagnose()
    engine = next(check for check in checks if check.name == "engine")
    assert engine.state == "limited"
    assert "tco engine install" in engine.remedy
    assert can_report(checks)


def test_version_is_read_from_the_metadata_beside_the_command(monkeypatch, tmp_path):
    info = tmp_path / "lib" / "python3.11" / "site-packages" / "vllm-1.2.3.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vllm\nVersion: 1.2.3\n")
    vllm = tmp_path / "bin" / "vllm"
    vllm.parent.mkdir()
    vllm.write_text("")
    vllm.chmod(0o755)
    monkeypatch.setenv("TCO_ENGINE_DIR", str(tmp_path))
    assert doctor._engine().seen.startswith("vLLM 1.2.3, ")


def test_python_that_cannot_write_pdf_is_missing(monkeypatch, tmp_path):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho 'OSError: cannot load library libpango' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    check = doctor._pdf()
    assert check.state == "missing"
    assert "libpango" in check.seen
    assert check.remedy


@pytest.mark.parametrize(("subsets", "state"), [("True", "ok"), ("False", "limited")])
def test_slow_font_subsetting_is_said_with_its_remedy(monkeypatch, tmp_path, subsets, state):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho 70.0 {subsets}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    check = doctor._pdf()
    assert check.state == state
    assert "WeasyPrint 70.0 writes PDF" in check.seen
    assert ("libharfbuzz-subset0" in (check.remedy or "")) == (state == "limited")


def test_the_power_meters_that_can_be_read_are_named(monkeypatch):
    counting = fake_nvml(FakeGpu(energy_mj=5), FakeGpu("GPU-1", energy_mj=5))
    monkeypatch.setitem(sys.modules, "pynvml", counting)
    check = doctor._gpu_meter()
    assert (check.state, check.seen) == (
        "ok",
        "NVML, 2 x NVIDIA H100 (GPU 0, 1): energy counters",
    )
    assert counting.closed == 1
    old = fake_nvml(FakeGpu(energy_mj=NOT_SUPPORTED, power_mw=9))
    monkeypatch.setitem(sys.modules, "pynvml", old)
    assert doctor._gpu_meter().seen.endswith(": power readings")


@pytest.mark.parametrize(
    ("gpus", "init", "said"),
    [((), LIBRARY_NOT_FOUND, "Shared Library Not Found"), ((), None, "shows no GPU")],
)
def test_a_machine_without_a_gpu_meter_says_why_and_what_is_costed(monkeypatch, gpus, init, said):
    library = fake_nvml(*gpus, init=init)
    monkeypatch.setitem(sys.modules, "pynvml", library)
    check = doctor._gpu_meter()
    assert check.state == "limited"
    assert said in check.seen
    assert "bench.meter" in check.remedy
    assert library.closed == (init is None)


def test_package_counters_that_only_root_may_read_have_a_remedy(monkeypatch):
    closed = RaplError("energy_uj may not be read", is_closed=True)
    monkeypatch.setattr(doctor, "rapl_meter", mock.Mock(side_effect=closed))
    check = doctor._package_meter()
    assert check.state == "limited"
    assert "chmod o+r" in check.remedy


@pytest.mark.parametrize(("state", "code"), [("ok", 0), ("limited", 0), ("missing", 5)])
def test_exit_code_and_json_say_whether_a_report_can_be_made(monkeypatch, state, code):
    monkeypatch.setattr(doctor, "diagnose", lambda: (Check(name="x", state=state, seen="y"),))
    result = CliRunner().invoke(command, ["--json"], standalone_mode=False)
    assert result.return_value == code
    document = json.loads(result.stdout)
    assert document["can_report"] == (code == 0)
    assert document["checks"][0]["state"] == state

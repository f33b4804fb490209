"""Which meters are opened: those asked for, those found, and why there are none."""

import os
import sys
from unittest import mock

import pytest
from fake_nvml import DRIVER_NOT_LOADED, FakeGpu, fake_nvml

from tco.errors import InputError
from tco.measure.engine_handle import EngineHandle
from tco.measure.power import check_meter, open_recorders
from tco.measure.run import bench
from tco.measurement import EngineFacts


def handle(url="http://127.0.0.1:1", pid=None, env=None):
    facts = EngineFacts(
        name="vLLM", version=None, model="m", model_is_dummy=False, attached=pid is None,
        url=url, command=None, env=env or {}, start_s=None, start_id="1",
    )  # fmt: skip
    return EngineHandle(
        url=url, served_model="m", api_key=None, facts=facts, log_path=None, model_dir=None,
        pid=pid, findings=(), alive=lambda: True,
    )  # fmt: skip


@pytest.fixture
def opened(metered_scenario, tmp_path, monkeypatch):
    """Open meters on a machine with those GPUs, and RAPL where asked for."""

    def run(meter="auto", *gpus, engine=None, rapl=False, environ=None, init=None):
        monkeypatch.setitem(sys.modules, "pynvml", fake_nvml(*gpus, init=init))
        if rapl:
            zone = tmp_path / "intel-rapl:0"
            zone.mkdir()
            for name, text in (
                ("name", "package-0"),
                ("max_energy_range_uj", "9"),
                ("energy_uj", "1"),
            ):
                (zone / name).write_text(text)
        engine = engine or handle()
        return open_recorders(
            metered_scenario(meter), engine, environ=environ or {}, powercap=tmp_path
        )

    return run


def test_none_asked_for_is_none_opened(opened):
    assert opened("none", FakeGpu(), rapl=True) == ()


def test_what_this_machine_has_is_found_accelerators_first(opened):
    found = opened("auto", FakeGpu(), rapl=True)
    assert [each.meter for each in found] == ["nvml", "rapl"]
    for each in found:
        each.stop()


def test_a_machine_without_a_meter_says_so_and_why(opened):
    (silent,) = opened("auto", init=DRIVER_NOT_LOADED)
    (finding,) = silent.findings
    assert (finding.kind, finding.severity) == ("no_power_meter", "info")
    assert "Driver Not Loaded" in finding.message
    assert "no RAPL counters" in finding.message
    silent.start()
    assert silent.energy(None, None) is None
    assert silent.doubts(None, None) == ()
    silent.stop()


def test_the_gpus_of_an_engine_that_we_started_are_told_by_its_processes_or_its_environment(opened):
    gpus = [FakeGpu("GPU-0"), FakeGpu("GPU-1", pids=(os.getpid(),)), FakeGpu("GPU-2")]
    by_process, *_ = opened("auto", *gpus, engine=handle(pid=os.getpid()))
    assert by_process.source == "NVML, 1 x NVIDIA H100 (GPU 1)"
    gpus[1].pids = ()
    stated = handle(pid=os.getpid(), env={"CUDA_VISIBLE_DEVICES": "2"})
    by_environment, *_ = opened("auto", *gpus, engine=stated, environ={"CUDA_VISIBLE_DEVICES": "0"})
    assert by_environment.source == "NVML, 1 x NVIDIA H100 (GPU 2)"
    for each in (by_process, by_environment):
        each.stop()


@pytest.mark.parametrize(
    ("meter", "said"), [("nvml", "NVML cannot be read"), ("rapl", "RAPL cannot be read")]
)
def test_a_meter_asked_for_by_name_must_be_readable(opened, meter, said):
    with pytest.raises(InputError, match=said) as caught:
        opened(meter, init=DRIVER_NOT_LOADED)
    assert caught.value.key == "bench.meter"
    assert caught.value.remedy


def test_a_meter_asked_for_by_name_is_the_only_one(opened):
    (only,) = opened("rapl", FakeGpu(), rapl=True)
    assert only.meter == "rapl"


def test_an_engine_on_another_machine_is_not_seen_by_the_meters_of_this_one(opened):
    far = handle("http://198.51.100.7:8000")
    (silent,) = opened("auto", FakeGpu(), engine=far, rapl=True)
    assert "another machine" in silent.findings[0].message
    with pytest.raises(InputError, match="another machine"):
        opened("nvml", FakeGpu(), engine=far)


@pytest.mark.parametrize(
    "meter", ["nvml", {"prometheus": "http://127.0.0.1:9"}, {"wall_csv": __file__}]
)
def test_a_bench_whose_meter_cannot_be_read_starts_no_engine(
    meter, metered_scenario, monkeypatch, tmp_path
):
    monkeypatch.setitem(sys.modules, "pynvml", fake_nvml(init=DRIVER_NOT_LOADED))
    attach = {"url": "http://127.0.0.1:1", "model": "m"}
    stated = metered_scenario(meter, engine={"attach": attach, "concurrency": 1})
    engine = mock.Mock()
    with pytest.raises(InputError):
        bench(stated, out_dir=tmp_path, progress=lambda _: None, engine=engine)
    engine.assert_not_called()
    assert list(tmp_path.iterdir()) == []


def test_a_meter_that_can_be_read_passes_the_check(metered_scenario, monkeypatch, tmp_path):
    library = fake_nvml(FakeGpu(energy_mj=1))
    monkeypatch.setitem(sys.modules, "pynvml", library)
    for meter in ("auto", "none", "nvml", {"wall_csv": str(tmp_path / "later.csv")}):
        check_meter(metered_scenario(meter))
    assert library.closed == 1

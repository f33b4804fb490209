"""NVML's counters and powers, on a fake of the library with the documented units and errors."""

import sys
import time

import pytest
from fake_nvml import (
    GPU_IS_LOST,
    LIBRARY_NOT_FOUND,
    NO_PERMISSION,
    NOT_SUPPORTED,
    FakeGpu,
    fake_nvml,
)

from tco.measure.power import now
from tco.measure.power.nvml import Nvml, NvmlError, nvml_meter


def meter_of(*gpus):
    nvml = Nvml(fake_nvml(*gpus))
    return nvml_meter(nvml, nvml.gpus(), ())


def recorded(meter, seconds=0.6):
    meter.start()
    start = now()
    time.sleep(seconds)
    stop = now()
    meter.stop()
    return meter.energy(start, stop), meter.readings()


def counter(watts, base_mj=7_000_000_000):
    return lambda: round(base_mj + watts * time.monotonic() * 1000)


def test_millijoules_of_several_gpus_become_their_joint_watts():
    meter = meter_of(FakeGpu(energy_mj=counter(700)), FakeGpu("GPU-1", energy_mj=counter(300)))
    energy, readings = recorded(meter)
    assert energy.mean_w == pytest.approx(1000, rel=0.1)
    assert [each.kind for each in readings.series] == ["counter", "counter"]
    assert (meter.meter, meter.covers, meter.accelerators) == ("nvml", "accelerators", 2)
    assert meter.source == "NVML, 2 x NVIDIA H100 (GPU 0, 1)"
    assert meter.findings == ()


def test_a_gpu_without_a_counter_is_measured_by_its_milliwatts():
    meter = meter_of(FakeGpu(energy_mj=NOT_SUPPORTED, power_mw=71_200))
    energy, readings = recorded(meter)
    assert energy.mean_w == pytest.approx(71.2)
    assert readings.series[0].kind == "power"
    assert [finding.kind for finding in meter.findings] == ["power_by_readings"]


def test_one_gpu_without_a_counter_puts_all_on_power_so_that_none_is_left_out():
    meter = meter_of(
        FakeGpu(energy_mj=counter(700), power_mw=700_000),
        FakeGpu("GPU-1", energy_mj=NOT_SUPPORTED, power_mw=300_000),
    )
    energy, _ = recorded(meter)
    assert energy.mean_w == pytest.approx(1000)
    assert meter.accelerators == 2


def test_a_gpu_that_tells_nothing_is_left_out_and_said():
    meter = meter_of(
        FakeGpu(energy_mj=counter(500)),
        FakeGpu("GPU-1", energy_mj=NO_PERMISSION, power_mw=NO_PERMISSION),
    )
    assert meter.accelerators == 1
    (finding,) = meter.findings
    assert finding.kind == "power_of_some_gpus"
    assert (finding.value, finding.limit) == (1, 2)


def test_gpus_that_all_tell_nothing_are_no_meter():
    with pytest.raises(NvmlError, match="neither energy nor power"):
        meter_of(FakeGpu(energy_mj=NO_PERMISSION, power_mw=NOT_SUPPORTED))


def test_a_driver_reloaded_in_between_gives_no_energy_and_says_why():
    fresh = [9_000_000]

    def energy_mj():
        fresh[0] = fresh[0] + 1000 if len(fresh) == 1 else 5
        return fresh[0]

    meter = meter_of(FakeGpu(energy_mj=energy_mj))
    meter.start()
    start = now()
    time.sleep(0.3)
    fresh.append(0)
    time.sleep(0.4)
    stop = now()
    meter.stop()
    assert meter.energy(start, stop) is None
    assert "reset" in meter.doubts(start, stop)[0].message


def test_a_gpu_lost_on_the_way_is_said_and_its_span_has_no_figure():
    lost = []
    meter = meter_of(FakeGpu(energy_mj=lambda: lost[0] if lost else counter(400)()))
    meter.start()
    start = now()
    time.sleep(0.6)
    lost.append(GPU_IS_LOST)
    time.sleep(0.9)
    stop = now()
    meter.stop()
    assert meter.energy(start, stop) is None
    assert "GPU is lost" in meter.findings[0].message


def test_no_driver_and_no_package_are_reasons_and_no_errors_of_ours(monkeypatch):
    with pytest.raises(NvmlError, match="Shared Library Not Found"):
        Nvml(fake_nvml(init=LIBRARY_NOT_FOUND))
    monkeypatch.setitem(sys.modules, "pynvml", None)
    with pytest.raises(NvmlError, match="nvidia-ml-py is not installed"):
        Nvml()


def test_processes_that_may_not_be_listed_are_unknown():
    (gpu,) = Nvml(fake_nvml(FakeGpu(pids=NO_PERMISSION))).gpus()
    assert gpu.pids == frozenset()


def test_the_library_is_shut_down_once_when_the_meter_stops():
    library = fake_nvml(FakeGpu(energy_mj=counter(1)))
    nvml = Nvml(library)
    meter = nvml_meter(nvml, nvml.gpus(), ())
    meter.start()
    meter.stop()
    meter.stop()
    assert library.closed == 1

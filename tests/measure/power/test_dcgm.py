"""DCGM's series, asked of a real Prometheus that scrapes a replayed exporter."""

import time
from unittest import mock

import pytest

from tco.errors import InputError
from tco.measure.power import check_meter, now, open_recorders
from tco.measure.power.dcgm import DcgmError, DcgmMeter
from tco.measure.power.prometheus import Prometheus, PrometheusError, selector

# A scrape is stamped at its start, and may take the whole of its 200 ms on a busy machine.
SLACK = 0.2


def meter_of(url, **labels):
    return DcgmMeter(Prometheus(url), url, labels)


def recorded(meter, seconds=1.6):
    meter.start()
    start = now()
    time.sleep(seconds)
    stop = now()
    energy = meter.energy(start, stop)
    doubts = meter.doubts(start, stop)
    meter.stop()
    return energy, doubts


def test_the_counters_of_a_machines_gpus_give_their_joint_watts(prometheus, exporters):
    meter = meter_of(prometheus, instance=(exporters[0].instance,))
    energy, doubts = recorded(meter)
    assert energy.mean_w == pytest.approx(1000, rel=SLACK)
    assert energy.samples >= 3
    assert doubts == ()
    assert (meter.meter, meter.covers, meter.accelerators) == ("dcgm", "accelerators", 2)
    assert meter.source == f"DCGM by Prometheus at {prometheus}, 2 GPUs of {exporters[0].instance}"
    assert meter.readings().series[0].kind == "counter"
    assert meter.findings == ()


def test_labels_choose_gpus(prometheus, exporters):
    instance = (exporters[0].instance,)
    one = meter_of(prometheus, instance=instance, gpu=("1",))
    energy, _ = recorded(one)
    assert energy.mean_w == pytest.approx(347.582, rel=SLACK)
    assert one.accelerators == 1
    both = meter_of(prometheus, instance=instance, gpu=("0", "1"))
    assert both.accelerators == 2
    both.stop()


def test_without_counters_the_watts_are_integrated_and_that_is_said(prometheus, exporters):
    meter = meter_of(prometheus, instance=(exporters[1].instance,))
    energy, _ = recorded(meter)
    assert energy.mean_w == pytest.approx(1000)
    assert [finding.kind for finding in meter.findings] == ["power_by_readings"]


def test_a_counter_that_starts_again_gives_no_energy(prometheus, exporters):
    meter = meter_of(prometheus, instance=(exporters[0].instance,))
    start = now()
    time.sleep(0.8)
    exporters[0].begun += 3600
    time.sleep(0.8)
    stop = now()
    assert meter.energy(start, stop) is None
    assert "reset" in meter.doubts(start, stop)[0].message
    meter.stop()


def test_gpus_of_several_machines_are_never_added_up(prometheus, exporters):
    with pytest.raises(DcgmError, match="several machines") as caught:
        meter_of(prometheus)
    assert all(exporter.instance in str(caught.value) for exporter in exporters)


def test_labels_are_compared_whole_and_not_as_patterns(prometheus, exporters):
    with pytest.raises(DcgmError, match="no two samples"):
        meter_of(prometheus, instance=(exporters[0].instance.replace(".", "x", 1),))
    with pytest.raises(DcgmError, match="no two samples"):
        meter_of(prometheus, instance=(".*",))


def test_a_server_that_is_gone_or_another_is_a_reason(prometheus, exporters, unused_tcp_port):
    with pytest.raises(PrometheusError, match="refused"):
        meter_of(f"http://127.0.0.1:{unused_tcp_port}")
    with pytest.raises(PrometheusError, match="HTTP 404, and no JSON"):
        meter_of(f"http://{exporters[0].instance}")
    with Prometheus(prometheus) as server, pytest.raises(PrometheusError, match="HTTP 400"):
        server.samples("1 +", {}, last_s=5)


def test_its_clock_is_compared_with_ours(prometheus, exporters, monkeypatch):
    with Prometheus(prometheus) as server:
        assert abs(server.clock_lead_s()) < 1
    monkeypatch.setattr(Prometheus, "clock_lead_s", lambda _: -7.0)
    meter = meter_of(prometheus, instance=(exporters[0].instance,))
    meter.stop()
    (finding,) = meter.findings
    assert (finding.kind, finding.value) == ("power_clock_differs", 7.0)


def test_a_server_that_fails_on_the_way_keeps_what_it_told_and_says_so(
    prometheus, exporters, monkeypatch
):
    meter = meter_of(prometheus, instance=(exporters[0].instance,))
    start = now()
    time.sleep(1)
    stop = now()
    kept = meter.energy(start, stop)

    fails = mock.Mock(side_effect=PrometheusError("HTTP 503: too many queries"))
    monkeypatch.setattr(Prometheus, "samples", fails)
    time.sleep(1)
    assert meter.energy(start, now()) is None
    assert meter.energy(start, stop) == kept
    meter.stop()
    (finding,) = meter.findings
    assert finding.kind == "power_readings_lost"
    assert "too many queries" in finding.message


def test_a_scenario_names_it_and_a_fault_is_the_users(
    prometheus, exporters, metered_scenario, tmp_path, unused_tcp_port
):
    labels = {"instance": exporters[0].instance, "gpu": [0]}
    stated = metered_scenario({"prometheus": prometheus, "labels": labels})
    check_meter(stated)
    handle = type("Handle", (), {"url": "http://198.51.100.7:8000", "pid": None})()
    (meter,) = open_recorders(stated, handle, powercap=tmp_path)
    assert (meter.meter, meter.accelerators) == ("dcgm", 1)
    meter.stop()
    for wrong in (
        {"prometheus": prometheus},
        {"prometheus": f"http://127.0.0.1:{unused_tcp_port}"},
    ):
        with pytest.raises(InputError) as caught:
            check_meter(metered_scenario(wrong))
        assert caught.value.key == "bench.meter.prometheus"
        assert caught.value.remedy


def test_a_selector_escapes_what_means_something_to_prometheus():
    assert selector({"gpu": ("0", "1"), "a": ('x"\\.y',)}) == r'{a=~"x\"\\\\\\.y",gpu=~"0|1"}'

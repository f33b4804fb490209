"""Sensors of this machine, read on a thread."""

import itertools
import time

import pytest

from tco.measure.power import now
from tco.measure.power.readings import Meter
from tco.measure.power.sampled import MeterFaultError, SampledMeter, Sensors

METER = Meter("rapl", "package", None, "two packages", "monotonic")


def test_two_counters_are_read_until_stopped_and_their_powers_add_up():
    closed = []
    sensors = Sensors(
        lambda: (100 * time.monotonic(), 50 * time.monotonic()),
        "counter",
        (None, None),
        lambda: closed.append(True),
    )
    recorder = SampledMeter(METER, sensors, period_s=0.01)
    recorder.start()
    start = now()
    time.sleep(0.2)
    stop = now()
    recorder.stop()
    recorder.stop()
    energy = recorder.energy(start, stop)
    assert energy.mean_w == pytest.approx(150, rel=0.1)
    assert energy.samples >= 2
    assert closed == [True]
    count = len(recorder.readings().series[0].times_ns)
    time.sleep(0.05)
    assert len(recorder.readings().series[0].times_ns) == count


def test_a_reading_that_fails_is_left_out_and_said():
    calls = itertools.count()

    def read():
        if next(calls) % 3 == 1:
            raise MeterFaultError("GPU is lost")
        return (7.0,)

    recorder = SampledMeter(METER, Sensors(read, "power", (None,)), period_s=0.01)
    recorder.start()
    time.sleep(0.1)
    recorder.stop()
    (finding,) = recorder.findings
    assert finding.kind == "power_readings_lost"
    assert "GPU is lost" in finding.message
    assert 0 < finding.value < 1


def test_a_recorder_that_never_started_has_no_energy_and_still_closes():
    closed = []
    sensors = Sensors(lambda: (1.0,), "power", (None,), lambda: closed.append(True))
    recorder = SampledMeter(METER, sensors)
    recorder.stop()
    assert recorder.energy(now(), now()) is None
    assert closed == [True]


def test_a_reading_is_taken_at_the_end_of_a_span_where_the_thread_is_late():
    sensors = Sensors(lambda: (100 * time.monotonic(),), "counter", (None,))
    recorder = SampledMeter(METER, sensors, period_s=60)
    recorder.start()
    start = now()
    time.sleep(0.05)
    stop = now()
    until = recorder.readings_until(stop)
    assert until.series[0].times_ns[-1] >= stop.monotonic_ns
    assert until.series[0].energy_j(start.monotonic_ns, stop.monotonic_ns) == pytest.approx(
        100 * (stop.monotonic_ns - start.monotonic_ns) / 1e9, rel=0.1
    )
    recorder.stop()

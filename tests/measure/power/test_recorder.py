"""What the meters said of a point: which one stands for it, and what is left out."""

import numpy as np
import pytest

from tco.measure.power import Instant
from tco.measure.power.readings import Meter, Readings
from tco.measure.power.recorder import measured_power, point_power
from tco.measure.power.series import Series
from tco.units import NS_PER_S

UNIX_NS = 1_780_000_000 * NS_PER_S


def at(time_s):
    return Instant(round(time_s * NS_PER_S), UNIX_NS + round(time_s * NS_PER_S))


class Recorded:
    """A recorder of given watts at given seconds."""

    findings = ()

    def __init__(self, meter, times_s, watts, covers="accelerators", **more):
        self.meter, self.covers, self.accelerators, self.source = meter, covers, 2, f"the {meter}"
        clock = "unix" if meter in {"wall", "dcgm"} else "monotonic"
        times_ns = np.array([at(t).on(clock) for t in times_s], dtype=np.int64)
        series = (Series(times_ns, np.array(watts, dtype=float), "power"),) if len(watts) else ()
        facts = Meter(meter, covers, 2, self.source, clock, **more)
        self.readings = Readings(facts, series)
        self.energy, self.doubts = self.readings.energy, self.readings.doubts


TIMES_S = range(101)
SPANS = {"window": (at(30), at(90)), "run": (at(20), at(95)), "idle": (at(5), at(10))}
RISING = [50 if t <= 20 else 400 for t in TIMES_S]


def test_a_point_has_idle_and_load_power_and_the_energy_of_a_token_over_the_whole_run():
    power = measured_power(Recorded("nvml", TIMES_S, RISING), output_tokens=1000, **SPANS)
    assert power.idle_w == pytest.approx(50)
    assert power.load_w == pytest.approx(400)
    run_j = (50 + 400) / 2 + 74 * 400
    assert power.run_energy_j == pytest.approx(run_j)
    assert power.joules_per_output_token == pytest.approx(run_j / 1000)
    assert (power.samples, power.accelerators, power.source) == (61, 2, "the nvml")


def test_the_same_readings_give_the_same_power_on_either_clock():
    ours, walls = (Recorded(meter, TIMES_S, RISING) for meter in ("nvml", "wall"))
    assert ours.energy(at(3), at(77)) == walls.energy(at(3), at(77))


def test_no_output_tokens_and_no_idle_span_leave_those_figures_out():
    power = measured_power(
        Recorded("nvml", TIMES_S, RISING), output_tokens=0, **(SPANS | {"idle": None})
    )
    assert power.idle_w is None
    assert power.joules_per_output_token is None
    assert power.run_energy_j > 0


def test_the_wall_stands_for_the_point_and_the_others_beside_it():
    recorders = [
        Recorded("rapl", TIMES_S, [90] * 101, "package"),
        Recorded("nvml", TIMES_S, [400] * 101),
        Recorded("wall", TIMES_S, [700] * 101, "wall"),
    ]
    seen = point_power(recorders, output_tokens=1, **SPANS)
    assert seen.power.meter == "wall"
    assert [other.meter for other in seen.other_power] == ["nvml", "rapl"]
    assert seen.findings == ()


def test_a_meter_that_does_not_cover_the_window_gives_way_to_the_next_and_says_so():
    late = Recorded("wall", range(60, 101), [700] * 41, "wall")
    seen = point_power([late, Recorded("nvml", TIMES_S, [400] * 101)], output_tokens=1, **SPANS)
    assert seen.power.meter == "nvml"
    assert [finding.kind for finding in seen.findings] == ["power_not_read"]
    assert "do not cover" in seen.findings[0].message


@pytest.mark.parametrize(
    ("times_s", "said"),
    [([], "no readings"), ([0, 60, 120], "only 1"), ([*range(40), *range(60, 101)], "missing")],
)
def test_too_little_of_a_window_gives_no_figure(times_s, said):
    recorder = Recorded("wall", times_s, [700] * len(times_s), "wall")
    assert recorder.energy(at(31), at(91)) is None
    assert said in recorder.doubts(at(31), at(91))[0].message


def test_a_short_gap_keeps_the_figure_and_is_said():
    times_s = [*range(50), *range(55, 101)]
    recorder = Recorded("wall", times_s, [700] * len(times_s), "wall")
    energy = recorder.energy(at(30), at(91))
    assert energy.mean_w == pytest.approx(700)
    assert energy.unseen_s == pytest.approx(6)
    assert [finding.kind for finding in recorder.doubts(at(30), at(91))] == ["power_gaps"]


def test_a_step_of_the_meter_that_is_large_beside_the_energy_is_said():
    coarse = Recorded("wall", TIMES_S, [1000] * 101, "wall", quantum_j=36_000)
    assert [finding.kind for finding in coarse.doubts(at(30), at(90))] == ["power_meter_coarse"]


@pytest.mark.parametrize(
    ("watts", "quantum_j", "said"), [(-700, 0.0, "wrong way"), (10, 36_000, "one step")]
)
def test_an_energy_that_cannot_be_is_no_figure(watts, quantum_j, said):
    recorder = Recorded("wall", TIMES_S, [watts] * 101, "wall", quantum_j=quantum_j)
    assert recorder.energy(at(30), at(90)) is None
    assert said in recorder.doubts(at(30), at(90))[0].message


def test_no_meter_is_no_power():
    seen = point_power([], output_tokens=1, **SPANS)
    assert (seen.power, seen.other_power, seen.findings) == (None, (), ())

"""What the meters read is recorded, and gives the same power again."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from tco.errors import InputError
from tco.measure.power import Instant
from tco.measure.power.metered import Metered
from tco.measure.power.readings import Meter, Readings
from tco.measure.power.record import load_power, record_power
from tco.measure.power.recorder import point_power
from tco.measure.power.series import Series
from tco.measure.power.silent import SilentMeter
from tco.scenario import PowerMeter
from tco.units import NS_PER_S

UNIX_NS = 1_780_000_000 * NS_PER_S


def at(time_s):
    return Instant(round(time_s * NS_PER_S), UNIX_NS + round(time_s * NS_PER_S))


class Steady(Metered):
    """A recorder whose sensors rise or stay as they are told."""

    findings = ()

    def __init__(self, meter, clock, *values, kind="power", wraps_at_j=None):
        times_ns = np.array([at(t).on(clock) for t in range(101)], dtype=np.int64)
        series = (Series(times_ns, np.asarray(v, float), kind, wraps_at_j) for v in values)
        covers = "wall" if meter == "wall" else "accelerators"
        self._readings = Readings(Meter(meter, covers, 2, "s", clock), tuple(series))

    def readings(self):
        return self._readings

    def start(self):
        pass

    def stop(self):
        pass


SPANS = {"window": (at(30), at(90)), "run": (at(20), at(95)), "idle": (at(5), at(10))}
COUNTED = np.arange(101) * 400.0 % 5000
METERS = (
    Steady("nvml", "monotonic", COUNTED, COUNTED / 2, kind="counter", wraps_at_j=5000.0),
    SilentMeter("rapl", "package", ()),
    Steady("dcgm", "unix", 300 + np.sin(np.arange(101))),
)


def recorded(folder, meters=METERS, named=None, **spans):
    record = record_power(meters, **(SPANS | spans), named=named or PowerMeter())
    record.save(folder)
    return record


@pytest.mark.parametrize("idle", [SPANS["idle"], None])
def test_the_record_gives_the_power_that_the_meters_gave(tmp_path, idle):
    spans = SPANS | {"idle": idle}
    record = recorded(tmp_path, idle=idle)
    there = point_power(METERS, output_tokens=1000, **spans)
    assert there.power is not None
    assert len(there.other_power) == 1
    assert record.point_power(1000) == there
    assert load_power(tmp_path, record.facts).point_power(1000) == there


def test_meters_without_readings_leave_an_empty_table(tmp_path):
    record = recorded(tmp_path, meters=(SilentMeter("rapl", "package", ()),))
    assert load_power(tmp_path, record.facts).point_power(9) == point_power(
        (), output_tokens=9, **SPANS
    )


def test_lost_readings_are_said(tmp_path):
    record = recorded(tmp_path)
    table = pq.read_table(tmp_path / "power.parquet")
    pq.write_table(table.slice(0, 150), tmp_path / "power.parquet")
    with pytest.raises(InputError, match="lacks the readings"):
        load_power(tmp_path, record.facts)


def test_a_wall_meters_export_that_comes_after_the_run_is_taken_in(tmp_path):
    export = tmp_path / "plug.csv"
    named = PowerMeter(wall_csv=str(export), timezone="UTC")
    record = recorded(tmp_path, named=named)
    assert record.with_late_wall_meter() is record
    rows = [f"{1_780_000_000 + t},700" for t in range(101)]
    export.write_text("\n".join(["ts,power", *rows]) + "\n", encoding="utf-8")
    late = load_power(tmp_path, record.facts).with_late_wall_meter().point_power(1000)
    assert (late.power.meter, late.power.load_w) == ("wall", pytest.approx(700))
    assert len(late.other_power) == 2
    # What was read in the run is not read again.
    in_time = recorded(tmp_path, meters=(Steady("wall", "unix", np.full(101, 650.0)),), named=named)
    assert in_time.with_late_wall_meter() is in_time

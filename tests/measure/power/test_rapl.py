"""RAPL's counters, on a folder laid out as Linux lays it out."""

import os
from pathlib import Path

import pytest

from tco.measure.power import now
from tco.measure.power.rapl import RaplError, rapl_meter

RANGE_UJ = 262_143_328_850


def zone(folder, name, called, energy_uj, range_uj=RANGE_UJ):
    path = folder / name
    path.mkdir(parents=True)
    (path / "name").write_text(f"{called}\n")
    (path / "max_energy_range_uj").write_text(f"{range_uj}\n")
    (path / "energy_uj").write_text(f"{energy_uj}\n")
    return path / "energy_uj"


@pytest.fixture
def powercap(tmp_path):
    """Two packages with a core and a memory zone each, a platform zone, the MMIO twin."""
    zone(tmp_path, "intel-rapl:0", "package-0", 1_000_000)
    zone(tmp_path, "intel-rapl:0:0", "core", 5)
    zone(tmp_path, "intel-rapl:0:1", "dram", 5)
    zone(tmp_path, "intel-rapl:1", "package-1", RANGE_UJ - 2_000_000)
    zone(tmp_path, "intel-rapl:2", "psys", 5)
    zone(tmp_path, "intel-rapl-mmio:0", "package-0", 1_000_000)
    (tmp_path / "intel-rapl").mkdir()
    return tmp_path


def counted(powercap, *steps_uj):
    """The joules between two readings, between which each package counted on."""
    meter = rapl_meter(powercap)
    meter.start()
    start = now()
    for package, step_uj in enumerate(steps_uj):
        path = powercap / f"intel-rapl:{package}" / "energy_uj"
        path.write_text(str((int(path.read_text()) + step_uj) % RANGE_UJ))
    meter.stop()
    first, last = meter.readings().series[0].times_ns[[0, -1]]
    shift = start.unix_ns - start.monotonic_ns
    moments = [type(start)(int(ns), int(ns) + shift) for ns in (first, last)]
    return meter, meter.energy(*moments)


def test_packages_add_up_and_a_counter_at_its_end_counts_on(powercap):
    meter, energy = counted(powercap, 3_000_000, 5_000_000)
    assert energy.joules == pytest.approx(8.0, abs=1e-6)
    assert (meter.meter, meter.covers, meter.accelerators) == ("rapl", "package", None)
    assert meter.source == "RAPL, package-0, package-1"


def test_a_machine_without_counters_is_no_meter(tmp_path):
    with pytest.raises(RaplError, match="no RAPL counters"):
        rapl_meter(tmp_path)


def test_counters_that_only_root_may_read_say_so(powercap, monkeypatch):
    read_text = Path.read_text

    def denied(path, *arguments, **more):
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return read_text(path, *arguments, **more)

    monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(RaplError, match="may not be read") as caught:
        rapl_meter(powercap)
    assert caught.value.is_closed


def test_counters_that_are_no_numbers_are_no_meter(powercap):
    (powercap / "intel-rapl:1" / "energy_uj").write_text("\n")
    with pytest.raises(RaplError, match="cannot be read"):
        rapl_meter(powercap)


def test_a_counter_that_goes_away_is_a_lost_reading(powercap):
    meter = rapl_meter(powercap)
    meter.start()
    (powercap / "intel-rapl:0" / "energy_uj").unlink()
    meter.stop()
    assert [finding.kind for finding in meter.findings] == ["power_readings_lost"]

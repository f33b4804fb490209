"""A wall meter's export: the forms that meters write, the span it must cover, what it lacks."""

import datetime as dt
import zoneinfo

import pytest

from tco.errors import InputError
from tco.measure.power import Instant
from tco.measure.power.wall import WallMeter
from tco.measure.power.wall_csv import read_wall_csv
from tco.measure.power.wall_time import unix_ns
from tco.units import NS_PER_S

START = dt.datetime(2026, 12, 2, 14, 0, tzinfo=dt.UTC)
START_S = int(START.timestamp())


def at(time_s):
    return Instant(round(time_s * NS_PER_S), round((START_S + time_s) * NS_PER_S))


def iso(time_s, zone=dt.UTC, form="%Y-%m-%dT%H:%M:%S%z"):
    return (START + dt.timedelta(seconds=time_s)).astimezone(zone).strftime(form)


@pytest.fixture
def export(tmp_path):
    def write(header, *rows, name="plug.csv"):
        path = tmp_path / name
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        return path

    return write


STEPS = range(0, 121, 10)
KWH = 3_600_000
FORMS = {
    "plain watts": ("time,power (W)", [f"{iso(t)},700.0" for t in STEPS]),
    "Shelly switch in epoch seconds": (
        "timestamp,apower,voltage,aenergy.total",
        [f"{START_S + t},700.0,231.2,{5000 + 700 * t / 3600:.3f}" for t in STEPS],
    ),
    "Tasmota telemetry": (
        "Time,ENERGY.Total,ENERGY.Power,ENERGY.ApparentPower,ENERGY.Voltage",
        [f"{iso(t)},{12.3:.3f},700,812,230" for t in STEPS],
    ),
    "PDU in kW by semicolons and decimal commas": (
        "sep=;\nDate;Time;Active Power [kW]",
        [f"{iso(t, form='%d.%m.%Y;%H:%M:%S')};0,7" for t in STEPS],
    ),
    "milliwatts and epoch milliseconds": (
        "ts,power_mw,voltage_mv",
        [f"{(START_S + t) * 1000},700000,230000" for t in STEPS],
    ),
    "values with their unit, newest first": (
        "DateTime\tPower",
        [f"{iso(t)}\t700 W" for t in reversed(STEPS)],
    ),
    "a counter in Wh": (
        "time (utc),Energy (Wh)",
        [f"{iso(t, form='%Y-%m-%d %H:%M:%S')},{900 + 700 * t / 3600:.4f}" for t in STEPS],
    ),
    "a counter in kWh": (
        "epoch,kWh",
        [f"{START_S + t}.0,{7 + 700 * t / KWH:.7f}" for t in STEPS],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_forms_that_meters_write_give_the_same_watts(export, form):
    header, rows = FORMS[form]
    meter = WallMeter(export(header, *rows))
    energy = meter.energy(at(15), at(105))
    assert energy.mean_w == pytest.approx(700, rel=1e-4)
    assert energy.joules == pytest.approx(700 * 90, rel=1e-4)
    assert (meter.meter, meter.covers, meter.source) == ("wall", "wall", "wall meter, plug.csv")
    wants_zone = form == "PDU in kW by semicolons and decimal commas"
    doubts = [finding.kind for finding in meter.doubts(at(15), at(105))]
    assert doubts == ["power_timezone_assumed"] * wants_zone


def test_bare_times_are_read_in_the_stated_zone_without_a_finding(export):
    zone = zoneinfo.ZoneInfo("America/New_York")
    rows = [f"{iso(t, zone, '%Y-%m-%d %H:%M:%S')},700" for t in STEPS]
    meter = WallMeter(export("time,watts", *rows), zone)
    assert meter.energy(at(15), at(105)).mean_w == pytest.approx(700)
    assert meter.doubts(at(15), at(105)) == ()
    assert WallMeter(export("time,watts", *rows)).energy(at(15), at(105)) is None


def test_power_that_changes_is_integrated_by_trapezoids(export):
    rows = [f"{START_S + t},{watts}" for t, watts in ((0, 100), (10, 300), (20, 300), (30, 100))]
    energy = WallMeter(export("ts,w", *rows)).energy(at(0), at(30))
    assert energy.joules == pytest.approx(2000 + 3000 + 2000)
    assert energy.samples == 4


def test_an_outage_is_a_gap_and_not_zero_watts(export):
    rows = [f"{START_S + t},{'unavailable' if 40 <= t < 45 else 700}" for t in range(121)]
    meter = WallMeter(export("ts,power", *rows))
    assert meter.energy(at(0), at(120)).mean_w == pytest.approx(700)
    assert [finding.kind for finding in meter.doubts(at(0), at(120))] == ["power_gaps"]


def test_an_export_must_cover_the_window(export):
    meter = WallMeter(export("ts,power", *[f"{START_S + t},700" for t in range(60)]))
    assert meter.energy(at(20), at(120)) is None
    assert "do not cover" in meter.doubts(at(20), at(120))[0].message


def test_a_counter_with_coarse_steps_is_said(export):
    rows = [f"{START_S + t},{700 * t / KWH:.3f}" for t in range(0, 601, 10)]
    meter = WallMeter(export("ts,kwh", *rows))
    (finding,) = meter.doubts(at(100), at(200))
    assert finding.kind == "power_meter_coarse"
    assert finding.value == pytest.approx(3600 / 70_000, rel=0.06)


def test_a_file_that_comes_after_the_run_is_read_then(tmp_path, export):
    meter = WallMeter(tmp_path / "plug.csv")
    meter.start()
    assert meter.energy(at(15), at(105)) is None
    (finding,) = meter.doubts(at(15), at(105))
    assert "plug.csv is not there" in finding.message
    assert "--reanalyse" in finding.advice
    export(*FORMS["plain watts"][:1], *FORMS["plain watts"][1])
    assert meter.energy(at(15), at(105)).mean_w == pytest.approx(700)
    assert meter.doubts(at(15), at(105)) == ()


def test_a_file_that_grew_into_nonsense_during_the_run_is_a_reason_and_no_error(export):
    meter = WallMeter(export("ts,power", *[f"{START_S + t},700" for t in STEPS]))
    export("ts,power", "yesterday,700", "today,700")
    assert meter.energy(at(15), at(105)) is None
    (finding,) = meter.doubts(at(15), at(105))
    assert "'yesterday' is no time" in finding.message


@pytest.mark.parametrize(
    ("header", "rows", "said"),
    [
        ("time,volts", ["2026-12-02T14:00:00Z,230"], "no column is watts"),
        ("day,power", ["2026-12-02,7"], "no column is a time"),
        ("time,energy", ["2026-12-02T14:00:00Z,230"], "no column is watts or a cumulative"),
        ("time,apparent power (VA)", ["2026-12-02T14:00:00Z,230"], "no column is watts"),
        ("time,power,watts", ["2026-12-02T14:00:00Z,1,2"], "power and watts could each"),
        ("time,power", ["12/02/2026 14:00,7"] * 2, "is no time that can be read without doubt"),
        ("time,power", ["1700,7"] * 2, "is no time"),
        ("time,power", ["2026-12-02T14:00:00Z,7"], "no two readings"),
        ("time,power", [f"{1_780_000_000 + t},7" for t in (0, 60, 30, 90)], "go back at"),
        ("sep=;", [], "is empty"),
        ("# nothing", [], "is empty"),
        ("time,power (MW)", ["2026-12-02T14:00:00Z,7"] * 2, "no column is watts"),
        ("time,power", ["2026-12-02T14:00:00Z,7 hp"] * 2, "'7 hp' is no number"),
        ("time,power", ['2026-12-02T14:00:00Z,"1,234.5"'], "'1,234.5' is no number"),
        ("time,power", ['2026-12-02T14:00:00Z,"1,234"'], "'1,234' is no number"),
        ("time;power", ["2026-12-02T14:00:00Z;1.234,5"], "'1.234,5' is no number"),
        ("time,power", ["2026-12-02T14:00:00Z,100,5"], "has 3 columns, and the header 2"),
        ("time,power", ["2026-12-02T14:00:00Z," + "9" * 400], "is no number"),
        ("time,power", ["9999-12-31T23:59:59-05:00,1"], "is no time"),
        ("time,power", ["x" * 200_000 + ",1"], "is not CSV"),
    ],
)
def test_an_export_that_cannot_be_read_without_doubt_is_refused(export, header, rows, said):
    with pytest.raises(InputError, match=said) as caught:
        read_wall_csv(export(header, *rows), None)
    assert caught.value.file.endswith("plug.csv")
    assert caught.value.remedy


def test_a_cell_is_read_in_the_unit_that_it_names(export):
    cells = ("999 W", "1.1 kW", "1200", "1.3e3", "1400 W")
    rows = [f"{START_S + 10 * i},{cell}" for i, cell in enumerate(cells)]
    series = read_wall_csv(export("ts,power", *rows), None).series
    assert series.values.tolist() == [999, 1100, 1200, 1300, 1400]


def test_beside_semicolons_a_comma_is_decimal(export):
    rows = [f"{START_S + 10 * i};{cell}" for i, cell in enumerate(("1,234", "1,235"))]
    table = read_wall_csv(export("ts;kWh", *rows), None)
    assert table.series.values.tolist() == pytest.approx([1.234 * KWH, 1.235 * KWH])
    assert table.quantum_j == pytest.approx(3600)


def test_a_header_that_says_utc_is_believed_beside_a_stated_zone(export):
    rows = [f"{iso(t, form='%Y-%m-%d %H:%M:%S')},700" for t in STEPS]
    path = export("Time (UTC),watts", *rows)
    table = read_wall_csv(path, zoneinfo.ZoneInfo("America/New_York"))
    assert table.series.times_ns[0] == START_S * NS_PER_S


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "plug.xlsx"
    path.write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(InputError, match="cannot be read"):
        WallMeter(path)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("2026-12-02T14:00:00Z", False),
        ("2026-12-02 15:00:00+01:00", False),
        ("2026-12-02 14:00:00 UTC", False),
        ("2026-12-02T14:00:00.000", True),
        ("2026/12/02 14:00:00", True),
        ("02.12.2026 14:00", True),
        (f"{START_S}", False),
        (f"{START_S}.000", False),
        (f"{START_S * 1000}", False),
        (f"{START_S * 1_000_000}", False),
        (f"{START_S * 1_000_000_000}", False),
    ],
)
def test_times_are_read_in_every_common_form(text, bare):
    assert unix_ns(text, dt.UTC) == (START_S * NS_PER_S, bare)


def test_fractions_of_a_second_are_kept():
    assert unix_ns(f"{START_S}.25", dt.UTC)[0] == START_S * NS_PER_S + NS_PER_S // 4
    assert unix_ns("2026-12-02T14:00:00.250Z", dt.UTC)[0] == START_S * NS_PER_S + NS_PER_S // 4

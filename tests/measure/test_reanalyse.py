"""A measurement computed from its raw records is the same, and a damaged record says so."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tco.errors import InputError
from tco.measure.reanalyse import reanalyse
from tco.measure.run import bench
from tco.measurement_file import measurement_bytes
from tco.scenario import Scenario

pytestmark = pytest.mark.slow

DOCS = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
TABLES = ("requests", "events", "pulses", "samples", "client", "power")


@pytest.fixture(scope="module")
def run(tmp_path_factory, paced):
    folder = tmp_path_factory.mktemp("run")
    now = int(time.time())
    watts = "\n".join(f"{now - 60 + step / 4},700" for step in range(1440))
    (folder / "plug.csv").write_text(f"ts,power\n{watts}\n", encoding="utf-8")
    with paced("--fault", "http_503", "--fault-every", "30") as url:
        stated = {
            "schema": "tco.scenario/1",
            "name": "paced",
            "traffic": {"shape": {"input_tokens": 32, "output_tokens": 20}},
            "engine": {"attach": {"url": url, "model": "paced"}, "concurrency": 8},
            "bench": {
                "window_s": 1,
                "max_minutes": 1,
                "meter": {"wall_csv": str(folder / "plug.csv"), "timezone": "UTC"},
            },
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
        bench(Scenario.model_validate(stated), out_dir=folder, progress=lambda _: None)
    return folder


@pytest.fixture
def raw(run, tmp_path):
    shutil.copytree(run / "raw", tmp_path / "raw")
    return tmp_path / "raw"


def test_the_records_alone_give_the_same_bytes(run, raw):
    again = reanalyse(raw)
    assert measurement_bytes(again) == (run / "measurement.json").read_bytes()
    assert again.points[0].failures.count > 0
    assert again.points[0].power.load_w == pytest.approx(700)


def test_figures_come_from_the_records_and_are_not_kept_beside_them(run, raw):
    path = raw / "point-0" / "events.parquet"
    events = pq.read_table(path)
    pq.write_table(events.slice(0, len(events) // 2), path)
    before, after = (
        reanalyse(folder).points[0].tokens.client_output for folder in (run / "raw", raw)
    )
    assert after < before * 0.6


@pytest.mark.parametrize("name", [f"{table}.parquet" for table in TABLES])
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "cannot be read: no such file"),
        (lambda path: path.write_bytes(path.read_bytes()[:-20]), "cannot be read: it is damaged"),
        (lambda path: path.write_bytes(b""), "cannot be read: it is damaged"),
        (lambda path: pq.write_table(pa.table({"x": [1]}), path), "has no column"),
    ],
    ids=["missing", "truncated", "empty", "foreign"],
)
def test_a_damaged_table_is_one_sentence_with_its_place(raw, name, damage, said):
    path = raw / "point-0" / name
    damage(path)
    with pytest.raises(InputError, match=f"(?i){said}") as caught:
        reanalyse(raw)
    assert caught.value.file == str(path)
    assert caught.value.remedy


@pytest.mark.parametrize("offset", [0.3, 0.5, 0.7])
def test_a_flipped_byte_is_no_other_figure(run, raw, offset):
    path = raw / "point-0" / "events.parquet"
    data = bytearray(path.read_bytes())
    data[int(len(data) * offset)] ^= 0xFF
    path.write_bytes(data)
    try:
        assert measurement_bytes(reanalyse(raw)) == (run / "measurement.json").read_bytes()
    except InputError as error:
        assert "cannot be read: it is damaged" in str(error)  # noqa: PT017  either may be


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("run.json", '"point-0"', '"../point-0"', "outside its folder"),
        ("run.json", "tco.run_record/1", "tco.run_record/9", "cannot be read"),
        ("run.json", '"capacity_point": 0', '"capacity_point": 3', "none of its"),
        ("point-0/point.json", '"seed"', '"sead"', "cannot be read"),
        ("point-0/point.json", "{", "", "cannot be read"),
    ],
)
def test_a_changed_run_or_point_is_one_sentence(raw, name, old, new, said):
    path = raw / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=said) as caught:
        reanalyse(raw)
    assert caught.value.file == str(path)


@pytest.mark.parametrize(
    ("way", "value"),
    [
        (("held", "window", "stop_ns"), 0),
        (("held", "window", "stop_ns"), 10**30),
        (("facts", "shape", "output_tokens"), 0),
    ],
)
def test_a_point_out_of_all_bounds_is_one_sentence(raw, way, value):
    path = raw / "point-0" / "point.json"
    tree = json.loads(path.read_text(encoding="utf-8"))
    *steps, last = way
    node = tree
    for step in steps:
        node = node[step]
    node[last] = value
    path.write_text(json.dumps(tree), encoding="utf-8")
    with pytest.raises(InputError, match="no load point can be computed") as caught:
        reanalyse(raw)
    assert caught.value.file == str(path)


def test_records_of_an_earlier_version_lack_what_came_later(run, raw):
    path = raw / "point-0" / "client.parquet"
    table = pq.read_table(path)
    pq.write_table(table.drop_columns(["stolen_s"]), path)
    assert reanalyse(raw).points[0].rates == reanalyse(run / "raw").points[0].rates


def test_a_folder_without_a_run_is_said(tmp_path):
    with pytest.raises(InputError, match=r"(?i)cannot be read: no such file"):
        reanalyse(tmp_path)


def test_an_event_of_no_request_is_said(raw):
    path = raw / "point-0" / "events.parquet"
    events = pq.read_table(path)
    columns = {name: events[name] for name in events.column_names}
    columns["event_request"] = pa.array([10**6] * len(events))
    pq.write_table(pa.table(columns), path)
    with pytest.raises(InputError, match="none of the"):
        reanalyse(raw)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_documented(run, table):
    part = DOCS.partition(f"## {table}.parquet")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    written = pq.read_schema(run / "raw" / "point-0" / f"{table}.parquet").names
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(written)


def test_the_documented_example_gives_the_rate_of_the_measurement(run):
    (code,) = re.findall(r"^```python\n(.*?)^```", DOCS, flags=re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=run, capture_output=True, text=True, check=True
    )
    rate = reanalyse(run / "raw").points[0].rates.output_tok_per_s
    assert float(done.stdout) == pytest.approx(rate, rel=1e-12)

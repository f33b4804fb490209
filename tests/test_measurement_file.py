"""Measurements on disk, and published figures."""

import datetime as dt
import hashlib
import json
import re

import pytest

from tco.errors import InputError
from tco.measurement_file import published_measurement, read_measurement, write_measurement
from tco.scenario import Scenario

NOW = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)


def scenario(**published):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "x",
            "traffic": {"shape": {"input_tokens": 300, "output_tokens": 100}},
            "hardware": {"rent": {"usd_per_hour": 2}},
            "measurement": {"published": {**published, "source": "s", "date": "2026-10-15"}},
        }
    )


@pytest.mark.parametrize(
    "rate", [{"requests_per_s": 5}, {"output_tok_per_s": 500}, {"total_tok_per_s": 2000}]
)
def test_each_published_rate_gives_all_four(rate):
    rates = published_measurement(scenario(**rate), NOW, "0").capacity()
    assert rates.requests_per_s == pytest.approx(5)
    assert rates.input_tok_per_s == pytest.approx(1500)
    assert rates.output_tok_per_s == pytest.approx(500)
    assert rates.total_tok_per_s == rates.input_tok_per_s + rates.output_tok_per_s


def test_a_scenario_without_a_figure_is_refused():
    bare = scenario(requests_per_s=1).model_copy(update={"measurement": None})
    with pytest.raises(InputError, match="no published figure"):
        published_measurement(bare, NOW, "0")


def test_what_is_written_is_read_back_with_the_checksum_of_its_bytes(tmp_path):
    measurement = published_measurement(scenario(requests_per_s=1), NOW, "0")
    path = tmp_path / "new" / "m.json"
    write_measurement(measurement, path)
    loaded = read_measurement(path)
    assert loaded.measurement == measurement
    assert loaded.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [p.name for p in path.parent.iterdir()] == ["m.json"]


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b'{"schema": "other/1"}'])
def test_a_file_that_is_no_measurement_is_one_sentence(tmp_path, content):
    path = tmp_path / "m.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a measurement") as caught:
        read_measurement(path)
    assert caught.value.file == str(path)


def test_a_missing_file_and_a_folder_are_one_sentence(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match=r"no such file|is a folder"):
            read_measurement(path)


def test_an_unwritable_place_leaves_nothing_behind(tmp_path):
    (tmp_path / "file").write_text("")
    measurement = published_measurement(scenario(requests_per_s=1), NOW, "0")
    with pytest.raises(InputError, match="cannot be written"):
        write_measurement(measurement, tmp_path / "file" / "m.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_measurement(measurement, tmp_path / "folder")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


def written(tmp_path, **changes):
    measurement = published_measurement(scenario(requests_per_s=1), NOW, "0")
    document = json.loads(measurement.model_dump_json(by_alias=True)) | changes
    path = tmp_path / "m.json"
    path.write_text(json.dumps({key: each for key, each in document.items() if each != "left out"}))
    return path


@pytest.mark.parametrize(
    ("changes", "key", "message"),
    [
        ({"schema": "left out"}, "schema", "names no schema"),
        ({"schema": "tco.measurement/2"}, "schema", "must be 'tco.measurement/1'"),
        ({"capacity_point": 0}, "capacity_point", "must be one of the 0 points, got 0"),
        ({"capacity_point": -1}, "capacity_point", "at least 0, got -1"),
        ({"made_up": 1}, "made_up", "unknown key `made_up`"),
        (
            {"shape": {"input_tokens": 1, "cached_input_share": 5, "output_tokens": 1}},
            "shape.cached_input_share",
            "must be at most 1.0, got 5",
        ),
        (
            {"shape": {"input_tokens": "1", "cached_input_share": 0, "output_tokens": 1}},
            "shape.input_tokens",
            "must be a number, got '1'",
        ),
    ],
)
def test_a_hostile_figure_is_named_by_its_key_and_rule(tmp_path, changes, key, message):
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read_measurement(written(tmp_path, **changes))
    assert caught.value.key == key


@pytest.mark.parametrize("rate", [-1, 1e308, float("nan"), float("inf")])
def test_a_rate_that_no_engine_has_is_refused(tmp_path, rate):
    rates = dict.fromkeys(
        ("requests_per_s", "input_tok_per_s", "output_tok_per_s", "total_tok_per_s"), rate
    )
    with pytest.raises(InputError, match="requests_per_s must be") as caught:
        read_measurement(written(tmp_path, published_rates=rates))
    assert caught.value.key == "published_rates.requests_per_s"


def test_a_truncated_file_says_on_which_line_it_ends(tmp_path):
    path = tmp_path / "m.json"
    path.write_text('{\n "schema": "tco.mea')
    with pytest.raises(InputError, match="not a measurement: not valid JSON") as caught:
        read_measurement(path)
    assert caught.value.line == 2


def test_the_extremes_that_a_scenario_allows_are_a_measurement():
    extreme = scenario(output_tok_per_s=1e15).model_dump(by_alias=True)
    extreme["traffic"]["shape"] |= {"output_tokens": 1e-12, "input_tokens": 1e8}
    rates = published_measurement(Scenario.model_validate(extreme), NOW, "0").capacity()
    assert rates.requests_per_s == pytest.approx(1e27)


@pytest.mark.parametrize("place", ["capacity_interval", "output_tok_per_s_interval"])
def test_an_interval_upside_down_is_refused_at_its_key(place, tmp_path):
    path = tmp_path / "m.json"
    write_measurement(published_measurement(scenario(requests_per_s=1), NOW, "0"), path)
    tree = json.loads(path.read_text(encoding="utf-8"))
    owner = tree if place == "capacity_interval" else tree["published_rates"]
    owner[place] = {"low": 120.0, "high": 80.0}
    path.write_text(json.dumps(tree), encoding="utf-8")
    with pytest.raises(
        InputError, match=re.escape("must not be above high (80), got 120")
    ) as caught:
        read_measurement(path)
    assert place in str(caught.value.key)

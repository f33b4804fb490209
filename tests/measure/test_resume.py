"""A point of an interrupted bench is taken up only if all that it rests on is the same."""

import datetime as dt

import pytest

from tco.measure.point_key import PointKey
from tco.measure.resume import KeptPoints, unfinished_at
from tco.measurement import EngineFacts, HostFacts, MeasuredShape, Measurement
from tco.measurement_file import write_measurement
from tco.scenario import Scenario

ENGINE = EngineFacts(
    name="vllm", version="0.32.0", model="m", model_is_dummy=False, attached=False,
    url="http://127.0.0.1:4001", command=("vllm", "serve", "m", "--port", "4001", "--x", "1"),
    env={"OMP_NUM_THREADS": "1"}, settings={"block_size": "16", "num_gpu_blocks": "812"},
    start_s=20.0, start_id="a1",
)  # fmt: skip
HOST = HostFacts(system="Linux", cpu="c", cpu_count=2, memory_gib=8.0, python="3.11")


def scenario(**changed):
    tree = {
        "schema": "tco.scenario/1",
        "name": "n",
        "traffic": {"shape": {"input_tokens": 8, "output_tokens": 8}},
        "hardware": {"rent": {"usd_per_hour": 1}},
    }
    return Scenario.model_validate({**tree, **changed})


def key(**changed):
    whole = {
        "scenario": scenario(), "engine": ENGINE, "host": HOST, "load": "curve: 8 streams",
        "window_s": 60.0, "number": 0,
    }  # fmt: skip
    return PointKey(**{**whole, **changed}).sha256()


OTHERS = {
    "shape": {"scenario": scenario(traffic={"shape": {"input_tokens": 9, "output_tokens": 8}})},
    "service level": {"scenario": scenario(slo={"ttft_p95_ms": 1})},
    "seed": {"scenario": scenario(bench={"seed": 2})},
    "power meter": {"scenario": scenario(bench={"meter": "none"})},
    "version": {"engine": ENGINE.model_copy(update={"version": "0.33.0"})},
    "flag": {"engine": ENGINE.model_copy(update={"command": ("vllm", "serve", "m", "--x", "2")})},
    "setting": {"engine": ENGINE.model_copy(update={"settings": {"block_size": "32"}})},
    "environment": {"engine": ENGINE.model_copy(update={"env": {}})},
    "host": {"host": HOST.model_copy(update={"driver": "570"})},
    "load": {"load": "curve: 16 streams"},
    "window": {"window_s": 30.0},
    "number": {"number": 1},
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_of_anything_a_point_rests_on_is_another_key(what):
    assert key(**OTHERS[what]) != key()


def test_another_start_of_the_same_engine_is_the_same_key():
    again = ENGINE.model_copy(
        update={
            "url": "http://127.0.0.1:4002", "start_id": "b2", "start_s": 31.0,
            "command": ("vllm", "serve", "m", "--port", "4002", "--x", "1"),
            "settings": {"block_size": "16", "num_gpu_blocks": "809"},
        }
    )  # fmt: skip
    assert key(engine=again) == key()


def test_a_server_attached_to_at_another_address_is_another_one():
    here = ENGINE.model_copy(update={"attached": True, "command": None})
    there = here.model_copy(update={"url": "http://127.0.0.1:4002"})
    again = here.model_copy(update={"start_id": "attached-1"})
    assert key(engine=here) == key(engine=again) != key(engine=there)


def test_the_price_of_hardware_is_no_part_of_it():
    assert key(scenario=scenario(hardware={"rent": {"usd_per_hour": 9}})) == key()


@pytest.fixture
def left(make_point, tmp_path):
    """An unfinished measurement of two points, with their records."""

    def make(*, is_complete=False):
        measurement = Measurement(
            tool_version="0",
            created_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC),
            origin="measured",
            shape=MeasuredShape(input_tokens=8, cached_input_share=0, output_tokens=8),
            points=(make_point(key_sha256="k0"), make_point(key_sha256="k1")),
            capacity_point=0,
            is_complete=is_complete,
        )
        write_measurement(measurement, tmp_path / "m.json")
        for number in range(2):
            (tmp_path / "raw" / f"point-{number}").mkdir(parents=True)
            (tmp_path / "raw" / f"point-{number}" / "point.json").touch()
        return tmp_path / "m.json", tmp_path / "raw"

    return make


def test_points_are_taken_up_in_order_by_their_key(left):
    kept = KeptPoints(*left())
    assert [kept.take(n, f"k{n}").key_sha256 for n in range(2)] == ["k0", "k1"]
    assert kept.take(2, "k2") is None


def test_after_one_of_another_key_none_is_taken_up(left):
    kept = KeptPoints(*left())
    assert kept.take(0, "other") is None
    assert kept.take(1, "k1") is None


def test_a_point_without_its_records_is_measured_again(left):
    target, raw = left()
    (raw / "point-0" / "point.json").unlink()
    assert KeptPoints(target, raw).take(0, "k0") is None


def test_a_finished_measurement_or_a_fresh_start_leaves_nothing_to_take_up(left):
    target, raw = left(is_complete=True)
    assert len(KeptPoints(target, raw)) == 0
    assert unfinished_at(target) is None


def test_by_force_it_starts_anew(left):
    assert len(KeptPoints(*left(), is_fresh=True)) == 0


def test_what_is_no_measurement_is_not_taken_for_one(tmp_path):
    (tmp_path / "m.json").write_text("{}")
    assert unfinished_at(tmp_path / "m.json") is None

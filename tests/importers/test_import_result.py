"""What holds for every format: the tool is recognised, and no file gets in that misleads."""

import datetime as dt
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.errors import InputError
from tco.importers import result_file
from tco.importers.import_result import import_result
from tco.measurement import Measurement
from tco.measurement_file import measurement_bytes

FILES = Path(__file__).resolve().parents[1] / "data" / "imports"
NOW = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
PLAIN = FILES / "vllm_bench_serve_plain.json"
TOOLS = {
    "vllm_bench_serve.json": "vllm bench serve",
    "vllm_bench_serve_detailed.json": "vllm bench serve",
    "guidellm.json": "GuideLLM",
    "aiperf_profile_export.json": "AIPerf",
    "aiperf_profile_export_3_requests.jsonl": "AIPerf",
    "inference_perf_summary.json": "inference-perf",
}


@pytest.mark.parametrize("name", TOOLS)
def test_the_tool_is_recognised_by_the_content_whatever_the_name(tmp_path, name):
    copy = tmp_path / "result"
    copy.write_bytes((FILES / name).read_bytes())
    found = import_result(copy, created_at=NOW)
    assert found.imported.tool == TOOLS[name]
    assert found.imported.file_sha256 == hashlib.sha256(copy.read_bytes()).hexdigest()
    assert found.origin == "imported"


@pytest.mark.parametrize("name", TOOLS)
def test_what_only_the_tool_could_know_is_unknown_and_named(imported, name):
    found = imported(name)
    point = found.points[0]
    assert point.engine_start_id is None
    assert point.power is None
    assert point.client is None
    assert found.shape.cached_input_share is None
    assert found.rate_interval() is None
    lacking = next(f for f in found.findings if f.kind == "imported_rate")
    for words in ("power", "the engine's settings and start", *found.imported.lacks):
        assert words in lacking.message


@pytest.mark.parametrize("name", TOOLS)
def test_rates_over_the_whole_run_are_called_that(imported, kinds, name):
    assert kinds(imported(name))["whole_run_rate"] == "warn"


@pytest.mark.parametrize("name", TOOLS)
def test_the_measurement_reads_back_as_it_was_written(imported, name):
    found = imported(name)
    assert Measurement.model_validate_json(measurement_bytes(found)) == found


def test_streams_idle_for_more_than_half_of_the_time_make_it_invalid(changed, kinds):
    found = changed("vllm_bench_serve.json", max_concurrency=40)
    assert kinds(found)["whole_run_rate"] == "invalid"


def write(tmp_path, text):
    path = tmp_path / "result.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


RAW = PLAIN.read_text(encoding="utf-8")
LINES = (FILES / "aiperf_profile_export_3_requests.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("concurrency,rate\n16,11840\n", "not valid JSON"),
        (RAW[: len(RAW) // 2], "not valid JSON"),
        (LINES[:-200], "not valid JSON"),
        ("[" * 100_000, "nested too deep"),
        ('{"a": ' + "9" * 5000 + "}", "a number is too long"),
        (b"\xff\xfe\x00", "not a UTF-8 text file"),
        (RAW[:-1] + ', "duration": 1}', "`duration` stands twice"),
        ("{}", "no result file of a known tool"),
        ("[]", "no result file of a known tool"),
        ("7", "no result file of a known tool"),
        ('{"benchmarks": []}', "no result file of a known tool"),
        ('{"schema": "tco.measurement/1"}', "is a measurement, not a load tool's result file"),
        (LINES + RAW, "another kind"),
    ],
)
def test_what_is_no_result_file_is_refused_in_one_sentence(tmp_path, text, words):
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=words) as caught:
        import_result(path, created_at=NOW)
    assert caught.value.file == str(path)
    assert caught.value.remedy


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", "true", '"5.56"', "-5.56", "[]"])
def test_a_number_that_is_none_is_refused_with_its_key(tmp_path, value):
    stated = json.loads(RAW)["duration"]
    path = write(tmp_path, RAW.replace(str(stated), value))
    with pytest.raises(InputError) as caught:
        import_result(path, created_at=NOW)
    assert caught.value.key == "duration"


def test_a_number_of_hundreds_of_digits_is_not_finite(tmp_path):
    stated = json.loads(RAW)["duration"]
    with pytest.raises(InputError, match="finite"):
        import_result(write(tmp_path, RAW.replace(str(stated), "9" * 400)), created_at=NOW)


def test_figures_beyond_every_range_are_refused(changed):
    with pytest.raises(InputError, match="cannot be"):
        changed("vllm_bench_serve_plain.json", total_input_tokens=1e24, completed=240,
                duration=1e-20, output_throughput=7680 / 1e-20, request_throughput=240 / 1e-20,
                total_token_throughput=None, mean_ttft_ms=None, mean_tpot_ms=None,
                mean_itl_ms=None, max_concurrency=None)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("vllm_bench_serve.json", "request_throughput", 20.0),
        ("vllm_bench_serve.json", "total_token_throughput", 5000.0),
        ("aiperf_profile_export.json", "output_token_throughput.avg", 1100.0),
        ("aiperf_profile_export.json", "input_token_throughput.avg", 1100.0),
        ("aiperf_profile_export.json", "inter_chunk_latency.p95", 9.9e5),
        ("inference_perf_summary.json", "successes.output_tokens.total", 512),
        ("inference_perf_summary.json", "successes.latency.inter_token_latency.p95", 1e-9),
        ("vllm_bench_serve_detailed.json", "ttfts.0", 1e300),
    ],
)
def test_a_figure_that_the_others_contradict_is_refused_with_its_key(changed, name, key, value):
    with pytest.raises(InputError) as caught:
        changed(name, **{key.replace(".", "__"): value})
    assert caught.value.key == key


def test_first_tokens_after_the_last_ones_are_refused(changed):
    with pytest.raises(InputError, match="to their first token"):
        changed("vllm_bench_serve.json", mean_ttft_ms=1500.0)


def test_answers_without_a_token_are_refused(changed):
    with pytest.raises(InputError, match="no answer of it has a token"):
        changed(
            "inference_perf_summary.json",
            successes__output_tokens__total=0,
            successes__output_tokens__mean=0,
        )


def test_a_time_of_day_that_is_none_is_refused(changed):
    key = "benchmarks__0__scheduler_metrics__request_start_time"
    with pytest.raises(InputError):
        changed("guidellm.json", **{key: 1e23, key.replace("start", "end"): 2e23})


def test_a_file_of_a_gibibyte_is_refused_unread(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(1 << 30)  # sparse: it takes no room
    with pytest.raises(InputError, match="larger than 256 MiB"):
        import_result(path, created_at=NOW)


def test_a_file_that_grows_while_it_is_read_is_bounded(monkeypatch):
    monkeypatch.setattr(result_file, "MAX_BYTES", 100)
    path = Path("/dev/zero")  # its size is 0, and it never ends
    with pytest.raises(InputError, match="larger than"):
        import_result(path, created_at=NOW)


def test_no_file_and_a_folder_are_said(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match=r"no such file|is a folder"):
            import_result(path, created_at=NOW)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(TOOLS)), junk=JSON)
def test_junk_in_any_place_is_taken_or_refused_but_never_a_traceback(
    tmp_path_factory, data, name, junk
):
    trees = [json.loads(line) for line in _lines(FILES / name)]
    node = trees[0]
    while isinstance(node, dict | list) and node:
        keys = sorted(node) if isinstance(node, dict) else range(len(node))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            node[key] = junk
            break
        node = node[key]
    path = tmp_path_factory.mktemp("junk") / name
    path.write_text("\n".join(json.dumps(tree) for tree in trees), encoding="utf-8")
    try:
        found = import_result(path, created_at=NOW)
    except InputError as error:
        assert error.message  # noqa: PT017
    else:
        assert found.origin == "imported"


def _lines(path):
    text = path.read_text(encoding="utf-8")
    return text.splitlines() if path.suffix == ".jsonl" else [text]

"""`tco bench --compare` and `--reanalyse`: two measurements, or raw records, and no engine."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tco.measurement_file import measurement_bytes, read_measurement
from tco.schemas import schema

SAMPLE = Path(__file__).parents[1] / "data" / "measurement.json"


def tco(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-c", "from tco.cli import main; main()", "bench", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def pair(tmp_path):
    """A measurement and one of the same load that is a fifth faster."""
    a = read_measurement(SAMPLE).measurement
    point = a.points[a.capacity_point]
    rates = point.rates.model_copy(
        update={
            "output_tok_per_s": point.rates.output_tok_per_s * 1.2,
            "output_tok_per_s_interval": point.rates.output_tok_per_s_interval.model_copy(
                update={
                    "low": point.rates.output_tok_per_s_interval.low * 1.2,
                    "high": point.rates.output_tok_per_s_interval.high * 1.2,
                }
            ),
        }
    )
    points = list(a.points)
    points[a.capacity_point] = point.model_copy(update={"rates": rates})
    (tmp_path / "a.json").write_bytes(measurement_bytes(a))
    faster = a.model_copy(update={"points": tuple(points)})
    (tmp_path / "b.json").write_bytes(measurement_bytes(faster))
    return tmp_path


def test_the_table_says_what_changed_and_the_json_keeps_to_its_schema(pair):
    shown = tco(pair, "--compare", "a.json", "b.json")
    assert shown.returncode == 0, shown.stderr
    assert "+20\N{NO-BREAK SPACE}%" in shown.stdout
    assert "better" in shown.stdout
    assert "TTFT p50, ms" in shown.stdout
    printed = tco(pair, "--compare", "a.json", "b.json", "--json")
    document = json.loads(printed.stdout)
    jsonschema.validate(document, schema("bench_comparison"))
    assert document["ratios"][0]["verdict"] == "better"
    assert document["a"]["file"] == "a.json"


def test_an_invalid_side_is_exit_4(pair):
    a = read_measurement(pair / "a.json").measurement
    finding = {"kind": "k", "severity": "invalid", "path": "p", "message": "m", "advice": "a"}
    tree = json.loads(measurement_bytes(a))
    tree["findings"].append(finding)
    (pair / "b.json").write_text(json.dumps(tree), encoding="utf-8")
    assert tco(pair, "--compare", "a.json", "b.json").returncode == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give a scenario to measure, or --compare, or --reanalyse"),
        (("s.yaml", "--reanalyse", "raw"), "give a scenario to measure"),
        (("--compare", "a.json"), "requires 2 arguments"),
        (("--compare", "a.json", "none.json"), "none.json"),
        (("--reanalyse", "raw"), "cannot be read"),
        (("--reanalyse", "raw", "--set", "a=1"), "takes only --json"),
        (("--compare", "a.json", "b.json", "-o", "c.json"), "takes only --json"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_2(pair, arguments, said):
    done = tco(pair, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1

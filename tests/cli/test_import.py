"""`tco import`: the file is written, and report and compare say where the rate comes from."""

import json
from pathlib import Path

import pytest

from tco.cli import main

FILES = Path(__file__).resolve().parents[1] / "data" / "imports"
DETAILED = str(FILES / "vllm_bench_serve_detailed.json")
OPEN = str(FILES / "vllm_bench_serve_open.json")
SAME_SHAPE = (
    "--set",
    "traffic.shape.input_tokens=64.5",
    "--set",
    "traffic.shape.output_tokens=32",
)


@pytest.fixture
def tco(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            main([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run


def test_it_writes_a_measurement_and_prints_figures_and_findings(tco):
    code, out, err = tco("import", DETAILED)
    assert (code, out) == (0, "")
    assert "1,420.0 output tok/s" in err
    assert "measured by vllm bench serve, not by tco" in err
    made = json.loads(Path("reports/vllm-bench-serve-detailed/measurement.json").read_text())
    assert made["origin"] == "imported"


def test_json_is_the_measurement_and_nothing_else(tco):
    code, out, _ = tco("import", DETAILED, "-o", "m.json", "--json")
    assert code == 0
    assert json.loads(out) == json.loads(Path("m.json").read_text())


def test_an_existing_file_is_kept_unless_forced(tco):
    Path("m.json").write_text("mine")
    code, _, err = tco("import", DETAILED, "-o", "m.json")
    assert (code, Path("m.json").read_text()) == (2, "mine")
    assert "--force" in err
    assert tco("import", DETAILED, "-o", "m.json", "--force")[0] == 0


def test_a_bad_file_leaves_nothing_and_json_says_where(tco):
    code, out, _ = tco("import", FILES / "vllm_bench_serve_failed.json", "-o", "m.json", "--json")
    error = json.loads(out)
    assert (code, error["schema"], error["key"]) == (2, "tco.error/1", "completed")
    assert not Path("m.json").exists()


def test_an_invalid_finding_is_exit_code_4_with_the_file_written(tco):
    tree = json.loads(Path(DETAILED).read_text()) | {"max_concurrency": 99}
    Path("r.json").write_text(json.dumps(tree))
    assert tco("import", "r.json", "-o", "m.json")[0] == 4
    assert Path("m.json").is_file()


@pytest.fixture
def measured(tco):
    tco("init", "my.yaml")
    tco("import", DETAILED, "-o", "m.json")
    return ("my.yaml", "-m", "m.json")


def test_compare_rests_on_it_and_carries_its_findings(tco, measured):
    code, out, _ = tco("compare", *measured, *SAME_SHAPE, "--json")
    answer = json.loads(out)
    found = {finding["kind"]: finding["severity"] for finding in answer["findings"]}
    assert code == 0
    assert answer["capacity"]["origin"] == "imported"
    assert answer["capacity"]["output_tok_per_s"] == pytest.approx(1420.024280)
    assert found["imported_rate"] == found["whole_run_rate"] == "warn"
    assert "shape_differs" not in found
    assert "measured by vllm bench serve" in " ".join(
        tco("compare", *measured, *SAME_SHAPE)[1].split()
    )


def test_another_shape_than_the_scenarios_must_not_be_used(tco, measured):
    answer = json.loads(tco("compare", *measured, "--json")[1])
    found = {finding["kind"]: finding["severity"] for finding in answer["findings"]}
    assert found["shape_differs"] == "invalid"


def test_the_pdf_says_where_the_rate_comes_from(tco, measured):
    import pypdf

    assert tco("report", *measured, *SAME_SHAPE, "-o", "out")[0] == 0
    pages = pypdf.PdfReader("out/report.pdf").pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert "measured by vllm bench serve, not by tco" in text
    assert "vllm_bench_serve_detailed.json" in text
    assert "20261202-085922" in text


def test_an_open_loop_gives_no_cost(tco):
    tco("init", "my.yaml")
    tco("import", OPEN, "-o", "m.json")
    code, _, err = tco("compare", "my.yaml", "-m", "m.json")
    assert code == 2
    assert "no capacity point" in err

import json
from pathlib import Path

import pytest

from tco.cli import main
from tco.cli.workload_tables import bars, duration

TRACES = Path(__file__).parents[1] / "data" / "traces"
AZURE = TRACES / "azure_llm_code_2023_first200.csv"
EXPECTED = json.loads((TRACES / "expected.json").read_text(encoding="utf-8"))


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(["workload", "show", *map(str, arguments)])
    return ended.value.code


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_json_has_the_figures_a_correct_reader_finds(name, capsys):
    assert run(TRACES / name, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "tco.traffic_shape/1"
    assert {key: found[key] for key in EXPECTED[name]} == EXPECTED[name]


def test_text_shows_lengths_arrivals_and_what_is_not_told(capsys):
    assert run(AZURE) == 0
    out = capsys.readouterr().out
    assert f"{AZURE.name}: Azure LLM trace, 200 requests over 3.32 min" in out
    assert "2,071.1" in out
    assert "the busiest has 137, 2.27 times the average" in out
    assert "█" in out
    assert "Reusable prefix share: the file does not tell" in out


def test_text_shows_sessions_and_what_was_left_out(tmp_path, capsys):
    path = tmp_path / "[bold]agents.csv"
    path.write_text(
        "input_tokens,output_tokens,session,wait_s\n100,10,a,\n150,10,a,3\n7,0,b,\n", "utf-8"
    )
    assert run(path) == 0
    out = capsys.readouterr().out
    assert "[bold]agents.csv" in out
    assert "Sessions: 1, 2 requests each, 3 s between turns" in out
    assert "Left out: 1 request without input or answer" in out
    assert "44 % of input tokens" in out.replace("\u00a0", " ")
    assert "the file states no times" in out


@pytest.mark.parametrize(("name", "magic"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml")])
def test_the_plot_is_written_and_json_alone_stands_on_stdout(tmp_path, capsys, name, magic):
    assert run(AZURE, "-o", tmp_path / name, "--json") == 0
    assert (tmp_path / name).read_bytes().startswith(magic)
    printed = capsys.readouterr()
    json.loads(printed.out)
    assert "wrote" in printed.err


@pytest.mark.parametrize("name", ["a.pdf", "none/a.png"])
def test_a_plot_that_cannot_be_written_is_said_before_anything_is_read(tmp_path, capsys, name):
    assert run(tmp_path / "none.csv", "-o", tmp_path / name) == 2
    assert name.rpartition("/")[2] in capsys.readouterr().err


def test_a_bad_file_is_one_sentence_with_its_line(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("input_tokens,output_tokens\n5,1\n5,x\n", "utf-8")
    assert run(path, "--json") == 2
    error = json.loads(capsys.readouterr().out)
    assert (error["line"], error["key"]) == (3, "output_tokens")


def test_bars_stand_for_the_highest_of_their_minutes():
    assert bars([0, 8, 4])[3] == " ██"
    assert bars([0, 8, 4])[0] == " █ "
    assert len(bars(range(1000))[0]) <= 60
    assert bars([1] * 59 + [1000] + [1] * 900)[0].count("█") == 1


@pytest.mark.parametrize(
    ("seconds", "words"), [(12, "12 s"), (199, "3.32 min"), (90_000, "25 h"), (0, "0 s")]
)
def test_a_span_is_in_the_unit_that_reads_best(seconds, words):
    assert duration(seconds) == words

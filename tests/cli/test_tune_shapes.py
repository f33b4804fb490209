"""`tco tune --shapes`, end to end, on an engine of known pace."""

import json

import pytest
from paced_scenario import run_tco, write_paced

pytestmark = pytest.mark.slow
LADDER = """
schema: tco.ladder/1
name: mine
steps:
  - {name: half the gap, args: {gap-s: 0.03}}
  - {name: a kernel, args: {refuse-to-start: true}}
"""


def tuned(folder, *words):
    return run_tco(folder, "tune", *words, "--ladder", "l.yaml", "-o", "t")


@pytest.fixture
def folder(tmp_path):
    for name, tokens in (("short", 5), ("long", 10)):
        write_paced(tmp_path / f"{name}.yaml", tokens=tokens, args={"gap-s": 0.06})
    (tmp_path / "l.yaml").write_text(LADDER, encoding="utf-8")
    return tmp_path


def test_each_traffic_is_tuned_and_the_report_lies_beside_the_record(folder):
    done = tuned(folder, "--shapes", "short.yaml", "long.yaml", "--repeats", "1", "--json")
    assert done.returncode == 0, done.stderr
    shapes = json.loads(done.stdout)
    assert json.loads((folder / "t" / "shapes.json").read_text("utf-8")) == shapes
    assert [shape["name"] for shape in shapes["shapes"]] == ["short", "long"]
    assert shapes["is_complete"]
    half, kernel = shapes["steps"]
    # One start a side decides nothing.
    assert {gain["decision"] for gain in half["gains"]} == {"undecided"}
    assert {gain["decision"] for gain in kernel["gains"]} == {"failed"}
    (pair,) = shapes["pairs"]
    assert pair["winner"] == "same", "neither kept a step"
    for shape in shapes["shapes"]:
        assert (folder / "t" / shape["record"]).is_file()
    for kind in ("pdf", "html", "md"):
        assert f"written: t/shapes.{kind}" in done.stderr
        assert (folder / "t" / f"shapes.{kind}").stat().st_size > 0
    assert "The same settings are best" in (folder / "t" / "shapes.md").read_text("utf-8")


def test_shapes_of_one_scenario_or_without_a_ladder_are_refused(folder):
    alone = tuned(folder, "--shapes", "short.yaml")
    assert alone.returncode == 2
    assert "one scenario is given" in alone.stderr
    twice = tuned(folder, "--shapes", "short.yaml", "short.yaml")
    assert twice.returncode == 2
    assert "has the name of another" in twice.stderr
    assert not (folder / "t").exists()
